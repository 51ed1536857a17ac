"""Whether a form can be filed: small checks in the order of SEMANTICS §10. The EIP runs the same ones before filing."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta

from model.company import Absence, Employee, Leave, LeaveType
from model.form import LeaveForm
from model.outcome import Outcome, Problem
from model.worktime import DAY, WorkCalendar, at, clock


@dataclass(frozen=True)
class Facts:
    """What the checks may know.

    Attributes:
        leaves, absences: whatever touches the form's days.
        open: per field (category, time, memo, event_date, agent) the question that the words themselves left open.
    """

    employee: Employee
    calendar: WorkCalendar
    now: datetime
    leaves: tuple[Leave, ...] = ()
    absences: tuple[Absence, ...] = ()
    open: Mapping[str, Problem] = field(default_factory=dict)


Check = Callable[[LeaveForm, Facts], Problem | None]


def cost(kind: LeaveType, start: datetime, end: datetime, calendar: WorkCalendar) -> int:
    """Minutes of the balance that a leave takes: working time, but a half-day unit counts 240 for each half."""
    if kind.unit_minutes * 2 != calendar.day_minutes:
        return calendar.minutes(start, end)
    return kind.unit_minutes * sum(1 for _ in _halves(start, end, calendar))


def cost_by_year(kind: LeaveType, start: datetime, end: datetime, calendar: WorkCalendar) -> dict[int, int]:
    """`cost`, split at New Year: each year's quota pays for its own days."""
    return {year: cost(kind, first, last, calendar) for year, first, last in by_year(start, end)}


def by_year(start: datetime, end: datetime) -> Iterator[tuple[int, datetime, datetime]]:
    """Year, start and end of each part of a stretch of time, split at New Year."""
    for year in range(start.year, end.year + 1):
        first, last = max(start, datetime(year, 1, 1)), min(end, datetime(year + 1, 1, 1))
        if first < last:
            yield year, first, last


def _halves(start: datetime, end: datetime, calendar: WorkCalendar) -> Iterator[tuple[date, int]]:
    day = start.date()
    while day <= end.date():
        first = clock(start) if day == start.date() else 0
        last = clock(end) if day == end.date() else 1440
        if calendar.is_workday(day):
            yield from ((day, low) for low, high in calendar.stretches_on(day) if first < high and last > low)
        day += DAY


def active(leaves: tuple[Leave, ...]) -> tuple[Leave, ...]:
    """The leaves that still stand."""
    return tuple(leave for leave in leaves if leave.status != "cancelled")


def away(absences: tuple[Absence, ...], name: str, form: LeaveForm, calendar: WorkCalendar) -> bool:
    """Whether that substitute is away in working time of the form."""
    if form.start is None or form.end is None:
        return False
    return any(
        calendar.minutes(max(form.start, absence.start), min(form.end, absence.end)) > 0
        for absence in absences
        if absence.name == name and absence.start < form.end and absence.end > form.start
    )


def category(form: LeaveForm, facts: Facts) -> Problem | None:
    """A leave type of the employee's own white list, with something left of it."""
    if problem := facts.open.get("category"):
        return problem
    if form.category is None:
        return Problem(Outcome.ASK_CATEGORY, values={"choices": [kind.name for kind in facts.employee.leave_types]})
    kind = facts.employee.leave_type(form.category)
    if kind is None:
        return Problem(Outcome.CATEGORY_NOT_ALLOWED, values={"category": form.category})
    assumed_without_time = "category" in form.assumed and form.start is None
    impossible = facts.open.get("time")
    if impossible and impossible.outcome is Outcome.TIME_INVALID:
        return impossible
    if kind.remaining_minutes is not None and kind.remaining_minutes <= 0 and not assumed_without_time:
        return Problem(Outcome.NO_HOURS_LEFT, values={"category": kind.name})
    return None


