"""checkChatType: which kind of message it is, and so where it goes."""

from typing import Any, Literal

from langgraph.runtime import Runtime
from langgraph.types import Command

from model.meaning import Meaning
from model.state import State
from module.desk.routing import PERSON, ROUTES
from module.nodes.context import Context
from module.nodes.guess import conversation, guessed

# What files, confirms or clears is never shown to a model, nor is what goes to a person.
UNSEEN = frozenset({"submit", "reset"}) | PERSON
# What a short answer means when the desk has just offered something: a case or a question for HR.
OFFERED = {"nod": {"case": "agree", "question": "keep"}, "decline": {"case": "no_hand_off", "question": "no_hand_off"}}

Next = Command[Literal["answer", "rewrite"]]


async def check_chat_type(state: State, runtime: Runtime[Context]) -> Next:
    """Reads the message by rules; what they cannot place is asked of the model. Says which node is next."""
    context = runtime.context
    if state.get("action") != "say":
        return _to("rewrite", [])
    if not readable(state, context):
        return _to("answer", [])
    meaning = context.meaning(state)
    kinds, more = _as_offered(meaning.kinds, state), {}
    llm, last = context.llm, last_round(state, meaning, context)
    if llm is not None and not UNSEEN.intersection(kinds) and (context.llm_always or last or leaves_over(meaning)):
        context.progress("model")
        plain, base = await guessed(conversation(state) if last else meaning.text, meaning, state, context, llm)
        if not kinds and _is_wish(plain, base, state, context):
            kinds = ["leave", "final_guess"] if last else ["leave"]
        more = {"plain": plain, "base": base} if "leave" in kinds else {}
    return _to("answer" if not kinds or ROUTES.keys() & kinds else "rewrite", kinds, **more)


def _as_offered(kinds: tuple[str, ...], state: State) -> list[str]:
    """好 and 不用 mean what the turn before has offered; there is nothing to agree to without a case."""
    offer = next(iter(state.get("offered") or ()), "")
    read = [OFFERED.get(kind, {}).get(offer, kind) for kind in kinds]
    return [kind for kind in read if kind != "agree" or state.get("case")]


def _is_wish(plain: str, base: str, state: State, context: Context) -> bool:
    situation = context.situation(state)
    return any("leave" in context.read(text, situation).kinds for text in (plain, base) if text)


def last_round(state: State, meaning: Meaning, context: Context) -> bool:
    """Whether a guess from the whole conversation is all that is left before giving up."""
    return not meaning.kinds and not state.get("shown") and state.get("rounds", 0) + 1 >= context.rounds


def _to(node: Literal["answer", "rewrite"], kinds: list[str], **more: Any) -> Next:
    return Command(goto=node, update={"touched": kinds, **more})


def readable(state: State, context: Context) -> bool:
    """Whether there is text, and not too much of it."""
    return 0 < len(state.get("text", "")) <= context.message_chars


def leaves_over(meaning: Meaning) -> bool:
    """Whether the rules could not place the message, or read a wish without a time and left words over."""
    if not meaning.kinds:
        return len(meaning.leftover) > 1 or bool(meaning.found)
    lacking = "leave" in meaning.kinds and not any(wish.spans or wish.changes for wish in meaning.wishes)
    return lacking and bool(meaning.leftover) and meaning.kinds == ("leave",)
