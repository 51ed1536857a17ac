"""Reading a request's body, up to a cap."""

from starlette.types import Message, Receive


class Refused(Exception):
    """A request that goes no further; `retry` is the seconds after which it may be tried again, if it may."""

    def __init__(self, status: int, text: str, retry: int = 0) -> None:
        super().__init__(text)
        self.status = status
        self.text = text
        self.retry = retry


async def capped(receive: Receive, announced: str, cap: int) -> bytes:
    """The body, at most `cap` bytes; stops reading, and raises Refused(413), as soon as it is more."""
    if announced.isascii() and announced.isdigit() and int(announced[:20]) > cap:
        raise Refused(413, "內容太長")
    parts: list[bytes] = []
    size = 0
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise Refused(400, "連線中斷")
        parts.append(message.get("body", b""))
        size += len(parts[-1])
        if size > cap:
            raise Refused(413, "內容太長")
        if not message.get("more_body", False):
            return b"".join(parts)


def replayed(body: bytes, receive: Receive) -> Receive:
    """A `receive` that gives the body first, then what the connection gives."""
    waiting: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def again() -> Message:
        return waiting.pop() if waiting else await receive()

    return again
