"""Gradio keeps what a press brought until its page fetches it; what nobody fetches is put away here."""

import asyncio
from typing import Any

SWEEP_S = 20.0


class Unread:
    """Puts away the results that lay unread at two looks in a row: a page that is open reads at once."""

    def __init__(self, queue: Any) -> None:
        """`queue` is the Gradio queue of the page."""
        self._queue = queue
        self._lying: set[str] = set()

    async def watch(self) -> None:
        """Looks again and again, until cancelled."""
        while True:
            await asyncio.sleep(SWEEP_S)
            await self.sweep()

    async def sweep(self) -> int:
        """Looks once; how many pages' results were put away."""
        waiting = {name for name, results in self._queue.pending_messages_per_session.items() if results.qsize()}
        abandoned, self._lying = waiting & self._lying, waiting - self._lying
        for name in abandoned:
            await self._queue.clean_events(session_hash=name)
            self._queue.pending_messages_per_session.pop(name, None)
            for event in self._queue.pending_event_ids_session.pop(name, ()):
                self._queue.event_ids_to_events.pop(event, None)
        return len(abandoned)