def time(form: LeaveForm, facts: Facts) -> Problem | None:
    """A stretch of time with working time in it, within the type's limits."""
    if problem := facts.open.get("time"):
        return problem
    if form.start is None or form.end is None:
        return Problem(Outcome.ASK_TIME)
    if form.end <= form.start:
        return _empty(form.start, form.end, facts.calendar, "end_before_start")
    kind = facts.employee.leave_type(form.category or "")
    today, back, ahead = facts.now.date(), kind.backdate_days if kind else 30, kind.advance_days if kind else 365
    if form.start.date() < today - timedelta(days=back):
        return Problem(Outcome.TIME_INVALID, "too_far_back", {"days": back, "date": form.start.date()})
    if form.end.date() > today + timedelta(days=ahead):
        return Problem(Outcome.TIME_INVALID, "too_far_ahead", {"days": ahead})
    if facts.calendar.minutes(form.start, form.end) == 0:
        return _empty(form.start, form.end, facts.calendar, "no_working_time")
    return None


def _empty(start: datetime, end: datetime, calendar: WorkCalendar, otherwise: str) -> Problem:
    reason = _why_empty(start, end, calendar) or otherwise
    names = {calendar.holidays.get(start.date() + n * DAY) for n in range(max(0, (end - start).days) + 1)}
    values: dict[str, object] = {"holidays": sorted(filter(None, names))}
    if reason == "half_workday":
        since, until = calendar.hours(start.date())
        values = {"date": start.date(), "since": since, "until": until}
    return Problem(Outcome.TIME_INVALID, reason, values)


def _why_empty(start: datetime, end: datetime, calendar: WorkCalendar) -> str:
    days = [start.date() + n * DAY for n in range(max(0, (end.date() - start.date()).days) + 1)]
    if not any(calendar.is_workday(day) for day in days):
        return "holiday" if any(day in calendar.holidays for day in days) else "weekend"
    if clock(start) >= calendar.closes or clock(end) <= calendar.opens:
        return "evening"
    lunch, back = calendar.lunch
    if start.date() != end.date():
        return ""
    if start.date() in calendar.half_workdays:
        return "half_workday"
    return "lunch" if lunch <= clock(start) <= back and lunch <= clock(end) <= back else ""


def open_days(form: LeaveForm, facts: Facts) -> Problem | None:
    """No working time on a day on which nobody may take leave."""
    if form.start is None or form.end is None:
        return None
    for day, why in sorted(facts.calendar.blocked.items()):
        taken = facts.calendar.minutes(max(form.start, at(day, 0)), min(form.end, at(day, 1440)))
        if form.start.date() <= day <= form.end.date() and taken:
            return Problem(Outcome.TIME_INVALID, "blocked", {"date": day, "why": why})
    return None


def days_in_a_row(form: LeaveForm, facts: Facts) -> Problem | None:
    """Not more working days in one leave than the type allows."""
    kind = facts.employee.leave_type(form.category or "")
    if kind is None or kind.max_consecutive_days is None or form.start is None or form.end is None:
        return None
    if facts.calendar.count_workdays(form.start.date(), form.end.date()) <= kind.max_consecutive_days:
        return None
    return Problem(Outcome.TIME_INVALID, "too_many_days", {"category": kind.name, "days": kind.max_consecutive_days})


def length(form: LeaveForm, facts: Facts) -> Problem | None:
    """The length is a multiple of the type's unit, and there is enough left."""
    kind = facts.employee.leave_type(form.category or "")
    if kind is None or form.start is None or form.end is None:
        return None
    if not _unit_fits(kind.unit_minutes, form.start, form.end, facts.calendar):
        return Problem(Outcome.UNIT_INVALID, values={"category": kind.name, "unit": kind.unit_minutes})
    needed = cost(kind, form.start, form.end, facts.calendar)
    if kind.remaining_minutes is not None and needed > kind.remaining_minutes:
        values = {"category": kind.name, "needed": needed, "left": kind.remaining_minutes}
        return Problem(Outcome.NOT_ENOUGH_HOURS, values=values)
    return _year_too_short(kind, form.start, form.end, facts.calendar)


