"""The page of HR: for HR alone, and hostile text stays text."""

from collections.abc import Callable
from datetime import datetime
from typing import Any

import pytest
from web_hostile import HOSTILE
from web_site import Site

from model.settings import Settings
from module.app import build

LONG = HOSTILE + "長" * 10_000


async def case_of(site: Site) -> str:
    return str((await site.bot.cases.open("amy.chen", "pay", "薪水少了")).number)


@pytest.mark.parametrize("path", ["/hr", "/hr/{number}"])
async def test_the_page_is_for_hr_alone(site: Site, path: str) -> None:
    place = path.format(number=await case_of(site))
    assert (await site.browser().get(place)).status_code == 401
    assert (await (await site.login()).get(place)).status_code == 404
    assert (await (await site.login("carol.wang")).get(place)).status_code == 200


@pytest.mark.parametrize("path", ["/hr/{number}/answer", "/hr/{number}/close", "/hr/questions/1/drop"])
async def test_nobody_else_may_answer_close_or_drop(site: Site, path: str, logged: list[Any]) -> None:
    number = await case_of(site)
    await site.bot.cases.keep("停車位怎麼抽？")
    employee, person, place = await site.login(), await site.login("carol.wang"), path.format(number=number)
    assert (await employee.post(place, data={"text": "x"})).status_code == 404
    foreign = {"origin": "https://evil.example", "sec-fetch-site": "cross-site"}
    assert (await person.post(place, data={"text": "x"}, headers=foreign)).status_code == 403
    logged[:] = [entry for entry in logged if entry.get("status") != 403]
    assert (await site.bot.cases.case(number)).state == "handed_off"
    assert len((await site.bot.cases.desk()).questions) == 1


async def test_what_cannot_be_done_is_said_and_nothing_typed_is_lost(site: Site) -> None:
    number = await case_of(site)
    person = await site.login("carol.wang")
    assert (await person.post(f"/hr/{number}/answer", data={"text": "  "})).status_code == 422
    assert (await person.post(f"/hr/{number}/answer", data={"text": "已補發"})).status_code == 303
    late = await person.post(f"/hr/{number}/answer", data={"text": "再說一次"})
    assert late.status_code == 409
    assert (await person.post(f"/hr/{number}/close")).status_code == 303
    assert (await person.post(f"/hr/{number}/close")).status_code == 409
    assert (await person.get("/hr/HR20261130999")).status_code == 404
    assert (await site.bot.cases.case(number)).answer == "已補發"


async def test_the_own_page_of_hr_tells_how_many_wait(real_site: Site) -> None:
    await real_site.bot.cases.open("irene.chen", "pay", "薪水少了")
    assert (await real_site.bot.view("hr.tsai")).waiting_cases == 1
    assert (await real_site.bot.view("irene.chen")).waiting_cases is None


async def test_hr_is_who_the_settings_say_and_nobody_by_default_outside_the_demo(tmp_path: Any) -> None:
    def named(**sections: dict[str, str]) -> Callable[[str], bool]:
        base = {"llm": {"provider": "none"}, "store": {"data_dir": str(tmp_path)}}
        return build(Settings.from_mapping(base | sections, {}), clock=lambda: datetime(2026, 11, 30)).is_hr

    assert named()("hr.tsai")
    assert not named()("irene.chen")
    assert not named(auth={"mode": "password"})("hr.tsai")
    assert named(desk={"hr": "irene.chen"})("irene.chen")
    assert not named(desk={"hr": "irene.chen"})("hr.tsai")


async def test_ten_thousand_hostile_characters_stay_text(site: Site) -> None:
    number = (await site.bot.cases.open("amy.chen", "pay", LONG)).number
    await site.bot.cases.agree("amy.chen", number, LONG)
    person = await site.login("carol.wang")
    for path in ("/hr", f"/hr/{number}"):
        text = (await person.get(path)).text
        assert "window.__x=2" in text
        assert all(mark not in text for mark in ("<img", "<svg", "<script>", "<style>body", "<form action=//", "\u202e", "\0"))
