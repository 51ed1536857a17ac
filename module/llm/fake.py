"""A model that says what it is told to, for tests and for showing what happens when a model errs."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from model.errors import ModelError, ModelUnavailable

NOTHING = '{"intent": "other"}'


@dataclass(frozen=True)
class Call:
    """One recorded call."""

    system: str
    user: str
    schema: Mapping[str, object]


def _fails(error: Exception) -> Callable[[str], str]:
    def fail(_: str) -> str:
        raise error

    return fail


MISTAKES: Mapping[str, Callable[[str], str]] = {
    "none": lambda reply: reply,
    "fence": lambda reply: f"```json\n{reply}\n```",
    "prose": lambda reply: f"Here is the JSON you asked for:\n\n{reply}\n\nI hope this helps!",
    "think": lambda reply: f'<think>請假？{{"intent": "other"}}</think>{reply}',
    "unclosed": lambda reply: reply.rstrip().removesuffix("}"),
    "single_quotes": lambda reply: reply.replace('"', "'"),
    "empty": lambda _: "",
    "refusal": lambda _: "I cannot provide information on that.",
    "list": lambda reply: f"[{reply}]",
    "brackets": lambda _: "[" * 100_000,
    "cut": _fails(ModelError("fake: answer not finished (length)")),
    "down": _fails(ModelUnavailable("fake: not reachable")),
}


class FakeLLM:
    """Gives the replies in order (an exception is raised), each spoilt by the mistake of the same place.

    After the last reply it answers NOTHING. `calls` keeps what it was asked.
    """

    name = "fake"

    def __init__(self, replies: Iterable[str | Exception] = (), mistakes: Iterable[str] = ()) -> None:
        self._replies = iter(tuple(replies))
        self._mistakes = iter(tuple(mistakes))
        self.calls: list[Call] = []
        self.wrong = ""

    async def complete(self, system: str, user: str, schema: dict[str, object]) -> str:
        """See Llm.complete."""
        self.calls.append(Call(system, user, schema))
        reply = next(self._replies, NOTHING)
        if isinstance(reply, Exception):
            raise reply
        return MISTAKES[next(self._mistakes, "none")](reply)

    async def probe(self) -> str:
        """What `wrong` says."""
        return self.wrong
