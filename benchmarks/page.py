"""The page in a real browser beside a bare Gradio echo chat, in the same run: Enter to answer, first paint, weight.

Rounds alternate between the two, and medians are compared: absolute times say more about the machine than about the code.
"""

import asyncio
import socket
import statistics
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from module.start import set_switches

if TYPE_CHECKING:
    from starlette.types import ASGIApp

CHROMIUM = Path("/usr/bin/chromium")
ROUNDS, WARM_UP, OPENINGS = 20, 4, 5
NOW = datetime(2026, 11, 30, 10, 0)
TEXTS = ("下週三要請特休", "時間改成12/31", "改成12/30下午", "改成12/29整天")
# From the key to the frame in which the answer stands: a preview here, an echo there.
TIMED = """([text, answered]) => new Promise(done => {
  const box = document.querySelector('#box textarea'), seen = () => answered && document.querySelector(answered)?.innerText;
  const before = seen(), count = document.querySelectorAll('#chat .message').length;
  box.value = text; box.dispatchEvent(new Event('input', {bubbles: true}));
  setTimeout(() => {
    const began = performance.now();
    box.dispatchEvent(new KeyboardEvent('keypress', {key: 'Enter', bubbles: true, cancelable: true}));
    const look = () => (answered ? seen() !== before : document.querySelectorAll('#chat .message').length > count + 1)
      ? done(performance.now() - began) : requestAnimationFrame(look);
    requestAnimationFrame(look);
  }, 50);
})"""
LOADED = """() => { const got = performance.getEntriesByType('resource'), page = performance.getEntriesByType('navigation')[0];
  const paint = performance.getEntriesByType('paint').find(one => one.name === 'first-contentful-paint');
  const weight = got.reduce((sum, one) => sum + one.encodedBodySize, page.encodedBodySize);
  return [paint?.startTime ?? 0, performance.now(), weight / 1024, got.length + 1]; }"""


def echo() -> "ASGIApp":
    """The least that Gradio can do: a chat that says the same again."""
    import gradio as gr
    from fastapi import FastAPI

    async def answer(text: str, history: list[dict[str, Any]]) -> tuple[str, list[dict[str, Any]]]:
        return "", [*history, {"role": "user", "content": text}, {"role": "assistant", "content": text}]

    with gr.Blocks(analytics_enabled=False) as blocks:
        chat = gr.Chatbot(elem_id="chat")
        box = gr.Textbox(elem_id="box")
        box.submit(answer, [box, chat], [box, chat], show_progress="hidden")
    app: ASGIApp = gr.mount_gradio_app(FastAPI(), blocks, path="/", ssr_mode=False, run_history=False)
    return app


def ours(folder: str) -> "ASGIApp":
    """The whole assistant without a model."""
    from model.settings import Settings
    from module.app import build
    from module.web.page import create_app

    sections = {"llm": {"provider": "none"}, "store": {"data_dir": folder}, "limits": {"turns_per_minute": "600"}}
    settings = Settings.from_mapping(sections, {})
    return create_app(build(settings, clock=lambda: NOW), settings)


@contextmanager
def served(app: "ASGIApp") -> Iterator[str]:
    """The address at which the application answers."""
    import uvicorn

    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.bind(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(app, log_level="error", ws="none", timeout_graceful_shutdown=1))
    thread = threading.Thread(target=lambda: asyncio.run(server.serve([listening])), daemon=True)
    thread.start()
    while not server.started and thread.is_alive():
        time.sleep(0.02)
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(15)


def opened(browser: Any, address: str, *, login: bool) -> tuple[Any, list[float]]:
    """A page with nothing cached, and what loading it cost: first paint and ready in ms, kB, requests."""
    context = browser.new_context(locale="zh-TW", viewport={"width": 1280, "height": 860})
    page = context.new_page()
    if login:
        page.request.post(f"{address}/login", form={"account": "irene.chen"})
    page.goto(address)
    page.wait_for_selector("#who .who" if login else "#box textarea:enabled")
    paint, ready, _, _ = page.evaluate(LOADED)
    page.wait_for_timeout(1500)  # what comes after the page is ready weighs too
    return page, [paint, ready, *page.evaluate(LOADED)[2:]]


def compare(browser: Any, bare: str, page: str) -> None:
    """Prints the comparison."""
    places = {"bare echo": (bare, False, ""), "our page": (page, True, "#preview")}
    loads: dict[str, list[list[float]]] = {name: [] for name in places}
    for _ in range(OPENINGS):
        for name, (address, login, _) in places.items():
            shown, cost = opened(browser, address, login=login)
            loads[name].append(cost)
            shown.context.close()
    tabs = {name: opened(browser, address, login=login)[0] for name, (address, login, _) in places.items()}
    times: dict[str, list[float]] = {name: [] for name in places}
    for number in range(WARM_UP + ROUNDS):
        for name, tab in tabs.items():
            took = tab.evaluate(TIMED, [TEXTS[number % len(TEXTS)], places[name][2]])
            times[name] += [took] if number >= WARM_UP else []
            tab.wait_for_timeout(150)
    print(f"{'':10} {'Enter to answer':>16} {'first paint':>12} {'ready':>8} {'weight':>9} {'requests':>9}")
    for name in places:
        paint, ready, weight, requests = (statistics.median(column) for column in zip(*loads[name], strict=True))
        print(f"{name:10} {statistics.median(times[name]):13.0f} ms {paint:9.0f} ms {ready:5.0f} ms {weight:6.0f} kB {requests:9.0f}")
    more = statistics.median(times["our page"]) - statistics.median(times["bare echo"])
    print(f"from Enter to the preview: the bare echo and {more:+.0f} ms (target: at most +60 ms)")


def measure() -> None:
    """Serves both, drives both."""
    if not CHROMIUM.exists():
        print(f"{CHROMIUM} is not installed: the page is not measured")
        return
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as folder, served(echo()) as bare, served(ours(folder)) as page, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=str(CHROMIUM), args=["--no-sandbox", "--disable-gpu"])
        compare(browser, bare, page)
        browser.close()


if __name__ == "__main__":
    set_switches()
    from module.logs import configure

    configure("error")
    measure()
