"""Feasts and the moon's calendar for the raw reading: the next such day from today, or that of the year named."""

import re
from collections.abc import Callable
from datetime import date

from model.worktime import DAY
from module.understand.days import FIXED, LUNAR, Reference, festival
from module.understand.moon import moon, solar_term
from module.understand.numbers import number
from module.understand.periods import DATE, MONTH, YEAR, Stretch, Unit, one_day


def next_one(on: Callable[[int], date | None], ref: Reference, scope: Stretch | None) -> Stretch | None:
    """The day in the year named, else the next one from today (or after the day before it)."""
    if scope:
        return one_day(on(scope.first.year))
    start = ref.before or ref.today
    days = (on(year) for year in range(start.year - 1, start.year + 4))
    return one_day(next((day for day in days if day and day >= start), None))


def feast(name: str) -> Callable[[re.Match[str]], Unit]:
    """A feast by its name: fixed, lunar, the n-th weekday of a month, or a solar term."""

    def find(ref: Reference, scope: Stretch | None) -> Stretch | None:
        found = next_one(lambda year: feast_day(name, year), ref, scope)
        if scope and found and name in YEAR_END and scope.first.year == ref.today.year and found.after <= ref.today:
            return one_day(
                feast_day(name, scope.first.year + 1)
            )  # 今年 is the farmers' year, and its end is still to come
        return found

    return lambda _: Unit(DATE, find, (YEAR,))


YEAR_END = frozenset({"除夕", "臘八", "小寒", "大寒"})
NTH_WEEKDAY = {"母親節": (5, 2, 7), "感恩節": (11, 4, 4)}  # month, which one, weekday
MORE_FIXED = {"雙十一": (11, 11), "青年節": (3, 29), "植樹節": (3, 12), "軍人節": (9, 3)}


def feast_day(name: str, year: int) -> date | None:
    """The feast's day in that year."""
    if name in MORE_FIXED:
        return date(year, *MORE_FIXED[name])
    if name in NTH_WEEKDAY:
        month, n, weekday = NTH_WEEKDAY[name]
        first = date(year, month, 1)
        return first + ((weekday - first.isoweekday()) % 7 + 7 * (n - 1)) * DAY
    if name in FIXED or name in LUNAR or name in ("清明", "除夕"):
        return festival(name, year)
    return solar_term(name, year)


def lunar_day(match: re.Match[str]) -> Unit | None:
    """Groups y?, leap?, m and d: a day of the moon's calendar."""
    month, day = lunar_month_number(match["m"]), number(match["d"].replace("初", "")) or 0
    if not 1 <= month <= 12 or not 1 <= day <= 30:
        return None
    said, leap = number(match.groupdict().get("y")), -1 if match["leap"] else 1

    def find(ref: Reference, scope: Stretch | None) -> Stretch | None:
        if said:
            return one_day(moon(said, leap * month, day))
        return next_one(lambda year: moon(year, leap * month, day), ref, scope)

    return Unit(DATE, find, () if said else (YEAR,))


def lunar_month(match: re.Match[str]) -> Unit | None:
    """Groups y?, leap? and m: a month of the moon's calendar, the one that lasts or comes next."""
    month = lunar_month_number(match["m"]) * (-1 if match["leap"] else 1)
    said = number(match.groupdict().get("y"))
    if not 1 <= abs(month) <= 12:
        return None

    def find(ref: Reference, scope: Stretch | None) -> Stretch | None:
        years = [said or scope.first.year] if said or scope else range(ref.today.year - 1, ref.today.year + 20)  # type: ignore[union-attr]
        found = (lunar_stretch(year, month) for year in years)
        return next((one for one in found if one and (said or scope or one.after > ref.today)), None)

    return Unit(MONTH, find, () if said else (YEAR,))


def lunar_month_number(words: str) -> int:
    """正月 is the first, 臘月 the last, 冬月 the eleventh."""
    return {"正": 1, "臘": 12, "冬": 11}.get(words) or number(words) or 0


def lunar_stretch(year: int, month: int) -> Stretch | None:
    """All days of that lunar month."""
    first = moon(year, month, 1)
    if first is None:
        return None
    return Stretch(first, first + (30 if moon(year, month, 30) else 29) * DAY, MONTH)
