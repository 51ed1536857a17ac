"""Sentences that the rules alone do not read, and a model that knows what they left over: the form becomes right."""

import json
from pathlib import Path

import pytest

from model.outcome import Outcome, Turn
from module.llm.fake import FakeLLM
from tests.eip_office import the_company
from tests.leave_chat import chatting

# sentence ⇒ what the model quotes and says plainly (field: words > plain) ⇒ the form; now is Monday 2026-11-30 09:00.
SENTENCES = """
下週二想睡到自然醒 ⇒ memo: 睡到自然醒 ⇒ start=2026-12-08 09:00
後天要跑法院,不進辦公室 ⇒ category: 跑法院 > 事假; memo: 跑法院 ⇒ start=2026-12-02 09:00 category=事假 memo=跑法院
下禮拜一我不來了 ⇒ time: 下禮拜一 > 下週一 整天 ⇒ start=2026-12-07 09:00 end=2026-12-07 18:00
周五想溜去墾丁 ⇒ category: 溜去墾丁 > 特休假; memo: 溜去墾丁 ⇒ start=2026-12-04 09:00 category=特休假 memo=溜去墾丁
下週四要去考駕照 ⇒ category: 考駕照 > 事假; memo: 去考駕照 ⇒ start=2026-12-10 09:00 category=事假 memo=去考駕照
大後天要陪老媽開刀 ⇒ category: 陪老媽開刀 > 家庭照顧假; memo: 陪老媽開刀 ⇒ start=2026-12-03 09:00 category=家庭照顧假 memo=陪老媽開刀
明天我要當一天廢人 ⇒ category: 廢人 > 特休假 ⇒ start=2026-12-01 09:00 end=2026-12-01 18:00
我想下禮拜二充電一下 ⇒ category: 充電 > 特休假; memo: 充電 ⇒ start=2026-12-08 09:00 category=特休假
12/11 想去吃喜酒 ⇒ category: 去吃喜酒 > 事假; memo: 去吃喜酒 ⇒ start=2026-12-11 09:00 category=事假 memo=去吃喜酒
12/8 想補眠 ⇒ category: 補眠 > 特休假; memo: 補眠 ⇒ start=2026-12-08 09:00 memo=補眠
12/9 放我一天 ⇒ category: 放我一天 > 特休假 ⇒ start=2026-12-09 09:00 category=特休假
12/10 我要閃 ⇒ category: 閃 > 特休假 ⇒ start=2026-12-10 09:00
牙齒痛到受不了,明天下午要衝去診所 ⇒ category: 牙齒痛 > 有薪病假; memo: 牙齒痛 ⇒ start=2026-12-01 13:00 category=有薪病假
身體快散了,禮拜三讓我在家躺一天 ⇒ category: 身體快散了 > 有薪病假; memo: 身體快散了 ⇒ start=2026-12-02 09:00 category=有薪病假
我明天人不會在 ⇒ time: 明天 > 明天 整天 ⇒ start=2026-12-01 09:00 end=2026-12-01 18:00
頭好暈,今天下午我先撤了 ⇒ category: 頭好暈 > 有薪病假; memo: 頭好暈 ⇒ start=2026-11-30 13:00 category=有薪病假 memo=頭好暈
家裡水管爆了,明天上午得等師傅 ⇒ category: 家裡水管爆了 > 事假; memo: 家裡水管爆了 ⇒ start=2026-12-01 09:00 category=事假 memo=家裡水管爆了
要去接機,週三下午提早閃人 ⇒ category: 接機 > 事假; memo: 去接機 ⇒ start=2026-12-02 13:00 category=事假
下週三房東要來收屋,我得在場,不能上班 ⇒ category: 不能上班 > 事假; memo: 房東要來收屋 ⇒ start=2026-12-09 09:00 memo=房東要來收屋
12/15 小孩校慶,我要去當志工媽媽 ⇒ category: 小孩校慶 > 家庭照顧假; memo: 小孩校慶 ⇒ start=2026-12-15 09:00 category=家庭照顧假 memo=小孩校慶
週四喉嚨整個啞掉要去給醫師看 ⇒ category: 喉嚨整個啞掉 > 有薪病假; memo: 喉嚨整個啞掉 ⇒ start=2026-12-03 09:00 category=有薪病假 memo=喉嚨整個啞掉
12/18 下午要去監理所換照 ⇒ category: 監理所換照 > 事假; memo: 去監理所換照 ⇒ start=2026-12-18 13:00 category=事假 memo=去監理所換照
下週五老婆要照超音波,我不在 ⇒ category: 老婆要照超音波 > 事假; memo: 老婆要照超音波 ⇒ start=2026-12-11 09:00 memo=老婆要照超音波
12/21 跟朋友約好去奧萬大玩 ⇒ category: 去奧萬大玩 > 特休假; memo: 去奧萬大玩 ⇒ start=2026-12-21 09:00 category=特休假 memo=去奧萬大玩
明天肚子絞痛的老毛病要去照胃鏡,人不進公司 ⇒ category: 肚子絞痛 > 有薪病假; memo: 照胃鏡 ⇒ start=2026-12-01 09:00 category=有薪病假 memo=照胃鏡
12/22 我人在高雄參加學弟婚宴 ⇒ category: 參加學弟婚宴 > 事假; memo: 參加學弟婚宴 ⇒ start=2026-12-22 09:00 category=事假 memo=參加學弟婚宴
下週一下午要帶毛小孩結紮,先走 ⇒ category: 帶毛小孩結紮 > 事假; memo: 帶毛小孩結紮 ⇒ start=2026-12-07 13:00 memo=帶毛小孩結紮
12/17 全家出國,不來了 ⇒ category: 全家出國 > 特休假; memo: 全家出國 ⇒ start=2026-12-17 09:00 category=特休假 memo=全家出國
12/23 搬新家,沒辦法進公司 ⇒ category: 搬新家 > 事假; memo: 搬新家 ⇒ start=2026-12-23 09:00 category=事假 memo=搬新家
週二下午我要溜回老家投票 ⇒ category: 溜回老家 > 事假; memo: 溜回老家投票 ⇒ start=2026-12-01 13:00
12/14 阿公家祭,我得南下 ⇒ category: 阿公家祭 > 事假; memo: 阿公家祭 ⇒ start=2026-12-14 09:00 memo=阿公家祭
下週三大姨媽來會痛到不行,先躺平 ⇒ category: 大姨媽來會痛 > 生理假; memo: 大姨媽來 ⇒ start=2026-12-09 09:00 category=生理假
12/24 想提早過節,下午先溜 ⇒ category: 先溜 > 特休假; memo: 提早過節 ⇒ start=2026-12-24 13:00 memo=提早過節
快篩兩條線,明天起不能出門 ⇒ category: 快篩兩條線 > 有薪病假; memo: 快篩兩條線 ⇒ start=2026-12-01 09:00 category=有薪病假 memo=快篩兩條線
"""
ROWS = [tuple(part.strip() for part in line.split("⇒")) for line in SENTENCES.strip().splitlines()]


