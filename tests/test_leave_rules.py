"""Every leave rule says the same in the chat's preview, in the dry run and at the submission."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import date, time
from pathlib import Path
from typing import Any

import pytest

from model.errors import EipRefused
from model.outcome import Outcome
from tests.eip_office import IRENE, Office
from tests.leave_chat import chatting, company_with
from tests.test_eip_contract import ADAPTERS

TODAY = date(2026, 11, 30)
BLOCKED = {"blocked_dates": {date(2026, 12, 10): "年度盤點"}}
HALF = {"half_workdays": {date(2026, 12, 11): (time(9), time(12)), date(2026, 12, 12): (time(9), time(12))}}
EARLY = ["12/10上午請特休，代理人林雅婷"]

# What the company's rules are, what was filed before, what is said; the refusal that all three give.
REFUSED: list[tuple[str, dict[str, Any], list[str], str, str, str, Outcome, str, str]] = [
    ("blocked", BLOCKED, [], "12/9到12/10", "2026-12-09 09:00", "2026-12-10 18:00", Outcome.TIME_INVALID, "年度盤點", "不開放請假"),
    ("in_a_row", {"type_rules": {"max_consecutive_days": 2}}, [], "12/7到12/9", "2026-12-07 09:00", "2026-12-09 18:00", Outcome.TIME_INVALID, "2 個工作天", "連續請假"),
    ("own_backdating", {"type_rules": {"backdate_days": 3}}, [], "補請11/26", "2026-11-26 09:00", "2026-11-26 18:00", Outcome.TIME_INVALID, "3 天內", "可補請"),
    ("own_advance", {"type_rules": {"advance_days": 7}}, [], "12/10", "2026-12-10 09:00", "2026-12-10 18:00", Outcome.TIME_INVALID, "7 天以內", "可預請"),
    ("hourly_step", {"type_rules": {"unit_minutes": 60}}, [], "12/10下午1點到2點半", "2026-12-10 13:00", "2026-12-10 14:30", Outcome.UNIT_INVALID, "1 小時為單位", "最小單位"),
    ("half_day_step", {"type_rules": {"unit_minutes": 240}}, [], "12/10下午2點到6點", "2026-12-10 14:00", "2026-12-10 18:00", Outcome.UNIT_INVALID, "半天為單位", "最小單位"),
    ("whole_day_step", {"type_rules": {"unit_minutes": 480}}, [], "12/10下午", "2026-12-10 13:00", "2026-12-10 18:00", Outcome.UNIT_INVALID, "一整天為單位", "最小單位"),
    ("pending_counts", {"left": {"L01": 480}}, EARLY, "12/11", "2026-12-11 09:00", "2026-12-11 18:00", Outcome.NOT_ENOUGH_HOURS, "只剩 5 小時", "剩餘時數不足"),
    ("inside_a_longer_one", {}, ["12/9到12/11請特休，代理人林雅婷"], "12/10下午2點到4點", "2026-12-10 14:00", "2026-12-10 16:00", Outcome.OVERLAPS, "重疊", "同時段同日期"),
    ("around_a_shorter_one", {}, EARLY, "12/9到12/11", "2026-12-09 09:00", "2026-12-11 18:00", Outcome.OVERLAPS, "重疊", "同時段同日期"),
    ("afternoon_of_a_half_workday", HALF, [], "12/11下午", "2026-12-11 13:00", "2026-12-11 18:00", Outcome.TIME_INVALID, "只上班 09:00–12:00", "請假時間不正確"),
]  # fmt: skip


@pytest.mark.parametrize("adapter", sorted(ADAPTERS))
@pytest.mark.parametrize(
    ("rules", "before", "said", "start", "end", "outcome", "told", "words"), [pytest.param(*row[1:], id=row[0]) for row in REFUSED]
)
async def test_a_rule_is_told_before_anything_is_confirmed(
    tmp_path: Path, adapter: str, rules: Mapping[str, Any], before: list[str], said: str, start: str, end: str, outcome: Outcome, told: str, words: str
) -> None:  # fmt: skip
    office = Office(company=company_with(**rules))
    with ADAPTERS[adapter](office, tmp_path) as eip:
        async with chatting(office.company, tmp_path, eip) as chat:
            for earlier in before:
                assert (await chat.confirm(await chat.say(earlier))).outcome is Outcome.SUBMITTED
            turn = await chat.say(f"{said}請特休，代理人王志強")
            assert (turn.outcome, turn.confirm_token) == (outcome, "")
            assert told in turn.reply
        request = office.request(start, end, agent="王志強")
        found = await eip.validate(request, TODAY)
        assert found and found[0].outcome is outcome
        with pytest.raises(EipRefused) as no:
            await eip.submit(request, "key")
        assert words in no.value.text and await eip.find("key") is None


# What the rules allow, with the hours that all three count.
ALLOWED: list[tuple[str, dict[str, Any], list[str], str, float]] = [
    ("same_day_beside_another", {}, EARLY, "12/10下午2點到4點", 2),
    ("two_days_of_two", {"type_rules": {"max_consecutive_days": 2}}, [], "12/11到12/14", 16),
    ("blocked_but_a_day_off", {"blocked_dates": {date(2026, 12, 12): "年度盤點"}}, [], "12/11到12/14", 16),
    ("whole_half_workday", HALF, [], "12/11", 3),
    ("over_half_workdays", HALF, [], "12/10到12/14", 8 + 3 + 3 + 8),
    ("whole_day_step_on_a_half_workday", HALF | {"type_rules": {"unit_minutes": 480}}, [], "12/11", 3),
    ("makeup_workday", {"makeup_workdays": {date(2026, 12, 12): "補班"}}, [], "12/12", 8),
    ("half_day_step", {"type_rules": {"unit_minutes": 240}}, [], "12/10下午", 5),
]


@pytest.mark.parametrize("adapter", sorted(ADAPTERS))
@pytest.mark.parametrize(("rules", "before", "said", "hours"), [pytest.param(*row[1:], id=row[0]) for row in ALLOWED])
async def test_what_is_allowed_is_previewed_and_filed_with_one_length(
    tmp_path: Path, adapter: str, rules: Mapping[str, Any], before: list[str], said: str, hours: float
) -> None:
    office = Office(company=company_with(**rules))
    with ADAPTERS[adapter](office, tmp_path) as eip:
        async with chatting(office.company, tmp_path, eip) as chat:
            for earlier in before:
                await chat.confirm(await chat.say(earlier))
            turn = await chat.say(f"{said}請特休，代理人王志強")
            assert (turn.outcome, turn.hours) == (Outcome.PREVIEW, hours)
            assert turn.preview is not None and await eip.validate(turn.preview.request, TODAY) == ()
            done = await chat.confirm(turn)
            assert (await chat.standing())[done.wf_no].minutes == hours * 60


async def test_a_substitute_who_is_away_is_told_by_all_three(tmp_path: Path) -> None:
    office = Office()
    eip = office.eip()
    async with chatting(office.company, tmp_path, eip) as chat:
        turn = await chat.say("12/22請特休，代理人李大華")
        assert turn.outcome is Outcome.AGENT_UNAVAILABLE
    request = office.request("2026-12-22 09:00", "2026-12-22 18:00", agent="李大華")
    assert [problem.outcome for problem in await eip.validate(request, TODAY)] == [Outcome.AGENT_UNAVAILABLE]
    with pytest.raises(EipRefused, match="代理人該時段請假中"):
        await eip.submit(request, "key")


async def test_proof_may_follow_until_a_named_day(tmp_path: Path) -> None:
    rules = {"type_rules": {"proof_days": 3}}
    async with chatting(company_with(**rules), tmp_path) as chat:
        short = await chat.say("12/7到12/8請特休，代理人王志強")
        assert "證明" not in short.reply
        turn = await chat.say("改成12/7到12/9")
        assert turn.outcome is Outcome.PREVIEW
        assert "最晚在 2026-12-16（三） 以前補上" in turn.reply
        assert (await chat.confirm(turn)).outcome is Outcome.SUBMITTED


async def test_a_company_may_give_another_time_for_proof(tmp_path: Path) -> None:
    async with chatting(company_with(type_rules={"proof_days": 1, "proof_within_days": 3}), tmp_path) as chat:
        turn = await chat.say("12/7上午請特休，代理人王志強")
        assert turn.preview is not None
        assert any("2026-12-10（四）" in note for note in turn.preview.notes)


async def test_the_filed_length_cannot_be_made_up(tmp_path: Path) -> None:
    office = Office(company=company_with(**HALF))
    eip = office.eip()
    whole = office.request("2026-12-11 09:00", "2026-12-11 12:00")
    assert whole.minutes == 180
    with pytest.raises(EipRefused, match="系統資料不符"):
        await eip.submit(replace(whole, minutes=480), "key")
    await eip.submit(whole, "key")
    kind = (await eip.employee(IRENE)).leave_type("特休假")
    assert kind is not None and kind.remaining_minutes == 3360 - 180
