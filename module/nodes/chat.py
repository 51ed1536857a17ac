"""chat: takes the message in. No model is asked."""

from typing import Any

from langgraph.runtime import Runtime

from model.state import State
from module.nodes.context import Context
from module.understand.normalise import clean


async def chat(state: State, runtime: Runtime[Context]) -> dict[str, Any]:
    """Cleans the text, keeps it in the transcript, and forgets what belonged to the turn before."""
    text = clean(state.get("text", ""))
    said = text if len(text) <= runtime.context.message_chars else text[: runtime.context.message_chars] + "…"
    fresh: dict[str, Any] = {"text": text, "outcome": "", "also": [], "reply": "", "touched": []}
    fresh |= {"offered": state.get("offer") or {}, "offer": {}}
    fresh |= {"options": [], "plain": "", "base": "", "wf_no": ""}
    if state.get("action") == "say" and said:
        fresh["messages"] = [{"role": "user", "text": said, "at": runtime.context.now.isoformat(timespec="seconds")}]
    if state.get("action") == "edit":
        fresh |= {"edit": _cleaned(state.get("edit") or {}, runtime.context)}
    if state.get("action") in ("edit", "discard"):
        fresh["messages"] = [{"role": "user", "text": _pressed(fresh, runtime.context), "at": runtime.context.now.isoformat(timespec="seconds")}]
    return fresh


def _cleaned(values: dict[str, str], context: Context) -> dict[str, str]:
    """The values as text that may be kept; names of types and substitutes as the company writes them."""
    employee = context.employee
    known = [kind.name for kind in employee.leave_types] + [person.name for person in employee.substitutes]
    names = {clean(name): name for name in known}
    cleaned = {clean(name): clean(value) for name, value in values.items()}
    return {name: names.get(value, value) if name in ("category", "agent") else value for name, value in cleaned.items()}


def _pressed(fresh: dict[str, Any], context: Context) -> str:
    """What a button or control stands for, as a line of the transcript."""
    words, values = context.words, fresh.get("edit")
    if values is None:
        return words.say("edit", "discard")
    listed = [f"{words.say('form', name)} {value.replace('T', ' ')[:200]}" for name, value in values.items() if words.has("form", name)]
    return words.say("edit", changes="、".join(listed))
