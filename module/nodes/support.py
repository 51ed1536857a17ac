"""Whether the employee's own words support what a model says about them: patterns, kept as data in module/words."""

import re
import tomllib
from functools import cache
from importlib.resources import files

from module.llm.extraction import Extraction, Said


@cache
def _table() -> dict[str, dict[str, re.Pattern[str]]]:
    read = tomllib.loads(files("module.words").joinpath("support.toml").read_text(encoding="utf-8"))
    return {part: {key: re.compile(text, re.IGNORECASE) for key, text in rows.items()} for part, rows in read.items()}


def supports(part: str, words: str) -> bool:
    """Whether the words hold anything that speaks of that part: leave, time, agent or event_date."""
    return bool(_table()[part]["pattern"].search(words))


def supports_type(category: str, words: str) -> bool:
    """Whether the words speak of that leave type; a type of the company's own only when its name is in them."""
    keys = [pattern for key, pattern in _table()["category"].items() if key in category]
    return any(pattern.search(words) for pattern in keys) or category.removesuffix("假") in words


def supported(said: Extraction, text: str) -> Extraction:
    """The model's reading without what the employee's words do not support."""
    category, agent = said.category, said.agent
    return said.model_copy(
        update={
            "time": _kept(said.time, "time"),
            "event_date": _kept(said.event_date, "event_date"),
            "category": category if category and supports_type(category.plain or category.words, category.words) else None,
            "agent": agent if agent and supports("agent", text) else None,
        }
    )


def _kept(said: Said | None, part: str) -> Said | None:
    return said if said and supports(part, said.words) else None
