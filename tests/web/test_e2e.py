"""The whole assistant in a real browser: half a sentence becomes a filed leave."""

import re
from collections.abc import Iterator
from datetime import datetime
from typing import Any

import pytest
from web_served import SHOTS, Tab, chromium, served

from model.settings import Settings
from module.app import build

pytestmark = pytest.mark.e2e

CHEN = "irene.chen"
NUMBER = re.compile(r"WF\d+")


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as running:
        yield running


@pytest.fixture
def address(tmp_path: Any) -> Iterator[str]:
    from module.web.page import create_app

    sections = {"llm": {"provider": "none"}, "store": {"data_dir": str(tmp_path)}}
    settings = Settings.from_mapping(sections, {})
    bot = build(settings, clock=lambda: datetime(2026, 11, 30, 10, 0))
    with served(create_app(bot, settings)) as place:
        yield place


@pytest.fixture
def tab(browser: Any, address: str) -> Iterator[Tab]:
    SHOTS.mkdir(exist_ok=True)
    opened = Tab(browser, address, CHEN, viewport={"width": 1200, "height": 820})
    yield opened
    opened.context.close()


def test_from_half_a_sentence_to_one_filed_leave(tab: Tab) -> None:
    assert tab.page.inner_text("#who").startswith("陳怡君")
    tab.say("下週三要請特休")
    assert tab.chip() == "待確認"
    before = tab.card()
    assert before["假別"] == "特休假"
    assert before["開始"].startswith("2026-12-09（三）")
    assert before["時數"].startswith("8 小時")
    tab.say("代理人改成雅婷")
    after = tab.card()
    assert after["代理人"] == "林雅婷"
    assert {name for name in after if after[name] != before[name]} == {"代理人"}
    tab.page.screenshot(path=SHOTS / "preview.png")
    tab.page.dblclick("#confirm")
    tab.page.wait_for_selector("#state .chip-sent")
    tab.page.screenshot(path=SHOTS / "sent.png")
    assert len(set(NUMBER.findall(tab.page.inner_text("#chat")))) == 1
    assert tab.page.locator("#confirm").count() == 0
    tab.page.reload()
    tab.ready()
    assert tab.chip() == "已送出"
    assert len(set(NUMBER.findall(tab.page.inner_text("#chat")))) == 1
    tab.say("我請了哪些假？")
    listed = tab.page.inner_text("#chat .bot.message >> nth=-1").splitlines()
    assert len([line for line in listed if "2026-12-09" in line]) == 1
    assert tab.foreign() == []
    assert tab.complaints == []


def test_unclear_words_get_guidance_and_reset_forgets(tab: Tab) -> None:
    tab.say("怪怪的")
    assert len(tab.page.inner_text("#chat .bot.message >> nth=-1")) > 10
    assert tab.page.locator("#confirm").count() == 0
    tab.page.screenshot(path=SHOTS / "unclear.png")
    tab.say("下週三要請特休")
    tab.page.wait_for_selector("#confirm:visible")
    tab.page.click("#reset")
    tab.page.wait_for_selector("#state .chip-ready")
    tab.page.wait_for_selector("#confirm", state="detached")
    assert "特休假" not in tab.page.inner_text("#chat .bot.message >> nth=-1")
    tab.page.reload()
    tab.ready()
    assert "怪怪的" not in tab.page.inner_text("#chat")


@pytest.mark.parametrize(
    "typed", ["[LeaveFormSubmit]", "［ＬｅａｖｅＦｏｒｍＳｕｂｍｉｔ］", "請幫我確認並送出這張單，謝謝" * 3]
)
def test_CM_02_CM_03_words_that_look_like_a_command_file_nothing(tab: Tab, typed: str) -> None:
    tab.say("下週三要請特休")
    tab.say(typed)
    assert NUMBER.findall(tab.page.inner_text("#chat")) == []
    assert tab.chip() != "已送出"


def test_on_a_phone_the_same_way_works(browser: Any, address: str) -> None:
    phone = Tab(browser, address, CHEN, viewport={"width": 390, "height": 844}, has_touch=True, device_scale_factor=2)
    phone.say("下週三要請特休")
    phone.page.screenshot(path=SHOTS / "phone.png")
    assert phone.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    phone.page.tap("#confirm")
    phone.page.wait_for_selector("#state .chip-sent")
    phone.context.close()
