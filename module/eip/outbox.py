"""Exactly once: a preview mints a token, confirming it writes a row, and only then is the EIP called with it as key.

READY → SENDING (lease, owner) → DONE | REJECTED | UNKNOWN | HANDOFF. A refused connection goes back to READY; any other
doubt is UNKNOWN and is never sent again before `find` has said that the EIP has no such leave. A leave that was
cancelled makes its row CANCELLED, so that the same request can be filed anew. An employee's rows are sent in order.
"""

import secrets
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Row, and_, bindparam, func, or_, select

from model.errors import EipError, StoreError
from model.form import LeaveRequest
from module.database.stores import open_stores
from module.database.transactions import Database
from module.eip.delivery import Claim, Result, deliver
from module.eip.filing import AuditEntry, Filing, again, filing_of, packed, unpacked
from module.eip.outbox_tables import AUDIT, OPEN, OUTBOX, PREVIEW, STANDING
from module.eip.port import Eip

WAIT_S = 15.0
LEASE = timedelta(seconds=60)
PAUSE, LONGEST_PAUSE = timedelta(seconds=5), timedelta(minutes=5)
KEEP_PREVIEWS = timedelta(days=1)
IN_ORDER = OUTBOX.c.seq  # of one account
# Built once: every preview runs these two.
VALID = and_(PREVIEW.c.conversation == bindparam("of"), PREVIEW.c.used.is_(None), PREVIEW.c.expires > bindparam("now"))
REVOKE = PREVIEW.update().where(VALID).values(expires=bindparam("now"))
# Unused previews go when a newer one is shown, so that a turn costs the same after 500 of them.
DROP_EARLIER = PREVIEW.delete().where(
    PREVIEW.c.conversation == bindparam("of"), PREVIEW.c.used.is_(None), PREVIEW.c.token != bindparam("token")
)
_EARLIER = select(func.coalesce(func.max(PREVIEW.c.version), 0) + 1).where(PREVIEW.c.conversation == bindparam("of"))
SHOW = PREVIEW.insert().values(
    {name: bindparam(name) for name in ("token", "account", "conversation", "request", "digest", "expires")}
    | {"version": _EARLIER.scalar_subquery()}
)


def new_token() -> str:
    """256 bits that nobody can guess."""
    return secrets.token_urlsafe(32)


