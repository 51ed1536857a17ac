"""checkChatType: which kind of message it is, and so where it goes."""

from typing import Any, Literal

from langgraph.runtime import Runtime
from langgraph.types import Command

from model.errors import ModelError
from model.meaning import Meaning
from model.state import State
from module.llm.extraction import ExtractionContext
from module.llm.port import Llm
from module.llm.structured import extract
from module.nodes.context import Context

DESK = frozenset(
    {"balance", "leave_list", "cancel_leave", "change_filed", "policy", "question", "hand_off", "no_hand_off"}
    | {"help", "courtesy", "others", "decline", "nod"}
)


Next = Command[Literal["answer", "rewrite"]]


async def check_chat_type(state: State, runtime: Runtime[Context]) -> Next:
    """Reads the message by rules; what they cannot place is asked of the model. Says which node is next."""
    context = runtime.context
    if state.get("action") != "say":
        return _to("rewrite", [])
    if not readable(state, context):
        return _to("answer", [])
    meaning = context.meaning(state)
    kinds, more = list(meaning.kinds), {}
    if context.llm is not None and (context.llm_always or leaves_over(meaning)):
        context.progress("model")
        plain = await ask_model(meaning, context, context.llm)
        guessed = context.read(plain, context.situation(state)) if plain else None
        kinds = kinds or (["leave"] if guessed and "leave" in guessed.kinds else [])
        more = {"plain": plain if "leave" in kinds else "", "llm_calls": 1}
    return _to("answer" if not kinds or DESK.intersection(kinds) else "rewrite", kinds, **more)


def _to(node: Literal["answer", "rewrite"], kinds: list[str], **more: Any) -> Next:
    return Command(goto=node, update={"touched": kinds, **more})


def readable(state: State, context: Context) -> bool:
    """Whether there is text, and not too much of it."""
    return 0 < len(state.get("text", "")) <= context.message_chars


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
