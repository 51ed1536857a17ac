"""The embedded EIP: files once per key, refuses in its own words, gives minutes back, shows nobody else's data."""

import asyncio
from dataclasses import replace
from datetime import date, datetime
from pathlib import Path

import pytest

from model.company import Absence
from model.errors import ConfigError, EipDoubt, EipRefused, EipUnreachable
from model.outcome import Outcome
from module.eip.faults import FaultyEip
from module.eip.port import Eip
from tests.eip_office import IRENE, Office, the_company

DECEMBER = (datetime(2026, 12, 1), datetime(2027, 1, 1))


async def left(eip: Eip, category: str, account: str = IRENE) -> int | None:
    kind = (await eip.employee(account)).leave_type(category)
    assert kind is not None
    return kind.remaining_minutes


async def test_the_employee_comes_with_substitutes_and_leave_types_in_order() -> None:
    irene = await Office().eip().employee(IRENE)
    assert [person.name for person in irene.substitutes] == ["王小明", "李大華", "林雅婷", "王志強"]
    assert [kind.name for kind in irene.leave_types][:3] == ["特休假", "事假", "有薪病假"]
    assert irene.leave_type("陪產檢及陪產假") is None
    assert irene.leave_type("公假") is not None
    assert await left(Office().eip(), "公假") is None


async def test_an_unknown_account_is_refused() -> None:
    with pytest.raises(EipRefused, match="查無此帳號"):
        await Office().eip().employee("nobody")


async def test_a_filed_leave_has_a_number_of_the_day_and_costs_its_minutes() -> None:
    office = Office()
    eip = office.eip()
    first = await eip.submit(office.request("2026-12-10 09:00", "2026-12-10 18:00"), "k1")
    second = await eip.submit(office.request("2026-12-11 14:00", "2026-12-11 16:00"), "k2")
    assert (first.wf_no, first.minutes) == ("WF20261130001", 480)
    assert (second.wf_no, second.minutes) == ("WF20261130002", 120)
    assert await left(eip, "特休假") == 3360 - 600
    found = await eip.leaves(IRENE, *DECEMBER)
    assert [leave.wf_no for leave in found] == ["WF20261130001", "WF20261130002", "WF20261101001"]


async def test_the_same_key_gives_the_same_receipt_also_from_many_threads() -> None:
    office = Office()
    eip, request = office.eip(), office.request("2026-12-10 09:00", "2026-12-10 18:00")
    receipts = await asyncio.gather(*(eip.submit(request, "key") for _ in range(30)))
    assert len(set(receipts)) == 1
    assert await eip.find("key") == receipts[0]
    assert await eip.find("other") is None
    assert await left(eip, "特休假") == 2880


async def test_a_key_cannot_stand_for_two_leaves() -> None:
    office = Office()
    eip = office.eip()
    await eip.submit(office.request("2026-12-10 09:00", "2026-12-10 18:00"), "key")
    with pytest.raises(EipRefused, match="識別碼"):
        await eip.submit(office.request("2026-12-11 09:00", "2026-12-11 18:00"), "key")


async def test_an_identical_leave_is_refused_naming_the_earlier_number() -> None:
    office = Office()
    eip, request = office.eip(), office.request("2026-12-10 09:00", "2026-12-10 18:00")
    receipt = await eip.submit(request, "k1")
    with pytest.raises(EipRefused) as no:
        await eip.submit(request, "k2")
    assert no.value.text == f"(WF) 同時段同日期，已有假單 {receipt.wf_no}"


async def test_overlap_is_by_the_minute_and_within_working_time() -> None:
    office = Office()
    eip = office.eip()
    await eip.submit(office.request("2026-12-10 09:00", "2026-12-10 12:00"), "k1")
    await eip.submit(office.request("2026-12-10 13:00", "2026-12-10 18:00"), "k2")
    with pytest.raises(EipRefused, match=r"^\(WF\) 同時段同日期$"):
        await eip.submit(office.request("2026-12-09 09:00", "2026-12-10 10:00"), "k3")


REFUSALS = [
    ("2026-12-12 09:00", "2026-12-12 18:00", "特休假", "王小明", "請假時間不正確"),
    ("2026-12-28 09:00", "2027-01-08 18:00", "特休假", "王小明", "剩餘時數不足"),
    ("2026-12-10 13:00", "2026-12-10 14:30", "家庭照顧假", "王小明", "最小單位"),
    ("2026-12-10 09:00", "2026-12-10 18:00", "婚假", "王小明", "事件發生日未填"),
    ("2026-10-01 09:00", "2026-10-01 18:00", "特休假", "王小明", "可補請"),
    ("2027-12-10 09:00", "2027-12-10 18:00", "特休假", "王小明", "可預請"),
    ("2026-12-22 09:00", "2026-12-22 18:00", "特休假", "李大華", "代理人該時段請假中"),
    ("2026-12-10 09:00", "2026-12-10 18:00", "特休假", "張家豪", "代理人不正確"),
    ("2026-12-10 09:00", "2026-12-10 18:00", "陪產檢及陪產假", "王小明", "無此假別"),
]


