"""What takes long says what it is doing; what is quick shows nothing in between."""

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest
from web_fake import FakeBot
from web_served import Tab, chromium, served

from model.settings import Settings
from module.web.waiting import waited


async def steps_of(seconds: float, told: tuple[str, ...]) -> list[str]:
    steps: asyncio.Queue[str] = asyncio.Queue()

    async def work() -> None:
        for step in told:
            steps.put_nowait(step)
            await asyncio.sleep(seconds)

    doing = asyncio.create_task(work())
    return [step async for step in waited(doing, steps)]


async def test_what_is_quick_shows_no_step() -> None:
    assert await steps_of(0.01, ("model", "form")) == []


async def test_the_step_being_done_is_shown_and_the_next_when_it_begins() -> None:
    assert await steps_of(0.5, ("model", "form")) == ["model", "form"]


async def test_a_failure_is_left_to_whoever_awaits_the_task() -> None:
    async def broken() -> None:
        raise RuntimeError("x")

    doing = asyncio.create_task(broken())
    assert [step async for step in waited(doing, asyncio.Queue())] == []
    with pytest.raises(RuntimeError):
        await doing


@pytest.fixture
def tab_and_bot() -> Iterator[tuple[Tab, FakeBot]]:
    from module.web.page import create_app

    bot = FakeBot()
    with chromium() as browser, served(create_app(bot, Settings())) as address:
        yield Tab(browser, address), bot


@pytest.mark.e2e
def test_the_page_says_what_is_being_done_and_for_how_long(tab_and_bot: tuple[Tab, FakeBot]) -> None:
    tab, bot = tab_and_bot
    page: Any = tab.page
    bot.slow = [("model", 2.5), ("form", 1.0)]
    page.fill("#box textarea", "下週三要請特休")
    page.press("#box textarea", "Enter")
    page.wait_for_selector("#chat .working:has-text('請語言模型幫忙理解中')")
    assert tab.chip() == "理解中"
    assert "下週三要請特休" in page.inner_text("#chat")
    assert page.is_disabled("#box textarea")
    page.wait_for_function("() => Number(document.querySelector('#chat .working')?.dataset.seconds) >= 1")
    page.wait_for_selector("#chat .working:has-text('檢查餘額和代理人中')")
    page.wait_for_selector("#confirm:visible")
    assert page.locator("#chat .working").count() == 0
    assert page.input_value("#box textarea") == ""
    assert bot.heard == [("amy.chen", "下週三要請特休")]
