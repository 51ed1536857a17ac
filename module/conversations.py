"""Which conversation is open for an account, and one turn at a time in it: in memory, a file, or over all replicas."""

import asyncio
import uuid
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol
from weakref import WeakValueDictionary

from sqlalchemy import Column, Connection, DateTime, Index, String, Table, bindparam, func, literal, select

from module.database.schema import METADATA
from module.database.transactions import Database

CONVERSATION = Table(
    "conversation",
    METADATA,
    Column("account", String, primary_key=True),
    Column("id", String, nullable=False),
    Column("used", DateTime, nullable=False),
    Index("conversations_by_use", "used"),
)
MINE = CONVERSATION.c.account == bindparam("who")
CURRENT = select(CONVERSATION.c.id).where(MINE)
USED = CONVERSATION.update().where(MINE).values(used=bindparam("now")).returning(CONVERSATION.c.id)
BEGUN = CONVERSATION.insert().values(account=bindparam("who"), id=bindparam("new"), used=bindparam("now"))
ENDED = CONVERSATION.delete().where(MINE)
IDLE = select(CONVERSATION.c.account).where(CONVERSATION.c.used < bindparam("before")).limit(200)
COUNT = select(func.count(literal(1))).select_from(CONVERSATION)


class TurnRunning(Exception):
    """Another turn of the same conversation did not end in time."""


class Locks(Protocol):
    """Locks by name, shared by whoever may run a turn."""

    async def take(self, name: str) -> bool:
        """Tries once, without waiting. Raises StoreError."""
        ...

    async def release(self, name: str) -> None:
        """Gives a lock back that was taken."""
        ...

    async def close(self) -> None:
        """Gives everything back."""
        ...


class Conversations(Protocol):
    """The open conversations. Every method may raise StoreError."""

    def turn(self, account: str, wait_s: float) -> AbstractAsyncContextManager[str]:
        """The account's conversation, a new one if none is open, for one turn alone. Raises TurnRunning."""
        ...

    def running(self, account: str) -> bool:
        """Whether this process is in the middle of a turn of that account."""
        ...

    async def current(self, account: str) -> str | None:
        """The id of the open conversation."""
        ...

    async def end(self, account: str) -> None:
        """Closes it, within a turn: the next turn begins another one."""
        ...

    async def idle(self, before: datetime) -> tuple[str, ...]:
        """Accounts whose last turn began before then; some at a time."""
        ...

    async def count(self) -> int:
        """How many are open."""
        ...

    async def close(self) -> None:
        """Gives everything back."""
        ...


class _Turns:
    """One turn at a time per account within this process."""

    def __init__(self) -> None:
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    def running(self, account: str) -> bool:
        """See Conversations."""
        lock = self._locks.get(account)
        return lock is not None and lock.locked()

    @asynccontextmanager
    async def alone(self, account: str, wait_s: float) -> AsyncIterator[None]:
        """Raises TurnRunning."""
        lock = self._locks.setdefault(account, asyncio.Lock())
        try:
            async with asyncio.timeout(wait_s):
                await lock.acquire()
        except TimeoutError:
            raise TurnRunning from None
        try:
            yield
        finally:
            lock.release()


@dataclass
class _Open:
    used: datetime
    id: str = field(default_factory=lambda: uuid.uuid4().hex)


class MemoryConversations(_Turns):
    """Implements Conversations for one process that forgets them when it ends."""

    def __init__(self, clock: Callable[[], datetime]) -> None:
        """None is open."""
        super().__init__()
        self._clock, self._open = clock, dict[str, _Open]()

    @asynccontextmanager
    async def turn(self, account: str, wait_s: float) -> AsyncIterator[str]:
        """See Conversations."""
        async with self.alone(account, wait_s):
            now = self._clock()
            conversation = self._open.setdefault(account, _Open(now))
            conversation.used = now
            yield conversation.id

    async def current(self, account: str) -> str | None:
        """See Conversations."""
        conversation = self._open.get(account)
        return conversation.id if conversation else None

    async def end(self, account: str) -> None:
        """See Conversations."""
        self._open.pop(account, None)

    async def idle(self, before: datetime) -> tuple[str, ...]:
        """See Conversations."""
        return tuple(account for account, conversation in self._open.items() if conversation.used < before)

    async def count(self) -> int:
        """See Conversations."""
        return len(self._open)

    async def close(self) -> None:
        """See Conversations."""


class StoredConversations(_Turns):
    """Implements Conversations on a database; with `locks`, over all replicas that share them."""

    POLL_S = 0.1

    def __init__(self, database: Database, clock: Callable[[], datetime], locks: Locks | None = None) -> None:
        """`locks` is None where one process has the database for itself."""
        super().__init__()
        self._database, self._clock, self._shared = database, clock, locks

    @asynccontextmanager
    async def turn(self, account: str, wait_s: float) -> AsyncIterator[str]:
        """See Conversations."""
        async with self.alone(account, wait_s), self._everywhere(account, wait_s):
            yield await self._database.writing(lambda tx: self._use(tx, account))

    @asynccontextmanager
    async def _everywhere(self, account: str, wait_s: float) -> AsyncIterator[None]:
        if self._shared is None:
            yield
            return
        for _ in range(max(1, int(wait_s / self.POLL_S))):
            if await self._shared.take(account):
                break
            await asyncio.sleep(self.POLL_S)
        else:
            raise TurnRunning
        try:
            yield
        finally:
            await self._shared.release(account)

    def _use(self, tx: Connection, account: str) -> str:
        values = {"who": account, "now": self._clock()}
        known = tx.scalar(USED, values)
        if known is None:
            known = uuid.uuid4().hex
            tx.execute(BEGUN, {**values, "new": known})
        return str(known)

    async def current(self, account: str) -> str | None:
        """See Conversations."""
        return await self._database.reading(lambda tx: tx.scalar(CURRENT, {"who": account}))

    async def end(self, account: str) -> None:
        """See Conversations."""
        await self._database.writing(lambda tx: tx.execute(ENDED, {"who": account}))

    async def idle(self, before: datetime) -> tuple[str, ...]:
        """See Conversations."""
        return tuple(await self._database.reading(lambda tx: tx.scalars(IDLE, {"before": before}).all()))

    async def count(self) -> int:
        """See Conversations."""
        return await self._database.reading(lambda tx: tx.scalar(COUNT) or 0)

    async def close(self) -> None:
        """See Conversations."""
        if self._shared is not None:
            await self._shared.close()


def open_conversations(
    kind: str, database: Database, clock: Callable[[], datetime], shared: str | None = None
) -> Conversations:
    """As [store] kind says; `shared` is the address of a PostgreSQL that other replicas use too."""
    if shared:
        from module.database.advisory import AdvisoryLocks

        return StoredConversations(database, clock, AdvisoryLocks(shared))
    return MemoryConversations(clock) if kind == "memory" else StoredConversations(database, clock)
