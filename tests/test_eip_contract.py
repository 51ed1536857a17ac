"""One contract for every EIP adapter: the same questions and the same leaves, embedded and over HTTP.

An adapter of another company is put into `ADAPTERS` and has to pass unchanged.
"""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from datetime import date, datetime
from pathlib import Path

import pytest

from model.company import Absence
from model.errors import EipRefused
from model.outcome import Outcome
from module.eip.http import HttpEip
from module.eip.port import Eip
from module.eip.server import create
from tests.eip_office import IRENE, Office, the_company
from tests.eip_served import served

DECEMBER = (datetime(2026, 12, 1), datetime(2027, 1, 1))
KEY = "a-key-only-for-tests"
TODAY = date(2026, 11, 30)


@contextmanager
def embedded(office: Office, folder: Path) -> Iterator[Eip]:
    eip = office.eip(folder / "eip.db")
    yield eip
    eip.close()


@contextmanager
def over_http(office: Office, folder: Path) -> Iterator[Eip]:
    with served(create(office.eip(folder / "eip.db"), KEY)) as url:
        yield HttpEip(url, KEY)


ADAPTERS: dict[str, Callable[[Office, Path], AbstractContextManager[Eip]]] = {
    "sqlite": embedded,
    "http": over_http,
}


@pytest.fixture
def office() -> Office:
    blocked = {date(2026, 12, 24): "年度盤點"}
    return Office(company=the_company().model_copy(update={"blocked_dates": blocked}))


@pytest.fixture(params=sorted(ADAPTERS))
def eip(request: pytest.FixtureRequest, office: Office, tmp_path: Path) -> Iterator[Eip]:
    with ADAPTERS[request.param](office, tmp_path) as adapter:
        yield adapter


async def left(eip: Eip, category: str = "特休假") -> int | None:
    kind = (await eip.employee(IRENE)).leave_type(category)
    assert kind is not None
    return kind.remaining_minutes


async def test_the_employee_is_the_same_everywhere(eip: Eip, office: Office) -> None:
    assert await eip.employee(IRENE) == await office.eip().employee(IRENE)
    assert await left(eip) == 3360
    assert await left(eip, "公假") is None


async def test_the_calendar_is_the_same_everywhere(eip: Eip, office: Office) -> None:
    calendar = await eip.calendar(2026)
    assert calendar == await office.eip().calendar(2026)
    assert calendar.blocked == {date(2026, 12, 24): "年度盤點"}
    assert calendar.day_minutes == 480


@pytest.mark.parametrize("account", ["nobody", "陳怡君", "a b?c=d&e#f", "' OR 1=1 --"])
async def test_an_unknown_account_is_refused(eip: Eip, account: str) -> None:
    with pytest.raises(EipRefused, match="查無此帳號"):
        await eip.employee(account)
    with pytest.raises(EipRefused, match="查無此帳號"):
        await eip.leaves(account, *DECEMBER)


async def test_a_leave_is_filed_found_listed_and_cancelled(eip: Eip, office: Office) -> None:
    memo = "'); DROP TABLE leaves; -- \" % _\n看醫生👨‍👩‍👧  "
    request = office.request("2026-12-10 09:00", "2026-12-10 18:00", memo=memo)
    assert await eip.validate(request, TODAY) == ()
    assert await eip.find("k1") is None
    receipt = await eip.submit(request, "k1")
    assert (receipt.wf_no, receipt.minutes) == ("WF20261130001", 480)
    assert await eip.find("k1") == receipt
    assert await left(eip) == 3360 - 480
    filed = {leave.wf_no: leave for leave in await eip.leaves(IRENE, *DECEMBER)}[receipt.wf_no]
    assert (filed.memo, filed.agent, filed.category, filed.status) == (memo, "王小明", "特休假", "submitted")
    assert (filed.start, filed.end, filed.minutes) == (request.start, request.end, 480)
    assert await eip.cancel(receipt.wf_no, IRENE) == replace(filed, status="cancelled")
    assert await left(eip) == 3360
    assert await eip.find("k1") == receipt


async def test_the_same_key_gives_one_leave_however_often_and_at_once(eip: Eip, office: Office) -> None:
    request = office.request("2026-12-10 09:00", "2026-12-10 18:00")
    receipts = await asyncio.gather(*(eip.submit(request, "key") for _ in range(20)))
    assert len(set(receipts)) == 1
    assert await left(eip) == 3360 - 480


async def test_a_key_cannot_stand_for_two_leaves(eip: Eip, office: Office) -> None:
    await eip.submit(office.request("2026-12-10 09:00", "2026-12-10 18:00"), "key")
    with pytest.raises(EipRefused, match="識別碼"):
        await eip.submit(office.request("2026-12-11 09:00", "2026-12-11 18:00"), "key")


async def test_the_same_time_again_is_refused_with_the_earlier_number(eip: Eip, office: Office) -> None:
    request = office.request("2026-12-10 09:00", "2026-12-10 18:00")
    receipt = await eip.submit(request, "k1")
    with pytest.raises(EipRefused) as no:
        await eip.submit(request, "k2")
    assert no.value.text == f"(WF) 同時段同日期，已有假單 {receipt.wf_no}"
    assert await eip.find("k2") is None


