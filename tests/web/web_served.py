"""A site on a loopback port in a thread of its own, and a real browser in front of it."""

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import uvicorn
from starlette.types import ASGIApp, Receive, Scope, Send

CHROMIUM = Path("/usr/bin/chromium")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",  # as with the network cut
]
SHOTS = Path(__file__).parents[1] / "screenshots"


class WithoutPolicy:
    """Takes the Content-Security-Policy away, to see that escaping alone holds."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def bare(message: Any) -> None:
            if message["type"] == "http.response.start":
                kept = [pair for pair in message["headers"] if pair[0] != b"content-security-policy"]
                message = {**message, "headers": kept}
            await send(message)

        await self._app(scope, receive, bare)


@contextmanager
def served(app: ASGIApp) -> Iterator[str]:
    """The address at which the application answers."""
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.bind(("127.0.0.1", 0))
    server = uvicorn.Server(
        uvicorn.Config(app, log_level="error", server_header=False, ws="none", timeout_graceful_shutdown=1)
    )
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    while not server.started and thread.is_alive():
        time.sleep(0.02)
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(15)
        listening.close()


@contextmanager
def chromium() -> Iterator[Any]:
    """A headless browser; skips, with the reason, where there is none."""
    if not CHROMIUM.exists():
        pytest.skip(f"{CHROMIUM} is not installed")
    sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(CHROMIUM), headless=True, args=FLAGS)
        try:
            yield browser
        finally:
            browser.close()


class Tab:
    """One browser page that is logged in, and what it asked for."""

    def __init__(self, browser: Any, address: str, account: str = "amy.chen", **look: Any) -> None:
        self.address = address
        self.context = browser.new_context(locale="zh-TW", **look)
        self.context.set_default_timeout(20_000)
        self.asked: set[str] = set()
        self.complaints: list[str] = []
        self.page = self.open()
        self.page.goto(f"{address}/login")
        self.page.click(f"button[value='{account}']")
        self.ready()

    def open(self) -> Any:
        """Another tab of the same browser."""
        page = self.context.new_page()
        page.on("request", lambda request: self.asked.add(request.url))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("console", lambda said: self.complaints.append(said.text) if said.type == "error" else None)
        return page

    def ready(self) -> None:
        """Waits until the page shows the conversation."""
        self.page.wait_for_selector("#box textarea:enabled")
        self.page.wait_for_selector("#who .who")

    def say(self, text: str) -> None:
        """Types a message and waits for what comes of it."""
        before = self.page.locator("#chat .bot.message").count()
        self.page.fill("#box textarea", text)
        self.page.press("#box textarea", "Enter")
        self.page.wait_for_function(
            "before => document.querySelectorAll('#chat .bot.message').length > before", arg=before
        )
        self.page.wait_for_selector("#box textarea:enabled")

    def chip(self) -> str:
        """The state chip's words."""
        return str(self.page.inner_text("#state .chip"))

    def card(self) -> dict[str, str]:
        """The preview card by field name, without the marks."""
        read = """() => Object.fromEntries([...document.querySelectorAll('#preview dl > div')].map(field => [
            field.querySelector('dt').childNodes[0].textContent, field.querySelector('dd').innerText]))"""
        return dict(self.page.evaluate(read))

    def foreign(self) -> list[str]:
        """Requests that left our own origin."""
        own = (self.address, "data:", "blob:")
        return sorted(url for url in self.asked if not url.startswith(own))
