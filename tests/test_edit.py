"""Fields set by controls go through the same checks as typing; the old token dies with every change."""

from collections.abc import AsyncIterator
from datetime import datetime
from pathlib import Path

import pytest

from model.outcome import Outcome
from model.settings import Settings
from module.app import LeaveBot, build
from module.eip.company_file import load_company
from module.eip.sqlite import SqliteEip

NOW = datetime(2026, 11, 30, 10, 0)
CHEN = "irene.chen"


@pytest.fixture
async def bot() -> AsyncIterator[LeaveBot]:
    company = load_company(Path(__file__).parent / "corpus" / "eip.json")
    settings = Settings.from_mapping({"llm": {"provider": "none"}}, {})
    made = build(settings, clock=lambda: NOW, eip=SqliteEip.open(None, company, lambda: NOW))
    await made.start()
    yield made
    await made.close()


async def test_one_field_changes_and_the_rest_stays(bot: LeaveBot) -> None:
    before = (await bot.say(CHEN, "下週三要請特休")).preview
    after = await bot.edit(CHEN, {"memo": "明天下午搬家"})
    assert before and after.preview
    assert after.preview.request.memo == "明天下午搬家"
    assert (after.preview.request.start, after.preview.request.agent) == (before.request.start, before.request.agent)
    assert after.preview.token != before.token
    stale = await bot.confirm(CHEN, before.token)
    assert stale.outcome is Outcome.NOTHING_TO_SUBMIT


async def test_times_are_rounded_and_drawn_in_as_when_typed(bot: LeaveBot) -> None:
    await bot.say(CHEN, "下週三要請特休")
    set_by_control = await bot.edit(CHEN, {"start": "2026-12-10T07:10", "end": "2026-12-10T12:30"})
    await bot.reset(CHEN)
    typed = await bot.say(CHEN, "12/10 07:10到12:30請特休")
    assert set_by_control.preview and typed.preview
    assert set_by_control.preview.adjusted == typed.preview.adjusted == {"start", "end"}
    assert set_by_control.preview.request.as_dict() == typed.preview.request.as_dict()


@pytest.mark.parametrize(
    ("values", "outcome"),
    [
        ({"start": "2026-12-12T09:00", "end": "2026-12-12T18:00"}, Outcome.TIME_INVALID),
        ({"start": "2026-12-09T14:00", "end": "2026-12-09T10:00"}, Outcome.TIME_INVALID),
        ({"start": "soon"}, Outcome.ASK_TIME),
        ({"category": "太空假"}, Outcome.CATEGORY_NOT_ALLOWED),
        ({"agent": "不存在的人"}, Outcome.AGENT_NOT_ALLOWED),
        ({"category": "事假", "memo": ""}, Outcome.ASK_MEMO),
    ],
)
async def test_what_the_checks_refuse_is_refused_from_a_control_too(
    bot: LeaveBot, values: dict[str, str], outcome: Outcome
) -> None:
    shown = await bot.say(CHEN, "下週三要請特休")
    turn = await bot.edit(CHEN, values)
    assert turn.outcome is outcome
    assert turn.preview is None
    assert (await bot.confirm(CHEN, shown.confirm_token)).outcome is Outcome.NOTHING_TO_SUBMIT


async def test_without_a_form_there_is_nothing_to_edit_or_to_discard(bot: LeaveBot) -> None:
    assert (await bot.edit(CHEN, {"memo": "x"})).outcome is Outcome.NOTHING_TO_SUBMIT
    assert (await bot.discard(CHEN)).outcome is Outcome.NOTHING_TO_SUBMIT


async def test_discarding_drops_the_form_and_keeps_what_was_filed(bot: LeaveBot) -> None:
    sent = await bot.confirm(CHEN, (await bot.say(CHEN, "下週三要請特休")).confirm_token)
    assert sent.wf_no
    assert (await bot.discard(CHEN)).outcome is Outcome.NOTHING_TO_SUBMIT
    shown = await bot.say(CHEN, "下週四要請特休")
    assert (await bot.discard(CHEN)).outcome is Outcome.RESET
    assert (await bot.confirm(CHEN, shown.confirm_token)).outcome is Outcome.NOTHING_TO_SUBMIT
    overview = await bot.overview(CHEN, datetime(2026, 12, 1), datetime(2026, 12, 31))
    assert [leave.wf_no for leave in overview.leaves if leave.start.day == 9] == [sent.wf_no]


async def test_the_transcript_says_what_was_set_by_a_control(bot: LeaveBot) -> None:
    await bot.say(CHEN, "下週三要請特休")
    await bot.edit(CHEN, {"start": "2026-12-10T09:00", "end": "2026-12-10T18:00", "nonsense": "x"})
    said = [message.text for message in (await bot.view(CHEN)).messages if message.role == "user"]
    assert said[-1] == "改成：開始時間 2026-12-10 09:00、結束時間 2026-12-10 18:00"


async def test_a_setting_hides_when_substitutes_are_away() -> None:
    company = load_company(Path(__file__).parent / "corpus" / "eip.json")
    settings = Settings.from_mapping({"llm": {"provider": "none"}, "page": {"show_absences": "no"}}, {})
    eip = SqliteEip.open(None, company, lambda: NOW)
    bot = build(settings, clock=lambda: NOW, eip=eip)
    account = company.employees[0].account
    _, _, known = await eip.known(account, datetime(2026, 1, 1), datetime(2027, 12, 31))
    seen = (await bot.overview(account, datetime(2026, 1, 1), datetime(2027, 12, 31))).absences
    assert known and seen == ()
    await bot.close()


QUESTIONS = (
    ("請特休",),
    ("下週三請特休半天",),
    ("請特休，要三小時",),
    ("請特休三天",),
    ("下週三請事假",),
    ("下週三請特休，代理人找路人甲",),
)


@pytest.mark.parametrize("said", QUESTIONS)
async def test_every_suggestion_under_a_question_brings_the_form_on(bot: LeaveBot, said: tuple[str, ...]) -> None:
    for text in said:
        turn = await bot.say(CHEN, text)
    assert turn.options, turn.reply
    for option in turn.options:
        await bot.reset(CHEN)
        for text in said:
            await bot.say(CHEN, text)
        after = await bot.say(CHEN, option)
        assert after.reply != turn.reply, option
        assert after.rounds[0] == 0, option
