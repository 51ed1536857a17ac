"""Model servers: a good answer, and every fault mapped to our two errors."""

import asyncio
from collections.abc import Mapping

import pytest

from model.errors import ConfigError, ModelBusy, ModelError, ModelUnavailable
from model.settings import LlmSettings, Settings
from module.llm.breaker import GuardedLlm
from module.llm.choose import build_llm
from module.llm.fake import FakeLLM
from module.llm.ollama import OllamaLlm
from module.llm.one_turn import TurnLlm
from module.llm.openai_compatible import OpenAiCompatibleLlm
from tests.fake_ollama import FakeOllama, Fault

SCHEMA: dict[str, object] = {"type": "object", "properties": {"intent": {"type": "string"}}}
NOWHERE = "http://127.0.0.1:9"


def settings(url: str, **values: object) -> LlmSettings:
    return LlmSettings.model_validate({"base_url": url, "timeout": 20, **values})


async def test_ollama_answers_and_the_wire_carries_what_the_settings_say() -> None:
    with FakeOllama(reply='{"intent": "leave"}') as server:
        llm = OllamaLlm(settings(server.url, num_ctx=2048, keep_alive="5m"))
        assert await llm.complete("規則", "訊息", SCHEMA) == '{"intent": "leave"}'
    sent = server.requests[0]
    assert sent["format"] == SCHEMA
    assert sent["keep_alive"] == "5m"
    assert sent["options"] == {"num_ctx": 2048, "num_predict": 256, "temperature": 0.0}
    assert sent["messages"] == [{"role": "system", "content": "規則"}, {"role": "user", "content": "訊息"}]


@pytest.mark.parametrize(
    ("fault", "error"),
    [
        (Fault(status=503), ModelUnavailable),
        (Fault(status=400), ModelError),
        (Fault(cut=True), ModelError),
        (Fault(garbage=True), ModelError),
        (Fault(reason="length"), ModelError),
        (Fault(hang=3), ModelUnavailable),
    ],
    ids=str,
)
async def test_every_fault_of_ollama_becomes_one_of_our_errors(fault: Fault, error: type[ModelError]) -> None:
    with FakeOllama(fault=fault) as server, pytest.raises(error):
        await OllamaLlm(settings(server.url, timeout=1.0)).complete("", "x", SCHEMA)


async def test_a_missing_model_and_a_dead_server_are_unavailable() -> None:
    with FakeOllama(models=()) as server, pytest.raises(ModelUnavailable):
        await OllamaLlm(settings(server.url)).complete("", "x", SCHEMA)
    with pytest.raises(ModelUnavailable):
        await OllamaLlm(settings(NOWHERE)).complete("", "x", SCHEMA)


async def test_the_probe_names_the_command_that_mends_it() -> None:
    with FakeOllama() as server:
        assert await OllamaLlm(settings(server.url)).probe() == ""
    with FakeOllama(models=()) as server:
        assert "ollama pull llama3:8b-instruct-q8_0" in await OllamaLlm(settings(server.url)).probe()
    assert "ollama serve" in await OllamaLlm(settings(NOWHERE)).probe()


async def test_a_proxy_in_the_environment_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", NOWHERE)
    with FakeOllama() as server:
        assert await OllamaLlm(settings(server.url)).complete("", "x", SCHEMA)


async def test_an_openai_compatible_server_answers_and_its_faults_are_ours() -> None:
    with FakeOllama(reply="{}") as server:
        llm = OpenAiCompatibleLlm(settings(server.url))
        assert await llm.complete("規則", "訊息", SCHEMA) == "{}"
        assert await llm.probe() == ""
        for fault, error in ((Fault(status=500), ModelUnavailable), (Fault(reason="length"), ModelError)):
            server.fault = fault
            with pytest.raises(error):
                await llm.complete("", "x", SCHEMA)
        server.fault = Fault(garbage=True)
        with pytest.raises(ModelError):
            await llm.complete("", "x", SCHEMA)
    assert "啟動" in await OpenAiCompatibleLlm(settings(NOWHERE)).probe()


async def test_the_breaker_opens_after_five_failures_and_tries_again_later() -> None:
    now = [0.0]
    fake = FakeLLM(["{}"] * 6, mistakes=["down"] * 5)
    llm = GuardedLlm(fake, clock=lambda: now[0])
    for _ in range(7):
        with pytest.raises(ModelUnavailable):
            await llm.complete("", "", {})
    assert len(fake.calls) == 5
    now[0] = 31.0
    assert await llm.complete("", "", {}) == "{}"
    assert await llm.complete("", "", {})


async def test_a_call_that_finds_no_free_place_gives_up() -> None:
    llm = GuardedLlm(FakeLLM(), concurrency=1, patience=0.01)
    await llm._slots.acquire()
    with pytest.raises(ModelUnavailable, match="too many"):
        await llm.complete("", "", {})


async def test_calls_are_counted_for_a_turn_and_a_third_is_refused() -> None:
    fake = FakeLLM()
    llm = TurnLlm(fake, deadline=20)
    await llm.complete("", "", {})
    assert llm.calls == 1
    await llm.complete("", "", {})
    with pytest.raises(ModelBusy):
        await llm.complete("", "", {})
    assert len(fake.calls) == llm.calls == 2
    assert not llm.down


async def test_a_call_nobody_waits_for_ends_at_once_and_others_are_not_made() -> None:
    started, ended = asyncio.Event(), asyncio.Event()

    class Hanging(FakeLLM):
        async def complete(self, system: str, user: str, schema: Mapping[str, object]) -> str:
            started.set()
            try:
                return await asyncio.sleep(60, "")
            finally:
                ended.set()

    llm = TurnLlm(Hanging(), deadline=60)
    call = asyncio.ensure_future(llm.complete("", "", {}))
    await started.wait()
    llm.stop()
    with pytest.raises(ModelBusy):
        await call
    assert ended.is_set()
    with pytest.raises(ModelBusy):
        await llm.complete("", "", {})


async def test_more_than_the_queue_holds_go_on_without() -> None:
    llm = GuardedLlm(FakeLLM(), concurrency=1, queue=1, patience=5)
    await llm._slots.acquire()
    waiting = asyncio.ensure_future(llm.complete("", "", {}))
    await asyncio.sleep(0)
    with pytest.raises(ModelBusy, match="waiting"):
        await llm.complete("", "", {})
    llm._slots.release()
    assert await waiting


def test_a_model_server_elsewhere_must_be_allowed_by_name() -> None:
    for url in ("http://10.0.0.5:11434", "http://127.0.0.1@evil.example", "http://localhost.evil.example"):
        with pytest.raises(ConfigError, match="allowed_hosts"):
            Settings.from_mapping({"llm": {"base_url": url}}, {})
    chosen = Settings.from_mapping({"llm": {"base_url": "http://10.0.0.5:11434", "allowed_hosts": "10.0.0.5"}}, {})
    assert chosen.llm.base_url == "http://10.0.0.5:11434"


def test_the_settings_choose_the_model() -> None:
    assert build_llm(LlmSettings(provider="none")) is None
    for provider in ("ollama", "openai"):
        chosen = build_llm(LlmSettings(provider=provider))
        assert chosen is not None
        assert chosen.name == "llama3:8b-instruct-q8_0"
