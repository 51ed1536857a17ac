"""answer: what is not a leave form: balances, own leaves, cancelling, rules, people, help, and what nobody understood."""

import re
import secrets
from collections.abc import Sequence
from datetime import timedelta
from typing import Any, Literal

from langgraph.runtime import Runtime
from langgraph.types import Command

from model.answer import HandbookAnswer
from model.company import Leave, LeaveType
from model.errors import EipError
from model.meaning import Meaning
from model.outcome import Outcome
from model.state import State
from module.handbook.answer import answer as handbook_answer
from module.leave.checks import active
from module.nodes.check_chat_type import readable
from module.nodes.context import Context, spoken
from module.nodes.friendly import in_own_words
from module.words import number

Said = tuple[Outcome, str, dict[str, Any]]
YEAR = timedelta(days=366)


Next = Command[Literal["rewrite", "__end__"]]


async def answer(state: State, runtime: Runtime[Context]) -> Next:
    """Answers every question of the message in turn; a leave wish inside it still goes to the form."""
    context = runtime.context
    if "leave" in (state.get("touched") or ()):
        return Command(goto="rewrite", update=await _answers(state, context))
    return Command(goto="__end__", update=spoken(await in_own_words(await _answers(state, context), context), context))


async def _answers(state: State, context: Context) -> dict[str, Any]:
    """Every answer of the turn; the first names the outcome unless a leave form follows."""
    if not readable(state, context):
        key = "too_long" if state.get("text") else "empty"
        text = context.words.say("unclear_first", key, limit=context.message_chars)
        return _result([(Outcome.UNCLEAR_FIRST, text, {})])
    meaning = context.meaning(state)
    answered = [kind for kind in meaning.kinds if kind in _ANSWERS]
    said = [await _ANSWERS[kind](state, context, meaning) for kind in answered if kind != "question" or answered == ["question"]]
    if not said and "leave" not in (state.get("touched") or ()):
        return unclear(state, context)
    return _result(said)


def _result(said: Sequence[Said]) -> dict[str, Any]:
    updates: dict[str, Any] = {}
    for _, _, more in said:
        updates |= more
    reply = "\n\n".join(text for _, text, _ in said if text)
    outcomes = list(dict.fromkeys(str(outcome) for outcome, _, _ in said))
    return updates | {"outcome": outcomes[0] if outcomes else "", "also": outcomes[1:], "reply": reply}


def agent_example(context: Context) -> str:
    """A substitute to name in examples."""
    people = context.employee.substitutes
    return people[-1].name if people else "同事"


def unclear(state: State, context: Context, reason: str = "") -> dict[str, Any]:
    """Nothing new was understood; the third such turn ends the muddle."""
    rounds = state.get("rounds", 0) + 1
    words = context.words
    values: dict[str, Any] = {"agent_example": agent_example(context), "rounds": rounds}
    if rounds >= context.rounds:
        if state.get("shown"):
            return {"outcome": str(Outcome.FINAL_GUESS), "reply": words.say("final_guess", **values), "rounds": 0}
        options = ["重新開始", "找人資"]
        return {"outcome": str(Outcome.GIVE_UP), "reply": words.say("give_up", **values), "rounds": 0, "options": options}
    if not state.get("open"):
        return {"outcome": str(Outcome.UNCLEAR_FIRST), "reply": words.say("unclear_first", reason), "rounds": rounds}
    if state.get("asked", "").startswith("ask_") and state.get("question") and not reason:
        return {"outcome": state["asked"], "reply": state["question"], "rounds": rounds}
    return {"outcome": str(Outcome.UNCLEAR_EDIT), "reply": words.say("unclear_edit", reason, **values), "rounds": rounds}


# ---- one function a kind


async def _balance(state: State, context: Context, meaning: Meaning) -> Said:
    wanted = [kind for kind in context.employee.leave_types if kind.name in meaning.asked_types]
    lines = []
    for kind in wanted or context.employee.leave_types:
        left = kind.remaining_minutes
        hours = "" if left is None else f"{number(left / 60)} 小時（{number(left / context.calendar.day_minutes)} 天）"
        text = (hours or context.words.say("balance", "unlimited")) + _by_year(context, kind)
        lines.append(context.words.say("balance", "line", name=kind.name, left=text))
    if not wanted and meaning.asked_types:
        choices = [kind.name for kind in context.employee.leave_types]
        values = {"category": meaning.asked_types[0], "choices": "、".join(choices), "first_choice": choices[0]}
        lines.append(context.words.say("category_not_allowed", **values))
    return Outcome.BALANCE, _stale(context) + context.words.say("balance", lines="\n".join(lines)), {}


def _by_year(context: Context, kind: LeaveType) -> str:
    years = sorted((kind.remaining_by_year or {}).items())
    parts = [context.words.say("form", "year_share", year=year, hours=number(left / 60)) for year, left in years]
    return context.words.say("form", "year_shares", shares="、".join(parts)) if parts else ""


def _stale(context: Context) -> str:
    return "" if context.reachable else context.words.say("notes", "eip_down") + "\n"


async def own_leaves(context: Context) -> tuple[Leave, ...]:
    """The employee's leaves of a year back and two ahead; none when the EIP cannot be reached."""
    try:
        return await context.eip.leaves(context.account, context.now - YEAR, context.now + 2 * YEAR)
    except EipError:
        return ()


def leave_line(context: Context, leave: Leave) -> str:
    """One leave as a line."""
    status = context.words.say("status", leave.status)
    start, end = context.words.moment(leave.start), context.words.moment(leave.end)
    return context.words.say("leave_list", "line", wf_no=leave.wf_no, category=leave.category, start=start, end=end, status=status)


