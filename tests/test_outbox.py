"""The outbox: one filing per confirmation, whatever is pressed twice, lost, refused, in doubt or killed."""

import asyncio
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import create_engine, text
from sqlalchemy.exc import IntegrityError

from model.errors import ConfigError, EipDoubt, EipUnreachable, StoreError
from model.form import LeaveRequest
from module.eip.faults import FaultyEip
from module.eip.outbox import Outbox
from module.eip.port import Receipt
from module.eip.sqlite import SqliteEip
from tests.eip_office import IRENE, Office

CHAT = "conversation-1"
LOOKS_INTO_THE_FILE = ("cannot_be_changed", "held_database", "fails_after_sending", "cannot_be_opened", "older_than_a_day", "is_no_database")


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.slow)], autouse=True)
def _kept_in(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Every test of this file holds for PostgreSQL as well, where every outbox is another replica."""
    opened: list[Outbox] = []
    if request.param == "postgres":
        if any(words in request.node.name for words in LOOKS_INTO_THE_FILE):
            pytest.skip("about a SQLite file")
        place, real = request.getfixturevalue("postgres_url"), Outbox.open

        def open_there(_: object, *more: Any, **options: Any) -> Outbox:
            opened.append(real(place, *more, **options))
            return opened[-1]

        monkeypatch.setattr(Outbox, "open", open_there)
    yield
    for outbox in opened:
        outbox.close()
DECEMBER = (datetime(2026, 12, 1), datetime(2027, 1, 1))


class Desk:
    """An office with an EIP that may misbehave, an outbox, and a request."""

    def __init__(self, path: Path | None = None) -> None:
        self.office = Office()
        self.embedded: SqliteEip = self.office.eip(path / "eip.sqlite" if path else None)
        self.eip = FaultyEip(self.embedded)
        self.outbox = Outbox.open(path / "outbox.sqlite" if path else None, self.office.clock)
        self.request = self.office.request("2026-12-10 09:00", "2026-12-10 18:00")

    async def mint(self, request: LeaveRequest | None = None, chat: str = CHAT) -> str:
        return await self.outbox.mint(IRENE, chat, request or self.request)

    async def filed(self) -> list[str]:
        leaves = await self.embedded.leaves(IRENE, *DECEMBER)
        return [leave.wf_no for leave in leaves if leave.wf_no.startswith("WF20261130") and leave.status == "submitted"]


async def test_a_confirmed_preview_is_filed_and_says_so() -> None:
    desk = Desk()
    token = await desk.mint()
    assert len(token) >= 43
    assert await desk.outbox.current(CHAT) == token
    filing = await desk.outbox.confirm(IRENE, CHAT, token, desk.eip)
    assert (filing.state, filing.receipt) == ("done", Receipt("WF20261130001", 480))
    assert filing.request == desk.request
    assert await desk.outbox.current(CHAT) is None
    assert await desk.outbox.status(token) == filing


async def test_a_used_token_tells_the_leave_already_sent() -> None:
    desk = Desk()
    token = await desk.mint()
    first = await desk.outbox.confirm(IRENE, CHAT, token, desk.eip)
    second = await desk.outbox.confirm(IRENE, CHAT, token, desk.eip)
    assert (second.state, second.receipt) == ("used", first.receipt)
    assert await desk.filed() == ["WF20261130001"]


async def test_foreign_unknown_expired_revoked_and_replaced_tokens_are_stale() -> None:
    desk = Desk()
    replaced = await desk.mint()
    token = await desk.mint()
    assert (await desk.outbox.confirm(IRENE, CHAT, replaced, desk.eip)).state == "stale"
    assert (await desk.outbox.confirm("kevin.chang", CHAT, token, desk.eip)).state == "stale"
    assert (await desk.outbox.confirm(IRENE, "another", token, desk.eip)).state == "stale"
    assert (await desk.outbox.confirm(IRENE, CHAT, "' OR 1=1 --", desk.eip)).state == "stale"
    desk.office.later(minutes=10)
    assert await desk.outbox.current(CHAT) is None
    assert (await desk.outbox.confirm(IRENE, CHAT, token, desk.eip)).state == "stale"
    fresh = await desk.mint()
    await desk.outbox.revoke(CHAT)
    assert await desk.outbox.current(CHAT) is None
    assert (await desk.outbox.confirm(IRENE, CHAT, fresh, desk.eip)).state == "stale"
    assert await desk.filed() == []


async def test_a_token_of_another_conversation_stays_valid() -> None:
    desk = Desk()
    here, there = await desk.mint(), await desk.mint(chat="conversation-2")
    assert (await desk.outbox.current(CHAT), await desk.outbox.current("conversation-2")) == (here, there)


@pytest.mark.parametrize("on_disk", [False, True])
async def test_fifty_parallel_confirmations_of_one_token_file_one_leave(tmp_path: Path, on_disk: bool) -> None:
    desk = Desk(tmp_path if on_disk else None)
    token = await desk.mint()
    replica = Outbox.open(tmp_path / "outbox.sqlite", desk.office.clock) if on_disk else desk.outbox
    boxes = (desk.outbox, replica) * 25
    filings = await asyncio.gather(*(box.confirm(IRENE, CHAT, token, desk.eip) for box in boxes))
    assert [filing.state for filing in filings].count("done") == 1
    assert {filing.state for filing in filings} <= {"done", "used", "pending"}
    assert await desk.filed() == ["WF20261130001"]
    assert {filing.receipt.wf_no for filing in filings if filing.receipt} == {"WF20261130001"}


async def test_the_same_request_from_two_tabs_is_filed_once() -> None:
    desk = Desk()
    one, two = await desk.mint(chat="tab-1"), await desk.mint(chat="tab-2")
    first = await desk.outbox.confirm(IRENE, "tab-1", one, desk.eip)
    second = await desk.outbox.confirm(IRENE, "tab-2", two, desk.eip)
    again = await desk.outbox.confirm(IRENE, "tab-2", two, desk.eip)
    assert first.state == "done"
    assert [(filing.state, filing.receipt) for filing in (second, again)] == [("used", first.receipt)] * 2
    assert await desk.filed() == ["WF20261130001"]


async def test_a_refusal_is_shown_as_it_came_and_the_same_form_may_be_sent_again() -> None:
    desk = Desk()
    desk.eip.fault = "refuse:(WF) 同時段同日期"
    token = await desk.mint()
    filing = await desk.outbox.confirm(IRENE, CHAT, token, desk.eip)
    assert (filing.state, filing.text, filing.receipt) == ("refused", "(WF) 同時段同日期", None)
    repeated = await desk.outbox.confirm(IRENE, CHAT, token, desk.eip)
    assert (repeated.state, repeated.receipt) == ("used", None)
    assert await desk.outbox.reconcile(desk.eip) == []
    desk.eip.fault = None
    assert (await desk.outbox.confirm(IRENE, CHAT, await desk.mint(), desk.eip)).state == "done"


async def test_an_eip_that_is_down_leaves_the_filing_pending_until_it_is_back() -> None:
    desk = Desk()
    desk.eip.fault = "down"
    token = await desk.mint()
    assert (await desk.outbox.confirm(IRENE, CHAT, token, desk.eip)).state == "pending"
    assert (await desk.outbox.confirm(IRENE, CHAT, token, desk.eip)).state == "pending"
    assert (await desk.outbox.confirm(IRENE, CHAT, await desk.mint(), desk.eip)).state == "pending"
    for _ in range(60):  # two hours
        desk.office.later(minutes=2)
        await desk.outbox.reconcile(desk.eip)
    assert [filing.token for filing in await desk.outbox.pending(IRENE)] == [token]
    desk.eip.fault = None
    desk.office.later(minutes=5)
    assert [filing.state for filing in await desk.outbox.reconcile(desk.eip)] == ["done"]
    assert await desk.outbox.pending(IRENE) == ()
    assert await desk.filed() == ["WF20261130001"]


async def test_one_probe_at_a_time_while_the_eip_is_down_and_the_oldest_first_when_it_is_back() -> None:
    desk = Desk()
    desk.eip.fault = "down"
    for day in (8, 9, 10):
        request = desk.office.request(f"2026-12-{day:02d} 09:00", f"2026-12-{day:02d} 18:00")
        await desk.outbox.confirm(IRENE, f"chat-{day}", await desk.mint(request, f"chat-{day}"), desk.eip)
    desk.office.later(minutes=10)
    assert len(await desk.outbox.reconcile(desk.eip)) == 1
    desk.eip.fault = None
    desk.office.later(minutes=10)
    filings = await desk.outbox.reconcile(desk.eip)
    assert [filing.request.start.day for filing in filings if filing.request] == [8, 9, 10]
    assert {filing.state for filing in filings} == {"done"}


async def test_a_lost_answer_is_pending_and_found_before_anything_is_sent_again() -> None:
    desk = Desk()
    desk.eip.fault = "doubt"
    token = await desk.mint()
    assert (await desk.outbox.confirm(IRENE, CHAT, token, desk.eip)).state == "pending"
    desk.eip.fault = "refuse:must not be sent"
    filing = await desk.outbox.retry(token, desk.eip)
    assert (filing.state, filing.receipt) == ("done", Receipt("WF20261130001", 480))
    assert await desk.filed() == ["WF20261130001"]


class Silent(FaultyEip):
    """Never answers a submission, and cannot be asked about one while `deaf`."""

    deaf = True

    async def submit(self, request: LeaveRequest, key: str) -> Receipt:
        raise EipDoubt("timeout")

    async def find(self, key: str) -> Receipt | None:
        if self.deaf:
            raise EipDoubt("timeout")
        return await super().find(key)


async def test_what_stays_in_doubt_goes_to_a_person_after_eight_attempts() -> None:
    desk = Desk()
    silent = Silent(desk.embedded)
    token = await desk.mint()
    states = [(await desk.outbox.confirm(IRENE, CHAT, token, silent)).state]
    while states[-1] == "pending":
        states.append((await desk.outbox.retry(token, silent)).state)
    assert states == ["pending"] * 8 + ["handoff"]
    assert (await desk.outbox.retry(token, desk.eip)).state == "handoff"
    assert (await desk.outbox.confirm(IRENE, CHAT, token, desk.eip)).state == "handoff"
    assert (await desk.outbox.confirm(IRENE, CHAT, await desk.mint(), desk.eip)).state == "handoff"
    assert await desk.filed() == []


class Crossing(FaultyEip):
    """The first submission arrives only after the look-up: the second is refused because of the first."""

    tries = 0

    async def submit(self, request: LeaveRequest, key: str) -> Receipt:
        self.tries += 1
        if self.tries == 1:
            raise EipDoubt("timeout")
        await self.eip.submit(request, key)
        self.fault = "refuse:(WF) 同時段同日期"
        return await super().submit(request, key)


async def test_a_refusal_after_a_doubt_is_looked_up_before_it_is_believed() -> None:
    desk = Desk()
    crossing = Crossing(desk.embedded)
    token = await desk.mint()
    assert (await desk.outbox.confirm(IRENE, CHAT, token, crossing)).state == "pending"
    filing = await desk.outbox.retry(token, crossing)
    assert (filing.state, filing.text) == ("done", "")
    assert await desk.filed() == ["WF20261130001"]


class Senseless(FaultyEip):
    """Answers what no client can read."""

    async def submit(self, request: LeaveRequest, key: str) -> Receipt:
        raise KeyError("data")


async def test_a_senseless_answer_is_pending_never_failed() -> None:
    desk = Desk()
    token = await desk.mint()
    assert (await desk.outbox.confirm(IRENE, CHAT, token, Senseless(desk.embedded))).state == "pending"


class Hanging(FaultyEip):
    """Delivers, and the sender dies before the answer comes."""

    async def submit(self, request: LeaveRequest, key: str) -> Receipt:
        await self.eip.submit(request, key)
        raise asyncio.CancelledError


async def test_a_sender_that_died_is_taken_over_when_its_lease_is_over() -> None:
    desk = Desk()
    token = await desk.mint()
    with pytest.raises(asyncio.CancelledError):
        await desk.outbox.confirm(IRENE, CHAT, token, Hanging(desk.embedded))
    assert (await desk.outbox.retry(token, desk.eip)).state == "pending"
    assert await desk.outbox.reconcile(desk.eip) == []
    desk.office.later(seconds=61)
    assert [filing.state for filing in await desk.outbox.reconcile(desk.eip)] == ["done"]
    assert await desk.filed() == ["WF20261130001"]


class Slow(FaultyEip):
    """Lets something happen while the submission is under way."""

    def __init__(self, desk: Desk, token: str) -> None:
        super().__init__(desk.embedded)
        self.desk, self.token = desk, token

    async def submit(self, request: LeaveRequest, key: str) -> Receipt:
        self.desk.office.later(seconds=61)
        taken = await self.desk.outbox.retry(self.token, self.desk.eip)
        assert taken.state == "done"
        raise EipUnreachable("too late")


async def test_a_sender_that_lost_its_row_cannot_overwrite_the_result() -> None:
    desk = Desk()
    token = await desk.mint()
    filing = await desk.outbox.confirm(IRENE, CHAT, token, Slow(desk, token))
    assert (filing.state, filing.receipt) == ("done", Receipt("WF20261130001", 480))


async def test_a_cancelled_leave_can_be_filed_again_identically() -> None:
    desk = Desk()
    token = await desk.mint()
    first = await desk.outbox.confirm(IRENE, CHAT, token, desk.eip)
    assert first.receipt
    await desk.embedded.cancel(first.receipt.wf_no, IRENE)
    await desk.outbox.forget(IRENE, first.receipt.wf_no)
    second = await desk.outbox.confirm(IRENE, CHAT, await desk.mint(), desk.eip)
    assert (second.state, second.receipt) == ("done", Receipt("WF20261130002", 480))
    assert (await desk.outbox.confirm(IRENE, CHAT, token, desk.eip)).receipt == first.receipt


async def test_a_leave_cancelled_in_the_eip_itself_can_be_filed_again_too() -> None:
    desk = Desk()
    first = await desk.outbox.confirm(IRENE, CHAT, await desk.mint(), desk.eip)
    assert first.receipt
    await desk.embedded.cancel(first.receipt.wf_no, IRENE)
    assert (await desk.outbox.confirm(IRENE, CHAT, await desk.mint(), desk.eip)).state == "done"


async def test_a_restart_keeps_previews_confirmations_and_audit(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    desk.eip.fault = "doubt"
    token = await desk.mint()
    await desk.outbox.confirm(IRENE, CHAT, token, desk.eip)
    waiting = await desk.mint(desk.office.request("2026-12-11 09:00", "2026-12-11 18:00"))
    desk.outbox.close()
    desk.embedded.close()
    again = Outbox.open(tmp_path / "outbox.sqlite", desk.office.clock)
    eip = desk.office.eip(tmp_path / "eip.sqlite")
    assert await again.current(CHAT) == waiting
    desk.office.later(minutes=1)
    assert [filing.token for filing in await again.reconcile(eip)] == [token]
    assert (await again.confirm(IRENE, CHAT, waiting, eip)).receipt == Receipt("WF20261130002", 480)
    assert len(await again.trail()) == 5
    again.close()
    eip.close()


async def test_the_audit_says_who_did_what_without_reasons_and_cannot_be_changed(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    await desk.outbox.confirm(IRENE, CHAT, await desk.mint(), desk.eip)
    await desk.outbox.record(IRENE, "cancel", "WF20261130001", "cancelled")
    entries = await desk.outbox.trail()
    assert [(entry.what, entry.outcome) for entry in entries] == [
        ("cancel", "cancelled"),
        ("send", "DONE WF20261130001"),
        ("confirm", "accepted"),
    ]
    assert {entry.account for entry in entries} == {IRENE}
    assert "休假" not in repr(entries)
    engine = create_engine(f"sqlite:///{tmp_path / 'outbox.sqlite'}")
    for change in ("UPDATE audit SET account = 'x'", "DELETE FROM audit"):
        with pytest.raises(IntegrityError, match="append-only"), engine.begin() as tx:
            tx.execute(text(change))
    engine.dispose()


async def test_a_held_database_refuses_the_confirmation_before_the_eip_is_called(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    token = await desk.mint()
    desk.outbox.close()
    impatient = Outbox.open(tmp_path / "outbox.sqlite", desk.office.clock, wait_s=0.05)
    holder = create_engine(f"sqlite:///{tmp_path / 'outbox.sqlite'}")
    with holder.connect() as held:
        held.exec_driver_sql("BEGIN EXCLUSIVE")
        with pytest.raises(StoreError):
            await impatient.confirm(IRENE, CHAT, token, desk.eip)
    holder.dispose()
    assert await desk.filed() == []
    assert (await impatient.confirm(IRENE, CHAT, token, desk.eip)).state == "done"
    impatient.close()


async def test_an_outbox_that_fails_after_sending_says_pending_and_learns_the_truth_later(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    token = await desk.mint()
    desk.outbox.close()
    impatient = Outbox.open(tmp_path / "outbox.sqlite", desk.office.clock, wait_s=0.05)
    holder = create_engine(f"sqlite:///{tmp_path / 'outbox.sqlite'}")

    class Holding(FaultyEip):
        async def submit(self, request: LeaveRequest, key: str) -> Receipt:
            held.exec_driver_sql("BEGIN EXCLUSIVE")
            return await self.eip.submit(request, key)

    with holder.connect() as held:
        assert (await impatient.confirm(IRENE, CHAT, token, Holding(desk.embedded))).state == "pending"
    holder.dispose()
    desk.office.later(seconds=61)
    assert [filing.state for filing in await impatient.reconcile(desk.eip)] == ["done"]
    assert await desk.filed() == ["WF20261130001"]
    impatient.close()


def test_an_outbox_that_cannot_be_opened_is_named_with_a_remedy(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    with pytest.raises(ConfigError, match=r"請確認"):
        Outbox.open(tmp_path / "file" / "outbox.sqlite", Office().clock)


async def test_previews_older_than_a_day_are_deleted(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    await desk.mint()
    desk.office.later(days=2)
    await desk.outbox.reconcile(desk.eip)
    engine = create_engine(f"sqlite:///{tmp_path / 'outbox.sqlite'}")
    with engine.connect() as connection:
        assert connection.execute(text("SELECT count(*) FROM preview")).scalar() == 0
    engine.dispose()


def test_a_file_that_is_no_database_is_named_with_a_remedy(tmp_path: Path) -> None:
    (tmp_path / "outbox.sqlite").write_bytes(b"no database" * 100)
    with pytest.raises(ConfigError, match=r"outbox\.sqlite.*請確認"):
        Outbox.open(tmp_path / "outbox.sqlite", Office().clock)
