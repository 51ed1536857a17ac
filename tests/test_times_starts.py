"""Leaving out rows that cannot match changes nothing that is read."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from module.understand.rule import Rule, Token, scan
from module.understand.rules import clock, days, kinds, kinship
from module.understand.starts import starts
from module.understand.times import RULES

GROUPS = {
    "raw": RULES,
    "leave": (*days.NOT_DAYS, *days.DAYS, *clock.TIMES),
    "kinds": kinds.SENTENCE,
    "kin": kinship.KIN,
}
CHARS = "".join(
    sorted({char for rules in GROUPS.values() for rule in rules for char in rule.pattern if char.isalnum()})
)


def searched(text: str, rules: tuple[Rule, ...]) -> list[Token]:
    """What is read when every row is searched."""
    everywhere = [Rule(rule.name, rule.kind, rule.pattern, rule.meaning) for rule in rules]
    for copy, rule in zip(everywhere, rules, strict=True):
        vars(copy).update(starts=None, compiled=rule.compiled)
    return scan(text, everywhere)


@pytest.mark.parametrize("group", GROUPS)
@settings(max_examples=60, deadline=None)
@given(text=st.text(st.sampled_from(CHARS + " :/-.~,·()٣３①"), max_size=40) | st.text(max_size=30))
@example(text="٣天後下午٣點")
@example(text="")
def test_the_same_is_read_as_when_every_row_is_searched(group: str, text: str) -> None:
    rules = GROUPS[group]
    # A meaning may be a new object each time: what is compared is where which row matched.
    kept, everything = scan(text, rules), searched(text, rules)
    assert [(t.start, t.end, t.rule) for t in kept] == [(t.start, t.end, t.rule) for t in everything]


@pytest.mark.parametrize(
    ("pattern", "first"),
    [
        (r"今天|明日", "今明"), (r"(?<![\d/])1[0-2]?月", "1"), (r"(?:a|b)?c", "abc"), (r"[a-c]x*", "abc"), (r"(?=x)y", "y"),
        (r"\d{1,2}點", "0123456789"), (r"\s?到", None), (r"[^x]y", None), (r"x*", None), (r"[一-龥]", None), (r".", None), ("", None),
    ],
)  # fmt: skip
def test_the_first_characters_of_a_pattern(pattern: str, first: str | None) -> None:
    assert starts(pattern) == (None if first is None else frozenset(first))
