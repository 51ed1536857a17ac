"""Clock times as said, and what hour they mean (SEMANTICS §4)."""

import re
from dataclasses import dataclass

from module.understand.numbers import number


@dataclass(frozen=True)
class Clock:
    """Hour and minute as said. part: am, pm, evening, dawn or empty; literal: written so that it can mean one hour only."""

    hour: int
    minute: int = 0
    part: str = ""
    literal: bool = False

    @property
    def possible(self) -> bool:
        """Whether a clock can show it."""
        return self.minute < 60 and (self.hour < 24 or (self.hour == 24 and self.minute == 0))

    def minutes(self, part: str = "") -> int:
        """Minutes after midnight; a part of day said beside it decides, otherwise 1–6 are the afternoon."""
        part, hour = self.part or part, self.hour
        if (part == "pm" and hour < 12) or (part == "evening" and 4 <= hour <= 12):
            hour += 12
        elif part in ("am", "dawn") and hour == 12:
            hour = 0 if part == "dawn" else 12
        elif not part and not self.literal and 1 <= hour <= 6:
            hour += 12
        return hour * 60 + self.minute


@dataclass(frozen=True)
class Length:
    """A length: working days, or minutes of working time."""

    days: int | None = None
    minutes: int | None = None


@dataclass(frozen=True)
class Edge:
    """Leaving early or arriving late by so many minutes."""

    kind: str
    minutes: int


def at_clock(match: re.Match[str]) -> Clock | None:
    """Groups h, m?, p?: a clock time; a leading zero is meant as written."""
    groups = match.groupdict()
    hour, minute = number(groups["h"]), number(groups.get("m")) or 0
    if hour is None:
        return None
    part = (groups.get("p") or "").replace(".", "")
    return Clock(hour, minute, part, literal=groups["h"].startswith("0") or hour > 12)


def hours(match: re.Match[str]) -> Length | None:
    """Group n: so many hours; half adds thirty minutes."""
    n = number(match["n"])
    half = 30 if match.groupdict().get("half") else 0
    return None if n is None else Length(minutes=n * 60 + half)


def edge_minutes(match: re.Match[str]) -> int:
    """Groups n and half: how long before closing, or after opening."""
    whole = 30 if match["n"] == "半" else (number(match["n"]) or 0) * 60
    return whole + (30 if match["half"] else 0)
