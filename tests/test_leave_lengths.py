"""One length, whoever is asked: the preview in the chat, the dry run and the submission, embedded and over HTTP."""

from datetime import date
from pathlib import Path

import pytest

from model.errors import EipRefused
from model.outcome import Outcome
from tests.eip_office import Office, the_company
from tests.leave_chat import Chat, chatting
from tests.test_eip_contract import ADAPTERS

TODAY = date(2026, 11, 30)
LENGTHS = [
    ("12/24到12/28", "2026-12-24 09:00", "2026-12-28 18:00", 16),
    ("12/31到1/4", "2026-12-31 09:00", "2027-01-04 18:00", 16),
    ("12/28到1/8", "2026-12-28 09:00", "2027-01-08 18:00", 72),
    ("2027/2/3到2/11", "2027-02-03 09:00", "2027-02-11 18:00", 16),
    ("12/3下午2點到12/7中午", "2026-12-03 14:00", "2026-12-07 12:00", 15),
    ("12/10的11點到13點", "2026-12-10 11:00", "2026-12-10 12:00", 1),
    ("12/10的12點到14點", "2026-12-10 13:00", "2026-12-10 14:00", 1),
    ("12/10的9點半到11點", "2026-12-10 09:30", "2026-12-10 11:00", 1.5),
]
NOTHING = [
    ("12/25", "2026-12-25 09:00", "2026-12-25 18:00", "holiday"),
    ("12/10的12點到13點", "2026-12-10 12:00", "2026-12-10 13:00", "lunch"),
]


@pytest.mark.parametrize("adapter", sorted(ADAPTERS))
@pytest.mark.parametrize(("said", "start", "end", "hours"), LENGTHS)
async def test_preview_dry_run_and_submission_say_one_length(
    tmp_path: Path, adapter: str, said: str, start: str, end: str, hours: float
) -> None:
    with ADAPTERS[adapter](Office(), tmp_path) as eip:
        async with chatting(the_company(), tmp_path, eip) as chat:
            turn = await chat.say(f"{said}請公假，事由：受訓，代理人林雅婷")
            assert (turn.outcome, turn.hours) == (Outcome.PREVIEW, hours)
            assert turn.preview is not None
            request = turn.preview.request
            assert (f"{request.start}"[:16], f"{request.end}"[:16], request.minutes) == (start, end, hours * 60)
            assert await eip.validate(request, TODAY) == ()
            done = await chat.confirm(turn)
            assert done.outcome is Outcome.SUBMITTED
            assert (await chat.standing())[done.wf_no].minutes == hours * 60


@pytest.mark.parametrize("adapter", sorted(ADAPTERS))
@pytest.mark.parametrize(("said", "start", "end", "reason"), NOTHING)
async def test_where_no_work_is_nothing_can_be_asked_for(
    tmp_path: Path, adapter: str, said: str, start: str, end: str, reason: str
) -> None:
    office = Office()
    with ADAPTERS[adapter](office, tmp_path) as eip:
        async with chatting(the_company(), tmp_path, eip) as chat:
            turn = await chat.say(f"{said}請特休")
            assert (turn.outcome, turn.confirm_token) == (Outcome.TIME_INVALID, "")
        request = office.request(start, end)
        found = await eip.validate(request, TODAY)
        assert [(problem.outcome, problem.reason) for problem in found] == [(Outcome.TIME_INVALID, reason)]
        with pytest.raises(EipRefused, match="請假時間不正確"):
            await eip.submit(request, "key")


async def test_a_length_is_counted_anew_at_every_change(tmp_path: Path) -> None:
    async with chatting(the_company(), tmp_path) as chat:
        await chat.say("12/10請公假，事由：受訓，代理人林雅婷")
        assert [(said, await hours_after(chat, said)) for said, *_ in LENGTHS] == [(row[0], row[3]) for row in LENGTHS]
        assert await hours_after(chat, "改成12/24到12/28") == 16
        assert await hours_after(chat, "少請一天") == 8


async def hours_after(chat: Chat, said: str) -> float | None:
    return (await chat.say(said)).hours
