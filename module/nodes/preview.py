"""The complete form as the employee sees it before confirming, and as the state keeps it."""

from dataclasses import asdict
from typing import Any

from model.company import LeaveType
from model.form import LeaveForm, LeaveRequest, Preview, YearShare
from module.leave.checks import Facts, by_year, cost, cost_by_year, proof_until
from module.nodes.context import Context


def preview_of(form: LeaveForm, context: Context) -> Preview:
    """The complete request with its length and what is left of the type."""
    employee = context.employee
    kind, agent = employee.leave_type(form.category or ""), employee.substitute(form.agent or "")
    if kind is None or agent is None or form.start is None or form.end is None:
        raise ValueError("a form that passed the checks is complete")
    minutes = context.calendar.minutes(form.start, form.end)
    request = LeaveRequest(
        account=employee.account, employee_id=employee.id, employee_no=employee.no, department_id=employee.department_id,
        category_id=kind.id, category=kind.name, start=form.start, end=form.end, minutes=minutes,
        agent_id=agent.id, agent_no=agent.no, agent=agent.name, memo=form.memo or "", event_date=form.event_date,
        attachments=form.attachments,
    )  # fmt: skip
    before = kind.remaining_minutes
    after = None if before is None else before - cost(kind, form.start, form.end, context.calendar)
    return Preview(
        request, employee.name, hours=minutes / 60, days=minutes / context.calendar.day_minutes,
        remaining_before=before, remaining_after=after, assumed=form.assumed, guessed=form.guessed,
        notes=_notes(form, context), years=years_of(kind, request, context), adjusted=form.adjusted,
    )  # fmt: skip


def years_of(kind: LeaveType, request: LeaveRequest, context: Context) -> tuple[YearShare, ...]:
    """What a leave over New Year takes of each year; empty when it lies within one."""
    parts = {year: context.calendar.minutes(first, last) for year, first, last in by_year(request.start, request.end)}
    worked = {year: minutes for year, minutes in parts.items() if minutes}
    if len(worked) < 2:
        return ()
    left, costs = kind.remaining_by_year or {}, cost_by_year(kind, request.start, request.end, context.calendar)
    if kind.remaining_by_year is None:
        return tuple(YearShare(year, minutes) for year, minutes in worked.items())
    return tuple(YearShare(year, minutes, left.get(year, 0), left.get(year, 0) - costs[year]) for year, minutes in worked.items())


def _notes(form: LeaveForm, context: Context) -> tuple[str, ...]:
    until = proof_until(form, Facts(context.employee, context.calendar, context.now))
    values = {"until": f"{until}（{context.words.weekday(until)}）"} if until else {}
    return tuple(context.words.say("notes", note, **values) for note in form.notes)


def card_of(preview: Preview) -> dict[str, Any]:
    """The preview as plain values."""
    return {
        "request": preview.request.as_dict(), "employee_name": preview.employee_name, "hours": preview.hours, "days": preview.days,
        "before": preview.remaining_before, "after": preview.remaining_after, "assumed": sorted(preview.assumed),
        "guessed": sorted(preview.guessed), "notes": list(preview.notes), "token": preview.token,
        "adjusted": sorted(preview.adjusted), "years": [asdict(share) for share in preview.years],
    }  # fmt: skip


def preview_from(card: dict[str, Any]) -> Preview:
    """The preview out of the state's plain values."""
    return Preview(
        LeaveRequest.from_dict(card["request"]), card["employee_name"], card["hours"], card["days"], card["before"], card["after"],
        frozenset(card["assumed"]), frozenset(card["guessed"]), tuple(card["notes"]), card["token"],
        tuple(YearShare(**share) for share in card.get("years", ())), frozenset(card.get("adjusted", ())),
    )  # fmt: skip
