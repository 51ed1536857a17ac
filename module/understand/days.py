"""Day arithmetic: what a said day is on the calendar. All of it lies here; the rules only name it."""

import calendar as months
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta

from model.outcome import Outcome, Problem
from model.worktime import DAY, WorkCalendar, clock
from module.understand.moon import moon, solar_term
from module.understand.numbers import number

LOOK_BACK = timedelta(days=60)


@dataclass(frozen=True)
class Day:
    """A day as said, still without a calendar.

    kind: date (year?, month, day), dom (month offset?, day), offset (n days), weekday (week?, n), week (n), weekend
    (week?), holiday (name), next (n days after the date before), monthend (n workdays or the last day), in (n of unit),
    nth (the n-th weekday `day` of a month, -1 the last; unit offset: month counts from this one; day None: the n-th working
    day), longweekend (n workdays after, or before, the days off around the festival `name`), vague. A weekday or dom named
    "on" goes on from the day before it.
    """

    kind: str
    year: int | None = None
    month: int | None = None
    day: int | None = None
    week: int | None = None
    n: int = 0
    unit: str = ""
    name: str = ""
    shift: int = 0


@dataclass(frozen=True)
class Reference:
    """What a day is counted from: now, the working calendar, the past or only the future, the day before it."""

    now: datetime
    calendar: WorkCalendar
    past: bool = False
    before: date | None = None
    form_start: date | None = None
    ahead: bool = False

    @property
    def today(self) -> date:
        """The day of now."""
        return self.now.date()


Days = tuple[date, date]


def invalid(reason: str, **values: object) -> Problem:
    """A day or time that cannot be."""
    return Problem(Outcome.TIME_INVALID, reason, values)


def real(year: int, month: int, day: int) -> date | None:
    """The date, or None when the calendar has no such day."""
    try:
        return date(year, month, day)
    except ValueError:
        return None


def add_months(day: date, n: int) -> date:
    """The same day n months on; a month that lacks it gives its last day."""
    index = day.year * 12 + day.month - 1 + n
    year, month = divmod(index, 12)
    return date(year, month + 1, min(day.day, months.monthrange(year, month + 1)[1]))


def monday(day: date) -> date:
    """The Monday of that day's week."""
    return day - (day.isoweekday() - 1) * DAY


def resolve(said: Day, ref: Reference) -> Days | Problem:
    """First and last day, or why there is none."""
    try:
        found = _RESOLVERS[said.kind](said, ref)
    except (ValueError, OverflowError):  # beyond the years that a calendar holds
        return invalid("no_such_date", month=None, day=None)
    if isinstance(found, date):
        found = (found, found)
    if isinstance(found, tuple) and said.shift:
        edge = found[1] if said.shift > 0 else found[0]
        found = (edge + said.shift * DAY,) * 2
    return found


def _date(said: Day, ref: Reference) -> date | Problem:
    month, day = said.month or 1, said.day or 1
    year = ref.today.year + said.n if said.unit == "year" else said.year
    if year is not None:
        return real(year, month, day) or invalid("no_such_date", month=month, day=day)
    if not 1 <= month <= 12 or not 1 <= day <= (31 if month in (1, 3, 5, 7, 8, 10, 12) else 29 if month == 2 else 30):
        return invalid("no_such_date", month=month, day=day)
    base = min(ref.today, ref.before or ref.today).year, max(ref.today, ref.before or ref.today).year
    years = range(base[0] - 1, base[1] + 9)
    days = [found for year in years if (found := real(year, month, day))]
    if ref.before is not None:
        return next((found for found in days if found >= ref.before), None) or invalid("no_such_date", month=month, day=day)
    if ref.past:
        return max(found for found in days if found <= ref.today) if any(d <= ref.today for d in days) else days[0]
    return next(found for found in days if found >= ref.today - (0 * DAY if ref.ahead else LOOK_BACK))


def _day_of_month(said: Day, ref: Reference) -> date | Problem:
    day = said.day or 0
    if not 1 <= day <= 31:
        return invalid("no_such_date", month=None, day=day)
    if said.month is not None:  # this month, next month …: month is an offset
        first = add_months(ref.today.replace(day=1), said.month)
        return real(first.year, first.month, day) or invalid("no_such_date", month=first.month, day=day)
    start = ref.before or ref.today
    backwards = ref.past and ref.before is None
    for n in range(14):
        first = add_months(start.replace(day=1), -n if backwards else n)
        found = real(first.year, first.month, day)
        if found and (found <= start if backwards else found >= start):
            return found
    return invalid("no_such_date", month=None, day=day)


