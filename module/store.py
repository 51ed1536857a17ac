"""Where conversations are kept between turns: memory, SQLite or PostgreSQL by one setting; one checkpoint a conversation."""

import asyncio
from collections import defaultdict
from pathlib import Path
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import ChannelVersions, Checkpoint, CheckpointMetadata
from langgraph.checkpoint.memory import MemorySaver

from model.errors import StoreError

POOL_WAIT_S = 5.0


class LatestOnlySaver(MemorySaver):
    """MemorySaver that keeps each conversation's newest checkpoint only, so that memory does not grow with its turns."""

    def __init__(self) -> None:
        """An empty store."""
        super().__init__()
        self._kept: dict[tuple[str, str], set[Any]] = defaultdict(set)

    def put(
        self, config: RunnableConfig, checkpoint: Checkpoint, metadata: CheckpointMetadata, new_versions: ChannelVersions
    ) -> RunnableConfig:
        """Stores the checkpoint and forgets the one before it."""
        stored = super().put(config, checkpoint, metadata, new_versions)
        where = stored["configurable"]
        thread, namespace, newest = where["thread_id"], where["checkpoint_ns"], where["checkpoint_id"]
        for old in [one for one in self.storage[thread][namespace] if one != newest]:
            del self.storage[thread][namespace][old]
            self.writes.pop((thread, namespace, old), None)
        live = {(thread, namespace, channel, version) for channel, version in checkpoint["channel_versions"].items()}
        for stale in self._kept[thread, namespace] - live:
            self.blobs.pop(stale, None)
        self._kept[thread, namespace] = {key for key in live if key in self.blobs}
        return stored

    def delete_thread(self, thread_id: str) -> None:
        """Forgets a conversation."""
        super().delete_thread(thread_id)
        for key in [key for key in self._kept if key[0] == thread_id]:
            del self._kept[key]


async def open_saver(kind: str, folder: Path, url: str = "") -> Any:
    """The checkpointer that [store] kind names; call on the loop that will use it. Raises StoreError."""
    if kind == "memory":
        return LatestOnlySaver()
    if kind == "postgres":
        return await _postgres(url)
    import aiosqlite
    from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

    await asyncio.to_thread(folder.mkdir, parents=True, exist_ok=True)
    saver = AsyncSqliteSaver(await aiosqlite.connect(folder / "conversations.db"))
    await saver.setup()
    # A turn lost with the power is asked again; what was confirmed is in another file, which waits for the disk.
    await saver.conn.execute("PRAGMA synchronous=NORMAL")
    return saver


async def _postgres(url: str) -> Any:
    from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
    from psycopg import Error
    from psycopg.rows import dict_row
    from psycopg_pool import AsyncConnectionPool, PoolTimeout

    from module.database.postgres import arguments

    options = {**arguments(POOL_WAIT_S), "autocommit": True, "prepare_threshold": 0, "row_factory": dict_row}
    options["options"] += " -c synchronous_commit=off"  # as with SQLite: what was confirmed is kept elsewhere
    pool: Any = AsyncConnectionPool(url, kwargs=options, min_size=1, max_size=8, timeout=POOL_WAIT_S, max_waiting=200, open=False)
    saver = AsyncPostgresSaver(pool)
    try:
        await pool.open(wait=True, timeout=POOL_WAIT_S)
        async with pool.connection() as connection:  # one replica after the other
            await connection.execute("SELECT pg_advisory_lock(7253002)")
            await saver.setup()
            await connection.execute("SELECT pg_advisory_unlock(7253002)")
    except (Error, PoolTimeout) as wrong:
        await pool.close()
        raise StoreError(str(wrong)) from wrong
    return saver


_NOT_NEWEST = "thread_id = ? AND checkpoint_id <> (SELECT max(checkpoint_id) FROM checkpoints WHERE thread_id = ?)"
_PRUNE_SQLITE = (f"DELETE FROM checkpoints WHERE {_NOT_NEWEST}", f"DELETE FROM writes WHERE {_NOT_NEWEST}")
# One statement, so one moment: the library's own pruning takes a dozen and its own transaction.
_PRUNE_POSTGRES = """
WITH newest AS MATERIALIZED (
    SELECT checkpoint_id, checkpoint -> 'channel_versions' AS versions FROM checkpoints
    WHERE thread_id = %(thread)s ORDER BY checkpoint_id DESC LIMIT 1
), older AS (
    DELETE FROM checkpoints USING newest WHERE thread_id = %(thread)s AND checkpoints.checkpoint_id <> newest.checkpoint_id
), writes AS (
    DELETE FROM checkpoint_writes USING newest WHERE thread_id = %(thread)s AND checkpoint_writes.checkpoint_id <> newest.checkpoint_id
)
DELETE FROM checkpoint_blobs USING newest WHERE thread_id = %(thread)s AND version IS DISTINCT FROM newest.versions ->> channel
"""


async def prune(saver: Any, thread: str) -> None:
    """Keeps a conversation's newest checkpoint only; in memory that is so already."""
    connection = getattr(saver, "conn", None)
    if connection is None:
        return
    if hasattr(connection, "getconn"):
        async with connection.connection() as one:
            await one.execute(_PRUNE_POSTGRES, {"thread": thread})
        return
    for statement in _PRUNE_SQLITE:
        await connection.execute(statement, (thread, thread))
    await connection.commit()


def out_of_order(wrong: BaseException) -> bool:
    """Whether an exception says that the store cannot be used now, whichever library says so."""
    return isinstance(wrong, StoreError) or type(wrong).__module__.split(".")[0] in ("psycopg", "psycopg_pool", "sqlite3")


async def mend(saver: Any) -> None:
    """Replaces connections that the database has closed, where there is a pool."""
    check = getattr(getattr(saver, "conn", None), "check", None)
    if check is not None:
        await check()


async def close_saver(saver: Any) -> None:
    """Closes file or pool, where there is one."""
    connection = getattr(saver, "conn", None)
    if connection is not None:
        await connection.close()
