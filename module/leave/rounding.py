"""Said times → times that can be filed: steps of the working-time unit, inside working hours (SEMANTICS §4, end)."""

from datetime import datetime

from model.worktime import WorkCalendar, at, clock


def nearest(minutes: int, unit: int, tie_up: bool) -> int:
    """The nearest multiple of unit; halfway goes up or down as told."""
    low = minutes - minutes % unit
    rest = minutes - low
    return low + unit if rest * 2 > unit or (rest * 2 == unit and tie_up) else low


def fit(start: datetime, end: datetime, calendar: WorkCalendar) -> tuple[datetime, datetime, tuple[str, ...]]:
    """Both ends rounded and drawn in, and what was done to them: `rounded`, `drawn_in`."""
    unit, (lunch, back) = calendar.unit_minutes, calendar.lunch
    first = nearest(clock(start), unit, tie_up=False)
    last_day, last_minute = (end.date(), clock(end))
    last = nearest(last_minute, unit, tie_up=True)
    notes = ["rounded"] if (first, last) != (clock(start), last_minute) else []
    drawn_first = back if lunch <= first < back else max(first, calendar.hours(start.date())[0])
    drawn_last = lunch if lunch < last <= back else min(last, calendar.hours(last_day)[1])
    if (drawn_first, drawn_last) != (first, last):
        notes.append("drawn_in")
    return at(start.date(), drawn_first), at(last_day, drawn_last), tuple(notes)
