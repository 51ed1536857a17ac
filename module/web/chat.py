"""The conversation page in Gradio. It shows the server's view and passes on what was pressed; no logic.

No handler takes the transcript or a form from the browser: text and button presses go in, the view comes out.
"""

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import gradio as gr
import structlog

from model.conversation import View
from model.settings import Settings
from module.web import card, labels
from module.web.escape import plain
from module.web.layout import lay_out
from module.web.port import Bot
from module.web.shown import Shown

log = structlog.get_logger()
Frame = dict[Any, Any]


class ChatPage:
    """The components, and what happens on each press."""

    def __init__(self, bot: Bot, settings: Settings) -> None:
        self._bot = bot
        self._page = settings.page
        self._shown = Shown()

    def blocks(self) -> gr.Blocks:
        """The page, ready to be mounted."""
        blocks: gr.Blocks = gr.Blocks(title=self._page.title, fill_height=True, analytics_enabled=False)
        with blocks:
            self._parts = lay_out(self._page.title)
            self._wire(blocks)
        blocks.queue(max_size=200, default_concurrency_limit=16, api_open=False)
        return blocks

    def _wire(self, blocks: gr.Blocks) -> None:
        parts = self._parts
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
        parts.again.click(self.on_reset, None, concurrency_id="press", trigger_mode="once", **common)

    async def on_look(self, request: gr.Request) -> Frame:
        """Opening, reloading, and waiting for a doubtful answer: the state as it is."""
        return self._frame(await self._bot.view(_account(request)), request)

    async def on_say(self, text: str, request: gr.Request) -> AsyncIterator[Frame]:
        """A message."""
        account = _account(request)
        if isinstance(text, str) and text.strip():
            yield self._busy(await self._bot.view(account), "busy", said=text)
            yield await self._after(lambda: self._bot.say(account, text), request)
        else:
            yield self._frame(await self._bot.view(account), request)

    async def on_option(self, picked: gr.SelectData, request: gr.Request) -> AsyncIterator[Frame]:
        """A tapped answer: the same as typing it."""
        value = picked.value.get("value") if isinstance(picked.value, dict) else picked.value
        async for frame in self.on_say(str(value or ""), request):
            yield frame

    async def on_confirm(self, request: gr.Request) -> AsyncIterator[Frame]:
        """The confirm button. It carries nothing: what counts is the token of the card this page showed last."""
        account, token = _account(request), self._shown.token(request)
        if token:
            yield self._busy(await self._bot.view(account), "pending")
            yield await self._after(lambda: self._bot.confirm(account, token), request)
        else:
            log.warning("confirm_without_preview")
            yield self._frame(await self._bot.view(account), request)

    async def on_reset(self, request: gr.Request) -> Frame:
        """Forgets the conversation, on the server too."""
        account = _account(request)
        return await self._after(lambda: self._bot.reset(account), request)

    async def _after(self, act: Callable[[], Awaitable[object]], request: gr.Request) -> Frame:
        """The frame after something was done; the one place where a broken world is caught."""
        trouble = ""
        try:
            await act()
        except Exception:
            log.exception("turn_failed")
            trouble = labels.TROUBLE
        return self._frame(await self._bot.view(_account(request)), request, trouble)

    def _busy(self, view: View, state: str, said: str = "") -> Frame:
        messages = self._bubbles(view)
        if said:
            messages.append({"role": "user", "content": plain(said)})
        parts = self._parts
        return {
            parts.chat: messages,
            parts.state: card.chip(view, state),
            parts.yes: gr.update(interactive=False),
            parts.box: gr.update(value="", interactive=False),
        }

    def _frame(self, view: View, request: gr.Request, trouble: str = "") -> Frame:
        self._shown.put(request, view)
        messages = self._bubbles(view)
        options = self._options(view)
        if options and messages:
            messages[-1]["options"] = [{"label": option, "value": option} for option in options]
        if trouble:
            messages.append({"role": "assistant", "content": plain(trouble)})
        shown = card.card(view.turn)
        cancels = bool(view.turn and view.turn.cancel_wf and not view.turn.preview)
        parts = self._parts
        return {
            parts.chat: messages,
            parts.state: card.chip(view),
            parts.who: card.identity(view),
            parts.side: gr.update(visible=bool(shown)),
            parts.card: shown,
            parts.yes: gr.update(value=labels.CONFIRM_CANCEL if cancels else labels.CONFIRM, interactive=bool(shown)),
            parts.box: gr.update(value="", interactive=True),
            parts.timer: gr.Timer(active=bool(view.turn and view.turn.chip == "pending")),
        }

    def _bubbles(self, view: View) -> list[dict[str, Any]]:
        greeting = [{"role": "assistant", "content": plain(self._page.greeting)}]
        return greeting + [{"role": said.role, "content": plain(said.text)} for said in view.messages]

    def _options(self, view: View) -> tuple[str, ...]:
        if view.turn and view.messages:
            return view.turn.options
        return self._page.examples


def _account(request: gr.Request) -> str:
    """Who is logged in, from the server's own session and nothing else."""
    if not request.username:
        raise gr.Error("登入已過期，請重新整理頁面。", print_exception=False)
    return str(request.username)
