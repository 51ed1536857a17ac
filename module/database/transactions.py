"""A database as its users see it: short transactions, each all or nothing, in a thread of their own."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from sqlite3 import DatabaseError as RawDatabaseError
from typing import TypeVar

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DatabaseError, InterfaceError, InternalError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolExhausted

from model.errors import StoreError

T = TypeVar("T")
# A broken rule of the tables (the other subclasses of DatabaseError) is a mistake of ours, not of the world.
BROKEN = (DatabaseError, OperationalError, InternalError, InterfaceError)


class Database:
    """Readers run single statements; writers come one after the other, also over processes and replicas."""

    def __init__(self, engine: Engine, turn: AbstractContextManager[object] | None = None) -> None:
        """Use `open_sqlite` or `open_postgres`. `turn` is held during a transaction; it marks a database in memory."""
        self.engine, self._turn = engine, turn or nullcontext()
        self._in_memory = turn is not None
        self._writing = engine.execution_options(writes=True)

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """For one statement that only reads. Raises StoreError."""
        with self._turn, as_store_error(), self.engine.begin() as tx:
            yield tx

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """A transaction that writes: all of it or, after any exception, nothing. Raises StoreError."""
        with self._turn, as_store_error(), self._writing.begin() as tx:
            yield tx

    async def reading(self, ask: Callable[[Connection], T]) -> T:
        """`ask` within `read`, off the event loop."""
        return await self._aside(self.read, ask)

    async def writing(self, act: Callable[[Connection], T]) -> T:
        """`act` within `write`, off the event loop."""
        return await self._aside(self.write, act)

    async def _aside(self, transaction: Callable[[], AbstractContextManager[Connection]], act: Callable[[Connection], T]) -> T:
        def run() -> T:
            with transaction() as tx:
                return act(tx)

        # In memory there is no disk and no other process to wait for: a thread would cost more than the work.
        return run() if self._in_memory else await asyncio.to_thread(run)

    def close(self) -> None:
        """Gives the connections back."""
        self.engine.dispose()


@contextmanager
def as_store_error() -> Iterator[None]:
    """Database trouble of the world becomes a StoreError."""
    try:
        yield
    except PoolExhausted as wrong:
        raise StoreError("資料庫連線都在使用中") from wrong
    except (DatabaseError, InterfaceError) as wrong:
        if type(wrong) not in BROKEN:
            raise
        raise StoreError(str(wrong.orig)) from wrong
    except RawDatabaseError as wrong:  # from preparing a SQLite connection
        raise StoreError(str(wrong)) from wrong
