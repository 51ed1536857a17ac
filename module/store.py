"""Where conversations are kept between turns: memory by default, SQLite by one setting; one checkpoint a conversation."""

import asyncio
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import ChannelVersions, Checkpoint, CheckpointMetadata
from langgraph.checkpoint.memory import MemorySaver


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


async def open_saver(kind: str, folder: Path) -> Any:
    """The checkpointer that [store] kind names; call on the loop that will use it."""
    if kind == "memory":
        return LatestOnlySaver()
    import aiosqlite
    from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

    await asyncio.to_thread(folder.mkdir, parents=True, exist_ok=True)
    saver = AsyncSqliteSaver(await aiosqlite.connect(folder / "conversations.db"))
    await saver.setup()
    return saver


_PRUNE: Sequence[str] = (
    "DELETE FROM checkpoints WHERE thread_id = ? AND checkpoint_id <> (SELECT max(checkpoint_id) FROM checkpoints WHERE thread_id = ?)",
    "DELETE FROM writes WHERE thread_id = ? AND checkpoint_id <> (SELECT max(checkpoint_id) FROM checkpoints WHERE thread_id = ?)",
)


async def prune(saver: Any, thread: str) -> None:
    """Keeps a conversation's newest checkpoint only; in memory that is so already."""
    connection = getattr(saver, "conn", None)
    if connection is None:
        return
    for statement in _PRUNE:
        await connection.execute(statement, (thread, thread))
    await connection.commit()


async def close_saver(saver: Any) -> None:
    """Closes the file, where there is one."""
    connection = getattr(saver, "conn", None)
    if connection is not None:
        await connection.close()
