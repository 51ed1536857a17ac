"""A sentence in the model's own words: only where it is switched on, and only what claims nothing."""

import json
from pathlib import Path

import pytest

from model.outcome import Outcome
from module.llm.fake import FakeLLM
from module.llm.friendly import sentence
from tests.eip_office import the_company
from tests.leave_chat import chatting

FACTS = "特休假 2026-12-07（一）09:00 ~ 18:00，1 天（8 小時）"


def told(text: str) -> str:
    return json.dumps({"text": text}, ensure_ascii=False)


@pytest.mark.parametrize("text", ["幫您把假單整理好了，請看一下對不對。", "12/07 的特休假請您確認一下。", "不好意思，我沒有聽懂，可以換個說法嗎？"])
async def test_a_harmless_sentence_is_said(text: str) -> None:
    assert await sentence(FakeLLM([told(text)]), FACTS, 20) == text


@pytest.mark.parametrize(
    "text",
    ["您的假單送出成功！", "已經幫您送出囉", "單號 WF20261130001", "主管核准了", "12/09 的假單請確認", "請您週五下午再看", "明天的假單請確認",
     "您的病假請確認一下", "請看 https://evil.example", "![圖](x) 請確認假單", "Please confirm your leave", "請" * 81, "", "三天的假單請確認"],
)  # fmt: skip
async def test_a_claim_or_a_fact_of_its_own_is_never_said(text: str) -> None:
    llm = FakeLLM([told(text)] * 2)
    assert await sentence(llm, FACTS, 20) == ""
    assert len(llm.calls) == 2


async def test_it_stands_before_the_fixed_text_and_is_off_unless_wished(tmp_path: Path) -> None:
    said = "幫您整理好了，請看一下對不對。"
    async with chatting(the_company(), tmp_path, model=FakeLLM([told(said)])) as chat:
        fixed = await chat.say("12/7請特休")
    assert fixed.llm_calls == 0
    llm = FakeLLM([told(said)])
    async with chatting(the_company(), tmp_path, model=llm, llm={"provider": "ollama", "friendly": "yes"}) as chat:
        turn = await chat.say("12/7請特休")
        assert turn.reply == f"{said}\n{fixed.reply}"
        assert turn.llm_calls == len(llm.calls) == 1
        sent = await chat.confirm(turn)
        assert (sent.outcome, sent.llm_calls, len(llm.calls)) == (Outcome.SUBMITTED, 0, 1)
