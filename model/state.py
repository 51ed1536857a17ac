"""The state of one conversation: plain values only, lists that keep only their newest entries."""

from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any, TypedDict

# How many values a list keeps: a turn and its checkpoint cost the same at turn 5 and turn 500.
KEEP = 8
TRANSCRIPT = 40


def concat(old: Sequence[Any] | None, new: Sequence[Any] | None) -> list[Any]:
    """Appends; only the newest KEEP values stay. The newest one counts."""
    return [*(old or ()), *(new or ())][-KEEP:]


def keeping(newest: int) -> Callable[[Sequence[Any] | None, Sequence[Any] | None], list[Any]]:
    """Like `concat`, with another bound."""

    def bounded(old: Sequence[Any] | None, new: Sequence[Any] | None) -> list[Any]:
        return [*(old or ()), *(new or ())][-newest:]

    return bounded


def transcript(old: Sequence[Any] | None, new: Sequence[Any] | None) -> list[Any]:
    """Appends messages; only the newest TRANSCRIPT stay."""
    return [*(old or ()), *(new or ())][-TRANSCRIPT:]


def merged(old: Mapping[str, Any] | None, new: Mapping[str, Any] | None) -> dict[str, Any]:
    """What was not mentioned stays."""
    return {**(old or {}), **(new or {})}


class State(TypedDict, total=False):
    """Everything that a conversation remembers.

    messages: {"role", "text", "at"}, ISO times. Fields: {"value", "how"} with how said, guessed or assumed; a value of None
    empties the field. start and end are ISO local times as said, before rounding. The rest holds for one conversation
    (pending, tried, asked, rounds, waiting, case: its number
    at HR, private: what was for a person only …) or one turn (text, action, token, outcome, reply …).
    """

    messages: Annotated[list[dict[str, str]], transcript]
    category: Annotated[list[dict[str, Any]], concat]
    start: Annotated[list[dict[str, Any]], concat]
    end: Annotated[list[dict[str, Any]], concat]
    agent: Annotated[list[dict[str, Any]], concat]
    memo: Annotated[list[dict[str, Any]], concat]
    event_date: Annotated[list[dict[str, Any]], concat]
    # the conversation
    open: bool
    pending: dict[str, Any]
    tried: dict[str, Any]
    questions: dict[str, Any]
    asked: str
    rounds: int
    waiting: list[dict[str, Any]]
    shown: str
    card: dict[str, Any]
    good: dict[str, Any]
    form: dict[str, Any]
    question: str
    policy: str
    case: str
    offer: dict[str, str]
    offered: dict[str, str]
    private: list[str]
    plain: str
    base: str
    cancel_wf: str
    cancel_token: str
    change: dict[str, Any]
    sending: str
    failed: bool
    sent: dict[str, str]
    # the turn
    text: str
    action: str
    edit: dict[str, str]
    token: str
    outcome: str
    also: list[str]
    reply: str
    options: list[str]
    wf_no: str
    touched: list[str]


FIELDS = ("category", "start", "end", "agent", "memo", "event_date")
LISTS = frozenset({"messages", *FIELDS})


def schema(keep: int = KEEP) -> type[Any]:
    """State as the graph holds it: a list a field that keeps so many values ([policy] keep), and all the rest in one place.

    LangGraph looks at every channel after every node, so 29 plain values in one of them save a tenth of a turn.
    """
    lists = {name: Annotated[list[dict[str, Any]], keeping(keep)] for name in FIELDS}
    hints = {
        "messages": Annotated[list[dict[str, str]], transcript],
        **lists,
        "rest": Annotated[dict[str, Any], merged],
    }
    return TypedDict("Held", hints, total=False)  # type: ignore[operator,no-any-return]  # made at run time


def flat(held: Mapping[str, Any]) -> State:
    """State as the nodes see it, out of what the graph holds."""
    state: State = {**held, **(held.get("rest") or {})}  # type: ignore[typeddict-item]  # the keys of both are State's
    return state


def held(updates: Mapping[str, Any]) -> dict[str, Any]:
    """Updates as the graph takes them; the opposite of `flat`."""
    lists = {key: value for key, value in updates.items() if key in LISTS}
    return lists | {"rest": {key: value for key, value in updates.items() if key not in LISTS}}


def newest(state: State, field: str) -> Any:
    """The value that counts, or None."""
    values = state.get(field) or []
    return values[-1]["value"] if values else None  # type: ignore[index]  # field names one of the lists above
