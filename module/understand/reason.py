"""The reason (memo): what was given as one, or what is left once everything else is taken out (SEMANTICS §7)."""

import re
from dataclasses import dataclass

from module.understand.message import Message
from module.understand.rules import reasons


@dataclass(frozen=True)
class Stated:
    """A reason given as such."""

    text: str | None = None


def stated(message: Message) -> Stated:
    """因為…, 事由:…: up to the end of the sentence, or to the next field."""
    for pattern in reasons.STATED:
        match = pattern.search(message.masked)
        if not match:
            continue
        start, end = match.span("r")
        body = message.masked[start:end]
        if (cut := reasons.NEXT_FIELD.search(body)) or ((cut := reasons.CUT.search(body)) and cut.start() > 1):
            end = start + cut.start()
        text = tidy(message.text[start:end])
        if text:
            message.take("memo", text, match.start(), end, "reason stated")
            return Stated(text)
    return Stated()


def dropped_fields(message: Message) -> tuple[str, ...]:
    """取消事由."""
    match = reasons.DROP.search(message.masked)
    if match:
        message.mask(*match.span())
        return ("memo",)
    return ()


def tidy(text: str) -> str:
    """The reason without politeness, emoji and punctuation at its ends, at most LIMIT characters."""
    previous = None
    while previous != text:
        previous = text
        text = reasons.EDGES.sub("", text)
    return text


def remaining(message: Message, low: int, high: int) -> str | None:
    """The reason in what no reader took, between two places; its pieces joined in order."""
    pieces = []
    for match in re.finditer(r"[^\0,。;!?\n|]{1,400}", message.masked[low:high]):
        start, end = _trim(message.masked, low + match.start(), low + match.end())
        piece = tidy(message.text[start:end])
        folded = reasons.EDGES.sub("", message.masked[start:end])
        if len(folded) < 2 or reasons.FILLER.match(folded) or not re.search(r"[\u3400-\u9fffa-z]", folded):
            continue
        if folded.isascii() and len(folded) < 4:
            continue
        pieces.append(piece)
    text = ",".join(filter(None, pieces)).replace(",", "，")
    return text or None


def _trim(text: str, start: int, end: int) -> tuple[int, int]:
    for _ in range(12):
        match = reasons.PREFIX.match(text[start:end])
        if not match or match.end() == 0:
            break
        start += match.end()
    for _ in range(12):
        match = reasons.SUFFIX.search(text[start:end])
        if not match:
            break
        end = start + match.start()
    return start, end


def leftover(message: Message) -> str:
    """Words that no reader took."""
    return remaining(message, 0, len(message.masked)) or ""
