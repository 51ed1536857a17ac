"""A model that says what it is told to, for tests and for showing what happens when a model errs."""

import asyncio
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from model.errors import ModelError, ModelUnavailable
from module.llm.lies import LIES

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
    "html": lambda _: "<html><body>502 Bad Gateway</body></html>",
    "megabyte": lambda reply: "哈" * 1_000_000,
    "repetition": lambda reply: '{"intent": "leave", "memo": "' + "休假" * 4000,
    "echo": lambda reply: "你是請假助理的讀句員。只回一個 JSON 物件。",
    "tokens": lambda reply: f"<|start_header_id|>assistant<|end_header_id|>{reply}<|eot_id|>user",
    "comments": lambda reply: reply.replace("{", "{ // the answer\n", 1),
    "trailing_commas": lambda reply: reply.replace("}", ",}"),
    "nulls": lambda _: '{"intent": null, "time": null, "memo": NaN}',
    "twice": lambda reply: f"{reply}\n{reply}",
    "down": _fails(ModelUnavailable("fake: not reachable")),
}


class FakeLLM:
    """Gives the replies in order (an exception is raised), each spoilt by the mistake of the same place.

    After the last reply it answers NOTHING, after the last mistake it makes the one named `always`. A mistake is one of
    MISTAKES, one of LIES (which replace the reply), or hang. `calls` keeps what it was asked.
    """

    name = "fake"

    def __init__(
        self, replies: Iterable[str | Exception] = (), mistakes: Iterable[str] = (), always: str = "none"
    ) -> None:
        self._replies = iter(tuple(replies))
        self._mistakes, self._always = iter(tuple(mistakes)), always
        self.calls: list[Call] = []
        self.wrong = ""

    async def complete(self, system: str, user: str, schema: dict[str, object]) -> str:
        """See Llm.complete."""
        self.calls.append(Call(system, user, schema))
        reply = next(self._replies, NOTHING)
        if isinstance(reply, Exception):
            raise reply
        mistake = next(self._mistakes, self._always)
        if mistake == "hang":
            await asyncio.sleep(3600)
        return LIES[mistake](system, user) if mistake in LIES else MISTAKES[mistake](reply)

    async def probe(self) -> str:
        """What `wrong` says."""
        return self.wrong
