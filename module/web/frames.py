"""A view made into what Gradio shows: every data string escaped, the server's transcript and no other."""

from typing import Any

import gradio as gr

from model.conversation import Message, View
from model.settings import Page
from module.web import card, labels
from module.web.escape import one_line, plain
from module.web.layout import Parts
from module.words import load

Frame = dict[Any, Any]


class Frames:
    """Builds one set of outputs for every event."""

    def __init__(self, parts: Parts, page: Page) -> None:
        self._parts = parts
        self._page = page
        self._words = load()

    def busy(self, view: View | None, state: str, said: str = "", step: str = "", typed: bool = False) -> Frame:
        """While something is done: what was said stands there already, and nothing can be pressed."""
        parts = self._parts
        messages = self._bubbles(view)
        if said:
            messages.append({"role": "user", "content": plain(said)})
        doing = self._words.say("step", step if self._words.has("step", step) else state)
        messages.append({"role": "assistant", "content": f'<span class="working">{doing}</span>'})
        return {
            parts.chat: messages,
            parts.state: card.chip(view, state),
            parts.yes: gr.update(interactive=False),
            parts.box: gr.update(value="", interactive=False) if typed else gr.update(interactive=False),
        }

    def whole(self, view: View | None, trouble: str = "", box: str | None = None) -> Frame:
        """The state as it is. `trouble` is told once; `box` is what stands in the box then, None for what stands there."""
        parts = self._parts
        turn = view.turn if view else None
        messages = self._bubbles(view)
        if trouble:
            messages.append({"role": "assistant", "content": plain(trouble)})
        if options := self._options(view):
            messages[-1]["options"] = [{"label": option, "value": option} for option in options]
        shown = card.card(turn)
        asks = bool(turn and turn.confirm_token)
        cancels = bool(turn and turn.cancel_wf and not turn.preview)
        return {
            parts.chat: messages,
            parts.state: card.chip(view, "" if view else "unknown"),
            parts.who: card.identity(view) if view else "",
            parts.side: gr.update(visible=bool(shown)),
            parts.card: shown,
            parts.yes: gr.update(
                value=labels.CONFIRM_CANCEL if cancels else labels.CONFIRM, interactive=asks, visible=asks
            ),
            parts.box: gr.update(interactive=True) if box is None else gr.update(value=box, interactive=True),
            parts.timer: gr.Timer(active=bool(turn and turn.chip == "pending")),
        }

    def _bubbles(self, view: View | None) -> list[dict[str, Any]]:
        greeting = [{"role": "assistant", "content": plain(self._page.greeting)}]
        said = view.messages if view else ()
        return greeting + [
            {"role": message.role, "content": plain(message.text) + self._told(message)} for message in said
        ]

    def _told(self, message: Message) -> str:
        """By whom and when; the employee's own bubbles need no name."""
        name = f"{one_line(self._page.title)} " if message.role == "assistant" else ""
        return f'\n\n<small class="at">{name}{message.at:%H:%M}</small>'

    def _options(self, view: View | None) -> tuple[str, ...]:
        if view is None:
            return ()
        return view.turn.options if view.turn and view.messages else self._page.examples
