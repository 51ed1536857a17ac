"""Stretches of the calendar for the raw reading: years, quarters, months, weeks, days, and the n-th of them.

A `Unit` is found within the stretch named before it (明年 → 三月 → 第二個週五), or counted from today when nothing was.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date

from model.worktime import DAY
from module.understand.days import LOOK_BACK, Day, Reference, add_months, monday, real, resolve
from module.understand.numbers import number

YEAR, MONTH, WEEK, DATE = 5, 4, 3, 2


@dataclass(frozen=True)
class Stretch:
    """Whole days from `first` up to, not including, `after`; `level` is the unit that was named."""

    first: date
    after: date
    level: int


Find = Callable[[Reference, Stretch | None], Stretch | None]


@dataclass(frozen=True)
class Unit:
    """A stretch as said.

    Attributes:
        level: YEAR, MONTH, WEEK or DATE; find: the stretch, or None where the calendar has none.
        within: the levels of what may stand before it; said: the Day it came from, if any.
    """

    level: int
    find: Find
    within: tuple[int, ...] = ()
    said: Day | None = None


def one_day(day: date | None) -> Stretch | None:
    """That day alone."""
    return Stretch(day, day + DAY, DATE) if day else None


def month_of(first: date) -> Stretch:
    """The whole month that begins then."""
    return Stretch(first, add_months(first, 1), MONTH)


def this_month(ref: Reference) -> Stretch:
    """The month of today: where the n-th of something is looked for when nothing wider was named."""
    return month_of(ref.today.replace(day=1))


def year_of(year: int) -> Stretch:
    """The whole year."""
    return Stretch(date(year, 1, 1), date(year + 1, 1, 1), YEAR)


def of_day(said: Day) -> Unit:
    """A Day of the shared rules, found within a year, month or week named before it."""

    def find(ref: Reference, scope: Stretch | None) -> Stretch | None:
        known = said
        if scope and scope.level == YEAR and said.year is None:
            known = replace(said, year=scope.first.year)
        elif scope and scope.level == MONTH and said.kind == "dom":
            return one_day(real(scope.first.year, scope.first.month, said.day or 0))
        elif scope and scope.level == WEEK and said.kind == "weekday":
            return one_day(scope.first + (said.n - 1) * DAY)
        elif scope and scope.level == DATE and said.kind in ("offset", "next"):
            return one_day(scope.first + said.n * DAY)
        elif said.kind == "next" and not ref.before:
            return one_day(ref.today + said.n * DAY)
        days = resolve(known, ref)
        if not isinstance(days, tuple):
            return None
        return Stretch(
            days[0], days[1] + (3 if said.kind == "week" else 1) * DAY, WEEK if said.kind == "week" else DATE
        )

    within = {"dom": (MONTH,), "weekday": (WEEK,), "offset": (DATE,), "next": (DATE,)}
    undated = (YEAR,) if said.kind in ("date", "holiday") and said.year is None else ()
    return Unit(DATE, find, within.get(said.kind, undated), said)


# ---- makers for the rules


def year_said(offset: int | None = None) -> Callable[[re.Match[str]], Unit | None]:
    """So many years on, or group y: a number, of two digits the nearest such year; group roc: counted from 1911."""

    def make(match: re.Match[str]) -> Unit | None:
        groups = match.groupdict()
        said = number(groups.get("y") or groups.get("roc"))
        if offset is None and not said:
            return None

        def find(ref: Reference, _: Stretch | None) -> Stretch | None:
            if offset is not None:
                return year_of(ref.today.year + offset)
            year = said or 0
            if groups.get("roc"):
                return year_of(year + 1911)
            if year < 100:
                year = min((c + year for c in range(1900, 2200, 100)), key=lambda full: abs(full - ref.today.year))
            return year_of(year) if 1 <= year < 9000 else None

        return Unit(YEAR, find)

    return make


def month_said(match: re.Match[str]) -> Unit | None:
    """Group m: that month of the year named before, else this, the next, or one of the last 60 days; y: its year."""
    groups = match.groupdict()
    month, year = number(groups["m"]) or 0, number(groups.get("y"))
    if not 1 <= month <= 12:
        return None

    def find(ref: Reference, scope: Stretch | None) -> Stretch | None:
        if year or scope:
            return month_of(date(year or (scope.first.year if scope else 0), month, 1))
        start = ref.before or ref.today - LOOK_BACK
        months = (month_of(date(start.year + n, month, 1)) for n in range(2))
        return next((found for found in months if found.after > start), None)

    return Unit(MONTH, find, () if year else (YEAR,))


def months_on(match: re.Match[str]) -> Unit:
    """Group w: 下 counts forward, 上 back."""
    words = match["w"]
    ahead = words.count("下") + words.count("次") - words.count("上")
    return Unit(MONTH, lambda ref, _: month_of(add_months(ref.today.replace(day=1), ahead)))


def weeks_on(match: re.Match[str]) -> Unit:
    """Group w: 下 counts forward, 上 back; Monday to Monday."""
    ahead = match["w"].count("下") - match["w"].count("上")

    def find(ref: Reference, _: Stretch | None) -> Stretch:
        first = monday(ref.today) + ahead * 7 * DAY
        return Stretch(first, first + 7 * DAY, WEEK)

    return Unit(WEEK, find)


def nth_weekday(match: re.Match[str]) -> Unit | None:
    """Groups n (or last) and d: the n-th such weekday of the month or year."""
    n, weekday = number(match["n"]) or 1, WEEKDAY[match["d"]]

    def find(ref: Reference, scope: Stretch | None) -> Stretch | None:
        scope = scope or this_month(ref)
        if match["last"]:
            last = scope.after - DAY
            found = last - ((last.isoweekday() - weekday) % 7 + 7 * (n - 1)) * DAY
        else:
            found = scope.first + ((weekday - scope.first.isoweekday()) % 7 + 7 * (n - 1)) * DAY
        return one_day(found) if scope.first <= found < scope.after else None

    return Unit(DATE, find, (YEAR, MONTH))


WEEKDAY = {
    char: n for n, chars in enumerate(["一1", "二2", "三3", "四4", "五5", "六6", "日天7"], start=1) for char in chars
}


def nth_day(match: re.Match[str]) -> Unit | None:
    """Group n: the n-th day of the stretch, from its end with group last; alone it counts today as the first."""
    n = number(match["n"])
    if not n:
        return None

    def find(ref: Reference, scope: Stretch | None) -> Stretch | None:
        if scope is None and match["last"]:
            scope = this_month(ref)
        if scope is None:
            return one_day(ref.today + (n - 1) * DAY)
        if scope.level == DATE:
            return one_day(scope.first + (n - 1) * DAY)
        found = scope.after - n * DAY if match["last"] else scope.first + (n - 1) * DAY
        return one_day(found) if scope.first <= found < scope.after else None

    return Unit(DATE, find, (YEAR, MONTH, WEEK, DATE))


def some_days(match: re.Match[str]) -> Unit | None:
    """Groups last? and n: the first or last n days of the stretch."""
    n = number(match["n"])

    def find(ref: Reference, scope: Stretch | None) -> Stretch | None:
        scope = scope or this_month(ref)
        if not n or scope.first + n * DAY > scope.after:
            return None
        return (
            Stretch(scope.after - n * DAY, scope.after, DATE)
            if match["last"]
            else Stretch(scope.first, scope.first + n * DAY, DATE)
        )

    return Unit(DATE, find, (YEAR, MONTH, WEEK))


def first_monday(scope: Stretch) -> date:
    """Where weeks are counted from: a year's week 1 holds its first Thursday (ISO 8601), a month's its first Monday."""
    if scope.level == YEAR:
        return monday(scope.first + 3 * DAY)
    return scope.first + (8 - scope.first.isoweekday()) % 7 * DAY


def nth_week(match: re.Match[str]) -> Unit | None:
    """Group n: the n-th week of the month or year; some: the first, last: the last n of them."""
    n = number(match["n"]) or 1

    def find(ref: Reference, scope: Stretch | None) -> Stretch | None:
        scope = scope or this_month(ref)
        if match["last"]:  # the last ones that end within it
            after = monday(scope.after)
            return Stretch(after - 7 * n * DAY, after, WEEK)
        first = first_monday(scope)
        if match["some"]:
            return Stretch(first, first + 7 * n * DAY, WEEK)
        first += 7 * (n - 1) * DAY
        return Stretch(first, first + 7 * DAY, WEEK) if first < scope.after else None

    return Unit(WEEK, find, (YEAR, MONTH))


def nth_month(match: re.Match[str]) -> Unit | None:
    """Group n: the n-th month of the year."""
    n = number(match["n"]) or 0
    return Unit(
        MONTH, lambda _, scope: month_of(date(scope.first.year, n, 1)) if scope and 1 <= n <= 12 else None, (YEAR,)
    )


def quarter_of(year: int, n: int) -> Stretch:
    """The n-th quarter counted from that year's first; it may lie in another year."""
    first = add_months(date(year, 1, 1), 3 * (n - 1))
    return Stretch(first, add_months(first, 3), MONTH)