@pytest.mark.parametrize(("start", "end", "category", "agent", "words"), REFUSALS)
async def test_what_the_checks_reject_is_refused_in_the_words_of_the_eip(
    start: str, end: str, category: str, agent: str, words: str
) -> None:
    office = Office()
    eip, request = office.eip(), office.request(start, end, category, agent)
    assert await eip.validate(request, office.now.date())
    with pytest.raises(EipRefused, match=r"^\(WF\) ") as no:
        await eip.submit(request, "key")
    assert words in no.value.text
    assert await eip.find("key") is None


async def test_a_dry_run_files_nothing_and_finds_nothing_wrong_with_a_good_request() -> None:
    office = Office()
    eip = office.eip()
    request = office.request("2026-12-10 09:00", "2026-12-10 18:00")
    assert await eip.validate(request, office.now.date()) == ()
    assert await left(eip, "特休假") == 3360


async def test_ids_and_lengths_that_are_not_on_file_are_refused() -> None:
    office = Office()
    eip, good = office.eip(), office.request("2026-12-10 09:00", "2026-12-10 18:00")
    for bad in (
        replace(good, employee_id="E2001"),
        replace(good, department_id="D99"),
        replace(good, category_id="L02"),
        replace(good, agent_id="E9999"),
        replace(good, minutes=30),
    ):
        with pytest.raises(EipRefused, match="系統資料不符"):
            await eip.submit(bad, "key")


async def test_half_days_cost_240_minutes_each_while_the_length_is_working_time() -> None:
    office = Office()
    eip = office.eip()
    died = datetime(2026, 11, 28)
    morning = office.request("2026-12-08 09:00", "2026-12-08 12:00", "六日喪假", event_date=died)
    receipt = await eip.submit(morning, "k1")
    assert receipt.minutes == 180
    assert await left(eip, "六日喪假") == 2880 - 240
    await eip.submit(office.request("2026-12-09 13:00", "2026-12-10 18:00", "六日喪假", event_date=died), "k2")
    assert await left(eip, "六日喪假") == 2880 - 4 * 240
    await eip.cancel(receipt.wf_no, IRENE)
    assert await left(eip, "六日喪假") == 2880 - 3 * 240


async def test_cancelling_gives_the_minutes_back_and_frees_the_time() -> None:
    office = Office()
    eip, request = office.eip(), office.request("2026-12-10 09:00", "2026-12-10 18:00")
    receipt = await eip.submit(request, "k1")
    gone = await eip.cancel(receipt.wf_no, IRENE)
    assert (gone.wf_no, gone.status) == (receipt.wf_no, "cancelled")
    assert await left(eip, "特休假") == 3360
    assert (await eip.submit(request, "k2")).wf_no == "WF20261130002"
    with pytest.raises(EipRefused, match="已取消"):
        await eip.cancel(receipt.wf_no, IRENE)
    assert await left(eip, "特休假") == 2880


async def test_cancelling_a_leave_of_the_company_file_gives_its_minutes_back() -> None:
    eip = Office().eip()
    await eip.cancel("WF20261101001", IRENE)
    assert await left(eip, "特休假") == 3360 + 480


async def test_somebody_elses_number_is_refused_like_an_unknown_one() -> None:
    eip = Office().eip()
    told = []
    for number in ("WF20261102002", "WF20269999999", "' OR 1=1 --"):
        with pytest.raises(EipRefused) as no:
            await eip.cancel(number, IRENE)
        told.append(no.value.text)
    assert len(set(told)) == 1


async def test_absences_are_the_own_substitutes_times_without_reason() -> None:
    eip = Office().eip()
    away = Absence("李大華", datetime(2026, 12, 22, 9), datetime(2026, 12, 22, 18))
    assert await eip.absences(IRENE, *DECEMBER) == (away,)
    assert await eip.absences("kevin.chang", *DECEMBER) == ()
    await eip.cancel("WF20261102002", "david.lee")
    assert await eip.absences(IRENE, *DECEMBER) == ()


async def test_leaves_are_ones_own() -> None:
    assert await Office().eip().leaves("kevin.chang", *DECEMBER) == ()


async def test_a_memo_with_sql_in_it_is_stored_verbatim() -> None:
    office = Office()
    eip = office.eip()
    memo = "'); DROP TABLE leaves; -- \" % _ 看醫生👨‍👩‍👧"
    await eip.submit(office.request("2026-12-10 09:00", "2026-12-10 18:00", "事假", memo=memo), "key")
    assert memo in [leave.memo for leave in await eip.leaves(IRENE, *DECEMBER)]


