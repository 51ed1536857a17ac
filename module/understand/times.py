"""The raw reading of a time expression: what the calendar says, before any working hours apply."""

import re
from dataclasses import replace
from datetime import date, datetime, time, timedelta

from model.worktime import DAY, WorkCalendar
from module.understand.days import Reference, add_months
from module.understand.hours import PARTS
from module.understand.normalise import clean, fold
from module.understand.periods import DATE, Stretch
from module.understand.raw_moments import Moment, put_together
from module.understand.rule import Rules, scan
from module.understand.rules import clock, days, raw

Reading = tuple[datetime | None, datetime | None, float | None]
NOTHING: Reading = (None, None, None)
RULES = Rules((
    *raw.RAW,
    *(rule for rule in (*days.NOT_DAYS, *days.DAYS, *clock.CLOCKS) if rule.name not in raw.NOT_HERE),
))
_BLANKS = re.compile(r"(?<=[\u3400-\u9fff]) +| +(?=[\u3400-\u9fff])")
_SENTENCE = re.compile(r"[^。!?;\n]+")
_CALENDAR = WorkCalendar()
_HALF_DAY = 12 * 3600


def raw_reading(text: str, ref: datetime) -> Reading:
    """Start, end (exclusive; None for a point or an open end) and length in seconds of the time in the first sentence that has one.

    `ref` is the moment at which it was said. All three are None where there is no time, an impossible or an open one.
    """
    folded = _BLANKS.sub("", fold(clean(text)))
    for sentence in _SENTENCE.finditer(folded):
        moments = put_together(sentence[0], scan(sentence[0], RULES))
        if moments is None or any(moment.join == "or" for moment in moments):
            return NOTHING
        if moments:
            try:
                return _reading(moments, ref)
            except (OverflowError, ValueError):  # beyond the calendar's first or last year
                return NOTHING
    return NOTHING


def _reading(moments: list[Moment], now: datetime) -> Reading:
    ref = Reference(datetime.combine(now, time()), _CALENDAR)
    length = next((m.amount.total for m in moments if m.amount and not m.shift and not m.left), None)
    first, *rest = moments
    if first.amount and not first.shift and not first.left and not first.units:
        if not (rest and rest[0].units and not rest[0].join):
            return None, None, length
        first, *rest = rest
    if any(m.at and not m.at.possible for m in moments):
        return NOTHING
    second = rest[0] if rest and rest[0].join == "to" else None
    if second is None:
        start, end = _alone(first, rest, ref, now)
    else:
        start, end = _range(first, second, ref, now)
    if start and end and end <= start:
        return NOTHING
    return start, end, length


def _stretch(moment: Moment, ref: Reference) -> Stretch | None:
    """The days of the moment's units; ValueError where the calendar has none such."""
    scope: Stretch | None = None
    for unit in moment.units:
        scope = unit.find(ref, scope)
        if scope is None:
            raise ValueError("no such day")
    if moment.again and scope:
        scope = _agreed(moment, scope, ref)
    if moment.shift and moment.amount and not moment.amount.seconds:
        base = scope.first if scope else ref.today
        day = add_months(base, moment.shift * moment.amount.months) + moment.shift * moment.amount.days * DAY
        return Stretch(day, day + DAY, DATE)
    return scope


def _point(moment: Moment, scope: Stretch | None, now: datetime) -> datetime | None:
    """The moment that is now, the next with that minute, or so many hours from now or from the day named."""
    if moment.now:
        return now
    if moment.minute is not None:
        found = now.replace(minute=moment.minute, second=0, microsecond=0)
        return found if found >= now else found + timedelta(hours=1)
    if not (moment.shift and moment.amount and moment.amount.seconds):
        return None
    base = datetime.combine(scope.first, time()) if scope else now
    whole = add_months(base.date(), moment.shift * moment.amount.months)
    return datetime.combine(whole, base.time()) + moment.shift * timedelta(
        days=moment.amount.days, seconds=moment.amount.seconds
    )


