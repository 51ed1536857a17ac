"""One turn's share of the model: two calls at most, one deadline for all of them, and an end when nobody waits any more."""

import asyncio
import time
from collections.abc import Callable

from model.errors import ModelBusy, ModelError, ModelUnavailable
from module.llm.port import Llm

CALLS = 2


class TurnLlm:
    """Wraps a model for one turn.

    Attributes:
        calls: how often it was asked.
        down: whether it could not be reached, or not in time.
    """

    def __init__(self, llm: Llm, deadline: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._llm, self._deadline, self._clock = llm, deadline, clock
        self._began: float | None = None
        self._running: asyncio.Task[str] | None = None
        self._stopped = False
        self.calls = 0
        self.down = False

    @property
    def name(self) -> str:
        """The model's name."""
        return self._llm.name

    async def probe(self) -> str:
        """The model's own probe."""
        return await self._llm.probe()

    def stop(self) -> None:
        """Ends the running call and takes no other: the turn goes on with what the rules read."""
        self._stopped = True
        if self._running is not None:
            self._running.cancel()

    async def complete(self, system: str, user: str, schema: dict[str, object]) -> str:
        """See Llm.complete."""
        if self._refusing() or self.calls >= CALLS:
            raise ModelBusy(f"{self.name}: no more calls in this turn")
        self._began = self._clock() if self._began is None else self._began
        self.calls += 1
        self._running = asyncio.ensure_future(self._llm.complete(system, user, schema))
        try:
            async with asyncio.timeout(self._deadline - (self._clock() - self._began)):
                return await self._running
        except TimeoutError:
            self.down = True
            raise ModelUnavailable(f"{self.name}: out of time") from None
        except asyncio.CancelledError:
            if self._refusing() and not _cancelled():
                raise ModelBusy(f"{self.name}: nobody waits for the answer") from None
            raise
        except ModelError as wrong:
            self.down = self.down or (isinstance(wrong, ModelUnavailable) and not isinstance(wrong, ModelBusy))
            raise
        finally:
            self._running.cancel()
            self._running = None

    def _refusing(self) -> bool:
        return self._stopped


def _cancelled() -> bool:
    """Whether the turn itself is being cancelled, not only its call."""
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0
