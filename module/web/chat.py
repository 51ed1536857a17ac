"""The conversation page in Gradio. It shows the server's view and passes on what was pressed; no logic.

No handler takes the transcript or a form from the browser: text and button presses go in, the view comes out.
"""

from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import gradio as gr
import structlog

from model.conversation import View
from model.settings import Settings
from module.web import card, labels
from module.web.escape import plain
from module.web.port import Bot

log = structlog.get_logger()
Frame = dict[Any, Any]
MOST = 10_000
WAIT_SECONDS = 3.0


class Shown:
    """The confirmation token that each open page shows. A press confirms what that very page showed last."""

    def __init__(self) -> None:
        self._tokens: OrderedDict[str, str] = OrderedDict()

    def put(self, request: gr.Request, view: View) -> None:
        """Remembers what a page shows now."""
        name = str(request.session_hash)
        self._tokens[name] = view.turn.confirm_token if view.turn else ""
        self._tokens.move_to_end(name)
        while len(self._tokens) > MOST:
            self._tokens.popitem(last=False)

    def token(self, request: gr.Request) -> str:
        """What it showed last; empty when there was nothing to confirm."""
        return self._tokens.get(str(request.session_hash), "")


class ChatPage:
    """The components, and what happens on each press."""

    def __init__(self, bot: Bot, settings: Settings) -> None:
        self._bot = bot
        self._page = settings.page
        self._shown = Shown()

    def blocks(self) -> gr.Blocks:
        """The page, ready to be mounted."""
        with gr.Blocks(title=self._page.title, fill_height=True, analytics_enabled=False) as blocks:
            self._lay_out()
            self._wire(blocks)
        blocks.queue(max_size=200, default_concurrency_limit=16, api_open=False)
        return blocks

    def _lay_out(self) -> None:
        with gr.Row(elem_id="top"):
            gr.Markdown(f"# {plain(self._page.title)}", elem_id="title")
            self.state = gr.Markdown(card.chip(None), elem_id="state")
            self.who = gr.Markdown("", elem_id="who")
            self.again = gr.Button(labels.RESET, size="sm", elem_id="reset")
            gr.Markdown(_LOG_OUT, elem_id="logout", sanitize_html=False)
        with gr.Row(elem_id="desk"):
            with gr.Column(elem_id="talk"):
                self.chat = gr.Chatbot(
                    elem_id="chat",
                    label="對話",
                    show_label=False,
                    container=False,
                    height="100%",
                    buttons=[],
                    layout="bubble",
                    latex_delimiters=[],
                    feedback_options=None,
                    allow_tags=False,
                    allow_file_downloads=False,
                    group_consecutive_messages=False,
                )
                self.box = gr.Textbox(
                    elem_id="box",
                    label="訊息",
                    show_label=False,
                    container=False,
                    placeholder=labels.ASK,
                    lines=1,
                    max_lines=5,
                    submit_btn=True,
                    autofocus=True,
                )
            with gr.Column(elem_id="side", visible=False) as self.side:
                self.card = gr.Markdown("", elem_id="preview")
                self.yes = gr.Button(labels.CONFIRM, variant="primary", elem_id="confirm")
        self.timer = gr.Timer(WAIT_SECONDS, active=False)

    def _wire(self, blocks: gr.Blocks) -> None:
        outputs = [self.chat, self.state, self.who, self.side, self.card, self.yes, self.box, self.timer]
        common: dict[str, Any] = {
            "outputs": outputs,
            "api_visibility": "private",
            "show_progress": "hidden",
            "concurrency_limit": 64,
        }
        blocks.load(self.on_look, None, concurrency_id="look", **common)
        self.timer.tick(self.on_look, None, concurrency_id="look", **common)
        self.box.submit(self.on_say, [self.box], concurrency_id="turn", trigger_mode="once", **common)
        self.chat.option_select(self.on_option, None, concurrency_id="turn", trigger_mode="once", **common)
        self.yes.click(self.on_confirm, None, concurrency_id="press", trigger_mode="once", **common)
        self.again.click(self.on_reset, None, concurrency_id="press", trigger_mode="once", **common)

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
        return {
            self.chat: messages,
            self.state: card.chip(view, state),
            self.yes: gr.update(interactive=False),
            self.box: gr.update(value="", interactive=False),
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
        return {
            self.chat: messages,
            self.state: card.chip(view),
            self.who: card.identity(view),
            self.side: gr.update(visible=bool(shown)),
            self.card: shown,
            self.yes: gr.update(value=labels.CONFIRM_CANCEL if cancels else labels.CONFIRM, interactive=bool(shown)),
            self.box: gr.update(value="", interactive=True),
            self.timer: gr.Timer(active=bool(view.turn and view.turn.chip == "pending")),
        }

    def _bubbles(self, view: View) -> list[dict[str, Any]]:
        greeting = [{"role": "assistant", "content": plain(self._page.greeting)}]
        return greeting + [{"role": said.role, "content": plain(said.text)} for said in view.messages]

    def _options(self, view: View) -> tuple[str, ...]:
        if view.turn and view.messages:
            return view.turn.options
        return self._page.examples


_LOG_OUT = '<form method="post" action="/logout"><button type="submit">登出</button></form>'


def _account(request: gr.Request) -> str:
    """Who is logged in, from the server's own session and nothing else."""
    if not request.username:
        raise gr.Error("登入已過期，請重新整理頁面。", print_exception=False)
    return str(request.username)
