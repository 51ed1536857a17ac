"""checkChatType: which kind of message it is, and so where it goes."""

from collections.abc import Mapping
from typing import Any, Literal

from langgraph.graph import END
from langgraph.runtime import Runtime

from model.errors import ModelError
from model.meaning import Meaning
from model.state import State
from module.llm.extraction import ExtractionContext
from module.llm.port import Llm
from module.llm.structured import extract
from module.nodes.context import Context

DESK = frozenset({"balance", "leave_list", "cancel_leave", "change_filed", "policy", "hand_off", "help", "courtesy", "others", "decline", "nod"})


async def check_chat_type(state: State, runtime: Runtime[Context]) -> dict[str, Any]:
    """Reads the message by rules; what they cannot place may be asked of the model."""
    context = runtime.context
    if state.get("action") != "say" or not readable(state, context):
        return {"touched": []}
    meaning = context.meaning(state)
    if context.llm is None or not (context.llm_always or leaves_over(meaning)):
        return {"touched": list(meaning.kinds)}
    runtime.stream_writer({"step": "理解中"})
    plain = await ask_model(meaning, context, context.llm)
    guessed = context.read(plain, context.situation(state)) if plain else None
    kinds = list(meaning.kinds) or (["leave"] if guessed and "leave" in guessed.kinds else [])
    return {"touched": kinds, "plain": plain if "leave" in kinds else "", "llm_calls": 1}


def leaves_over(meaning: Meaning) -> bool:
    """Whether the rules could not place the message, or read a wish without a time and left words over."""
    if not meaning.kinds:
        return len(meaning.leftover) > 1
    lacking = "leave" in meaning.kinds and not any(wish.spans or wish.changes for wish in meaning.wishes)
    return lacking and bool(meaning.leftover) and meaning.kinds == ("leave",)


async def ask_model(meaning: Meaning, context: Context, llm: Llm) -> str:
    """The message in plain leave language, as far as its own words support it; empty when the model is no help."""
    employee = context.employee
    around = ExtractionContext(
        leave_types=[kind.name for kind in employee.leave_types],
        substitutes=[person.name for person in employee.substitutes],
        today=f"{context.now:%Y-%m-%d}（週{context.words.weekday(context.now.date())}）",
        reading="、".join(f"{one.what}={one.words}" for one in meaning.found),
        leftover=meaning.leftover,
    )
    try:
        said = await extract(llm, meaning.text, around)
    except ModelError:
        return ""
    if said is None or said.intent != "leave":
        return ""
    parts = [(said.time, ""), (said.category, "請"), (said.agent, "代理人"), (said.memo, "事由:")]
    return ",".join(f"{before}{part.plain or part.words}" for part, before in parts if part is not None)


def readable(state: Mapping[str, Any], context: Context) -> bool:
    """Whether there is text, and not too much of it."""
    return 0 < len(state.get("text", "")) <= context.message_chars


def route(state: dict[str, Any], runtime: Runtime[Context]) -> Literal["answer", "rewrite"]:
    """Desk matters first, then the form; a button goes straight to the form."""
    if state.get("action") in ("confirm", "reset"):
        return "rewrite"
    kinds = set(state.get("touched") or ())
    if not readable(state, runtime.context) or not kinds or kinds & DESK:
        return "answer"
    return "rewrite"


def after_answer(state: dict[str, Any]) -> Literal["rewrite", "__end__"]:
    """A wish inside a mixed message still goes to the form."""
    return "rewrite" if "leave" in (state.get("touched") or ()) else END  # type: ignore[return-value]  # END is "__end__"
