"""answer: the desk. What is not a leave form becomes an intake, work orders and accepted reports, and from them the reply."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Literal

from langgraph.runtime import Runtime
from langgraph.types import Command

from model.intake import Intake, Task
from model.meaning import Meaning
from model.outcome import Outcome
from model.state import State
from module.desk.acceptance import accepted
from module.desk.intake import again, intake, kind_of, orders
from module.desk.routing import ROUTES
from module.nodes import people, specialists
from module.nodes.check_chat_type import readable
from module.nodes.context import Context, spoken
from module.nodes.friendly import in_own_words
from module.understand.read import about_work

Said = tuple[Outcome, str, dict[str, Any]]
Next = Command[Literal["rewrite", "__end__"]]


async def answer(state: State, runtime: Runtime[Context]) -> Next:
    """Answers every question of the message in turn; a leave wish inside it still goes to the form."""
    context = runtime.context
    if "leave" in (state.get("touched") or ()):
        return Command(goto="rewrite", update=await _answers(state, context))
    return Command(goto="__end__", update=spoken(await in_own_words(await _answers(state, context), state, context), context))


async def _answers(state: State, context: Context) -> dict[str, Any]:
    """Every answer of the turn; the first names the outcome unless a leave form follows."""
    if not readable(state, context):
        key = "too_long" if state.get("text") else "empty"
        text = context.words.say("unclear_first", key, limit=context.message_chars)
        return _result([(Outcome.UNCLEAR_FIRST, text, {})])
    touched = state.get("touched") or ()
    kinds = [kind for kind in touched if kind in ROUTES]
    kinds = [kind for kind in kinds if kind != "question" or kinds == ["question"]]
    meaning = context.meaning(state)
    form = intake(meaning, kinds, about_work(meaning.text))
    said = [await _said(task, form, state, context, meaning) for task in orders(form, meaning.asked_types)]
    if not said and "leave" not in touched:
        return unclear(state, context, unsure=form.intent_confidence)
    return _result(said)


async def _said(task: Task, form: Intake, state: State, context: Context, meaning: Meaning) -> Said:
    """One task's answer, as far as it was accepted; one further try at most."""
    route = ROUTES[kind_of(task)]
    if route.order in ("talk", "person"):
        return await _SPOKEN[kind_of(task)](form, state, context)
    work = _WORKERS[route.order]
    report, more = await work(task, state, context, meaning)
    report = accepted(report, task)
    if (retry := again(task, report, form.clean_question)) is not None:
        second, more_then = await work(retry, state, context, meaning)
        second = accepted(second, retry)
        report, more = (second, more_then) if second.status == "ok" else (report, more)
    outcome = route.outcome(report.status)
    if outcome is Outcome.UNCLEAR_FIRST:
        return _as_said(unclear(state, context, unsure=form.intent_confidence))
    if outcome is Outcome.POLICY_UNKNOWN and report.status != "insufficient_info":
        options = context.words.say("options", "policy_unknown").split("|")
        more = more | {"options": options, "offer": {"question": task.question}}
    return outcome, report.answer or context.words.say(str(outcome)), more


_WORKERS: Mapping[str, Callable[[Task, State, Context, Meaning], Awaitable[specialists.Done]]] = {
    "balance": specialists.balance,
    "list": specialists.leave_list,
    "cancel": specialists.cancel,
    "ask": specialists.handbook,
    "open": specialists.passage,
}


def _result(said: Sequence[Said]) -> dict[str, Any]:
    updates: dict[str, Any] = {}
    for _, _, more in said:
        updates |= more
    reply = "\n\n".join(text for _, text, _ in said if text)
    outcomes = list(dict.fromkeys(str(outcome) for outcome, _, _ in said))
    return updates | {"outcome": outcomes[0] if outcomes else "", "also": outcomes[1:], "reply": reply}


def _as_said(result: dict[str, Any]) -> Said:
    outcome = Outcome(result.pop("outcome"))
    return outcome, str(result.pop("reply")), result


def agent_example(context: Context) -> str:
    """A substitute to name in examples."""
    people = context.employee.substitutes
    return people[-1].name if people else "同事"


def unclear(state: State, context: Context, reason: str = "", unsure: float = 0.0) -> dict[str, Any]:
    """Nothing new was understood; the third such turn ends the muddle.

    A matter of ours that is too unsure to answer (`unsure` below [desk] confidence, but about leave) is offered to HR.
    """
    rounds = state.get("rounds", 0) + 1
    words = context.words
    values: dict[str, Any] = {"agent_example": agent_example(context), "rounds": rounds}
    if rounds >= context.rounds:
        if state.get("shown"):
            return {"outcome": str(Outcome.FINAL_GUESS), "reply": words.say("final_guess", **values), "rounds": 0}
        options = words.say("options", "give_up").split("|")
        return {"outcome": str(Outcome.GIVE_UP), "reply": words.say("give_up", **values), "rounds": 0, "options": options}
    if not state.get("open"):
        text, options = words.say("unclear_first", reason), list[str]()
        if not reason and 0.3 <= unsure < context.confidence:
            text, options = f"{text}\n{words.say('unclear_first', 'offer')}", words.say("options", "unsure").split("|")
        return {"outcome": str(Outcome.UNCLEAR_FIRST), "reply": text, "rounds": rounds, "options": options}
    if state.get("asked", "").startswith("ask_") and state.get("question") and not reason:
        return {"outcome": state["asked"], "reply": state["question"], "rounds": rounds}
    return {"outcome": str(Outcome.UNCLEAR_EDIT), "reply": words.say("unclear_edit", reason, **values), "rounds": rounds}


# ---- what needs no specialist


async def _help(form: Intake, state: State, context: Context) -> Said:
    return Outcome.HELP, context.words.say("help", agent_example=agent_example(context)), {}


async def _courtesy(form: Intake, state: State, context: Context) -> Said:
    return Outcome.HELP, context.words.say("help", "courtesy"), {}


async def _others(form: Intake, state: State, context: Context) -> Said:
    return Outcome.UNCLEAR_FIRST, context.words.say("unclear_first", "others"), {}


async def _decline(form: Intake, state: State, context: Context) -> Said:
    if state.get("cancel_wf"):
        return Outcome.RESET, context.words.say("reset", "declined"), {"cancel_wf": "", "cancel_token": "", "change": {}}
    return Outcome.UNCLEAR_FIRST, context.words.say("unclear_first", "declined"), {}


async def _no_hand_off(form: Intake, state: State, context: Context) -> Said:
    return Outcome.UNCLEAR_FIRST, context.words.say("unclear_first", "declined"), {}


async def _nod(form: Intake, state: State, context: Context) -> Said:
    if state.get("shown"):
        return Outcome.PREVIEW, context.words.say("preview", "nod"), {}
    return _as_said(unclear(state, context))


async def _hand_off(form: Intake, state: State, context: Context) -> Said:
    return Outcome.HAND_OFF, *await people.hand_off(form, state, context)


async def _agree(form: Intake, state: State, context: Context) -> Said:
    return Outcome.HAND_OFF, *await people.agree(form, state, context)


async def _keep(form: Intake, state: State, context: Context) -> Said:
    return Outcome.HELP, *await people.keep(form, state, context)


_SPOKEN: Mapping[str, Callable[[Intake, State, Context], Awaitable[Said]]] = {
    "hand_off": _hand_off,
    "agree": _agree,
    "keep": _keep,
    "help": _help,
    "courtesy": _courtesy,
    "others": _others,
    "decline": _decline,
    "no_hand_off": _no_hand_off,
    "nod": _nod,
}