async def test_blocked_dates_and_too_many_days_in_a_row_are_refused_with_the_reason() -> None:
    company = the_company()
    kinds = tuple(kind.model_copy(update={"max_consecutive_days": 2}) for kind in company.leave_types)
    blocked = {date(2026, 12, 10): "年度盤點"}
    office = Office(company=company.model_copy(update={"leave_types": kinds, "blocked_dates": blocked}))
    eip = office.eip()
    closed = await eip.validate(office.request("2026-12-09 09:00", "2026-12-10 18:00"), office.now.date())
    assert [(problem.outcome, problem.reason) for problem in closed] == [(Outcome.TIME_INVALID, "blocked")]
    assert closed[0].values["why"] == "年度盤點"
    with pytest.raises(EipRefused, match="連續請假"):
        await eip.submit(office.request("2026-12-14 09:00", "2026-12-18 18:00", agent="林雅婷"), "key")


async def test_a_file_keeps_everything_over_a_restart(tmp_path: Path) -> None:
    office, path = Office(), tmp_path / "data" / "eip.sqlite"
    eip = office.eip(path)
    await eip.cancel("WF20261101001", IRENE)
    receipt = await eip.submit(office.request("2026-12-10 09:00", "2026-12-10 18:00"), "key")
    eip.close()
    again = office.eip(path)
    assert await again.find("key") == receipt
    assert await left(again, "特休假") == 3360
    assert [leave.status for leave in await again.leaves(IRENE, *DECEMBER)] == ["submitted", "cancelled"]
    again.close()


async def test_two_openings_of_one_file_file_a_leave_once(tmp_path: Path) -> None:
    office, path = Office(), tmp_path / "eip.sqlite"
    one, two = office.eip(path), office.eip(path)
    request = office.request("2026-12-10 09:00", "2026-12-10 18:00")
    receipts = await asyncio.gather(*(eip.submit(request, "key") for eip in (one, two) * 10))
    assert len(set(receipts)) == 1
    one.close()
    two.close()


def test_a_file_that_cannot_be_opened_is_named_with_a_remedy(tmp_path: Path) -> None:
    (tmp_path / "eip.sqlite").mkdir()
    with pytest.raises(ConfigError, match=r"eip\.sqlite.*請確認"):
        Office().eip(tmp_path / "eip.sqlite")


def test_accounts_name_everybody_for_the_demo_login() -> None:
    accounts = Office().eip().accounts()
    assert accounts[0] == (IRENE, "陳怡君", "1024", "資訊部")
    assert len(accounts) == 8


async def test_the_faulty_eip_misbehaves_only_on_command() -> None:
    office = Office()
    eip = FaultyEip(office.eip())
    request = office.request("2026-12-10 09:00", "2026-12-10 18:00")
    eip.fault = "down"
    with pytest.raises(EipUnreachable):
        await eip.employee(IRENE)
    eip.fault = "refuse:(WF) 不行"
    with pytest.raises(EipRefused, match="不行"):
        await eip.submit(request, "key")
    eip.fault = "doubt"
    with pytest.raises(EipDoubt):
        await eip.submit(request, "key")
    eip.fault = None
    assert await eip.find("key") == await eip.submit(request, "key")
    assert await eip.validate(request, office.now.date())
    assert (await eip.cancel("WF20261130001", IRENE)).status == "cancelled"
    assert (await eip.calendar(2026)).day_minutes == 480
    assert len(await eip.leaves(IRENE, *DECEMBER)) == 2
    assert len(await eip.absences(IRENE, *DECEMBER)) == 1


async def test_an_approved_leave_can_be_cancelled_until_it_begins() -> None:
    office = Office()
    eip = office.eip()
    early = await eip.submit(office.request("2026-12-10 09:00", "2026-12-10 18:00"), "k1")
    late = await eip.submit(office.request("2026-12-11 09:00", "2026-12-11 18:00"), "k2")
    for number in (early.wf_no, late.wf_no):
        assert (await eip.approve(number)).status == "approved"
    with pytest.raises(EipRefused, match="送審中"):
        await eip.approve(early.wf_no)
    with pytest.raises(EipRefused, match="查無此單號"):
        await eip.approve("WF1")
    office.now = datetime(2026, 12, 10, 9)
    with pytest.raises(EipRefused, match="已開始"):
        await eip.cancel(early.wf_no, IRENE)
    assert (await eip.cancel(late.wf_no, IRENE)).status == "cancelled"
    assert await left(eip, "特休假") == 3360 - 480