def _weekday(said: Day, ref: Reference) -> date:
    if said.week is not None:
        return monday(ref.today) + said.week * 7 * DAY + (said.n - 1) * DAY
    if ref.before is not None:
        return ref.before + (said.n - ref.before.isoweekday()) % 7 * DAY
    if ref.past:
        return ref.today - ((ref.today.isoweekday() - said.n - 1) % 7 + 1) * DAY
    over = clock(ref.now) >= ref.calendar.closes
    start = ref.today + DAY if over else ref.today
    return start + (said.n - start.isoweekday()) % 7 * DAY


def _week(said: Day, ref: Reference) -> Days:
    first = monday(ref.today) + said.n * 7 * DAY
    return first, first + 4 * DAY


def _weekend(said: Day, ref: Reference) -> Days:
    week = said.week if said.week is not None else (1 if ref.today.isoweekday() == 7 and not ref.past else 0)
    saturday = monday(ref.today) + week * 7 * DAY + 5 * DAY
    return saturday, saturday + DAY


def _next(said: Day, ref: Reference) -> date | Problem:
    anchor = ref.before or ref.form_start
    return anchor + said.n * DAY if anchor else Problem(Outcome.ASK_TIME, "vague")


def _month_end(said: Day, ref: Reference) -> Days | date:
    first = add_months(ref.today.replace(day=1), said.month or 0)
    last = first.replace(day=months.monthrange(first.year, first.month)[1])
    if not said.n:
        return last
    end = last if ref.calendar.is_workday(last) else ref.calendar.shift(last, -1)
    return ref.calendar.shift(end, 1 - said.n), end


def _nth(said: Day, ref: Reference) -> date | Problem:
    """第二個週一 of a month; beyond the month's last one it is no such day."""
    if said.unit == "offset":
        first = add_months(ref.today.replace(day=1), said.month or 0)
    else:
        ahead = _date(Day("date", month=said.month, day=28), ref)
        if isinstance(ahead, Problem):
            return ahead
        first = ahead.replace(day=1)
    days = [first + n * DAY for n in range(months.monthrange(first.year, first.month)[1])]
    fit = [day for day in days if (day.isoweekday() == said.day if said.day else ref.calendar.is_workday(day))]
    place = said.n if said.n < 0 else said.n - 1
    return fit[place] if place < len(fit) else invalid("no_such_date", month=first.month, day=None)


def _long_weekend(said: Day, ref: Reference) -> date | Problem:
    """The working day before or after the days off around a festival, or around the next holiday at all."""
    calendar = ref.calendar
    if said.name:
        middle = _holiday(Day("holiday", name=LONG_WEEKENDS.get(said.name, said.name)), ref)
    else:
        coming = (ref.today + n * DAY for n in range(366))
        named = next((day for day in coming if day in calendar.holidays and not calendar.is_workday(day)), None)
        if named is None:
            return Problem(Outcome.ASK_TIME, "vague")
        middle = named
    step = DAY if said.n > 0 else -DAY
    while not calendar.is_workday(middle):
        middle += step
    return middle


def _in(said: Day, ref: Reference) -> date:
    base = ref.today
    if said.unit == "workday":
        return ref.calendar.shift(base, said.n)
    if said.unit == "month":
        return add_months(base, said.n)
    return base + said.n * (7 if said.unit == "week" else 1) * DAY


def festival(name: str, year: int) -> date:
    """The festival's day that begins in that year: fixed by the calendar, the moon, or the sun (清明).

    Raises ValueError beyond the year 9000.
    """
    if name in FIXED:
        return date(year, *FIXED[name])
    if name == "清明":
        found = solar_term(name, year)
    elif name in BEFORE_NEW_YEAR:
        found = festival("春節", year) - BEFORE_NEW_YEAR[name] * DAY
    else:
        found = moon(year, *LUNAR[name])
    if found is None:
        raise ValueError(f"no {name} in {year}")
    return found


