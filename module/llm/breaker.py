"""Keeps a sick model from slowing everybody down: few calls at once, and none for a while after repeated failure."""

import asyncio
import time
from collections.abc import Callable

from model.errors import ModelBusy, ModelError, ModelUnavailable
from module.llm.port import Llm


class GuardedLlm:
    """Wraps a model. After `failures` in a row it refuses for `pause` seconds, then lets one call try.

    Args:
        concurrency: calls at once; `queue` others wait their turn for at most `patience` seconds, the rest go on without.
        clock: seconds, monotonic.
    """

    def __init__(
        self,
        llm: Llm,
        *,
        concurrency: int = 2,
        queue: int = 8,
        failures: int = 5,
        pause: float = 30.0,
        patience: float = 20.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._llm = llm
        self._slots = asyncio.Semaphore(concurrency)
        self._queue, self._waiting = queue, 0
        self._limit, self._pause, self._patience, self._clock = failures, pause, patience, clock
        self._failed = 0
        self._open_until = 0.0

    @property
    def name(self) -> str:
        """The model's name."""
        return self._llm.name

    async def probe(self) -> str:
        """The model's own probe; a model that is well again is used at once."""
        wrong = await self._llm.probe()
        if not wrong:
            self._failed = 0
        return wrong

    async def complete(self, system: str, user: str, schema: dict[str, object]) -> str:
        """See Llm.complete."""
        if self._slots.locked() and self._waiting >= self._queue:
            raise ModelBusy(f"{self.name}: too many calls are waiting")
        self._waiting += 1
        try:
            async with asyncio.timeout(self._patience):
                await self._slots.acquire()
        except TimeoutError:
            raise ModelBusy(f"{self.name}: too many calls at once") from None
        finally:
            self._waiting -= 1
        try:
            return await self._tried(system, user, schema)
        finally:
            self._slots.release()

    async def _tried(self, system: str, user: str, schema: dict[str, object]) -> str:
        if self._failed >= self._limit:
            if self._clock() < self._open_until:
                raise ModelUnavailable(f"{self.name}: resting after repeated failure")
            self._open_until = self._clock() + self._pause  # this call is the one that tries
        try:
            async with asyncio.timeout(self._patience):
                answer = await self._llm.complete(system, user, schema)
        except ModelError:
            self._count_failure()
            raise
        except TimeoutError:
            self._count_failure()
            raise ModelUnavailable(f"{self.name}: out of time") from None
        self._failed = 0
        return answer

    def _count_failure(self) -> None:
        self._failed += 1
        self._open_until = self._clock() + self._pause
