"""Keeps the EIP server within bounds: the size of a request, and how many are served at once."""

import json

from starlette.types import ASGIApp, Message, Receive, Scope, Send

LARGEST, AT_ONCE = 64 * 1024, 64


class _TooLarge(Exception):
    pass


class Guard:
    """ASGI middleware: 413 over LARGEST bytes, declared or counted; 429 with Retry-After over AT_ONCE requests."""

    def __init__(self, app: ASGIApp) -> None:
        self._app, self._running = app, 0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serves one request."""
        if scope["type"] != "http":
            return await self._app(scope, receive, send)
        if self._running >= AT_ONCE:
            return await _answer(send, 429, "(WF) 系統忙碌，請稍後再試", (b"retry-after", b"1"))
        self._running += 1
        try:
            body = await _whole(scope, receive)
        except _TooLarge:
            self._running -= 1
            return await _answer(send, 413, "(WF) 內容過大")
        given = [body]

        async def again() -> Message:
            return given.pop() if given else await receive()

        try:
            await self._app(scope, again, send)
        finally:
            self._running -= 1


async def _whole(scope: Scope, receive: Receive) -> Message:
    declared = dict(scope["headers"]).get(b"content-length", b"0")
    if not declared.isdigit() or int(declared) > LARGEST:
        raise _TooLarge
    body = b""
    while True:
        part = await receive()
        if part["type"] != "http.request":
            return part
        body += part.get("body", b"")
        if len(body) > LARGEST:
            raise _TooLarge
        if not part.get("more_body"):
            return {"type": "http.request", "body": body, "more_body": False}


async def _answer(send: Send, status: int, message: str, *headers: tuple[bytes, bytes]) -> None:
    body = json.dumps({"message": message}, ensure_ascii=False).encode()
    head = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode()), *headers]
    await send({"type": "http.response.start", "status": status, "headers": head})
    await send({"type": "http.response.body", "body": body})