LONG_WEEKENDS = {"過年": "春節", "農曆年": "春節", "228": "和平紀念日", "二二八": "和平紀念日", "雙十": "國慶", "跨年": "元旦"}
BEFORE_NEW_YEAR = {"除夕": 1, "小年夜": 2}
FIXED = {
    "元旦": (1, 1), "和平紀念日": (2, 28), "婦女節": (3, 8), "兒童節": (4, 4), "勞動節": (5, 1), "教師節": (9, 28),
    "國慶": (10, 10), "光復節": (10, 25), "萬聖節": (10, 31), "平安夜": (12, 24), "聖誕節": (12, 25), "跨年": (12, 31),
    "情人節": (2, 14), "行憲紀念日": (12, 25), "愚人節": (4, 1), "父親節": (8, 8),
}  # fmt: skip
LUNAR = {
    "春節": (1, 1), "初一": (1, 1), "初二": (1, 2), "初三": (1, 3), "初四": (1, 4), "初五": (1, 5), "初六": (1, 6),
    "元宵": (1, 15), "端午": (5, 5), "七夕": (7, 7), "中元": (7, 15), "中秋": (8, 15), "重陽": (9, 9), "臘八": (12, 8),
}  # fmt: skip


def _holiday(said: Day, ref: Reference) -> date:
    if said.year is not None:
        return festival(said.name, said.year)
    start = ref.before or ref.today
    days = [festival(said.name, year) for year in range(min(start, ref.today).year - 1, start.year + 3)]
    if ref.past and ref.before is None:
        return max(day for day in days if day <= ref.today)
    return next(day for day in days if day >= start)


_RESOLVERS: dict[str, Callable[[Day, Reference], Days | date | Problem]] = {
    "date": _date,
    "dom": _day_of_month,
    "offset": lambda said, ref: ref.today + said.n * DAY,
    "weekday": _weekday,
    "week": _week,
    "run": lambda said, ref: (ref.today + said.n * DAY, ref.today + (said.n + (said.week or 0)) * DAY),
    "weekend": _weekend,
    "holiday": _holiday,
    "next": _next,
    "monthend": _month_end,
    "in": _in,
    "nth": _nth,
    "longweekend": _long_weekend,
    "vague": lambda said, ref: Problem(Outcome.ASK_TIME, "vague", {"words": said.name}),
}

# ---- makers for the rules: groups of a match → Day


def offset(n: int) -> Callable[[re.Match[str]], Day]:
    """So many days from today."""
    return lambda _: Day("offset", n=n)


def on_date(roc: bool = False) -> Callable[[re.Match[str]], Day | None]:
    """Groups y?, m, d; years of the Republic of China count from 1911."""

    def make(match: re.Match[str]) -> Day | None:
        groups = match.groupdict()
        year = number(groups.get("y"))
        month, day = number(groups["m"]), number(groups["d"])
        if month is None or day is None:
            return None
        return Day("date", year=year + 1911 if roc and year is not None else year, month=month, day=day)

    return make


def on_weekday(match: re.Match[str]) -> Day:
    """Groups w (week word, may be empty) and d (the weekday)."""
    return Day("weekday", week=week_offset(match["w"]), n=WEEKDAYS[match["d"]])


MONTHS_AWAY = {"這個月": 0, "本月": 0, "下下個月": 2, "下個月": 1, "下月": 1, "上個月": -1}


def on_nth_weekday(match: re.Match[str]) -> Day | None:
    """Groups m or mw (the month), n (which one, empty for the last) and d (the weekday)."""
    return _on_nth(match, WEEKDAYS[match["d"]])


def on_nth_workday(match: re.Match[str]) -> Day | None:
    """Groups m or mw (the month) and n (which working day of it)."""
    return _on_nth(match, None)


def _on_nth(match: re.Match[str], weekday: int | None) -> Day | None:
    n = number(match["n"]) if match["n"] else -1
    if match["mw"]:
        return Day("nth", unit="offset", month=MONTHS_AWAY[match["mw"]], n=n or -1, day=weekday)
    return Day("nth", month=number(match["m"]), n=n or -1, day=weekday)


WEEKDAYS = {char: n for n, chars in enumerate(["一1", "二2", "三3", "四4", "五5", "六6", "日天7"], start=1) for char in chars}
WEEKDAYS |= {name: n for n, name in enumerate(("mon", "tue", "wed", "thu", "fri", "sat", "sun"), start=1)}


def week_offset(words: str | None) -> int | None:
    """下 is 1, 下下 2, 上 −1, 這/本 0; None where no week was said."""
    if not words:
        return None
    return words.count("下") + words.count("next") - words.count("上") - words.count("last")


def counted(unit: str, sign: int) -> Callable[[re.Match[str]], Day | None]:
    """Group n: so many units from today."""

    def make(match: re.Match[str]) -> Day | None:
        n = number(match["n"]) if match["n"] != "半" else None
        return None if n is None else Day("in", n=sign * n, unit=unit)

    return make


def shifted(said: Day, days: int) -> Day:
    """That day, so many days on."""
    return replace(said, shift=days)
