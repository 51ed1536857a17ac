"""The narrow specialists: balance and leaves ask the EIP, handbook the passages. Each answers one task by one report."""

import re
import secrets
from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from model.company import Leave, LeaveType
from model.errors import EipError
from model.intake import Fact, Report, Status, Task
from model.meaning import Meaning
from model.state import State
from module.handbook.answer import answer as handbook_answer
from module.handbook.find import names_nothing
from module.leave.checks import active
from module.leave.draft import Draft
from module.nodes.change import as_if_gone, changed, unchanged
from module.nodes.context import Context, updates_for
from module.nodes.judge import judged
from module.nodes.phrase import phrase
from module.nodes.preview import preview_of
from module.words import number

_NUMBER = re.compile(r"h\d{2,4}", re.IGNORECASE)
YEAR = timedelta(days=366)
EIP = "EIP"
# The report, and what the turn keeps besides: options to tap, the cancellation that waits for its button.
Done = tuple[Report, dict[str, Any]]


def report(task: Task, status: Status, answer: str = "", facts: Mapping[str, str] | None = None, **more: Any) -> Report:
    """A report on the task; facts are the EIP's."""
    known = tuple(Fact(key=key, value=value, source=EIP) for key, value in (facts or {}).items())
    return Report(task_id=task.task_id, worker=task.worker, status=status, answer=answer, facts=known, **more)


# ---- balance


async def balance(task: Task, state: State, context: Context, meaning: Meaning) -> Done:
    """Hours left: of the types asked for, or of all."""
    words = context.words
    wanted = [kind for kind in context.employee.leave_types if kind.name in task.needed]
    facts = {kind.name: _left(kind, context) for kind in wanted or context.employee.leave_types}
    notes: tuple[str, ...] = ()
    if task.needed and not wanted:
        choices = [kind.name for kind in context.employee.leave_types]
        values = {"category": task.needed[0], "choices": "、".join(choices), "first_choice": choices[0]}
        notes = (words.say("category_not_allowed", **values),)
    lines = "\n".join([*facts.values(), *notes])
    status: Status = "not_found" if notes else "ok"
    return report(task, status, _stale(context) + words.say("balance", lines=lines), facts, notes=notes), {}


def _left(kind: LeaveType, context: Context) -> str:
    left = kind.remaining_minutes
    hours = "" if left is None else f"{number(left / 60)} 小時（{number(left / context.calendar.day_minutes)} 天）"
    text = (hours or context.words.say("balance", "unlimited")) + _by_year(context, kind)
    return context.words.say("balance", "line", name=kind.name, left=text)


def _by_year(context: Context, kind: LeaveType) -> str:
    years = sorted((kind.remaining_by_year or {}).items())
    parts = [context.words.say("form", "year_share", year=year, hours=number(left / 60)) for year, left in years]
    return context.words.say("form", "year_shares", shares="、".join(parts)) if parts else ""


def _stale(context: Context) -> str:
    return "" if context.reachable else context.words.say("notes", "eip_down") + "\n"


# ---- leaves


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


def _lines(context: Context, leaves: tuple[Leave, ...]) -> dict[str, str]:
    return {leave.wf_no: leave_line(context, leave) for leave in leaves}


async def leave_list(task: Task, state: State, context: Context, meaning: Meaning) -> Done:
    """Own leaves; those whose numbers were named, if any is hers."""
    leaves = await own_leaves(context)
    own = {leave.wf_no for leave in leaves}
    head = "".join(context.words.say("leave_list", "unknown_number", number=no) + "\n" for no in task.ids if no not in own)
    if own.intersection(task.ids):
        leaves = tuple(leave for leave in leaves if leave.wf_no in task.ids)
    if not leaves:
        return report(task, "not_found", _stale(context) + head + context.words.say("leave_list", "none")), {}
    facts = _lines(context, leaves)
    text = context.words.say("leave_list", lines="\n".join(facts.values()))
    return report(task, "ok", _stale(context) + head + text, facts), {}


