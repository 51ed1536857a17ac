"""A filed leave as an iCalendar file (RFC 5545): an event a working day, times in Asia/Taipei, without the reason."""

from collections.abc import Iterator
from datetime import date, datetime
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from model.company import Leave
from model.worktime import DAY, WorkCalendar, at, clock

if TYPE_CHECKING:
    from icalendar import Event

TAIPEI = ZoneInfo("Asia/Taipei")
STATUS = {"submitted": "TENTATIVE", "approved": "CONFIRMED", "cancelled": "CANCELLED"}


def ics(leave: Leave, calendar: WorkCalendar, now: datetime) -> bytes:
    """The file. An event's UID is made of leave number and day, so that taking it in again changes nothing twice."""
    from icalendar import Calendar

    made = Calendar()
    made.add("PRODID", "-//leavebot//leave//ZH-TW")
    made.add("VERSION", "2.0")
    made.add("METHOD", "PUBLISH")
    for start, end in working_days(leave.start, leave.end, calendar):
        made.add_component(_event(leave, start, end, now))
    made.add_missing_timezones(first_date=date(leave.start.year, 1, 1), last_date=date(leave.end.year + 1, 1, 1))
    return bytes(made.to_ical())


def working_days(start: datetime, end: datetime, calendar: WorkCalendar) -> Iterator[tuple[datetime, datetime]]:
    """From the first to the last working minute of each day of the leave; days off are left out, lunch is not."""
    day = start.date()
    while day <= end.date():
        low, high = clock(start) if day == start.date() else 0, clock(end) if day == end.date() else 1440
        worked = [(max(low, first), min(high, last)) for first, last in _stretches(day, calendar)]
        worked = [(first, last) for first, last in worked if first < last]
        if worked:
            yield at(day, worked[0][0]), at(day, worked[-1][1])
        day += DAY


def _stretches(day: date, calendar: WorkCalendar) -> list[tuple[int, int]]:
    return list(calendar.stretches_on(day)) if calendar.is_workday(day) else []


def _event(leave: Leave, start: datetime, end: datetime, now: datetime) -> "Event":
    from icalendar import Event

    event = Event()
    event.add("UID", f"{leave.wf_no}-{start:%Y%m%d}@leavebot")
    event.add("DTSTAMP", now.replace(tzinfo=TAIPEI).astimezone(ZoneInfo("UTC")))
    event.add("DTSTART", start.replace(tzinfo=TAIPEI))
    event.add("DTEND", end.replace(tzinfo=TAIPEI))
    event.add("SUMMARY", leave.category)
    event.add("DESCRIPTION", leave.wf_no)
    event.add("STATUS", STATUS[leave.status])
    event.add("CLASS", "PRIVATE")
    event.add("TRANSP", "TRANSPARENT" if leave.status == "cancelled" else "OPAQUE")
    return event
