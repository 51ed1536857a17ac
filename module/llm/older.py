"""Two older forms of reply, read as far as the message supports them: the one-line script and the six keys.

Their times are computed dates, which a model gets wrong too often; only quoted time words are taken.
"""

import re

from module.llm.text import json_object, neutralised, stripped

_SCRIPT = re.compile(r"我要[請请]假\s*\|([^」\n]{1,600})")
_PARTS = (
    ("category", re.compile(r"[請请]假[類类][別别]是([^|」]*)")),
    ("memo", re.compile(r"[請请]假事由是([^|」]*)")),
    ("agent", re.compile(r"代理人是([^|」]*)")),
)
_KEYS = {"startTime", "endTime", "startText", "endText", "createdAt", "createdText", "category", "agent", "memo"}
_INTENT = re.compile(r"\b(leave|handbook|question|other)\b", re.IGNORECASE)
_NO_LEAVE = re.compile(r"WrongFirstTimePrompt|錯誤的首次提問|LeaveFormSubmit")


def extraction_of(reply: str, text: str) -> dict[str, object] | None:
    """A reply of any form in the shape of Extraction, not yet validated; None when it says nothing usable."""
    found = json_object(reply)
    if found is not None and "intent" in found:
        return found
    if found is not None and _KEYS & found.keys():
        return _from_keys(found, text)
    if found is not None:
        return None
    answer = neutralised(stripped(reply))
    if script := _SCRIPT.search(answer):
        return _from_script(script[1], text)
    if _NO_LEAVE.search(answer):
        return {"intent": "other"}
    intents = {name.lower() for name in _INTENT.findall(answer)}
    return {"intent": intents.pop()} if len(intents) == 1 else None


def _from_script(script: str, text: str) -> dict[str, object]:
    parts: dict[str, object] = {"intent": "leave"}
    for field, pattern in _PARTS:
        if value := pattern.search(script):
            parts[field] = _quoted(value[1].strip(), text)
    return parts


def _from_keys(found: dict[str, object], text: str) -> dict[str, object]:
    category = _text(found.get("category"))
    parts: dict[str, object] = {"intent": "other" if category == "無假別" else "leave"}
    for field in ("category", "agent", "memo"):
        parts[field] = _quoted(_text(found.get(field)), text)
    parts["time"] = _between(_text(found.get("startText")), _text(found.get("endText")), text)
    parts["event_date"] = {"words": _text(found.get("createdText")), "plain": ""}
    return parts


def _text(value: object) -> str:
    """The first text inside whatever the model wrapped it in."""
    while isinstance(value, list | dict) and value:
        value = value[0] if isinstance(value, list) else next(iter(value.values()))
    return neutralised(value).strip() if isinstance(value, str) else ""


def _quoted(value: str, text: str) -> dict[str, str]:
    """The longest part of the value, two characters or more, that the message holds; the value itself as plain."""
    message, value = neutralised(text), value[:60]
    for length in range(len(value), 1, -1):
        for start in range(len(value) - length + 1):
            if (part := value[start : start + length]) in message and part.strip() == part:
                return {"words": part, "plain": value}
    return {"words": "", "plain": ""}


def _between(start: str, end: str, text: str) -> dict[str, str]:
    """From the start's words to the end's, as the message has them."""
    message = neutralised(text)
    first, last = message.find(start) if start else -1, message.rfind(end) if end else -1
    if first >= 0 and last >= first:
        return {"words": message[first : max(first + len(start), last + len(end))], "plain": ""}
    return {"words": start if first >= 0 else end if last >= 0 else "", "plain": ""}