async def _leave_list(state: State, context: Context, meaning: Meaning) -> Said:
    leaves = await own_leaves(context)
    own = {leave.wf_no for leave in leaves}
    head = "".join(context.words.say("leave_list", "unknown_number", number=no) + "\n" for no in meaning.numbers if no not in own)
    if meaning.numbers and any(no in own for no in meaning.numbers):
        leaves = tuple(leave for leave in leaves if leave.wf_no in meaning.numbers)
    if not leaves:
        return Outcome.LEAVE_LIST, _stale(context) + head + context.words.say("leave_list", "none"), {}
    lines = "\n".join(leave_line(context, leave) for leave in leaves)
    return Outcome.LEAVE_LIST, _stale(context) + head + context.words.say("leave_list", lines=lines), {}


async def _cancel(state: State, context: Context, meaning: Meaning) -> Said:
    leaves = active(await own_leaves(context))
    fit = [leave for leave in leaves if _fits(leave, meaning)]
    if not meaning.numbers and not (meaning.cancel_span and meaning.cancel_span.first):
        fit = [leave for leave in fit if leave.end > context.now] or fit
    if not fit:
        return Outcome.CANCEL_FAILED, context.words.say("cancel_failed"), {}
    if len(fit) > 1:
        lines = "\n".join(leave_line(context, leave) for leave in fit)
        text = context.words.say("leave_list", lines=lines) + "\n" + context.words.say("leave_list", "which", example=fit[0].wf_no)
        return Outcome.LEAVE_LIST, text, {"options": [f"取消 {leave.wf_no}" for leave in fit[:5]], "asked": "which_leave"}
    return ask_cancel(context, fit[0])


def ask_cancel(context: Context, leave: Leave) -> Said:
    """The cancellation shown with its button; only that button or 確認 carries it out."""
    text = context.words.say("confirm_cancel", line=leave_line(context, leave))
    return Outcome.CONFIRM_CANCEL, text, {"cancel_wf": leave.wf_no, "cancel_token": secrets.token_urlsafe(24)}


def _fits(leave: Leave, meaning: Meaning) -> bool:
    if meaning.numbers:
        return leave.wf_no in meaning.numbers
    span = meaning.cancel_span
    if span and span.first and span.last and not leave.start.date() <= span.last <= leave.end.date() + timedelta(0):
        return False
    named = [name for name in meaning.asked_types if name]
    return not named or leave.category in named


async def _policy(state: State, context: Context, meaning: Meaning) -> Said:
    told, question = await _told(state, context, meaning)
    if not told.found:
        return Outcome.POLICY_UNKNOWN, context.words.say("policy_unknown"), {"options": ["找人資"], "policy": question}
    return Outcome.POLICY_ANSWER, context.words.say("policy_answer", answer=told.answer), {"policy": question}


async def _question(state: State, context: Context, meaning: Meaning) -> Said:
    """A question that names nothing of ours: answered where the handbook is sure, otherwise not understood."""
    told, question = await _told(state, context, meaning)
    if told.found:
        return Outcome.POLICY_ANSWER, context.words.say("policy_answer", answer=told.answer), {"policy": question}
    result = unclear(state, context)
    outcome = Outcome(result.pop("outcome"))
    return outcome, str(result.pop("reply")), result


async def _told(state: State, context: Context, meaning: Meaning) -> tuple[HandbookAnswer, str]:
    asked = [found.words for found in meaning.found if found.rule in ("policy", "question")]
    question = "\n".join(asked) or meaning.text
    context.progress("handbook")
    return await handbook_answer(question, context.handbook, context.llm, state.get("policy", "")), question


async def _hand_off(state: State, context: Context, meaning: Meaning) -> Said:
    request = re.sub(r"\s+", " ", meaning.text)[:60]
    return Outcome.HAND_OFF, context.words.say("hand_off", request=request), {}


async def _help(state: State, context: Context, meaning: Meaning) -> Said:
    return Outcome.HELP, context.words.say("help", agent_example=agent_example(context)), {}


async def _courtesy(state: State, context: Context, meaning: Meaning) -> Said:
    return Outcome.HELP, context.words.say("help", "courtesy"), {}


async def _others(state: State, context: Context, meaning: Meaning) -> Said:
    return Outcome.UNCLEAR_FIRST, context.words.say("unclear_first", "others"), {}


async def _decline(state: State, context: Context, meaning: Meaning) -> Said:
    if state.get("cancel_wf"):
        return Outcome.RESET, context.words.say("reset", "declined"), {"cancel_wf": "", "cancel_token": ""}
    return Outcome.UNCLEAR_FIRST, context.words.say("unclear_first", "declined"), {}


async def _no_hand_off(state: State, context: Context, meaning: Meaning) -> Said:
    return Outcome.UNCLEAR_FIRST, context.words.say("unclear_first", "declined"), {}


async def _nod(state: State, context: Context, meaning: Meaning) -> Said:
    if state.get("shown"):
        return Outcome.PREVIEW, context.words.say("preview", "nod"), {}
    result = unclear(state, context)
    outcome = Outcome(result.pop("outcome"))
    return outcome, str(result.pop("reply")), result


_ANSWERS = {
    "balance": _balance,
    "leave_list": _leave_list,
    "cancel_leave": _cancel,
    "change_filed": _cancel,
    "policy": _policy,
    "question": _question,
    "hand_off": _hand_off,
    "help": _help,
    "courtesy": _courtesy,
    "others": _others,
    "decline": _decline,
    "no_hand_off": _no_hand_off,
    "nod": _nod,
}
