"""checkChatType: which kind of message it is, and so where it goes."""

from typing import Any, Literal

from langgraph.graph import END
from langgraph.runtime import Runtime

from model.state import State
from module.nodes.context import Context

DESK = frozenset({"balance", "leave_list", "cancel_leave", "change_filed", "policy", "hand_off", "help", "courtesy", "others", "decline", "nod"})


async def check_chat_type(state: State, runtime: Runtime[Context]) -> dict[str, Any]:
    """Reads the message by rules; what they cannot place may be asked of the model."""
    if state.get("action") != "say" or not readable(state, runtime.context):
        return {"touched": []}
    return {"touched": list(runtime.context.meaning(state).kinds)}


def readable(state: State, context: Context) -> bool:
    """Whether there is text, and not too much of it."""
    return 0 < len(state.get("text", "")) <= context.message_chars


def route(state: State, runtime: Runtime[Context]) -> Literal["answer", "rewrite"]:
    """Desk matters first, then the form; a button goes straight to the form."""
    if state.get("action") in ("confirm", "reset"):
        return "rewrite"
    kinds = set(state.get("touched") or ())
    if not readable(state, runtime.context) or not kinds or kinds & DESK:
        return "answer"
    return "rewrite"


def after_answer(state: State) -> Literal["rewrite", "__end__"]:
    """A wish inside a mixed message still goes to the form."""
    return "rewrite" if "leave" in (state.get("touched") or ()) else END  # type: ignore[return-value]  # END is "__end__"
