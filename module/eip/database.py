"""One SQLite database: short transactions, a bounded wait for the lock, and an in-memory twin for tests and replay."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from sqlite3 import Connection as RawConnection
from sqlite3 import DatabaseError as RawDatabaseError
from threading import RLock
from typing import Any, Literal, TypeVar

from sqlalchemy import URL, Connection, MetaData, create_engine, event
from sqlalchemy.exc import DatabaseError, OperationalError
from sqlalchemy.pool import StaticPool

from model.errors import ConfigError, StoreError

T = TypeVar("T")


class Database:
    """Readers run single statements; writers come one after the other (BEGIN IMMEDIATE)."""

    def __init__(
        self, path: Path | None, metadata: MetaData, wait_s: float, synchronous: Literal["FULL", "NORMAL"] = "FULL"
    ) -> None:
        """Raises ConfigError when the file cannot be opened, naming it and what to do."""
        url = URL.create("sqlite", database=str(path) if path else None)
        arguments: dict[str, Any] = {"check_same_thread": False, "timeout": wait_s}
        pool: dict[str, Any] = {} if path else {"poolclass": StaticPool}
        self._turn: AbstractContextManager[object] = nullcontext() if path else RLock()  # one connection, many threads
        self._reading = create_engine(url, connect_args=arguments, **pool)
        self._writing = self._reading.execution_options(immediate=True)
        event.listen(self._reading, "connect", lambda raw, _: _prepare(raw, path is not None, synchronous))
        event.listen(self._reading, "begin", _begin)
        try:
            if path:
                path.parent.mkdir(parents=True, exist_ok=True)
            with self.write() as tx:
                metadata.create_all(tx)
        except (OSError, StoreError) as wrong:
            raise ConfigError(f"{path}：無法開啟資料檔（{wrong}），請確認資料夾可以寫入、磁碟還有空間") from None

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """For one statement that only reads. Raises StoreError."""
        with self._turn, _as_store_error(), self._reading.begin() as tx:
            yield tx

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """A transaction that writes: all of it or, after any exception, nothing. Raises StoreError."""
        with self._turn, _as_store_error(), self._writing.begin() as tx:
            yield tx

    async def reading(self, ask: Callable[[Connection], T]) -> T:
        """`ask` within `read`, in a thread."""

        def run() -> T:
            with self.read() as tx:
                return ask(tx)

        return await asyncio.to_thread(run)

    async def writing(self, act: Callable[[Connection], T]) -> T:
        """`act` within `write`, in a thread."""

        def run() -> T:
            with self.write() as tx:
                return act(tx)

        return await asyncio.to_thread(run)

    def close(self) -> None:
        """Gives the connections back."""
        self._reading.dispose()


@contextmanager
def _as_store_error() -> Iterator[None]:
    try:
        yield
    except DatabaseError as wrong:
        if type(wrong) not in (DatabaseError, OperationalError):  # a broken rule of the tables is a mistake of ours
            raise
        raise StoreError(str(wrong.orig)) from wrong
    except RawDatabaseError as wrong:  # from _prepare
        raise StoreError(str(wrong)) from wrong


def _prepare(raw: RawConnection, on_disk: bool, synchronous: str) -> None:
    raw.isolation_level = None  # transactions begin where _begin says, not where the driver guesses
    if on_disk:
        raw.execute("PRAGMA journal_mode=WAL")
    raw.execute(f"PRAGMA synchronous={synchronous}")
    raw.execute("PRAGMA foreign_keys=ON")


def _begin(tx: Connection) -> None:
    if tx.get_execution_options().get("immediate"):
        tx.exec_driver_sql("BEGIN IMMEDIATE")  # a reader runs one statement, which is a moment of its own