def _year_too_short(kind: LeaveType, start: datetime, end: datetime, calendar: WorkCalendar) -> Problem | None:
    if kind.remaining_by_year is None:
        return None
    for year, needed in cost_by_year(kind, start, end, calendar).items():
        left = kind.remaining_by_year.get(year, 0)
        if needed > left:
            values = {"category": kind.name, "needed": needed, "left": left, "year": year}
            return Problem(Outcome.NOT_ENOUGH_HOURS, "in_year", values)
    return None


def proof_until(form: LeaveForm, facts: Facts) -> date | None:
    """Until when proof must follow; None where none is needed or something is attached."""
    kind = facts.employee.leave_type(form.category or "")
    if kind is None or kind.proof_days is None or form.attachments or form.start is None or form.end is None:
        return None
    days = facts.calendar.count_workdays(form.start.date(), form.end.date())
    return form.end.date() + timedelta(days=kind.proof_within_days) if days >= kind.proof_days else None


def _unit_fits(unit: int, start: datetime, end: datetime, calendar: WorkCalendar) -> bool:
    if unit >= calendar.day_minutes:
        return clock(start) == calendar.hours(start.date())[0] and clock(end) == calendar.hours(end.date())[1]
    if unit * 2 == calendar.day_minutes:
        opens = {low for low, _ in calendar.stretches_on(start.date())}
        return clock(start) in opens and clock(end) in {high for _, high in calendar.stretches_on(end.date())}
    return calendar.minutes(start, end) % unit == 0


def memo(form: LeaveForm, facts: Facts) -> Problem | None:
    """A reason, where the type needs one."""
    kind = facts.employee.leave_type(form.category or "")
    if kind and kind.memo_required and not form.memo:
        return Problem(Outcome.ASK_MEMO, values={"category": kind.name})
    return facts.open.get("memo")


def event_date(form: LeaveForm, facts: Facts) -> Problem | None:
    """The date of the wedding, death or birth, where the type needs one."""
    kind = facts.employee.leave_type(form.category or "")
    if kind is None or not kind.event_date_required or form.event_date is not None:
        return None
    return facts.open.get("event_date") or Problem(Outcome.ASK_EVENT_DATE, values={"category": kind.name})


def agent(form: LeaveForm, facts: Facts) -> Problem | None:
    """One of the employee's own substitutes, not away at that time."""
    names = [person.name for person in facts.employee.substitutes]
    if not names:
        return Problem(Outcome.NO_AGENT)
    if problem := facts.open.get("agent"):
        return problem
    if form.agent is None:
        return Problem(Outcome.ASK_AGENT, values={"choices": names})
    if form.agent not in names:
        return Problem(Outcome.AGENT_NOT_ALLOWED, values={"name": form.agent, "choices": names})
    if away(facts.absences, form.agent, form, facts.calendar):
        return Problem(Outcome.AGENT_UNAVAILABLE, values={"name": form.agent, "choices": names})
    return None


def overlap(form: LeaveForm, facts: Facts) -> Problem | None:
    """No other leave of the employee in the same working time, by the minute."""
    if form.start is None or form.end is None:
        return None
    for leave in active(facts.leaves):
        start, end = max(form.start, leave.start), min(form.end, leave.end)
        if start < end and facts.calendar.minutes(start, end) > 0:
            return Problem(Outcome.OVERLAPS, values={"leave": leave})
    return None


CHECKS: tuple[Check, ...] = (category, time, open_days, days_in_a_row, length, memo, event_date, agent, overlap)


def first_problem(form: LeaveForm, facts: Facts) -> Problem | None:
    """The first thing that keeps the form from being filed, or None."""
    return next((problem for check in CHECKS if (problem := check(form, facts))), None)
