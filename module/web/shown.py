"""What each open page showed last."""

from collections import OrderedDict

import gradio as gr

from model.conversation import View

MOST = 10_000


class Shown:
    """The confirmation token that each open page shows. A press confirms what that very page showed last."""

    def __init__(self) -> None:
        self._tokens: OrderedDict[str, str] = OrderedDict()

    def put(self, request: gr.Request, view: View | None) -> None:
        """Remembers what a page shows now."""
        name = str(request.session_hash)
        self._tokens[name] = view.turn.confirm_token if view and view.turn else ""
        self._tokens.move_to_end(name)
        while len(self._tokens) > MOST:
            self._tokens.popitem(last=False)

    def token(self, request: gr.Request) -> str:
        """What it showed last; empty when there was nothing to confirm."""
        return self._tokens.get(str(request.session_hash), "")
