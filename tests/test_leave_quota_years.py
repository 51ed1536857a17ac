"""Each year's quota pays for its own days, and a leave over New Year shows what it takes of each."""

from datetime import date, datetime
from pathlib import Path

import pytest

from model.errors import EipRefused
from model.outcome import Outcome
from tests.eip_office import IRENE, Office
from tests.leave_chat import chatting, company_with
from tests.test_eip_contract import ADAPTERS

TODAY = date(2026, 11, 30)
OVER = ("2026-12-31 09:00", "2027-01-04 18:00")


@pytest.mark.parametrize("adapter", sorted(ADAPTERS))
async def test_a_leave_over_new_year_draws_on_both_years(tmp_path: Path, adapter: str) -> None:
    company = company_with(left={"L01": {"2026": 960, "2027": 3360}})
    with ADAPTERS[adapter](Office(company=company), tmp_path) as eip:
        async with chatting(company, tmp_path, eip) as chat:
            turn = await chat.say("12/31到1/4請特休，代理人林雅婷")
            assert "2 天（16 小時）（2026 年 8 小時、2027 年 8 小時）" in turn.reply
            assert "2026 年 16 → 8 小時、2027 年 56 → 48 小時" in turn.reply
            done = await chat.confirm(turn)
            assert done.outcome is Outcome.SUBMITTED
            kind = await chat.kind()
            assert (kind.remaining_by_year, kind.remaining_minutes) == ({2026: 480, 2027: 2880}, 3360)
            assert "2026 年 8 小時" in (await chat.say("還剩幾天特休？")).reply
            await eip.cancel(done.wf_no, IRENE)
            assert (await chat.kind()).remaining_by_year == {2026: 960, 2027: 3360}


@pytest.mark.parametrize("adapter", sorted(ADAPTERS))
@pytest.mark.parametrize("left", [{"2026": 450, "2027": 3360}, {"2026": 3360}, {"2026": 3360, "2027": 450}])
async def test_one_year_cannot_pay_for_the_other(tmp_path: Path, adapter: str, left: dict[str, int]) -> None:
    office = Office(company=company_with(left={"L01": left}))
    with ADAPTERS[adapter](office, tmp_path) as eip:
        async with chatting(office.company, tmp_path, eip) as chat:
            turn = await chat.say("12/31到1/4請特休，代理人林雅婷")
        request = office.request(*OVER, agent="林雅婷")
        found = await eip.validate(request, TODAY)
        short = 2026 if left["2026"] < 480 else 2027
        assert turn.outcome is Outcome.NOT_ENOUGH_HOURS and f"{short} 年的時數不夠" in turn.reply
        assert [(problem.outcome, problem.values["year"]) for problem in found] == [(Outcome.NOT_ENOUGH_HOURS, short)]
        with pytest.raises(EipRefused, match="剩餘時數不足"):
            await eip.submit(request, "key")


async def test_with_one_number_for_all_years_the_length_is_split_and_the_number_is_one(tmp_path: Path) -> None:
    async with chatting(company_with(), tmp_path) as chat:
        turn = await chat.say("12/31到1/4請特休，代理人林雅婷")
        assert "（2026 年 8 小時、2027 年 8 小時）" in turn.reply
        assert "剩餘時數：56 → 40 小時" in turn.reply
        within = await chat.say("改成12/28到12/30")
        assert "年 8 小時" not in within.reply


async def test_half_days_are_paid_by_the_year_they_lie_in() -> None:
    office = Office(company=company_with(left={"L08": {"2026": 240, "2027": 3840}}))
    eip = office.eip()
    died = datetime(2026, 11, 28)
    await eip.submit(office.request("2026-12-31 13:00", "2027-01-04 12:00", "八日喪假", "林雅婷", event_date=died), "k1")
    kind = (await eip.employee(IRENE)).leave_type("八日喪假")
    assert kind is not None and kind.remaining_by_year == {2026: 0, 2027: 3600}


async def test_a_leave_that_was_in_the_company_file_gives_back_to_its_year_only() -> None:
    office = Office(company=company_with(left={"L01": {"2026": 0, "2027": 480}}))
    eip = office.eip()
    await eip.cancel("WF20261101001", IRENE)
    kind = (await eip.employee(IRENE)).leave_type("特休假")
    assert kind is not None and kind.remaining_by_year == {2026: 480, 2027: 480}
