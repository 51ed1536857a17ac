"""Keeps a sick model from slowing everybody down: few calls at once, and none for a while after repeated failure."""

import asyncio
import time
from collections.abc import Callable

from model.errors import ModelError, ModelUnavailable
from module.llm.port import Llm


class GuardedLlm:
    """Wraps a model. After `failures` in a row it refuses for `pause` seconds, then lets one call try.

    Args:
        concurrency: calls at once; others wait their turn for at most `patience` seconds.
        clock: seconds, monotonic.
    """

    def __init__(
        self,
        llm: Llm,
        *,
        concurrency: int = 2,
        failures: int = 5,
        pause: float = 30.0,
        patience: float = 20.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._llm = llm
        self._slots = asyncio.Semaphore(concurrency)
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
        try:
            async with asyncio.timeout(self._patience):
                await self._slots.acquire()
        except TimeoutError:
            raise ModelUnavailable(f"{self.name}: too many calls at once") from None
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
            answer = await self._llm.complete(system, user, schema)
        except ModelError:
            self._failed += 1
            self._open_until = self._clock() + self._pause
            raise
        self._failed = 0
        return answer


class CountedLlm:
    """Wraps a model for one turn and counts its calls."""

    def __init__(self, llm: Llm) -> None:
        self._llm = llm
        self.calls = 0

    @property
    def name(self) -> str:
        """The model's name."""
        return self._llm.name

    async def probe(self) -> str:
        """The model's own probe."""
        return await self._llm.probe()

    async def complete(self, system: str, user: str, schema: dict[str, object]) -> str:
        """See Llm.complete."""
        self.calls += 1
        return await self._llm.complete(system, user, schema)
