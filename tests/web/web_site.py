"""The whole site in process, as browsers see it, with a fake assistant behind it."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
from starlette.types import ASGIApp

ORIGIN = "http://127.0.0.1:7860"
HTTPS = "https://leave.example.com"


@asynccontextmanager
async def running(app: ASGIApp) -> AsyncIterator[None]:
    """The application's lifespan around a test."""
    inbox: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
    started = asyncio.Event()

    async def send(message: Any) -> None:
        started.set()

    task = asyncio.create_task(app({"type": "lifespan", "asgi": {"version": "3.0"}, "state": {}}, inbox.get, send))  # type: ignore[arg-type]
    await inbox.put({"type": "lifespan.startup"})
    await started.wait()
    yield
    await inbox.put({"type": "lifespan.shutdown"})
    await task


class Site:
    """Browsers in front of one running application."""

    def __init__(self, app: ASGIApp, bot: Any, origin: str) -> None:
        self.app = app
        self.bot = bot
        self.origin = origin

    def queue(self) -> Any:
        """Gradio's queue behind the shell."""
        mounted = next(route for route in self.app._app.routes if hasattr(getattr(route, "app", None), "get_blocks"))  # type: ignore[attr-defined]
        return mounted.app.get_blocks()._queue

    def browser(self, address: str = "10.0.0.1", origin: str = "") -> httpx.AsyncClient:
        """A browser without login."""
        transport = httpx.ASGITransport(app=self.app, client=(address, 50000))
        return httpx.AsyncClient(transport=transport, base_url=origin or self.origin)

    async def login(self, account: str = "amy.chen") -> httpx.AsyncClient:
        """A browser that logged in."""
        browser = self.browser()
        answer = await browser.post("/login", data={"account": account})
        assert answer.status_code == 303
        return browser


async def press(
    browser: httpx.AsyncClient, elem_id: str, event: str, data: list[object], session_hash: str
) -> httpx.Response:
    """Triggers a listener as a browser does: finds its number in /config, posts to the queue."""
    config = (await browser.get("/config")).json()
    target = next(part["id"] for part in config["components"] if part["props"].get("elem_id") == elem_id)
    number = next(wire["id"] for wire in config["dependencies"] if [target, event] in wire["targets"])
    body = {"data": data, "fn_index": number, "session_hash": session_hash, "event_data": None}
    return await browser.post("/gradio_api/queue/join", json=body)


async def answered(browser: httpx.AsyncClient, session_hash: str) -> str:
    """All that the stream of a Gradio session says until it closes."""
    return (await browser.get("/gradio_api/queue/data", params={"session_hash": session_hash})).text
