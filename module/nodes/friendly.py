"""The two messages that a model may introduce in its own words: the final confirmation, and that nothing was understood."""

from typing import Any

from model.outcome import Outcome
from model.state import State
from module.llm.friendly import sentence
from module.nodes.context import Context

SPOKEN = frozenset(map(str, (Outcome.PREVIEW, Outcome.FINAL_GUESS, Outcome.UNCLEAR_FIRST, Outcome.UNCLEAR_EDIT, Outcome.GIVE_UP)))


async def in_own_words(updates: dict[str, Any], state: State, context: Context) -> dict[str, Any]:
    """The updates with such a sentence before the fixed text, where it is switched on and passes the checks."""
    llm = context.model(state)
    if llm is None or not context.friendly or updates.get("outcome") not in SPOKEN or not updates.get("reply"):
        return updates
    said = await sentence(llm, str(updates["reply"]), context.llm_deadline)
    if not said:
        return updates
    return updates | {key: f"{said}\n{updates[key]}" for key in ("reply", "brief") if updates.get(key)}
