"""A loopback server that gives one prepared answer to everything, byte by byte, and keeps what it was asked."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

Respond = Callable[["Asked"], bytes | None]


@dataclass(frozen=True)
class Asked:
    line: str
    headers: dict[str, str]
    body: bytes


def answer(status: int, body: object = b"", *headers: str) -> bytes:
    """A whole response; body as it is when bytes, else as JSON."""
    content = body if isinstance(body, bytes) else json.dumps(body, ensure_ascii=False).encode()
    head = [f"HTTP/1.1 {status} X", "content-type: application/json", f"content-length: {len(content)}", *headers]
    return "\r\n".join([*head, "connection: close", "", ""]).encode() + content


@dataclass
class Answers:
    """`reply` is sent as it stands; None closes without a word; `wait` holds it back for ever."""

    reply: bytes | None = b""
    wait: bool = False
    asked: list[Asked] = field(default_factory=list)
    url: str = ""
    running: set[asyncio.Task[None] | None] = field(default_factory=set)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        line, *rest = head.strip().split("\r\n")
        headers = {name.lower(): value.strip() for name, _, value in (row.partition(":") for row in rest)}
        self.asked.append(Asked(line, headers, await reader.readexactly(int(headers.get("content-length", "0")))))
        with suppress(ConnectionError):
            if self.wait:
                await reader.read()
            elif self.reply is not None:
                writer.write(self.reply)
                await writer.drain()

    async def connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.running.add(asyncio.current_task())
        try:
            await self.serve(reader, writer)
        finally:
            writer.close()
            with suppress(ConnectionError):
                await writer.wait_closed()


@asynccontextmanager
async def answering(reply: bytes | None = b"") -> AsyncIterator[Answers]:
    answers = Answers(reply)
    server = await asyncio.start_server(answers.connected, "127.0.0.1", 0)
    answers.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    try:
        yield answers
    finally:
        server.close()
        await asyncio.gather(*filter(None, answers.running), return_exceptions=True)
