"""The characters that a pattern's match can begin with: a text without them need not be searched."""

import importlib
from typing import Any

_MOST = 300  # characters of a range such as [a-z]; a wider one is taken for any character


def starts(pattern: str) -> frozenset[str] | None:
    """Every character a match can begin with, digits of other scripts as "0"; None: any, or a match may be empty."""
    try:
        parsed = importlib.import_module("re._parser").parse(pattern)
    except ImportError:  # the parser is no public module: without it every text is searched
        return None
    found, empty = _sequence(parsed)
    return None if empty or found is None else frozenset(found)


def _sequence(items: Any) -> tuple[set[str] | None, bool]:
    """First characters of items one after the other, and whether all of them may be empty."""
    found: set[str] = set()
    for operation, argument in items:
        first, empty = _one(str(operation), argument)
        if first is None:
            return None, False
        found |= first
        if not empty:
            return found, False
    return found, True


def _one(operation: str, argument: Any) -> tuple[set[str] | None, bool]:
    if operation == "LITERAL":
        return {chr(argument)}, False
    if operation == "IN":
        return _any_of(argument), False
    if operation == "BRANCH":
        branches = [_sequence(branch) for branch in argument[1]]
        if any(first is None for first, _ in branches):
            return None, False
        return set().union(*(first for first, _ in branches if first)), any(empty for _, empty in branches)
    if operation == "SUBPATTERN":
        return _sequence(argument[-1])
    if operation in ("MAX_REPEAT", "MIN_REPEAT"):
        first, empty = _sequence(argument[2])
        return first, empty or argument[0] == 0
    if operation in ("AT", "ASSERT", "ASSERT_NOT"):  # they take no character
        return set(), True
    return None, False


def _any_of(items: Any) -> set[str] | None:
    found: set[str] = set()
    for operation, argument in items:
        if str(operation) == "LITERAL":
            found.add(chr(argument))
        elif str(operation) == "RANGE" and argument[1] - argument[0] < _MOST:
            found |= {chr(code) for code in range(argument[0], argument[1] + 1)}
        elif str(argument) == "CATEGORY_DIGIT":
            found |= set("0123456789")
        else:
            return None
    return found
