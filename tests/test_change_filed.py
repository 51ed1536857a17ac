"""Changing a filed leave in one go: the old one is cancelled, the new one filed, and nothing is lost in between."""

from pathlib import Path

import pytest

from model.outcome import Outcome
from tests.eip_office import IRENE, the_company
from tests.leave_chat import chatting, company_with

OLD = "WF20261101001"  # 12/16, the whole day


@pytest.mark.parametrize(
    ("said", "start", "end"),
    [
        ("把12/16那張改到12/17", "2026-12-17 09:00", "2026-12-17 18:00"),
        ("下下週三那張改成週四", "2026-12-17 09:00", "2026-12-17 18:00"),
        (f"{OLD}改成下午", "2026-12-16 13:00", "2026-12-16 18:00"),
        (f"把{OLD}改到12/18下午", "2026-12-18 13:00", "2026-12-18 18:00"),
    ],
)
async def test_both_are_shown_and_one_press_does_both(tmp_path: Path, said: str, start: str, end: str) -> None:
    async with chatting(the_company(), tmp_path) as chat:
        before = (await chat.kind()).remaining_minutes or 0
        turn = await chat.say(said)
        assert turn.outcome is Outcome.CONFIRM_CANCEL
        assert OLD in turn.reply and start in turn.reply.replace("（四）", " ").replace("（三）", " ").replace("（五）", " ")
        assert set(await chat.standing()) == {OLD}
        done = await chat.confirm(turn)
        assert (done.outcome, done.also) == (Outcome.LEAVE_CANCELLED, (Outcome.SUBMITTED,))
        (number,) = (standing := await chat.standing())
        new = standing[number]
        assert number != OLD and number in done.reply and OLD in done.reply
        assert (f"{new.start}"[:16], f"{new.end}"[:16]) == (start, end)
        assert (await chat.kind()).remaining_minutes == before + 480 - new.minutes
        assert (await chat.confirm(turn)).outcome is Outcome.NOTHING_TO_SUBMIT
        assert set(await chat.standing()) == {number}


async def test_the_old_leaves_hours_count_as_given_back(tmp_path: Path) -> None:
    async with chatting(company_with(left={"L01": 0}), tmp_path) as chat:
        done = await chat.confirm(await chat.say("把12/16那張改到12/17"))
        assert done.also == (Outcome.SUBMITTED,)


async def test_what_could_not_be_filed_is_told_before_anything_is_cancelled(tmp_path: Path) -> None:
    async with chatting(the_company(), tmp_path) as chat:
        turn = await chat.say("把12/16那張改到12/25")
        assert turn.outcome is Outcome.CONFIRM_CANCEL
        assert "原來的假單沒有動" in turn.reply
        assert set(await chat.standing()) == {OLD}


async def test_a_new_leave_that_is_refused_leaves_the_form_and_says_that_the_old_one_is_gone(tmp_path: Path) -> None:
    async with chatting(the_company(), tmp_path) as chat:
        turn = await chat.say("把12/16那張改到12/17")
        chat.eip.fault = "refuse:(WF) 主管不在"
        failed = await chat.confirm(turn)
        assert (failed.outcome, failed.also) == (Outcome.LEAVE_CANCELLED, (Outcome.SUBMIT_FAILED,))
        assert f"已取消 {OLD}" in failed.reply and "(WF) 主管不在" in failed.reply
        assert await chat.standing() == {}
        chat.eip.fault = None
        assert (await chat.say("送出")).outcome is Outcome.SUBMITTED
        assert len(await chat.standing()) == 1


async def test_a_lost_answer_is_pending_and_filed_once(tmp_path: Path) -> None:
    async with chatting(the_company(), tmp_path) as chat:
        turn = await chat.say("把12/16那張改到12/17")
        chat.eip.fault = "doubt"
        assert (await chat.confirm(turn)).also == (Outcome.SUBMIT_PENDING,)
        chat.eip.fault = None
        assert len(await chat.standing()) == 1


async def test_after_a_crash_between_the_two_steps_the_new_one_is_filed(tmp_path: Path) -> None:
    async with chatting(the_company(), tmp_path) as chat:
        turn = await chat.say("把12/16那張改到12/17")
        await chat.eip.cancel(OLD, IRENE)  # the process died right after this call
        done = await chat.confirm(turn)
        assert done.also == (Outcome.SUBMITTED,)
        assert [f"{leave.start:%m-%d}" for leave in (await chat.standing()).values()] == ["12-17"]


async def test_declining_changes_nothing(tmp_path: Path) -> None:
    async with chatting(the_company(), tmp_path) as chat:
        await chat.say("把12/16那張改到12/17")
        assert (await chat.say("不用了")).outcome is Outcome.RESET
        assert (await chat.say("送出")).outcome is Outcome.NOTHING_TO_SUBMIT
        assert set(await chat.standing()) == {OLD}


async def test_a_form_that_was_begun_goes_on_afterwards(tmp_path: Path) -> None:
    async with chatting(the_company(), tmp_path) as chat:
        await chat.say("12/30請特休")
        done = await chat.confirm(await chat.say("把12/16那張改到12/17"))
        assert done.also == (Outcome.SUBMITTED, Outcome.PREVIEW)
        assert done.preview is not None and f"{done.preview.request.start:%m-%d}" == "12-30"
