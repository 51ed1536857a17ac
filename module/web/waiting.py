"""Steps of something that takes long; what is done at once shows none, and costs no frame."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import Any

UNSEEN = 0.3  # seconds; less needs no telling


async def waited(doing: asyncio.Task[Any], steps: asyncio.Queue[str]) -> AsyncIterator[str]:
    """The step being done, from 0.3 s on and whenever it changes, until the task ends; its result is the caller's."""
    with suppress(Exception):  # whoever awaits the task hears of it
        await asyncio.wait({doing}, timeout=UNSEEN)
    step = ""
    while not doing.done():
        while not steps.empty():
            step = steps.get_nowait()
        yield step
        following = asyncio.create_task(steps.get())
        await asyncio.wait({doing, following}, return_when=asyncio.FIRST_COMPLETED)
        if following.done():
            step = following.result()
        else:
            following.cancel()
