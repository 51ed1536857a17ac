"""A SQLite file: WAL, a bounded wait for the lock, and an in-memory twin for tests and replay."""

from pathlib import Path
from sqlite3 import Connection as RawConnection
from threading import RLock
from typing import Any, Literal

from sqlalchemy import URL, Connection, MetaData, create_engine, event
from sqlalchemy.pool import StaticPool

from model.errors import ConfigError, StoreError
from module.database.schema import bring_up_to_date
from module.database.transactions import Database


def open_sqlite(
    path: Path | None, metadata: MetaData, wait_s: float, synchronous: Literal["FULL", "NORMAL"] = "FULL"
) -> Database:
    """Opens the file (None: in memory) with its tables; those of `module.database.schema` are migrated.

    Raises ConfigError when the file cannot be opened, naming it and what to do.
    """
    url = URL.create("sqlite", database=str(path) if path else None)
    arguments: dict[str, Any] = {"check_same_thread": False, "timeout": wait_s}
    pool: dict[str, Any] = {} if path else {"poolclass": StaticPool}
    engine = create_engine(url, connect_args=arguments, **pool)
    event.listen(engine, "connect", lambda raw, _: _prepare(raw, path is not None, synchronous))
    event.listen(engine, "begin", _begin)
    database = Database(engine, None if path else RLock())  # in memory: one connection, many threads
    try:
        if path:
            path.parent.mkdir(parents=True, exist_ok=True)
        with database.write() as tx:
            bring_up_to_date(tx, metadata, migrate=path is not None)
    except (OSError, StoreError) as wrong:
        raise ConfigError(f"{path}：無法開啟資料檔（{wrong}），請確認資料夾可以寫入、磁碟還有空間") from None
    return database


def _prepare(raw: RawConnection, on_disk: bool, synchronous: str) -> None:
    raw.isolation_level = None  # transactions begin where _begin says, not where the driver guesses
    if on_disk:
        raw.execute("PRAGMA journal_mode=WAL")
    raw.execute(f"PRAGMA synchronous={synchronous}")
    raw.execute("PRAGMA foreign_keys=ON")


def _begin(tx: Connection) -> None:
    if tx.get_execution_options().get("writes"):
        tx.exec_driver_sql("BEGIN IMMEDIATE")  # a reader runs one statement, which is a moment of its own
