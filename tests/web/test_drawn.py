"""The days around a leave as a picture: what is told, and to whom."""

import re
from dataclasses import replace
from datetime import date, datetime, timedelta
from xml.etree import ElementTree

import pytest
from web_fake import NOW, FakeBot, employee
from web_site import Site

from model.company import Absence, Leave
from model.form import LeaveRequest, Preview
from model.overview import Overview
from model.worktime import WorkCalendar
from module.web.strip import shown, strip, weeks
from module.words import load

CALENDAR = WorkCalendar(holidays={date(2026, 12, 25): "行憲紀念日"})
SVG = "{http://www.w3.org/2000/svg}"


def preview(start: datetime, end: datetime, agent: str = "林志明") -> Preview:
    person = employee("amy.chen")
    request = LeaveRequest(
        "amy.chen", person.id, person.no, "D1", "1", "特休假", start, end, 480, "2", "E1002", agent, "x"
    )
    return Preview(request, person.name, 8.0, 1.0, 480, 120)


def around(**facts: tuple[object, ...]) -> Overview:
    return replace(Overview(employee("amy.chen"), CALENDAR, NOW), **facts)  # type: ignore[arg-type]  # leaves, absences


def drawn(shown: Preview, overview: Overview) -> ElementTree.Element:
    return ElementTree.fromstring(strip(shown, overview, load()))


def test_every_kind_of_day_is_told_in_words_and_drawn() -> None:
    leave = Leave("WF1", "病假", datetime(2026, 12, 3, 9), datetime(2026, 12, 3, 18), "林志明", "", "submitted", 480)
    gone = replace(
        leave, wf_no="WF2", start=datetime(2026, 12, 4, 9), end=datetime(2026, 12, 4, 18), status="cancelled"
    )
    away = Absence("林志明", datetime(2026, 12, 10, 9), datetime(2026, 12, 10, 12))
    other = Absence("張雅婷", datetime(2026, 12, 11, 9), datetime(2026, 12, 11, 12))
    picture = drawn(
        preview(datetime(2026, 12, 9, 9), datetime(2026, 12, 9, 18)),
        around(leaves=(leave, gone), absences=(away, other)),
    )
    told = picture.get("aria-label") or ""
    assert "這張假單 12/9（三）" in told and "已請的假 12/3（四）" in told and "國定假日 12/25（五）" in told
    assert "林志明 不在 12/10（四）" in told
    assert "12/4" not in told and "12/11" not in told
    kinds = {box.get("class") for box in picture.iter(f"{SVG}rect")}
    assert {"this", "own", "holiday", "off", "away", "work", "kept", "taken"} <= kinds


def test_half_a_day_fills_half_of_the_day() -> None:
    picture = drawn(preview(datetime(2026, 12, 9, 13), datetime(2026, 12, 9, 18)), around())
    box = next(box for box in picture.iter(f"{SVG}rect") if box.get("class") == "this" and box.get("rx") == "5")
    assert 15 < float(box.get("width") or 0) < 25


def test_days_off_inside_a_leave_are_not_taken() -> None:
    told = drawn(preview(datetime(2026, 12, 24, 9), datetime(2026, 12, 28, 18)), around()).get("aria-label") or ""
    assert "這張假單 12/24（四）、12/28（一）；" in told


@pytest.mark.parametrize("days", [0, 6, 40, 90, 364])
def test_a_leave_of_any_length_keeps_its_first_and_last_week_in_few_rows(days: int) -> None:
    first = date(2026, 12, 9)
    rows = weeks(first, first + timedelta(days=days))
    assert len(rows) <= 9
    held = [monday for monday in rows if monday]
    assert any(monday <= first < monday + timedelta(days=7) for monday in held)
    assert any(monday <= first + timedelta(days=days) < monday + timedelta(days=7) for monday in held)
    assert shown(first, first) == (date(2026, 11, 30), date(2027, 1, 3))


def test_names_are_escaped() -> None:
    told = drawn(
        preview(datetime(2026, 12, 9, 9), datetime(2026, 12, 9, 18), '"><script>'),
        around(absences=(Absence('"><script>', datetime(2026, 12, 9, 9), datetime(2026, 12, 9, 18)),)),
    )
    assert not [part for part in told.iter() if "script" in part.tag]


async def test_a_picture_is_its_owners_and_of_the_card_that_stands(site: Site) -> None:
    amy, ben = await site.login(), await site.login("ben.lin")
    turn = await site.bot.say("amy.chen", "下週三要請特休")
    assert turn.preview
    address = f"/drawn/{turn.preview.request.digest()[:20]}"
    answer = await amy.get(address)
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("image/svg+xml")
    assert answer.headers["content-security-policy"].startswith("default-src 'none'")
    assert (await ben.get(address)).status_code == 404
    assert (await site.browser().get(address)).status_code == 401
    await site.bot.confirm("amy.chen", turn.confirm_token)
    assert (await amy.get(address)).status_code == 404


async def test_the_panel_and_the_form_hold_data_as_text_only(site: Site) -> None:
    bot: FakeBot = site.bot
    bot.memo = "<img src=x onerror=alert(1)>"
    amy = await site.login()
    await bot.say("amy.chen", "<script>alert(2)</script>")
    for address in ("/panel", "/form", "/panel/handbook?q=<b>特休</b>"):
        answer = await amy.get(address)
        assert answer.status_code == 200
        assert not re.search(r"<(script|img|b>特)", answer.text), address
        assert (await site.browser().get(address)).status_code == 401


async def test_scripts_come_from_our_own_folder_only(site: Site) -> None:
    browser = site.browser()
    assert "import" in (await browser.get("/js/page.js")).text
    for address in ("/js/none.js", "/js/../page.js", "/js/%2e%2e%2fpage.js"):
        assert (await browser.get(address)).status_code == 404
