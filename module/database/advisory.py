"""Locks over all replicas: PostgreSQL's advisory locks, held by one connection for the whole process.

They vanish with the connection, so a replica that is killed holds nothing up; nothing is written to disk.
"""

import asyncio

import psycopg
import structlog

from model.errors import StoreError
from module.database.postgres import arguments

TAKE = "SELECT pg_try_advisory_lock(hashtextextended(%s, 7253))"
RELEASE = "SELECT pg_advisory_unlock(hashtextextended(%s, 7253))"
WAIT_S = 5.0


class AdvisoryLocks:
    """Implements Locks of module/conversations.py; the owner keeps two turns of one name apart within the process."""

    def __init__(self, url: str) -> None:
        """Connects when first used, and anew after the connection was lost."""
        self._url = url
        self._connecting = asyncio.Lock()
        self._connection: psycopg.AsyncConnection[tuple[bool]] | None = None

    async def take(self, name: str) -> bool:
        """See Locks."""
        return await self._ask(TAKE, name)

    async def release(self, name: str) -> None:
        """See Locks. A lock that was lost with its connection is logged."""
        try:
            held = await self._ask(RELEASE, name)
        except StoreError:
            held = False
        if not held:
            structlog.get_logger().warning("turn_lock_lost")

    async def close(self) -> None:
        """See Locks."""
        if self._connection is not None:
            await self._connection.close()

    async def _ask(self, query: str, name: str) -> bool:
        """Asks to the end even when the caller is cancelled: half an answer would leave a lock behind."""
        return await asyncio.shield(asyncio.ensure_future(self._asked(query, name)))

    async def _asked(self, query: str, name: str) -> bool:
        try:
            async with asyncio.timeout(WAIT_S):
                connection = await self._connected()
                row = await (await connection.execute(query, (name,))).fetchone()
        except (psycopg.Error, TimeoutError, OSError) as wrong:
            raise StoreError(str(wrong)) from wrong
        return bool(row and row[0])

    async def _connected(self) -> "psycopg.AsyncConnection[tuple[bool]]":
        async with self._connecting:
            if self._connection is None or self._connection.closed:
                options = {**arguments(WAIT_S), "application_name": "leavebot-locks", "autocommit": True}
                self._connection = await psycopg.AsyncConnection.connect(self._url, **options)
            return self._connection