REFUSED = [
    ("2026-12-12 09:00", "2026-12-12 18:00", "特休假", "王小明", "請假時間不正確", Outcome.TIME_INVALID),
    ("2026-12-25 09:00", "2026-12-25 18:00", "特休假", "王小明", "請假時間不正確", Outcome.TIME_INVALID),
    ("2026-12-24 09:00", "2026-12-24 18:00", "特休假", "王小明", "不開放請假", Outcome.TIME_INVALID),
    ("2026-12-28 09:00", "2027-01-08 18:00", "特休假", "王小明", "剩餘時數不足", Outcome.NOT_ENOUGH_HOURS),
    ("2026-12-10 13:00", "2026-12-10 14:30", "家庭照顧假", "王小明", "最小單位", Outcome.UNIT_INVALID),
    ("2026-12-10 09:00", "2026-12-10 18:00", "婚假", "王小明", "事件發生日未填", Outcome.ASK_EVENT_DATE),
    ("2026-10-01 09:00", "2026-10-01 18:00", "特休假", "王小明", "可補請", Outcome.TIME_INVALID),
    ("2026-12-22 09:00", "2026-12-22 18:00", "特休假", "李大華", "代理人該時段請假中", Outcome.AGENT_UNAVAILABLE),
    ("2026-12-10 09:00", "2026-12-10 18:00", "特休假", "張家豪", "代理人不正確", Outcome.AGENT_NOT_ALLOWED),
    ("2026-12-10 09:00", "2026-12-10 18:00", "陪產檢及陪產假", "王小明", "無此假別", Outcome.CATEGORY_NOT_ALLOWED),
    ("2026-12-16 09:00", "2026-12-16 18:00", "特休假", "王小明", "同時段同日期", Outcome.OVERLAPS),
    ("2026-12-10 12:00", "2026-12-10 13:00", "特休假", "王小明", "請假時間不正確", Outcome.TIME_INVALID),
    ("2026-12-10 18:00", "2026-12-10 09:00", "特休假", "王小明", "請假時間不正確", Outcome.TIME_INVALID),
]


@pytest.mark.parametrize(("start", "end", "category", "agent", "words", "outcome"), REFUSED)
async def test_dry_run_and_submission_say_the_same(
    eip: Eip, office: Office, start: str, end: str, category: str, agent: str, words: str, outcome: Outcome
) -> None:
    request = office.request(start, end, category, agent)
    found = await eip.validate(request, TODAY)
    assert found[0].outcome == outcome
    assert found == await office.eip().validate(request, TODAY)
    with pytest.raises(EipRefused, match=r"^\(WF\) ") as no:
        await eip.submit(request, "key")
    assert words in no.value.text
    assert await eip.find("key") is None


LENGTHS = [
    ("2026-12-29 09:00", "2026-12-30 18:00", 960),
    ("2026-12-31 09:00", "2027-01-04 18:00", 960),
    ("2027-02-03 09:00", "2027-02-11 18:00", 960),
    ("2026-12-03 14:00", "2026-12-07 12:00", 900),
    ("2026-12-10 11:00", "2026-12-10 13:00", 60),
    ("2026-12-10 12:00", "2026-12-10 14:00", 60),
    ("2026-12-10 09:30", "2026-12-10 11:00", 90),
]


@pytest.mark.parametrize(("start", "end", "minutes"), LENGTHS)
async def test_a_length_is_what_was_previewed(eip: Eip, office: Office, start: str, end: str, minutes: int) -> None:
    request = office.request(start, end, agent="林雅婷")
    assert request.minutes == minutes
    assert await eip.validate(request, TODAY) == ()
    assert (await eip.submit(request, "key")).minutes == minutes
    assert await left(eip) == 3360 - minutes


async def test_ids_and_lengths_that_are_not_on_file_are_refused(eip: Eip, office: Office) -> None:
    good = office.request("2026-12-10 09:00", "2026-12-10 18:00")
    for bad in (replace(good, employee_id="E2001"), replace(good, agent_id="E9999"), replace(good, minutes=30)):
        with pytest.raises(EipRefused, match="系統資料不符"):
            await eip.submit(bad, "key")


async def test_only_the_own_leave_can_be_cancelled_and_only_once(eip: Eip) -> None:
    told = []
    for number in ("WF20261102002", "WF20269999999", "' OR 1=1 --"):
        with pytest.raises(EipRefused) as no:
            await eip.cancel(number, IRENE)
        told.append(no.value.text)
    assert told == ["(WF) 查無此單號"] * 3
    await eip.cancel("WF20261101001", IRENE)
    with pytest.raises(EipRefused, match="已取消"):
        await eip.cancel("WF20261101001", IRENE)


async def test_absences_are_the_own_substitutes_free_or_busy(eip: Eip) -> None:
    away = Absence("李大華", datetime(2026, 12, 22, 9), datetime(2026, 12, 22, 18))
    assert await eip.absences(IRENE, *DECEMBER) == (away,)
    assert await eip.absences("kevin.chang", *DECEMBER) == ()


async def test_what_is_around_is_leaves_and_absences_together(eip: Eip) -> None:
    both = (await eip.leaves(IRENE, *DECEMBER), await eip.absences(IRENE, *DECEMBER))
    assert [len(part) for part in both] == [1, 1]
    assert await eip.around(IRENE, *DECEMBER) == both


async def test_a_range_touches_by_the_minute_also_from_a_moment_with_seconds(eip: Eip) -> None:
    numbers = []
    for start, end in (
        (datetime(2026, 12, 16, 17, 59, 30, 5), datetime(2026, 12, 17)),
        (datetime(2026, 12, 16, 18, 0, 0, 1), datetime(2026, 12, 17)),
        (datetime(2026, 12, 1), datetime(2026, 12, 16, 9)),
        (datetime(2026, 12, 1), datetime(2026, 12, 16, 9, 0, 0, 1)),
    ):
        numbers.append([leave.wf_no for leave in await eip.leaves(IRENE, start, end)])
    assert numbers == [["WF20261101001"], [], [], ["WF20261101001"]]