def quarters_on(match: re.Match[str]) -> Unit:
    """Group w: 下 counts forward, 上 back."""
    ahead = match["w"].count("下") - match["w"].count("上")
    return Unit(MONTH, lambda ref, _: quarter_of(ref.today.year, (ref.today.month + 2) // 3 + ahead))


def nth_quarter(match: re.Match[str]) -> Unit:
    """Group n: the n-th quarter of the year named, else of this year."""
    n = number(match["n"]) or 1
    return Unit(MONTH, lambda ref, scope: quarter_of((scope.first if scope else ref.today).year, n), (YEAR,))


def half_year(match: re.Match[str]) -> Unit:
    """Group h: 上 or 下, the first or the second half of the year named, else of this year."""
    n = 1 if match["h"] == "上" else 3

    def find(ref: Reference, scope: Stretch | None) -> Stretch:
        year = (scope.first if scope else ref.today).year
        return Stretch(quarter_of(year, n).first, quarter_of(year, n + 1).after, MONTH)

    return Unit(MONTH, find, (YEAR,))


def part_of_month(first: int, after: int) -> Callable[[re.Match[str]], Unit]:
    """Days `first` up to `after` of the month named, else of this one; 0 counts from the month's end, as its last day."""

    def find(ref: Reference, scope: Stretch | None) -> Stretch:
        month = scope or this_month(ref)
        start = month.after - DAY if not first else month.first + (first - 1) * DAY
        return Stretch(start, month.first + (after - 1) * DAY if after else month.after, DATE)

    return lambda _: Unit(DATE, find, (MONTH,))


def together(match: re.Match[str]) -> Unit:
    """今明兩天, 明後天: from the first to the last of the days named."""
    words = match[0]
    first = 0 if "今" in words else 1
    last = 3 if "大後" in words else 2 if "後" in words else 1
    return Unit(DATE, lambda ref, _: Stretch(ref.today + first * DAY, ref.today + (last + 1) * DAY, DATE))


def from_there(match: re.Match[str]) -> Unit | None:
    """Group n: so many days, the one named before being the first."""
    n = number(match["n"]) or 0

    def find(ref: Reference, scope: Stretch | None) -> Stretch | None:
        first = scope.first if scope else ref.today
        return Stretch(first, first + n * DAY, DATE) if n else None

    return Unit(DATE, find, (DATE,))


def steps(match: re.Match[str]) -> Unit | None:
    """Groups back? and n: the n-th day before or after the one named before."""
    n = (number(match["n"]) or 0) * (-1 if match["back"] else 1)
    return Unit(DATE, lambda ref, scope: one_day((scope.first if scope else ref.today) + n * DAY), (DATE,))
