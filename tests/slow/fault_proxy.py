"""A proxy that drops, delays, doubles and garbles what goes through it, at random but reproducibly."""

import asyncio
import contextlib
import random
from collections import Counter
from dataclasses import dataclass, field

HTML = b"HTTP/1.1 200 OK\r\ncontent-type: text/html\r\nconnection: close\r\n\r\n<html>login</html>"
DENIED = b'HTTP/1.1 401 X\r\ncontent-type: application/json\r\ncontent-length: 16\r\n\r\n{"message":"no"}'
BROKEN = b"HTTP/1.1 502 X\r\ncontent-type: text/html\r\ncontent-length: 4\r\n\r\noops"
MOVED = b"HTTP/1.1 302 X\r\nlocation: /login\r\ncontent-length: 0\r\n\r\n"
FAULTS = (
    "drop_before", "deny_before", "drop_after", "delay_before", "delay_after", "double",
    "garble", "cut", "html", "redirect", "status_502", "empty_object",
)  # fmt: skip


@dataclass
class FaultProxy:
    """One request a connection; `rate` is the share of requests that something happens to."""

    target: tuple[str, int]
    rate: float
    chance: random.Random
    done: Counter[str] = field(default_factory=Counter)
    url: str = ""
    running: set[asyncio.Task[None] | None] = field(default_factory=set)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.running.add(asyncio.current_task())  # nothing else holds on to it
        fault = self.chance.choice(FAULTS) if self.chance.random() < self.rate else ""
        self.done[fault or "none"] += 1
        with contextlib.suppress(OSError, asyncio.IncompleteReadError):
            answer = await self._through(await whole(reader), fault)
            writer.write(answer)
            await writer.drain()
        writer.close()
        with contextlib.suppress(OSError):
            await writer.wait_closed()

    async def _through(self, request: bytes, fault: str) -> bytes:
        if fault == "drop_before":
            return b""
        if fault == "deny_before":
            return DENIED
        if fault == "delay_before":  # arrives after the client has given up, and after it has asked for it
            await asyncio.sleep(self.chance.uniform(0.05, 1.5))
        if fault == "double":
            await asyncio.gather(self._forward(request), self._forward(request))
        answer = await self._forward(request)
        if fault == "delay_after":
            await asyncio.sleep(self.chance.uniform(0.05, 1.5))
        head, _, body = answer.partition(b"\r\n\r\n")
        garbled = bytes(self.chance.randrange(256) for _ in body)
        changed = {
            "drop_after": b"",
            "garble": head + b"\r\n\r\n" + garbled,
            "cut": answer[: len(answer) - 5],
            "html": HTML,
            "redirect": MOVED,
            "status_502": BROKEN,
            "empty_object": b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}",
        }
        return changed.get(fault, answer)

    async def _forward(self, request: bytes) -> bytes:
        reader, writer = await asyncio.open_connection(*self.target)
        try:
            writer.write(request.replace(b"\r\n\r\n", b"\r\nconnection: close\r\n\r\n", 1))
            await writer.drain()
            return await reader.read()
        finally:
            writer.close()


async def whole(reader: asyncio.StreamReader) -> bytes:
    """One whole request."""
    head = await reader.readuntil(b"\r\n\r\n")
    rows = (row.partition(b":") for row in head.lower().split(b"\r\n"))
    length = next((int(value) for name, _, value in rows if name == b"content-length"), 0)
    return head + await reader.readexactly(length)
