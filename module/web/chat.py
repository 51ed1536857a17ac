"""The conversation page in Gradio. It shows the server's view and passes on what was pressed; no logic.

No handler takes the transcript or a form from the browser: text and button presses go in, the view comes out.
"""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import gradio as gr
import structlog

from model.conversation import View
from model.outcome import Outcome, Turn
from model.settings import Settings
from module.web import labels
from module.web.frames import Frame, Frames
from module.web.layout import Parts, lay_out
from module.web.pace import Pace
from module.web.port import Bot
from module.web.shown import Shown
from module.web.waiting import waited
from module.web.wish import read_wish
from module.words import load

log = structlog.get_logger()
Step = Callable[[str], None]


class ChatPage:
    """The components, and what happens on each press."""

    def __init__(self, bot: Bot, settings: Settings, pace: Pace) -> None:
        self._bot = bot
        self._pace = pace
        self._page = settings.page
        self._shown = Shown()

    def blocks(self) -> gr.Blocks:
        """The page, ready to be mounted."""
        blocks: gr.Blocks = gr.Blocks(title=self._page.title, fill_height=True, analytics_enabled=False)
        with blocks:
            parts = lay_out(self._page, load())
            self._frames = Frames(parts, self._page)
            self._wire(blocks, parts)
        blocks.queue(max_size=200, default_concurrency_limit=16, api_open=False)
        return blocks

    def _wire(self, blocks: gr.Blocks, parts: Parts) -> None:
        outputs = [parts.chat, parts.state, parts.who, parts.side, parts.card, parts.yes, parts.box, parts.timer]
        common: dict[str, Any] = {
            "outputs": outputs,
            "api_visibility": "private",
            "show_progress": "hidden",
            "concurrency_limit": 64,
        }
        blocks.load(self.on_look, None, concurrency_id="look", **common)
        parts.timer.tick(self.on_look, None, concurrency_id="look", **common)
        parts.box.submit(self.on_say, [parts.box], concurrency_id="turn", trigger_mode="once", **common)
        parts.chat.option_select(self.on_option, None, concurrency_id="turn", trigger_mode="once", **common)
        parts.yes.click(self.on_confirm, None, concurrency_id="press", trigger_mode="once", **common)
        parts.drop.click(self.on_drop, None, concurrency_id="press", trigger_mode="once", **common)
        parts.act.click(self.on_act, [parts.values], concurrency_id="turn", trigger_mode="once", **common)
        parts.again.click(self.on_reset, None, concurrency_id="press", trigger_mode="once", **common)

    async def on_look(self, request: gr.Request) -> Frame:
        """Opening, reloading, and waiting for a doubtful answer: the state as it is."""
        return await self._now(request)

    async def on_say(self, text: str, request: gr.Request) -> AsyncIterator[Frame]:
        """A message."""
        async for frame in self._saying(text if isinstance(text, str) else "", request, typed=True):
            yield frame

    async def on_option(self, picked: gr.SelectData, request: gr.Request) -> AsyncIterator[Frame]:
        """A tapped answer: the same as typing it, and what stands in the box stays."""
        value = picked.value.get("value") if isinstance(picked.value, dict) else picked.value
        async for frame in self._saying(str(value or ""), request):
            yield frame

    async def on_act(self, wish: str, request: gr.Request) -> AsyncIterator[Frame]:
        """What the page's own script passes on: fields set by controls, or words that a button stands for."""
        account, given = _account(request), read_wish(wish)
        if values := given.get("edit"):
            async for frame in self._paced(lambda steps: self._bot.edit(account, values), request):
                yield frame
        else:
            async for frame in self._saying(given.get("say", {}).get("text", ""), request):
                yield frame

    async def _saying(self, text: str, request: gr.Request, typed: bool = False) -> AsyncIterator[Frame]:
        account = _account(request)
        if text.strip():
            async for frame in self._paced(lambda steps: self._bot.say(account, text, steps), request, text, typed):
                yield frame
        else:
            yield await self._now(request)

    async def _paced(
        self, act: Callable[[Step], Awaitable[Turn]], request: gr.Request, said: str = "", typed: bool = False
    ) -> AsyncIterator[Frame]:
        """A turn, unless the account asks too often; the step being done is shown when it takes long."""
        account, box = _account(request), said if typed else None
        if wait := self._pace.wait("turn", account):
            log.warning("too_fast")
            yield await self._now(request, labels.TOO_FAST.format(seconds=wait), box)
            return
        steps: asyncio.Queue[str] = asyncio.Queue()
        doing = asyncio.create_task(self._after(lambda: act(steps.put_nowait), request, box))
        async for step in waited(doing, steps):
            yield self._frames.busy(await self._view(account), "busy", said, step, typed)
        yield await doing

    async def on_confirm(self, request: gr.Request) -> AsyncIterator[Frame]:
        """The confirm button. It carries nothing: what counts is the token of the card this page showed last."""
        account, token = _account(request), self._shown.token(request)
        if token:
            doing = asyncio.create_task(self._after(lambda: self._bot.confirm(account, token), request))
            async for step in waited(doing, asyncio.Queue()):
                yield self._frames.busy(await self._view(account), "pending", step=step)
            yield await doing
        else:
            log.warning("confirm_without_preview")
            yield await self._now(request)

    async def on_drop(self, request: gr.Request) -> Frame:
        """放棄: what the card shows is dropped."""
        account = _account(request)
        return await self._after(lambda: self._bot.discard(account), request)

    async def on_reset(self, request: gr.Request) -> Frame:
        """Forgets the conversation, on the server too."""
        account = _account(request)
        return await self._after(lambda: self._bot.reset(account), request)

    async def _after(self, act: Callable[[], Awaitable[Turn]], request: gr.Request, said: str | None = None) -> Frame:
        """The frame after something was done. What failed is told although no transcript has it; nothing typed is lost."""
        try:
            turn = await act()
        except Exception as wrong:
            log.error("page_failed", error=type(wrong).__name__)
            return await self._now(request, labels.TROUBLE, said)
        view = await self._view(_account(request))
        told = bool(view and view.messages and view.messages[-1].text == turn.reply)
        failed = turn.chip == "failed" and not told
        untold = failed or (turn.outcome is Outcome.RESET and not told)
        return self._show(view, request, turn.reply if untold else "", said if failed or said is None else "")

    async def _now(self, request: gr.Request, trouble: str = "", box: str | None = None) -> Frame:
        return self._show(await self._view(_account(request)), request, trouble, box)

    def _show(self, view: View | None, request: gr.Request, trouble: str = "", box: str | None = None) -> Frame:
        self._shown.put(request, view)
        return self._frames.whole(view, trouble or ("" if view else labels.TROUBLE), box)

    async def _view(self, account: str) -> View | None:
        """None when the assistant cannot even tell where things stand."""
        try:
            return await self._bot.view(account)
        except Exception as wrong:
            log.error("page_failed", error=type(wrong).__name__)
            return None


def _account(request: gr.Request) -> str:
    """Who is logged in, from the server's own session and nothing else."""
    if not request.username:
        raise gr.Error("登入已過期，請重新整理頁面。", print_exception=False)
    return str(request.username)
