"""The rule engine: rows of (name, kind, pattern, meaning); the longest match wins."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from module.understand.starts import starts

Meaning = Callable[[re.Match[str]], Any]


@dataclass(frozen=True)
class Rule:
    """One row: a unique name, the kind of token, a pattern over folded text, and what a match means.

    Patterns have bounded repeats and no nested quantifiers, so that a scan is linear in the text.
    """

    name: str
    kind: str
    pattern: str
    meaning: Meaning

    @cached_property
    def compiled(self) -> re.Pattern[str]:
        """The pattern, compiled at first use."""
        return re.compile(self.pattern)

    @cached_property
    def starts(self) -> frozenset[str] | None:
        """The characters a match can begin with, None for any."""
        return starts(self.pattern)


@dataclass(frozen=True)
class Token:
    """A piece of text that one rule read."""

    kind: str
    value: Any
    start: int
    end: int
    words: str
    rule: str


class Rules(tuple[Rule, ...]):
    """Rows that are scanned together, with an index of the characters that their matches begin with."""

    @cached_property
    def _index(self) -> tuple[dict[str, int], int]:
        """For each character the rows that can begin with it, as bits; and those that can begin with any."""
        by_char: dict[str, int] = {}
        anywhere = 0
        for bit, rule in enumerate(self):
            if rule.starts is None:
                anywhere |= 1 << bit
            for char in rule.starts or ():
                by_char[char] = by_char.get(char, 0) | 1 << bit
        return by_char, anywhere

    def likely(self, text: str) -> Iterator[tuple[int, Rule]]:
        """The rows that can match somewhere in the text, with their places, in order."""
        by_char, bits = self._index
        chars = set(text)
        if not text.isascii() and any(char.isdecimal() for char in chars):
            chars.add("0")  # it stands for the digits of other scripts
        for char in chars:
            bits |= by_char.get(char, 0)
        while bits:
            lowest = bits & -bits
            order = lowest.bit_length() - 1
            yield order, self[order]
            bits ^= lowest


def scan(text: str, rules: Iterable[Rule]) -> list[Token]:
    """All tokens of the text, left to right, none overlapping: the longest match first, then the earlier row."""
    rows = rules if isinstance(rules, Rules) else Rules(rules)
    candidates = [
        (match.start(), match.end(), order, rule, match)
        for order, rule in rows.likely(text)
        for match in rule.compiled.finditer(text)
        if match.end() > match.start()
    ]
    if not candidates:
        return []
    candidates.sort(key=lambda c: (c[0] - c[1], c[2], c[0]))
    taken = bytearray(len(text))
    tokens = []
    for start, end, _, rule, match in candidates:
        if any(taken[start:end]):
            continue
        value = rule.meaning(match)
        if value is None:
            continue
        taken[start:end] = b"\x01" * (end - start)
        tokens.append(Token(rule.kind, value, start, end, text[start:end], rule.name))
    return sorted(tokens, key=lambda token: token.start)


def just(value: Any) -> Meaning:
    """A meaning that is the same whatever the words."""
    return lambda _: value
