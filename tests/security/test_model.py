"""A model that fails (LL-…): the turn is answered by rules in time, the page says so, and confirming needs no model."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from model.errors import ModelUnavailable
from model.outcome import Outcome
from module.llm.breaker import GuardedLlm
from module.llm.fake import FakeLLM
from tests.eip_office import IRENE, the_company
from tests.fake_ollama import FakeOllama, Fault
from tests.leave_chat import Chat, chatting

RULES = "明天請特休"
FOREIGN = "下週二想睡到自然醒"
PATIENCE = 30.0  # of the test, far above every deadline in it
FAULTS = {
    "hangs": Fault(hang=60),
    "answers 500": Fault(status=500),
    "drops mid-stream": Fault(cut=True),
    "sends garbage": Fault(garbage=True),
    "trickles for ever": Fault(trickle=True),
}


@asynccontextmanager
async def asking(url: str, folder: Path, call: str = "always", seconds: str = "1") -> AsyncIterator[Chat]:
    """The assistant with the Ollama at url."""
    llm = {"provider": "ollama", "base_url": url, "timeout": seconds, "call": call}
    async with chatting(the_company(), folder, llm=llm) as chat:
        yield chat


async def in_time(chat: Chat, text: str = RULES) -> Outcome:
    turn = await asyncio.wait_for(chat.say(text), PATIENCE)
    assert turn.llm_calls <= 2
    return turn.outcome


async def test_a_stopped_server_is_missed_by_nobody_ll_01(tmp_path: Path) -> None:
    with FakeOllama() as server:
        async with asking(server.url, tmp_path) as chat:
            assert chat.bot.mode == "model"
            shown = await chat.say("12/7請特休")
            server.__exit__(None, None, None)
            again = await asyncio.wait_for(chat.say("改成12/8"), PATIENCE)
            assert (shown.outcome, again.outcome) == (Outcome.PREVIEW, Outcome.PREVIEW)
            health = await chat.bot.health()
            assert (chat.bot.mode, health["ok"], health["model"]) == ("rules", True, "rules")
            assert (await chat.confirm(again)).outcome is Outcome.SUBMITTED


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS)
async def test_a_faulty_server_costs_no_turn_and_no_confirmation_ll_02(fault: Fault, tmp_path: Path) -> None:
    with FakeOllama() as server:
        async with asking(server.url, tmp_path) as chat:
            server.fault = fault
            before = len(asyncio.all_tasks())
            assert await in_time(chat) is Outcome.PREVIEW
            await asyncio.sleep(0.05)
            assert len(asyncio.all_tasks()) <= before
            turn = await chat.say("改成12/8")
            calls = len(server.requests)
            assert (await chat.confirm(turn)).outcome is Outcome.SUBMITTED
            assert len(server.requests) == calls


async def test_a_hanging_server_is_told_on_the_page_and_used_again_when_well_ll_02(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("module.app.TICK_S", 0.02)
    with FakeOllama(fault=Fault(hang=60)) as server:
        async with asking(server.url, tmp_path) as chat:
            assert await in_time(chat) is Outcome.PREVIEW
            server.fault, asked = Fault(), len(server.requests)
            for _ in range(500):
                if chat.bot.mode == "model":
                    break
                await asyncio.sleep(0.02)
            assert chat.bot.mode == "model"
            await chat.say("改成12/8")
            assert len(server.requests) == asked + 1


async def test_a_missing_model_means_rules_from_the_start_ll_01(tmp_path: Path) -> None:
    with FakeOllama(models=()) as server:
        async with asking(server.url, tmp_path) as chat:
            assert chat.bot.mode == "rules"
            assert await in_time(chat) is Outcome.PREVIEW
    assert not server.requests


async def test_one_users_hanging_call_blocks_nobody_and_ends_with_her_reset_ll_02(tmp_path: Path) -> None:
    with FakeOllama(fault=Fault(hang=60)) as server:
        async with asking(server.url, tmp_path, call="when_needed", seconds="60") as chat:
            hers = asyncio.ensure_future(chat.say(FOREIGN))
            for _ in range(1000):
                await asyncio.sleep(0.01)
                if server.requests:
                    break
            other = the_company().employees[1].account
            assert (await asyncio.wait_for(chat.bot.say(other, "我要請假"), PATIENCE)).reply
            assert not hers.done()
            assert (await asyncio.wait_for(chat.bot.reset(IRENE), PATIENCE)).outcome is Outcome.RESET
            assert (await asyncio.wait_for(hers, PATIENCE)).llm_calls == 1
            assert chat.bot.mode == "model"


SENSELESS = {
    "empty": "",
    "html": "<html><body>502 Bad Gateway</body></html>",
    "prose": "I cannot provide information on that QZX.",
    "megabyte": "QZX" * 350_000,
    "wrong schema": json.dumps({"QZX": [1, 2, {"a": "QZX"}]}),
    "deep": "[" * 100_000,
}


@pytest.mark.parametrize("reply", SENSELESS.values(), ids=SENSELESS)
async def test_a_senseless_reply_is_asked_again_once_and_never_shown_ll_03(reply: str, tmp_path: Path) -> None:
    with FakeOllama(reply=reply) as server:
        async with asking(server.url, tmp_path, seconds="20") as chat:
            turn = await chat.say("怪怪的東西")
    assert turn.outcome is Outcome.UNCLEAR_FIRST
    assert 1 <= len(server.requests) <= 2
    assert turn.llm_calls == len(server.requests)
    assert not any(raw in turn.reply for raw in ("QZX", "<html>", "[["))
    assert all(dict(body["options"])["num_predict"] == 256 for body in server.requests)  # type: ignore[call-overload]


async def test_after_five_failures_nothing_is_asked_until_one_call_may_try_ll_04() -> None:
    now = [0.0]
    fake = FakeLLM(["{}"] * 20, mistakes=["down"] * 6)
    llm = GuardedLlm(fake, clock=lambda: now[0])
    for _ in range(10):
        with pytest.raises(ModelUnavailable):
            await llm.complete("", "", {})
    assert len(fake.calls) == 5
    now[0] = 31.0
    for _ in range(2):
        with pytest.raises(ModelUnavailable):
            await llm.complete("", "", {})
    assert len(fake.calls) == 6  # the one that tried failed, so the rest waits again
    now[0] = 62.0
    for _ in range(3):
        assert await llm.complete("", "", {}) == "{}"
    assert len(fake.calls) == 9
