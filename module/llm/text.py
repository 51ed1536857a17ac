"""Text on its way to a model and back: dead template tokens, markers, and JSON out of a reply."""

import re
import unicodedata

from json_repair import repair_json

OPENING, CLOSING = "<<<訊息", "訊息>>>"
REPLY_CHARS = 8000
_DEEP = 32
_TOKENS = re.compile(
    r"<\|[^<>|]{0,60}\|>|\[/?(?:INST|AVAILABLE_TOOLS|TOOL_CALLS)\]|<<?/?SYS>>?|</?s>|</?think(?:ing)?>"
    r"|</?(?:start|end)_of_turn>|<[/]?(?:bos|eos|unk|pad)>",
    re.IGNORECASE,
)
_PIECES = re.compile(r"<\||\|>|<<<|>>>")
_THOUGHT = re.compile(r"<think(?:ing)?>.*?</think(?:ing)?>", re.DOTALL | re.IGNORECASE)
_FENCE = re.compile(r"```[a-zA-Z]*")


def neutralised(text: str) -> str:
    """The text in NFKC without control characters, and with every chat-template token turned into a blank.

    NFKC comes first: it can make a token out of full-width characters.
    """
    flat = unicodedata.normalize("NFKC", text)
    visible = "".join(c for c in flat if c == "\n" or unicodedata.category(c) not in ("Cc", "Cf", "Cs", "Co", "Cn"))
    return _PIECES.sub(" ", _TOKENS.sub(" ", visible))


def marked(text: str) -> str:
    """The user's message as the model gets it: neutralised, between markers."""
    return f"{OPENING}\n{neutralised(text)}\n{CLOSING}"


def squeezed(text: str) -> str:
    """NFKC without any white space: how quotations are compared."""
    return "".join(neutralised(text).split()).casefold()


def stripped(reply: str) -> str:
    """A reply without thoughts, code fences and whatever follows a template token."""
    answer = _FENCE.sub("", _THOUGHT.sub("", reply[:REPLY_CHARS])).strip()
    return re.split(r"<\|", answer, maxsplit=1)[0].strip() or answer


def json_object(reply: str) -> dict[str, object] | None:
    """The first JSON object of a reply, repaired where it is broken; None where there is none."""
    answer = stripped(reply)
    start = answer.find("{")
    if start < 0 or answer[:start].count("[") > _DEEP or _depth(answer) > _DEEP:
        return None
    try:
        found = repair_json(answer[start:], return_objects=True)
    except (ValueError, RecursionError):
        return None
    if isinstance(found, list):
        found = next((part for part in found if isinstance(part, dict)), None)
    return {str(key): value for key, value in found.items()} if isinstance(found, dict) else None


def _depth(text: str) -> int:
    deepest = depth = 0
    for character in text:
        depth += (character in "{[") - (character in "}]")
        deepest = max(deepest, depth)
    return deepest