def _bounds(moment: Moment, day: date, scope: Stretch | None) -> tuple[datetime, datetime | None]:
    """From and up to, on that day where no other was said."""
    midnight = datetime.combine(scope.first if scope else day, time())
    if moment.at:
        start = moment.at.seconds(moment.part)
        until = replace(moment.at, hour=moment.at.until).seconds(moment.part) if moment.at.until else None
        return midnight + timedelta(seconds=start), midnight + timedelta(seconds=until) if until else None
    if moment.part:
        low, high = PARTS[moment.part]
        return midnight + timedelta(minutes=low), None if moment.part == "noon" else midnight + timedelta(minutes=high)
    assert scope is not None
    return midnight, datetime.combine(scope.after, time())


def _alone(first: Moment, rest: list[Moment], ref: Reference, now: datetime) -> tuple[datetime | None, datetime | None]:
    if first.left and first.amount:
        far = now + timedelta(seconds=first.amount.total)
        return min(now, far), max(now, far)
    scope = _stretch(first, ref)
    point = _point(first, scope, now)
    if point:
        return point, None
    scope = _with_next(first, scope, rest, ref)
    if scope is None and not first.timed:
        return None, None
    start, end = _bounds(first, ref.today, scope)
    if first.before:
        return (datetime.combine(start, time()) if first.timed else None), start
    return start, None if first.after else end


def _with_next(first: Moment, scope: Stretch | None, rest: list[Moment], ref: Reference) -> Stretch | None:
    """The days with those listed after them that follow without a gap; a clock time takes the day said after it."""
    if first.timed:
        later = rest[0] if rest and scope is None else None
        return _stretch(later, ref) if later and later.units and not later.timed else scope
    for other in rest:
        if scope is None or other.join not in ("and", "beside") or not other.units or scope.level != DATE:
            break
        beside = _stretch(other, replace(ref, before=scope.first))
        if beside is None or beside.level != DATE or beside.first != scope.after:
            break
        scope = Stretch(scope.first, beside.after, DATE)
    return scope


def _agreed(moment: Moment, scope: Stretch, ref: Reference) -> Stretch:
    """The date, if the weekday beside it is its own (12/8(三)); ValueError where they disagree."""
    other = moment.again[0].find(ref, None)
    said = moment.units[-1].said
    dated, named = (other, said) if said and said.kind == "weekday" else (scope, moment.again[0].said)
    if dated is None or named is None or dated.first.isoweekday() != named.n:
        raise ValueError("date and weekday disagree")
    return dated


def _range(first: Moment, second: Moment, ref: Reference, now: datetime) -> tuple[datetime | None, datetime | None]:
    scope = _stretch(first, ref)
    until = _stretch(second, replace(ref, before=scope.first) if scope else ref)
    if scope and until and until.after <= scope.first:  # 1號到今天
        scope = _stretch(first, replace(ref, now=datetime.combine(until.first, time()), past=True)) or scope
    start = (
        _point(first, scope, now) or _bounds(first, ref.today, scope)[0]
        if scope or first.timed or first.now or first.shift
        else None
    )
    if start is None:
        return None, None
    last_day = until.after - DAY if until else scope.after - DAY if scope else ref.today
    end = _point(second, until, now) or (_end(second, last_day) if until or second.timed else None)
    if end is None:
        return start, None
    if until is None and second.timed:
        end = _later(first, second, start, end)
    if first.at and not first.part and not first.at.part and first.at.hour < 12 and _afternoon(second):
        later = start + timedelta(seconds=_HALF_DAY)
        start = later if later < end and later.date() == end.date() else start
    return start, end


def _end(moment: Moment, day: date) -> datetime:
    """Where the second half of a range ends."""
    if not moment.at and moment.part == "noon":
        return datetime.combine(day, time(12))
    low, high = _bounds(moment, day, Stretch(day, day + DAY, DATE))
    return low if moment.at or high is None else high


def _later(first: Moment, second: Moment, start: datetime, end: datetime) -> datetime:
    """An end that would fall before the start is read twelve hours later, else on the next day."""
    plain = second.at is not None and not second.part and not second.at.part and second.at.hour <= 12
    if end <= start and plain and end + timedelta(seconds=_HALF_DAY) > start:
        end += timedelta(seconds=_HALF_DAY)
    while end <= start:
        end += DAY
    return end


def _afternoon(moment: Moment) -> bool:
    return (bool(moment.at) and "pm" in (moment.part, moment.at.part if moment.at else "")) or moment.part == "evening"