class Outbox:
    """Previews, confirmations and audit in one database. Methods raise StoreError when it cannot be used now."""

    def __init__(self, safe: Database, fast: Database, clock: Callable[[], datetime], minutes: int) -> None:
        """Use `open`."""
        self._safe, self._fast, self._clock, self._life = safe, fast, clock, timedelta(minutes=minutes)

    @classmethod
    def open(
        cls, place: Path | str | None, clock: Callable[[], datetime], minutes: int = 10, wait_s: float = WAIT_S
    ) -> "Outbox":
        """Opens a SQLite file or a PostgreSQL address (None: in memory). Raises ConfigError.

        `minutes` is how long a preview is valid, `wait_s` how long a transaction waits for another one's end.
        """
        return cls(*open_stores(place, wait_s), clock, minutes)

    def close(self) -> None:
        """Gives the database connections back."""
        self._safe.close()
        self._fast.close()

    async def mint(self, account: str, conversation: str, request: LeaveRequest, token: str = "") -> str:
        """A new token (or the one given) for what is on screen; earlier unused ones of the conversation are dead."""
        token = token or new_token()
        await self._fast.writing(lambda tx: self._mint(tx, account, conversation, request, token))
        return token

    async def revoke(self, conversation: str) -> None:
        """No unused token of the conversation is valid any more."""
        await self._fast.writing(lambda tx: self._revoke(tx, conversation))

    async def current(self, conversation: str) -> str | None:
        """The conversation's valid token, or None."""
        known = {"of": conversation, "now": self._clock()}
        return await self._fast.reading(lambda tx: tx.scalar(select(PREVIEW.c.token).where(VALID), known))

    async def confirm(self, account: str, conversation: str, token: str, eip: Eip) -> Filing:
        """Files what the token stands for, once. After a StoreError nothing was confirmed and nothing sent."""
        await self._release_if_cancelled(token, eip)
        taken = await self._safe.writing(lambda tx: self._accept(tx, account, conversation, token))
        return await self._keep(taken, await deliver(taken, eip)) if isinstance(taken, Claim) else taken

    async def retry(self, token: str, eip: Eip) -> Filing:
        """Sends once more what is still waiting, without regard to pauses; anything else only tells how it stands."""
        claim = await self._take(token)
        if claim:
            return await self._keep(claim, await deliver(claim, eip))
        return await self.status(token) or Filing("stale")

    async def reconcile(self, eip: Eip) -> list[Filing]:
        """Sends everything that is due, oldest first, and stops at an EIP that is not there. What became of each."""
        await self._fast.writing(lambda tx: self._purge(tx))
        filings: list[Filing] = []
        for token in await self._safe.reading(self._due):
            if claim := await self._take(token):
                result = await deliver(claim, eip)
                filings.append(await self._keep(claim, result))
                if result.state == "READY":
                    break
        return filings

    async def status(self, token: str) -> Filing | None:
        """How the confirmation of that token stands; None when it was never confirmed."""
        row = await self._safe.reading(lambda tx: _row(tx, token))
        return filing_of(row) if row else None

    async def pending(self, account: str) -> tuple[Filing, ...]:
        """The account's confirmations without a final answer, oldest first."""
        waiting = select(OUTBOX).where(OUTBOX.c.account == account, OUTBOX.c.state.in_(OPEN)).order_by(IN_ORDER)
        return tuple(filing_of(row) for row in await self._safe.reading(lambda tx: tx.execute(waiting).all()))

    async def forget(self, account: str, wf_no: str) -> None:
        """That leave was cancelled: the same request may be filed anew."""
        mine = and_(OUTBOX.c.account == account, OUTBOX.c.wf_no == wf_no, OUTBOX.c.state == "DONE")
        await self._safe.writing(lambda tx: tx.execute(OUTBOX.update().where(mine).values(state="CANCELLED")))

    async def record(self, account: str, what: str, digest: str, outcome: str) -> None:
        """Adds an audit entry; digest is a request's, or a leave number."""
        await self._safe.writing(lambda tx: self._note(tx, account, what, digest, outcome))

    async def trail(self, limit: int = 100) -> tuple[AuditEntry, ...]:
        """The newest audit entries, newest first."""
        columns = (AUDIT.c.at, AUDIT.c.account, AUDIT.c.what, AUDIT.c.digest, AUDIT.c.outcome)
        query = select(*columns).order_by(AUDIT.c.id.desc()).limit(limit)
        return tuple(AuditEntry(*row) for row in await self._safe.reading(lambda tx: tx.execute(query).all()))

    def _mint(self, tx: Connection, account: str, conversation: str, request: LeaveRequest, token: str) -> None:
        expires = self._clock() + self._life
        values = {"token": token, "account": account, "conversation": conversation, "of": conversation}
        tx.execute(SHOW, values | {"request": packed(request), "digest": request.digest(), "expires": expires})
        tx.execute(DROP_EARLIER, values)

    def _revoke(self, tx: Connection, conversation: str) -> None:
        tx.execute(REVOKE, {"of": conversation, "now": self._clock()})

    def _purge(self, tx: Connection) -> None:
        tx.execute(PREVIEW.delete().where(PREVIEW.c.expires < self._clock() - KEEP_PREVIEWS))

    def _accept(self, tx: Connection, account: str, conversation: str, token: str) -> Filing | Claim:
        """Checks the token, marks it used and takes the new outbox row, all in one transaction."""
        now, shown = self._clock(), tx.execute(select(PREVIEW).where(PREVIEW.c.token == token)).first()
        if shown is None or (shown.account, shown.conversation) != (account, conversation):
            self._note(tx, account, "confirm", "", "stale")
            return Filing("stale")
        if shown.used is None and shown.expires <= now:
            self._note(tx, account, "confirm", shown.digest, "stale")
            return Filing("stale")
        same = and_(OUTBOX.c.account == account, OUTBOX.c.digest == shown.digest, OUTBOX.c.state.in_(STANDING))
        earlier = _row(tx, shown.earlier or token) if shown.used else tx.execute(select(OUTBOX).where(same)).first()
        if shown.used is None:
            values = {"used": now, "earlier": earlier.id if earlier else None}
            tx.execute(PREVIEW.update().where(PREVIEW.c.token == token).values(values))
        self._note(tx, account, "confirm", shown.digest, "again" if earlier else "accepted")
        if earlier:
            return again(filing_of(earlier))
        values = {"id": token, "account": account, "request": shown.request, "digest": shown.digest}
        last = tx.scalar(select(func.max(IN_ORDER)).where(OUTBOX.c.account == account)) or 0  # writers take turns
        tx.execute(OUTBOX.insert().values({**values, "state": "READY", "due": now, "created": now, "seq": last + 1}))
        return self._claim(tx, token) or Filing("pending", request=unpacked(shown.request), token=token)

    async def _take(self, token: str) -> Claim | None:
        return await self._safe.writing(lambda tx: self._claim(tx, token))

    def _claim(self, tx: Connection, token: str) -> Claim | None:
        """Takes a waiting row for one sender; None when there is nothing to send, another sender has it, or an earlier
        row of the same employee is not settled: one may depend on the other."""
        now, row = self._clock(), _row(tx, token)
        if row is None or row.state not in OPEN or (row.state == "SENDING" and row.lease > now):
            return None
        open_ones = select(OUTBOX.c.id).where(OUTBOX.c.account == row.account, OUTBOX.c.state.in_(OPEN))
        if tx.scalar(open_ones.order_by(IN_ORDER).limit(1)) != token:
            return None
        doubts = row.doubts + (row.state == "SENDING")  # its sender died: nobody knows how far it came
        claim = Claim(token, secrets.token_hex(8), unpacked(row.request), row.attempts + 1, doubts)
        values = {"state": "SENDING", "lease": now + LEASE, "owner": claim.owner, "attempts": claim.attempts}
        tx.execute(OUTBOX.update().where(OUTBOX.c.id == token).values({**values, "doubts": doubts}))
        return claim

    async def _keep(self, claim: Claim, result: Result) -> Filing:
        try:
            row = await self._safe.writing(lambda tx: self._settle(tx, claim, result))
        except StoreError:  # the row stays SENDING; once the lease is over the EIP is asked what became of it
            return Filing("pending", request=claim.request, token=claim.token)
        return filing_of(row)

    def _settle(self, tx: Connection, claim: Claim, result: Result) -> Row[Any]:
        """Writes the result, unless another sender has taken the row over meanwhile."""
        mine = and_(OUTBOX.c.id == claim.token, OUTBOX.c.owner == claim.owner, OUTBOX.c.state == "SENDING")
        pause = min(PAUSE * 2 ** min(claim.attempts - 1, 10), LONGEST_PAUSE)
        values: dict[str, object] = {
            "state": result.state,
            "doubts": claim.doubts + result.doubted,
            "text": result.text,
        }
        values |= {"due": self._clock() + pause, "lease": None, "owner": None}
        if result.receipt:
            values |= {"wf_no": result.receipt.wf_no, "minutes": result.receipt.minutes}
        if tx.execute(OUTBOX.update().where(mine).values(values)).rowcount:
            outcome = f"{result.state} {result.receipt.wf_no if result.receipt else ''}".strip()
            self._note(tx, claim.request.account, "send", claim.request.digest(), outcome)
        return tx.execute(select(OUTBOX).where(OUTBOX.c.id == claim.token)).one()

    def _due(self, tx: Connection) -> list[str]:
        now = self._clock()
        ready = and_(OUTBOX.c.state.in_(("READY", "UNKNOWN")), OUTBOX.c.due <= now)
        abandoned = and_(OUTBOX.c.state == "SENDING", OUTBOX.c.lease <= now)
        return list(tx.scalars(select(OUTBOX.c.id).where(or_(ready, abandoned)).order_by(OUTBOX.c.created, IN_ORDER)))

    def _note(self, tx: Connection, account: str, what: str, digest: str, outcome: str) -> None:
        values = {"at": self._clock(), "account": account, "what": what, "digest": digest, "outcome": outcome}
        tx.execute(AUDIT.insert().values(values))

    async def _release_if_cancelled(self, token: str, eip: Eip) -> None:
        """Frees a request whose leave was cancelled behind our back, in the EIP itself."""
        same = and_(OUTBOX.c.account == PREVIEW.c.account, OUTBOX.c.digest == PREVIEW.c.digest)
        query = select(OUTBOX).join(PREVIEW, same).where(PREVIEW.c.token == token, PREVIEW.c.used.is_(None))
        row = await self._safe.reading(lambda tx: tx.execute(query.where(OUTBOX.c.state == "DONE")).first())
        if row is None:
            return
        request = unpacked(row.request)
        try:
            leaves = await eip.leaves(row.account, request.start, request.end)
        except EipError:
            return
        if any(leave.wf_no == row.wf_no and leave.status == "cancelled" for leave in leaves):
            await self.forget(row.account, row.wf_no)


def _row(tx: Connection, token: str) -> Row[Any] | None:
    return tx.execute(select(OUTBOX).where(OUTBOX.c.id == token)).first()
