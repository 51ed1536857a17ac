"""What goes back to the browser: locked headers, and pages whose inline scripts are hashed."""

from starlette.types import Message, Send

from module.web import headers as response_headers


class Outgoing:
    """A `send` that locks the headers; a page is held back until its scripts are hashed."""

    def __init__(self, send: Send, *, https: bool, keep: bool) -> None:
        self._send = send
        self._https = https
        self._keep = keep
        self._page: bytearray | None = None
        self._start: Message = {}

    async def __call__(self, message: Message) -> None:
        """ASGI send."""
        if message["type"] == "http.response.start":
            await self._begin(message)
        elif self._page is None:
            await self._send(message)
        else:
            self._page += message.get("body", b"")
            if not message.get("more_body", False):
                await self.finish()

    async def _begin(self, message: Message) -> None:
        raw = list(message["headers"])
        keep = self._keep and message["status"] == 200
        self._start = {**message, "headers": response_headers.locked(raw, https=self._https, keep=keep)}
        if response_headers.is_html(raw):
            self._page = bytearray()
        else:
            self._start["headers"].append(response_headers.policy(None))
            await self._send(self._start)

    async def finish(self) -> None:
        """Sends a page that was held back; nothing to do otherwise."""
        if self._page is None:
            return
        page, self._page = bytes(self._page), None
        self._start["headers"].append(response_headers.policy(page))
        await self._send(self._start)
        await self._send({"type": "http.response.body", "body": page})
