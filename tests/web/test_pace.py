"""How often one account or one address may do something, and what becomes of results that nobody fetches."""

import asyncio
from collections.abc import Callable
from typing import Any

import psutil
import pytest
from web_site import Site, answered, press

from model.settings import Limits
from module.web.pace import Pace
from module.web.sessions import MOST_OF_ONE, Sessions
from module.web.unread import Unread

HASH = "amyshash01"


@pytest.fixture(autouse=True)
def _refusals_are_expected(logged: list[Any]) -> Any:
    yield
    logged[:] = [entry for entry in logged if entry["event"] not in ("request_refused", "too_fast")]


def test_an_account_waits_alone_and_an_address_holds_a_whole_office() -> None:
    pace = Pace(Limits(turns_per_minute=2, address_factor=2))
    assert [pace.wait("turn", "amy", "10.0.0.1") for _ in range(2)] == [0, 0]
    assert 1 <= pace.wait("turn", "amy", "10.0.0.1") <= 60
    assert pace.wait("press", "amy", "10.0.0.1") == 0
    assert [pace.wait("turn", "ben", "10.0.0.1") > 0 for _ in range(2)] == [False, False]
    assert pace.wait("turn", "carol", "10.0.0.1") > 0
    assert pace.wait("turn", "carol", "10.0.0.2") == 0


async def test_who_types_too_fast_is_told_when_to_go_on_and_keeps_the_words(open_site: Callable[..., Any]) -> None:
    site: Site = await open_site({"limits": {"turns_per_minute": "2"}})
    amy, ben = await site.login(), await site.login("ben.lin")
    for said in ("請特休", "改成病假", "還是特休"):
        await press(amy, "box", "submit", [said], HASH)
        shown = await answered(amy, HASH)
    assert "您送得太快了" in shown and "還是特休" in shown
    assert [said for _, said in site.bot.heard] == ["請特休", "改成病假"]
    await press(ben, "box", "submit", ["請特休"], "benshash01")
    assert "請確認假單" in await answered(ben, "benshash01")


async def test_a_route_says_429_and_when_to_come_back(open_site: Callable[..., Any]) -> None:
    site: Site = await open_site({"limits": {"presses_per_minute": "1", "logins_per_minute": "3"}})
    amy = await site.login()
    assert (await press(amy, "box", "submit", ["特休"], HASH)).status_code == 200
    refused = await press(amy, "box", "submit", ["特休"], HASH)
    assert refused.status_code == 429
    assert "秒後再試" in refused.json()["detail"]
    assert 1 <= int(refused.headers["retry-after"]) <= 60
    tries = [await site.browser().post("/login", data={"account": "amy.chen"}) for _ in range(3)]
    assert [answer.status_code for answer in tries] == [303, 303, 429]
    assert int(tries[-1].headers["retry-after"]) >= 1
    assert (await site.browser("10.0.0.9").post("/login", data={"account": "amy.chen"})).status_code == 303


async def test_RL_02_300_presses_that_nobody_reads_stay_bounded_and_are_put_away(real_site: Site) -> None:
    amy = await real_site.login("irene.chen")
    before = psutil.Process().memory_info().rss
    status = []
    for count in range(300):
        status.append((await press(amy, "box", "submit", ["假" * 20_000], f"amyshash{count:03d}")).status_code)
    assert status.count(200) == Limits().presses_per_minute
    assert set(status) == {200, 429}
    queue = real_site.queue()
    async with asyncio.timeout(30):
        while queue.event_ids_to_events:  # noqa: ASYNC110  # Gradio's own book of what still runs has no event
            await asyncio.sleep(0.05)
    assert psutil.Process().memory_info().rss - before < 50_000_000
    said = (await real_site.bot.view("irene.chen")).messages
    assert len([message for message in said if message.role == "user"]) <= Limits().turns_per_minute
    unread = Unread(queue)
    assert await unread.sweep() == 0
    assert await unread.sweep() == Limits().presses_per_minute
    assert not queue.pending_messages_per_session
    assert not queue.pending_event_ids_session


async def test_results_that_are_being_read_are_left_alone(site: Site) -> None:
    amy, unread = await site.login(), Unread(site.queue())
    for _ in range(3):
        await press(amy, "box", "submit", ["特休"], HASH)
        assert await unread.sweep() == 0
        assert "請確認假單" in await answered(amy, HASH)
        assert await unread.sweep() == 0


def test_one_login_with_very_many_pages_takes_nobody_elses_away() -> None:
    sessions = Sessions(60, lambda: 0.0)
    amy, ben = sessions.open("amy"), sessions.open("ben")
    assert sessions.bind("amyspage", amy)
    for count in range(MOST_OF_ONE + 5):
        assert sessions.bind(f"page{count:05d}", ben)
    assert not sessions.bind("amyspage", ben)
    assert sessions.bind("page00000", amy)  # ben has let go of it
    sessions.close(ben)
    assert sessions.bind("page00050", amy)