def reply_of(fields: str) -> str:
    said: dict[str, object] = {"intent": "leave"}
    for one in fields.split(";"):
        name, _, rest = one.strip().partition(":")
        words, _, plain = rest.partition(">")
        said[name] = {"words": words.strip(), "plain": plain.strip()}
    return json.dumps(said, ensure_ascii=False)


def form_of(turn: Turn) -> dict[str, str]:
    form = turn.form
    times = {name: f"{moment:%Y-%m-%d %H:%M}" if moment else "" for name, moment in (("start", form.start), ("end", form.end))}
    return times | {"category": form.category or "", "agent": form.agent or "", "memo": form.memo or ""}


def wanted(text: str) -> dict[str, str]:
    """`start=2026-12-01 09:00 memo=放空` as a mapping."""
    parts: dict[str, str] = {}
    for word in text.split(" "):
        name, found, value = word.partition("=")
        if found:
            parts[name] = value
        else:
            parts[list(parts)[-1]] += f" {word}"
    return parts


@pytest.mark.parametrize(("sentence", "fields", "expected"), ROWS, ids=[row[0] for row in ROWS])
async def test_a_sentence_outside_the_rules_becomes_a_preview(sentence: str, fields: str, expected: str, tmp_path: Path) -> None:
    async with chatting(the_company(), tmp_path) as chat:
        alone = await chat.say(sentence)
    llm = FakeLLM([reply_of(fields)])
    async with chatting(the_company(), tmp_path, model=llm) as chat:
        turn = await chat.say(sentence)
    form, want = form_of(turn), wanted(expected)
    assert {name: form[name] for name in want} == want
    assert {name: form_of(alone)[name] for name in want} != want, "the rules read it alone"
    assert turn.outcome is Outcome.PREVIEW
    assert turn.preview is not None
    assert turn.llm_calls == len(llm.calls) == 1


async def test_what_needed_the_models_plain_words_is_marked_as_a_guess(tmp_path: Path) -> None:
    llm = FakeLLM([reply_of("category: 身體快散了 > 有薪病假; memo: 身體快散了")])
    async with chatting(the_company(), tmp_path, model=llm) as chat:
        turn = await chat.say("身體快散了,禮拜三讓我在家躺一天")
    assert turn.preview is not None
    assert "category" in turn.preview.guessed
    assert "start" not in turn.preview.guessed
    assert "（推測）" in turn.reply
    assert not turn.wf_no


def test_there_are_at_least_thirty_such_sentences() -> None:
    assert len({row[0] for row in ROWS}) >= 30


async def test_after_three_unclear_turns_the_model_guesses_from_all_of_them(tmp_path: Path) -> None:
    nothing = '{"intent": "other"}'
    guess = reply_of("category: 全身痠痛 > 有薪病假; memo: 全身痠痛")
    llm = FakeLLM([nothing, nothing, guess])
    async with chatting(the_company(), tmp_path, model=llm) as chat:
        before = await chat.standing()
        turn = await chat.say("全身痠痛", "唉，就是禮拜三那天", "你懂的")
        assert await chat.standing() == before
    assert "全身痠痛" in llm.calls[-1].user
    assert turn.outcome is Outcome.FINAL_GUESS
    assert turn.preview is not None
    assert form_of(turn)["category"] == "有薪病假"
    assert form_of(turn)["start"] == "2026-12-02 09:00"


async def test_without_support_in_the_words_the_third_unclear_turn_gives_up(tmp_path: Path) -> None:
    llm = FakeLLM(always="everything")
    async with chatting(the_company(), tmp_path, model=llm) as chat:
        turn = await chat.say("隨便啦", "不知道欸", "呵呵")
    assert turn.outcome is Outcome.GIVE_UP
    assert turn.preview is None
