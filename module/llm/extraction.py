"""What a model may say about a message: quotations, grounded in the message and in the company."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from string import Template
from typing import Literal

from pydantic import BaseModel, ConfigDict, ValidationInfo, field_validator

from module.llm.text import neutralised, squeezed

FIELDS = ("category", "time", "agent", "memo", "event_date")
INTENTS = ("leave", "question", "other")
WORDS_CHARS = 200
_SAID = {
    "type": "object",
    "properties": {"words": {"type": "string"}, "plain": {"type": "string"}},
    "required": ["words", "plain"],
    "additionalProperties": False,
}
# Flat, closed and all required: an open or optional place is where a small model invents.
SCHEMA: dict[str, object] = {
    "type": "object",
    "properties": {"intent": {"type": "string", "enum": list(INTENTS)}, **dict.fromkeys(FIELDS, _SAID)},
    "required": ["intent", *FIELDS],
    "additionalProperties": False,
}
_DATE = re.compile(
    r"\d{1,4}\s*[-/.年月]\s*\d{1,2}|\d{1,2}\s*[號日]|\d{6,8}"
    r"|[一二三四五六七八九十]{1,3}月[一二三四五六七八九十]{1,3}|[一二三四五六七八九十]{1,3}號"
)
_TITLES = "哥姐姊董總叔伯爺先小"
_DAY = re.compile(r"([今明後昨前])(?:天|日|早|晚)")
_WEEKDAY = re.compile(r"(?:週|周|禮拜|星期)([一二三四五六日天末])")


@dataclass(frozen=True)
class ExtractionContext:
    """What is true around a message; only leave_types, substitutes and today enter the system prompt.

    Attributes:
        substitutes: full names, an English name may follow in parentheses.
        today: with weekday, e.g. 2026-11-30（週一）.
        reading: what the rules read so far, in words.
        leftover: the part of the message that the rules left over.
    """

    leave_types: list[str]
    substitutes: list[str]
    today: str
    reading: str = ""
    leftover: str = ""


class Said(BaseModel):
    """Words of the message, verbatim, and the same in plain leave language (may be empty)."""

    model_config = ConfigDict(frozen=True)
    words: str
    plain: str = ""


class Extraction(BaseModel):
    """A model's reading of a message. Validate with context `{"text": message, "context": ExtractionContext}`.

    A field whose words do not stand in the message is None; so is every field when the context is missing.
    """

    model_config = ConfigDict(frozen=True)
    intent: Literal["leave", "question", "other"]
    category: Said | None = None
    time: Said | None = None
    agent: Said | None = None
    memo: Said | None = None
    event_date: Said | None = None

    @field_validator("intent", mode="before")
    @classmethod
    def _one_intent(cls, value: object) -> object:
        first = value[0] if isinstance(value, list) and value else value
        name = str(first).strip().lower()
        if name.isalpha() and name not in INTENTS:
            return "question" if name in ("handbook", "policy", "balance") else "other"
        return name

    @field_validator(*FIELDS, mode="before")
    @classmethod
    def _grounded(cls, value: object, info: ValidationInfo) -> object:
        around: Mapping[str, object] = info.context or {}
        text, context = squeezed(str(around.get("text", ""))), around.get("context")
        words, plain = _words_and_plain(value)
        if not squeezed(words) or squeezed(words) not in text or len(words) > WORDS_CHARS:
            return None
        names = context if isinstance(context, ExtractionContext) else ExtractionContext([], [], "")
        return {"words": words, "plain": _supported(info.field_name or "", words, plain, text, names)}


def _words_and_plain(value: object) -> tuple[str, str]:
    """Both texts, whatever shape the model chose."""
    match value:
        case str():
            return neutralised(value).strip(), ""
        case [first, *_]:
            return _words_and_plain(first)
        case {"words": str(words), **rest}:
            plain = rest.get("plain")
            return neutralised(words).strip(), neutralised(plain).strip() if isinstance(plain, str) else ""
    return "", ""


def _supported(field: str, words: str, plain: str, text: str, context: ExtractionContext) -> str:
    """`plain` where the message or the company supports it, else empty."""
    if field == "category":
        return plain if plain in context.leave_types else ""
    if field == "agent":
        return plain if any(_names(plain, words, person) for person in context.substitutes) else ""
    if len(plain) > WORDS_CHARS or any(squeezed(date) not in text for date in _DATE.findall(plain)):
        return ""
    said = text.replace("天", "日")
    if any(day not in text for day in _DAY.findall(plain)) and not re.search("[a-z]{3}", text):
        return ""
    invented = (day for day in _WEEKDAY.findall(plain) if day.replace("天", "日") not in said)
    return "" if any(invented) and not re.search("[a-z]{3}", text) else plain


def _names(plain: str, words: str, person: str) -> bool:
    """Whether plain is that person's name and the quoted words hold a part of it: two characters, or 小陳, 陳姐."""
    name = re.split(r"[\s(（]", person, maxsplit=1)[0]
    parts = [name[at : at + 2] for at in range(max(1, len(name) - 1))]
    parts += [short for one in name for short in (f"小{one}", f"阿{one}", *(one + title for title in _TITLES))]
    parts += [part.casefold() for part in re.findall(r"[A-Za-z]{2,}", person)]
    return bool(plain) and plain in (name, person) and any(part in words.casefold() for part in parts)


def prompt(context: ExtractionContext, model_set: str = "llama3") -> str:
    """The system prompt: fixed text with places filled from the company's data. A missing place raises KeyError."""
    return _template(model_set).substitute(
        today=context.today,
        leave_types="、".join(context.leave_types) or "（無）",
        substitutes="、".join(context.substitutes) or "（無）",
    )


@cache
def _template(model_set: str) -> Template:
    return Template((resources.files("module.words") / "prompts" / f"{model_set}.txt").read_text(encoding="utf-8"))
