"""PostgreSQL: one pool a process with limits everywhere, and writers that take turns over all replicas."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import Connection, Engine, MetaData, create_engine, event
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError

from model.errors import ConfigError, StoreError
from module.database.schema import bring_up_to_date, version
from module.database.transactions import Database

CONNECT_S = 5
POOL: dict[str, Any] = {"pool_size": 4, "max_overflow": 8, "pool_timeout": 5, "pool_recycle": 1800}
# A replica that stands still in the middle of a transaction must not hold up the others for longer than this.
STALLED = "15s"
WRITERS = "SELECT pg_advisory_xact_lock(7253001)"  # any number, the same on every replica
PLACE = "[store] url（LEAVEBOT_STORE_URL）"


def arguments(wait_s: float) -> dict[str, Any]:
    """What every connection is opened with, also those of the checkpoints."""
    limits = {"lock_timeout": f"{wait_s}s", "statement_timeout": f"{wait_s + 1}s"}
    limits |= {"idle_in_transaction_session_timeout": STALLED, "timezone": "Asia/Taipei"}
    options = " ".join(f"-c {name}={value}" for name, value in limits.items())
    alive = {"keepalives": 1, "keepalives_idle": 10, "keepalives_interval": 5, "keepalives_count": 3}
    return {"connect_timeout": CONNECT_S, "options": options, "application_name": "leavebot", **alive}


def open_postgres(url: str, metadata: MetaData, wait_s: float) -> tuple[Database, Database]:
    """The database twice over one pool: (safe, fast). What was written fast may be lost with the server's power.

    Fast writers do not wait for the others: they touch rows of their own conversation. Raises ConfigError.
    """
    engine = _engine(url, wait_s)
    event.listen(engine, "begin", _begin)
    safe, fast = Database(engine), Database(engine.execution_options(fast=True))
    with _named(), safe.write() as tx:
        bring_up_to_date(tx, metadata, migrate=True)
    return safe, fast


def state_of(url: str) -> str:
    """Server and table version, for `leavebot doctor`; changes nothing. Raises ConfigError."""
    database = Database(_engine(url, CONNECT_S))
    with _named(), database.read() as tx:
        tables, server = version(tx), tx.exec_driver_sql("SHOW server_version").scalar()
    database.close()
    return f"PostgreSQL {server}，資料表版本 {tables or '（第一次啟動時建立）'}"


@contextmanager
def _named() -> Iterator[None]:
    try:
        yield
    except StoreError as wrong:
        reason = " ".join(str(wrong).split())[:200]
        raise ConfigError(f"{PLACE}：無法使用資料庫（{reason}），請確認它已啟動、網址與權限") from None


def _engine(url: str, wait_s: float) -> Engine:
    try:
        return create_engine(make_url(url).set(drivername="postgresql+psycopg"), connect_args=arguments(wait_s), **POOL)
    except ArgumentError:
        raise ConfigError(f"{PLACE}：格式不對，應為 postgresql://使用者:密碼@主機:5432/資料庫") from None
    except ImportError as missing:
        raise ConfigError(f"[store] kind = postgres：缺少套件 {missing.name}，請安裝 leavebot[postgres]") from None


def _begin(tx: Connection) -> None:
    options = tx.get_execution_options()
    if options.get("fast"):
        tx.exec_driver_sql("SET LOCAL synchronous_commit = off")
    elif options.get("writes"):
        tx.exec_driver_sql(WRITERS)
