"""Clock times and amounts of the raw reading: as they stand, before any working day makes an afternoon of 三點."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from module.understand.days import Day
from module.understand.numbers import DIGITS, number
from module.understand.periods import Unit, of_day

DAY_SECONDS = 86400.0
# Where a part of day begins and ends, in minutes after midnight.
PARTS = {
    "dawn": (0, 360), "early": (300, 540), "am": (360, 720), "noon": (720, 780), "pm": (780, 1080), "evening": (1080, 1440),
}  # fmt: skip


@dataclass(frozen=True)
class At:
    """A clock time as said; `part` if it was said in the same words (3pm); `until` is the hour after a choice (七八點)."""

    hour: int
    minute: int = 0
    second: int = 0
    part: str = ""
    until: int | None = None

    @property
    def possible(self) -> bool:
        """Whether a clock can show it."""
        return (self.minute < 60 and self.second < 60 and self.hour < 24) or (self.hour, self.minute, self.second) == (
            24,
            0,
            0,
        )

    def seconds(self, part: str = "") -> int:
        """Seconds after midnight; the night's small hours belong to the day after (晚上12點)."""
        return hour_in(self.part or part, self.hour) * 3600 + self.minute * 60 + self.second


def hour_in(part: str, hour: int) -> int:
    """The hour of 24, or past them, that the clock shows in that part of the day."""
    if (part == "pm" and hour < 12) or (part == "noon" and 1 <= hour <= 5) or (part == "evening" and 4 <= hour <= 12):
        return hour + 12
    if part == "evening" and hour < 4:
        return hour + 24
    return 0 if part in ("dawn", "early") and hour == 12 else hour


@dataclass(frozen=True)
class Amount:
    """A length of time: months (of thirty days where only the length counts), days, seconds."""

    months: int = 0
    days: int = 0
    seconds: float = 0.0

    @property
    def total(self) -> float:
        """All of it in seconds."""
        return (self.months * 30 + self.days) * DAY_SECONDS + self.seconds

    def __add__(self, other: "Amount") -> "Amount":
        return Amount(self.months + other.months, self.days + other.days, self.seconds + other.seconds)


def clock_said(match: re.Match[str]) -> At | None:
    """Groups h, m?, s?, half?, q? (quarters), p? (am or pm)."""
    said = {name: words for name, words in match.groupdict().items() if words}
    hour, minute = number(said.get("h")), number(said.get("m")) or 0
    if hour is None:
        return None
    if "half" in said:
        minute = 30
    elif "q" in said:
        minute = {"一": 15, "三": 45}[said["q"]]
    part = (said.get("p") or said.get("p2") or "")[:1]
    return At(hour, minute, number(said.get("s")) or 0, {"a": "am", "p": "pm"}.get(part, ""))


def about(match: re.Match[str]) -> At | None:
    """Groups h and h2, one after the other (七八點): from the first hour to the end of the second."""
    first, second = number(match["h"]), number(match["h2"])
    return At(first, until=second + 1) if first and second == first + 1 else None


def date_said(match: re.Match[str]) -> Unit | None:
    """Groups y?, m and d."""
    groups = match.groupdict()
    return of_day(Day("date", year=number(groups.get("y")), month=number(groups["m"]), day=number(groups["d"])))


def amount(months: int = 0, days: int = 0, seconds: float = 0.0) -> Callable[[re.Match[str]], Amount | None]:
    """Group n times the unit; half and half2 add a half of it. Parts of a month are counted in days of thirty."""

    def make(match: re.Match[str]) -> Amount | None:
        groups = match.groupdict()
        n = quantity(groups.get("n")) if groups.get("n") else 1.0  # 個半小時 is one and a half
        if n is None:
            return None
        n += 0.5 * bool(groups.get("half") or groups.get("half2"))
        whole, rest = int(n), n - int(n)
        if months:
            return Amount(months=int(n * months), days=round(n * months % 1 * 30))
        if days:
            return Amount(days=whole * days, seconds=rest * days * DAY_SECONDS)
        return Amount(seconds=n * seconds)

    return make


def quantity(words: str | None) -> float | None:
    """3, 1.5, 半, 一點五, 一百三十, 倆."""
    if not words:
        return None
    if words == "半":
        return 0.5
    words = words.replace("倆", "兩")
    whole, point, decimals = words.partition("." if "." in words else "點")
    n = number(whole)
    if n is None or not point:
        return n
    return float(f"{n}." + "".join(str(DIGITS.get(char, char)) for char in decimals))
