"""A filed leave in the employee's own calendar: what the file says, and who gets it."""

import re
from dataclasses import replace
from datetime import date, datetime

from icalendar import Calendar
from web_fake import NOW
from web_site import Site

from model.company import Leave
from model.worktime import WorkCalendar
from module.web.ics import ics

CALENDAR = WorkCalendar(holidays={date(2026, 12, 25): "行憲紀念日"})
LEAVE = Leave(
    "WF20261130001", "特休假", datetime(2026, 12, 24, 14), datetime(2026, 12, 28, 12), "林志明", "回診", "approved", 420
)


def events(leave: Leave, now: datetime = NOW) -> list[tuple[str, str, str, str]]:
    read = Calendar.from_ical(ics(leave, CALENDAR, now))
    return [
        (str(one["UID"]), f"{one['DTSTART'].dt:%m-%d %H:%M %z}", f"{one['DTEND'].dt:%m-%d %H:%M %z}", str(one["STATUS"]))
        for one in read.walk("VEVENT")
    ]


def test_each_working_day_is_an_event_and_a_day_off_is_none() -> None:
    assert events(LEAVE) == [
        ("WF20261130001-20261224@leavebot", "12-24 14:00 +0800", "12-24 18:00 +0800", "CONFIRMED"),
        ("WF20261130001-20261228@leavebot", "12-28 09:00 +0800", "12-28 12:00 +0800", "CONFIRMED"),
    ]


def test_what_was_drawn_into_working_hours_stays_there() -> None:
    short = replace(LEAVE, start=datetime(2026, 12, 28, 7), end=datetime(2026, 12, 28, 21), status="submitted")
    assert events(short) == [("WF20261130001-20261228@leavebot", "12-28 09:00 +0800", "12-28 18:00 +0800", "TENTATIVE")]


def test_the_same_leave_has_the_same_uids_later() -> None:
    later = events(replace(LEAVE, status="cancelled"), datetime(2026, 12, 20, 9))
    assert [event[0] for event in later] == [event[0] for event in events(LEAVE)]
    assert {event[3] for event in later} == {"CANCELLED"}


def test_the_zone_comes_along_and_the_reason_does_not() -> None:
    text = ics(LEAVE, CALENDAR, NOW).decode()
    zone = re.search(r"BEGIN:VTIMEZONE.*TZID:Asia/Taipei.*TZOFFSETTO:\+0800.*END:VTIMEZONE", text, re.DOTALL)
    assert zone
    assert "DTSTART;TZID=Asia/Taipei:20261224T140000" in text
    assert "回診" not in text and "林志明" not in text


async def test_the_file_is_its_owners(site: Site) -> None:
    async def overview(account: str, *days: object) -> object:
        leaves = (LEAVE,) if account == "amy.chen" else ()
        return replace(await plain(account), leaves=leaves, calendar=CALENDAR)

    plain, site.bot.overview = site.bot.overview, overview
    amy, ben = await site.login(), await site.login("ben.lin")
    address = f"/leaves/{LEAVE.wf_no}.ics"
    answer = await amy.get(address)
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/calendar")
    assert answer.headers["content-disposition"] == f'attachment; filename="{LEAVE.wf_no}.ics"'
    assert answer.headers["cache-control"] == "no-store"
    assert len(Calendar.from_ical(answer.content).walk("VEVENT")) == 2
    assert address in (await amy.get("/panel")).text
    assert (await ben.get(address)).status_code == 404
    assert (await site.browser().get(address)).status_code == 401
    for wrong in ("/leaves/../login.ics", "/leaves/WF1.ics", "/leaves/%22%0d%0a.ics"):
        assert (await amy.get(wrong)).status_code == 404
