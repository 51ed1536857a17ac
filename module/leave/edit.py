"""Fields set by their controls on the card: the same values, and the same checks after it, as if they had been said."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import date, datetime

from model.company import Employee
from model.outcome import Outcome, Problem
from module.leave.draft import Draft

MEMO_MOST = 2000


def edited(draft: Draft, values: Mapping[str, str], employee: Employee) -> Draft:
    """The draft with those fields set; what a control cannot hold becomes an open question, names of no field are ignored."""
    if "category" in values:
        draft = draft.set("category", values["category"] or None)
    if "agent" in values:
        draft = _agent(draft, values["agent"], employee)
    if "memo" in values:
        draft = draft.set("memo", values["memo"][:MEMO_MOST].strip() or None)
    if "event_date" in values:
        draft = _event_date(draft, values["event_date"])
    return _times(draft, values) if "start" in values or "end" in values else draft


def _agent(draft: Draft, name: str, employee: Employee) -> Draft:
    if employee.substitute(name):
        return draft.set("agent", name)
    problem = Problem(Outcome.AGENT_NOT_ALLOWED, "self" if name == employee.name else "", {"name": name[:40]})
    return draft.set("agent", None).ask("agent", problem)


def _event_date(draft: Draft, text: str) -> Draft:
    try:
        return draft.set("event_date", date.fromisoformat(text) if text else None)
    except ValueError:
        return draft.ask("event_date", Problem(Outcome.ASK_EVENT_DATE, "no_such_date"))


def _times(draft: Draft, values: Mapping[str, str]) -> Draft:
    start, end = (_moment(values[name]) if name in values else getattr(draft, name) for name in ("start", "end"))
    if start is None or end is None:
        return draft.ask("time", Problem(Outcome.ASK_TIME))
    if end <= start:
        return draft.ask("time", Problem(Outcome.TIME_INVALID, "end_before_start"))
    return replace(draft.set("start", start).set("end", end).answered("time"), pending=None, tried=None)


def _moment(text: str) -> datetime | None:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    return None if moment.tzinfo else moment.replace(second=0, microsecond=0)
