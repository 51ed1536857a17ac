"""A client kept for the running event loop: an HTTP client dies with the loop that opened its connections."""

import asyncio
from collections.abc import Callable
from typing import Generic, TypeVar

import httpx

Client = TypeVar("Client")
# A model call takes seconds, a connection none; so nothing is left open to be closed or to go stale.
NO_KEPT_CONNECTIONS = httpx.Limits(max_keepalive_connections=0)


class PerLoop(Generic[Client]):
    """Builds the client on first use and again in a new event loop."""

    def __init__(self, build: Callable[[], Client]) -> None:
        self._build = build
        self._kept: tuple[asyncio.AbstractEventLoop, Client] | None = None

    def get(self) -> Client:
        """The client of the running loop."""
        loop = asyncio.get_running_loop()
        if self._kept is None or self._kept[0] is not loop:
            self._kept = (loop, self._build())
        return self._kept[1]
