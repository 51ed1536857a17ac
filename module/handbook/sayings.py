"""What people say and what the handbook calls it (module/words/sayings.toml and lexicon.toml)."""

import re
import tomllib
import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from importlib.resources import files
from itertools import chain
from pathlib import Path
from typing import Any

from model.errors import ConfigError

_SECTIONS = ("ignore", "topics", "subjects", "weak", "concepts")
GAP, OR = "…", "|"
_LOOSE = re.compile(r"[…|]")


def flat(text: str) -> str:
    """NFKC, lower case, without white space between Chinese characters: how texts are compared here."""
    return re.sub(r"(?<![a-z0-9])\s+|\s+(?![a-z0-9])", "", unicodedata.normalize("NFKC", text).casefold())


@dataclass(frozen=True)
class Sayings:
    """Ways to say a thing, by the thing.

    Attributes:
        ignore: words that mean nothing in a question.
        topics: things that a passage must name when a question does.
        concepts: things that help to find a passage.
        subjects: concepts that a question may be about; the next question keeps them when it names none.
        weak: concepts so common that they alone show nothing.
    """

    ignore: tuple[str, ...] = ()
    topics: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    concepts: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    subjects: frozenset[str] = frozenset()
    weak: frozenset[str] = frozenset()

    def found(self, text: str) -> set[str]:
        """The concepts and topics of a flat text; a way inside a longer way of another one does not count."""
        ways = [(way, name) for way, name in self._plain if way in text]
        spans = [(*match.span(), name) for way, name in ways for match in re.finditer(re.escape(way), text)]
        whole = {
            name for first, last, name in spans
            if not any(a <= first and last <= b and b - a > last - first and other != name for a, b, other in spans)
        }  # fmt: skip
        return whole | {name for pattern, name in self._patterns if pattern.search(text)}

    def content(self, text: str) -> str:
        """A flat question with blanks for what means nothing."""
        return self._ignored.sub(" ", text)

    @cached_property
    def _ways(self) -> list[tuple[str, str]]:
        both = (*self.topics.items(), *self.concepts.items())
        return [(GAP.join(map(flat, way.split(GAP))), name) for name, ways in both for way in ways]

    @cached_property
    def _plain(self) -> list[tuple[str, str]]:
        return [(way, name) for way, name in self._ways if not _LOOSE.search(way) and not way.isascii()]

    @cached_property
    def _patterns(self) -> list[tuple[re.Pattern[str], str]]:
        gap, found = r"[^，。？！,?!;；]{0,6}?", []
        for way, name in self._ways:
            if _LOOSE.search(way):
                pieces = ("|".join(map(re.escape, piece.split(OR))) for piece in way.split(GAP))
                found.append((re.compile(gap.join(f"(?:{piece})" for piece in pieces)), name))
            elif way.isascii():
                found.append((re.compile(rf"(?<![a-z0-9]){re.escape(way)}(?![a-z0-9])"), name))
        return found

    @cached_property
    def _ignored(self) -> re.Pattern[str]:
        return re.compile("|".join(map(re.escape, sorted(map(flat, self.ignore), key=len, reverse=True))) or r"(?!)")


def read(folder: Path | None = None) -> Sayings:
    """The shipped sayings, and those of the folder's own `sayings.toml`. Raises ConfigError naming file and place."""
    words = files("module.words")
    tables = [_table(words.joinpath("sayings.toml").read_text(encoding="utf-8"), "sayings.toml")]
    own = folder / "sayings.toml" if folder else None
    if own and own.is_file():
        tables.append(_table(own.read_text(encoding="utf-8"), str(own)))
    merged: dict[str, dict[str, tuple[str, ...]]] = {section: {} for section in _SECTIONS}
    for table in tables:
        for section, things in table.items():
            for name, ways in things.items():
                merged[section][name] = merged[section].get(name, ()) + ways
    lexicon = tomllib.loads(words.joinpath("lexicon.toml").read_text(encoding="utf-8"))
    _add_types(merged, lexicon)
    ignore, subjects, weak = (tuple(chain(*merged[name].values())) for name in ("ignore", "subjects", "weak"))
    return Sayings(ignore, merged["topics"], merged["concepts"], frozenset(subjects), frozenset(weak))


def _add_types(merged: dict[str, dict[str, tuple[str, ...]]], lexicon: Mapping[str, Any]) -> None:
    """Leave types and their synonyms, unless a table above knows the word already."""
    known = {way for section in ("topics", "concepts") for ways in merged[section].values() for way in ways}
    for name, ways in lexicon.get("synonyms", {}).items():
        new = tuple(way for way in (name, *ways) if way not in known)
        if new:
            merged["concepts"][name] = merged["concepts"].get(name, ()) + new
    said = Sayings(topics=merged["topics"], concepts=merged["concepts"])
    for name in lexicon.get("other", {}).get("names", ()):
        if not said.found(flat(name)):
            merged["topics"][name] = (name,)


def _table(text: str, where: str) -> dict[str, dict[str, tuple[str, ...]]]:
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{where}：格式不對（{error}）") from error
    for section, things in data.items():
        if section not in _SECTIONS or not isinstance(things, dict):
            raise ConfigError(f"{where} [{section}]：不認得，可用的段落是 {'、'.join(_SECTIONS)}")
        for name, ways in things.items():
            if not isinstance(ways, list) or not all(isinstance(way, str) and flat(way) for way in ways):
                raise ConfigError(f'{where} [{section}] {name}：右邊要是文字的清單，例如 ["年假", "特休"]')
    return {section: {name: tuple(ways) for name, ways in things.items()} for section, things in data.items()}
