"""Tokens of the raw reading put together: a day with its part of day and clock, an amount with what it counts from."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from module.understand.days import Day
from module.understand.hours import Amount, At
from module.understand.periods import DATE, Unit, of_day
from module.understand.rule import Token

_NEAR = re.compile(r"[\s的在於那()\[\]T]{0,4}")
_PLUS = re.compile(r"\s?[又零加,]?\s?")
_SAME_SENTENCE = re.compile(r"[^。;!?\n]{0,12}")


@dataclass
class Moment:
    """One point or stretch as said: units from wide to narrow, then part of day and clock; how it joins what stood before."""

    end: int
    join: str = ""
    units: list[Unit] = field(default_factory=list)
    again: list[Unit] = field(default_factory=list)
    part: str = ""
    at: At | None = None
    now: bool = False
    amount: Amount | None = None
    shift: int = 0
    left: bool = False
    minute: int | None = None
    after: bool = False
    before: bool = False

    @property
    def timed(self) -> bool:
        """Whether a part of day or a clock time was said."""
        return bool(self.at or self.part)


def put_together(text: str, tokens: list[Token]) -> list[Moment] | None:
    """Tokens put together; None for one that repeats (每週三): it is no time."""
    found: list[Moment] = []
    join, coming = "", ""
    joined_at = 0
    for token in tokens:
        here = found[-1] if found else None
        gap = text[max(here.end, joined_at) : token.start] if here else ""
        near = here is not None and bool(_NEAR.fullmatch(gap))
        if token.kind == "repeat":
            return None
        if token.kind == "join":
            join, joined_at = (str(token.value), token.end) if near else ("", 0)
        elif token.kind in ("coming", "left"):
            coming = token.kind
        elif token.kind == "between":
            _between(found)
        elif token.kind in ("after", "before"):
            _open(here, token, gap)
        elif token.kind in _PUT:
            if here and near and join in ("", "comma") and _again(here, token):
                here.again.append(_unit(token))
                here.end, join, joined_at = token.end, "", 0
                continue
            join = "and" if join == "comma" else join
            if here is None or not _takes(here, token, near, gap, join):
                here = Moment(token.start, join if near else "")
                if near and not join:
                    here.join = "beside"
                found.append(here)
            _PUT[token.kind](here, token)
            here.end = token.end
            if token.kind == "amount" and coming:
                here.shift, here.left = (1, False) if coming == "coming" else (0, True)
            join, coming, joined_at = "", "", 0
    return found


def _takes(here: Moment, token: Token, near: bool, gap: str, join: str) -> bool:
    """Whether the token belongs to this moment."""
    if join:
        return False
    if token.kind == "amount":
        if here.amount:
            return here.shift == 0 and bool(_PLUS.fullmatch(gap))
        return near and here.shift == 0 and not here.timed
    if token.kind in ("unit", "day", "whole"):
        if not near:
            return False
        if not here.units:
            return here.timed and token.kind != "whole"
        within = _unit(token).within
        return (
            not here.timed
            and here.units[-1].level in within
            and (here.units[-1].level != DATE or gap == "的" or _steps(token))
        )
    if token.kind == "now" or here.at or here.now:
        return False
    if token.kind in ("part", "noon") and here.part:
        return False
    return near or (bool(here.units) and not here.timed and bool(_SAME_SENTENCE.fullmatch(gap)))


def _again(here: Moment, token: Token) -> bool:
    """Whether a date and its weekday are named side by side."""
    if token.kind not in ("unit", "day") or not here.units or here.timed or here.again:
        return False
    first, other = here.units[-1].said, _unit(token).said
    return bool(first and other) and {first.kind, other.kind} in ({"weekday", "date"}, {"weekday", "dom"})  # type: ignore[union-attr]


def _steps(token: Token) -> bool:
    """Whether the unit counts from the day named before it even without 的 (聖誕節前一天)."""
    return token.kind == "unit" or (isinstance(token.value, Day) and token.value.kind == "next")


def _unit(token: Token) -> Unit:
    if isinstance(token.value, Unit):
        return token.value
    return of_day(token.value if isinstance(token.value, Day) else Day("offset"))


def _put_part(moment: Moment, token: Token) -> None:
    moment.part = "noon" if token.kind == "noon" else str(token.value)


def _put_clock(moment: Moment, token: Token) -> None:
    value = token.value
    moment.at = (
        value if isinstance(value, At) else At(value) if isinstance(value, int) else At(value.hour, value.minute)
    )
    if not isinstance(value, (At, int)) and value.part:
        moment.part = moment.part or value.part


def _put_amount(moment: Moment, token: Token) -> None:
    moment.amount = moment.amount + token.value if moment.amount else token.value


def _put_past_hour(moment: Moment, _: Token) -> None:
    moment.amount, moment.left = Amount(seconds=-3600), True


_PUT: dict[str, Callable[[Moment, Token], None]] = {
    "unit": lambda moment, token: moment.units.append(_unit(token)),
    "day": lambda moment, token: moment.units.append(_unit(token)),
    "whole": lambda moment, token: moment.units.append(_unit(token)),
    "part": _put_part,
    "noon": _put_part,
    "clock": _put_clock,
    "about": _put_clock,
    "bare": _put_clock,
    "minute": lambda moment, token: setattr(moment, "minute", token.value),
    "now": lambda moment, token: setattr(moment, "now", True),
    "past_hour": _put_past_hour,
    "amount": _put_amount,
}


def _between(found: list[Moment]) -> None:
    if len(found) > 1 and found[-1].join == "and":
        found[-1].join = "to"


def _open(here: Moment | None, token: Token, gap: str) -> None:
    if here is None or gap:
        return
    if here.amount and not here.shift and not here.left:
        here.shift = int(token.value)
    else:
        setattr(here, token.kind, True)
    here.end = token.end