async def cancel(task: Task, state: State, context: Context, meaning: Meaning) -> Done:
    """The one leave to cancel, shown with its button; which one, where several fit."""
    leaves = active(await own_leaves(context))
    fit = [leave for leave in leaves if _fits(leave, task, meaning)]
    if not task.ids and not (meaning.cancel_span and meaning.cancel_span.first):
        fit = [leave for leave in fit if leave.end > context.now] or fit
    if not fit:
        return report(task, "not_found", context.words.say("cancel_failed")), {}
    facts = _lines(context, tuple(fit))
    if len(fit) > 1:
        listed = context.words.say("leave_list", lines="\n".join(facts.values()))
        text = listed + "\n" + context.words.say("leave_list", "which", example=fit[0].wf_no)
        more = {"options": [f"取消 {leave.wf_no}" for leave in fit[:5]], "asked": "which_leave"}
        return report(task, "insufficient_info", text, facts, missing=("wf_no",)), more
    text, more = ask_cancel(context, fit[0])
    if "change_filed" in meaning.kinds and not state.get("sending"):
        text, more = await _ask_change(context, fit[0], meaning, text, more)
    return report(task, "ok", text, facts), more


async def _ask_change(context: Context, leave: Leave, meaning: Meaning, text: str, more: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """Cancellation and new form together; a new form that could not be filed leaves the old leave alone."""
    draft, gone = changed(leave, meaning, context), as_if_gone(leave, context)
    if unchanged(leave, draft):
        return text, more
    form, problem = await judged(draft, gone)
    if problem is not None:
        why = phrase(problem, form, gone)[0]
        return context.words.say("confirm_cancel", "cannot_change", why=why, ask=text), more
    preview = preview_of(form, gone)
    plain = updates_for(Draft(), draft)
    text = context.words.say("confirm_cancel", "change", line=leave_line(context, leave), form=context.words.preview(preview))
    return text, more | {"change": {"draft": plain, "request": preview.request.as_dict()}}


def ask_cancel(context: Context, leave: Leave) -> tuple[str, dict[str, Any]]:
    """The cancellation shown with its button; only that button or 確認 carries it out."""
    text = context.words.say("confirm_cancel", line=leave_line(context, leave))
    return text, {"cancel_wf": leave.wf_no, "cancel_token": secrets.token_urlsafe(24), "change": {}}


def _fits(leave: Leave, task: Task, meaning: Meaning) -> bool:
    if task.ids:
        return leave.wf_no in task.ids
    span = meaning.cancel_span
    if span and span.first and span.last and not leave.start.date() <= span.last <= leave.end.date():
        return False
    named = [name for name in meaning.asked_types if name]
    return not named or leave.category in named


# ---- handbook


async def passage(task: Task, state: State, context: Context, meaning: Meaning) -> Done:
    """A citation opened: the passage as it stands, without what speaks to the assistant."""
    named = _NUMBER.search(task.question)
    found = context.handbook.passage(named[0].upper()) if named else None
    if found is None:
        return report(task, "insufficient_info", context.words.say("policy_unknown", "no_passage")), {}
    text = context.words.say("policy_answer", "passage", number=found.id, title=found.title, text="".join(found.sentences))
    fact = Fact(key=found.id, value=text, source=found.id)
    return report(task, "ok", text).model_copy(update={"facts": (fact,)}), {}


async def handbook(task: Task, state: State, context: Context, meaning: Meaning) -> Done:
    """What the passages say; a follow-up keeps the subject of the question before, on the first try."""
    context.progress("handbook")
    earlier = " ".join(task.needed) or state.get("policy", "")  # 特休剩多少？沒休完會發錢嗎？ is one subject
    before = earlier if task.attempt == 1 else ""
    told = await handbook_answer(task.question, context.handbook, context.model(state), before)
    kept = {"policy": task.question}
    if told.found:
        facts = tuple(Fact(key=number, value=told.answer, source=number) for number in told.citations)
        text = context.words.say("policy_answer", answer=told.answer)
        said = report(task, "ok", text).model_copy(update={"facts": facts})
        opened = [context.words.say("options", "passage", number=number) for number in told.citations[:3]]
        return said, kept | {"options": opened}
    if not before and names_nothing(task.question, context.handbook.index):
        return report(task, "insufficient_info", context.words.say("policy_unknown", "unclear"), missing=("subject",)), kept
    return report(task, "not_found", context.words.say("policy_unknown")), kept
