"""Tokens → stretches of time: days and clock times that stand together, joined, listed or left open."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import date

from model.meaning import Span
from model.outcome import Outcome, Problem
from model.worktime import DAY, at, clock
from module.understand.clock import Clock, Edge, Length
from module.understand.days import Day, Days, Reference, invalid, resolve, shifted
from module.understand.rule import Token

# What may stand between two pieces of one stretch: masked words, blanks, particles, verbs of leaving.
_FILLER = re.compile(r"[\s\0,、()的了那天就都要想請休假放我先會從自在是日號於在大概約可能差不多\[\]\"「」]*")
_NEAR = re.compile(r"[\s\0()的那天就都,從自要我想是於在改]{0,6}")
_TOUCH = re.compile(r"[\s(的,是那]{0,2}")
_LISTED = re.compile(r"[\s,、]{0,3}")
_SAME = re.compile(r"[\s(的,是那才對]{0,5}")
MOST = 100  # moments of one message that are read: a wish has a few, hundreds must not cost more than their length


@dataclass
class Moment:
    """One end of a stretch, as said."""

    start_at: int
    end_at: int
    day: Day | None = None
    again: list[Day] = field(default_factory=list)
    part: str = ""
    clock: Clock | None = None
    bare: int | None = None
    noon: bool = False
    point: str = ""  # now, closing
    whole: bool = False
    half: bool = False
    open_end: bool = False
    open_start: bool = False
    edge: Edge | None = None
    only: str = ""  # early or late: leaves, or arrives, at the clock time
    join: str = ""
    lengths: list[Length] = field(default_factory=list)

    @property
    def timed(self) -> bool:
        """Whether a clock time or part of day belongs to it."""
        return bool(self.clock or self.part or self.noon or self.point or self.bare is not None or self.edge or self.whole or self.half)


def moments(text: str, tokens: Sequence[Token]) -> list[Moment]:
    """Tokens put together: a day with the part of day and clock time beside it."""
    found: list[Moment] = []
    join: Token | None = None
    only = ""
    for token in tokens:
        here = found[-1] if found else None
        gap = text[here.end_at : token.start] if here else ""
        if token.kind == "join":
            join = token
            continue
        if token.kind in ("open_end", "open_start"):
            if here and not join and re.fullmatch(r"[\s\0]{0,2}", gap) and (here.timed or here.day):
                setattr(here, token.kind, True)
                here.end_at = token.end
            continue
        if token.kind in ("early", "late"):
            near = here is not None and not here.only and bool(_FILLER.fullmatch(gap))
            if here is not None and near:
                here.only, here.end_at = token.kind, token.end
            only = "" if near else token.kind
            continue
        joined = _joined(text, here, join, token)
        if here and not joined and _takes(here, token, gap):
            _put(here, token)
        elif token.kind == "length" and here and not joined:
            here.lengths.append(token.value)
            here.end_at = token.end if _FILLER.fullmatch(gap) else here.end_at
        else:
            moment = Moment(token.start, token.end, join=joined, only=only)
            only = ""
            _put(moment, token)
            found.append(moment)
        join = None
    return found


def _joined(text: str, here: Moment | None, join: Token | None, token: Token) -> str:
    if join is None:
        return ""
    if token.kind == "length":
        return ""
    if not _FILLER.fullmatch(text, join.end, token.start):
        return ""
    if here is None or not _FILLER.fullmatch(text, here.end_at, join.start):
        return "until" if join.value == "to" else ""
    return str(join.value)


def _takes(here: Moment, token: Token, gap: str) -> bool:
    """Whether the token still belongs to this moment."""
    if token.kind == "day":
        if here.day and token.value.kind == "next" and _TOUCH.fullmatch(gap):
            return not here.timed
        if here.day is None:
            return here.timed and not here.lengths and bool(_NEAR.fullmatch(gap)) and "," not in gap
        again = token.value.kind in ("weekday", "date", "dom") and token.value.name != "on" and here.day.kind != token.value.kind
        return again and bool(_SAME.fullmatch(gap))
    if here.clock or here.bare is not None or here.edge or here.point:
        return False
    if token.kind in ("clock", "bare"):
        if here.part and "," in gap:  # 下午事假，三點要簽約
            return False
        return bool(_FILLER.fullmatch(gap)) and not (here.whole or here.half)
    if token.kind == "part":
        return not here.part and bool(_FILLER.fullmatch(gap) or here.day) and not here.noon
    if token.kind in ("noon", "point", "whole", "half", "edge"):
        return not here.noon
    return False


def _put(moment: Moment, token: Token) -> None:
    value = token.value
    if token.kind == "day":
        if moment.day is None:
            moment.day = value
        elif value.kind == "next":
            moment.day = shifted(moment.day, value.n)
        else:
            moment.again.append(value)
    elif token.kind == "length":
        moment.lengths.append(value)
    elif token.kind == "noon":
        moment.noon = True
    elif token.kind in ("whole", "half"):
        setattr(moment, token.kind, True)
    else:
        setattr(moment, token.kind, value)
    moment.end_at = max(moment.end_at, token.end)


def spans(text: str, tokens: Sequence[Token], ref: Reference) -> tuple[Span, ...]:
    """The stretches of time in the text, in order; list days with no working day between them are one stretch."""
    found = _weeks_given(moments(text, tokens)[:MOST])
    out: list[Span] = []
    before: date | None = None
    index = 0
    while index < len(found):
        first = found[index]
        index += 1
        second = None
        if index < len(found) and found[index].join == "to":
            second = found[index]
            index += 1
        if first.join == "until" and out and out[-1].end is None and out[-1].last == out[-1].first and first.day:
            second = first
            first = _restart(found, out)
            out.pop()
        span = _span(first, second, replace(ref, before=before if first.join in ("and", "or", "to") or _inherits(first) else None))
        if first.join == "or" and out:
            out[-1] = replace(out[-1], problem=_choice(out[-1], span))
            continue
        span = replace(span, at=first.start_at)
        before = span.last or span.first or before
        gap = text[found[index - 2].end_at : first.start_at] if len(found) > 1 and index > 1 else ""
        _add(out, span, first.join in ("and", "to") or bool(_LISTED.fullmatch(gap)), ref)
    exact = any(span.first for span in out)
    return tuple(span for span in out if not (exact and span.problem and span.problem.reason == "vague"))


def _weeks_given(found: list[Moment]) -> list[Moment]:
    """下禮拜想休兩天，週三跟週四: the weekdays are of the week that was named."""
    for index, moment in enumerate(found):
        week = moment.day
        if not week or week.kind != "week" or moment.timed:
            continue
        later = [m for m in found[index + 1 :] if m.day and m.day.kind == "weekday" and m.day.week is None]
        if later:
            for other in later:
                other.day = replace(other.day, week=week.n) if other.day else None
            return [m for m in found if m is not moment]
    return found


def _restart(found: list[Moment], out: list[Span]) -> Moment:
    return next(moment for moment in found if moment.start_at == out[-1].at)


def _inherits(moment: Moment) -> bool:
    return moment.day is not None and (moment.day.kind == "next" or moment.day.name == "on")


def _choice(one: Span, other: Span) -> Problem:
    return Problem(Outcome.ASK_TIME, "choice", {"one": one.first, "other": other.first})


def _add(out: list[Span], span: Span, listed: bool, ref: Reference) -> None:
    """Appends; a time without day completes the span before it, neighbouring listed days grow it."""
    last = out[-1] if out else None
    if last is None or last.problem or span.problem:
        out.append(span)
        return
    if span.first is None and last.first is not None and span.whole and not span.has_clock:
        out[-1] = replace(last, start=None, end=None, whole=True, half=False, minutes=None)
        return
    if span.first is None and last.first is not None and not last.has_clock and not last.whole and not last.half:
        out[-1] = replace(span, first=last.first, last=last.last, days=span.days or last.days, at=last.at)
        return
    if last.first is None and span.first is not None and not span.has_clock and not span.whole:
        out[-1] = replace(last, first=span.first, last=span.last, days=last.days or span.days)
        return
    if last.first is None and last.half and span.first is not None and span.has_clock:
        out[-1] = span
        return
    if last.first is None and span.first is None:
        out[-1] = _fill(last, span)
        return
    if span.first is None and span.days and last.first and last.has_clock is False:
        out[-1] = replace(last, days=span.days)
        return
    if (span.first, span.last) == (last.first, last.last) and not span.has_clock:
        return
    plain = not last.has_clock and not span.has_clock and span.first is not None and last.last is not None
    if plain and listed and span.first and last.last and span.first > last.last and _adjacent(last.last, span.first, ref):
        out[-1] = replace(last, last=span.last, days=None if span.days else last.days)
        return
    out.append(span)


def _adjacent(one: date, other: date, ref: Reference) -> bool:
    return ref.calendar.count_workdays(one + DAY, other - DAY) == 0 if other > one + DAY else True


def _fill(known: Span, new: Span) -> Span:
    """What is known with what was said later."""
    return Span(
        first=new.first or known.first,
        last=new.last or known.last,
        start=known.start if new.start is None else new.start,
        end=known.end if new.end is None else new.end,
        days=new.days or known.days,
        minutes=new.minutes or known.minutes,
        half=new.half or (known.half and not new.has_clock),
        whole=new.whole or known.whole,
        open_end=new.open_end or known.open_end,
        open_start=new.open_start or known.open_start,
        problem=new.problem or known.problem,
        at=known.at,
    )


def _span(first: Moment, second: Moment | None, ref: Reference) -> Span:
    """One stretch from its one or two ends."""
    days = _days_of(first, ref)
    if isinstance(days, Problem):
        return Span(problem=days)
    impossible = next((m.clock for m in (first, second) if m and m.clock and not m.clock.possible), None)
    if impossible:
        return Span(problem=invalid("no_such_clock", hour=impossible.hour, minute=impossible.minute))
    length = next((one for m in (second, first) if m for one in m.lengths), Length())
    if second is None:
        return _one_end(first, days, length, ref)
    last: Days | None = days
    if second.day or (second.bare is not None and not first.clock and first.bare is None and not first.part):
        if second.day is None:
            second.day, second.bare = Day("dom", day=second.bare), None
        until = _days_of(second, replace(ref, before=days[0] if days else ref.before))
        if isinstance(until, Problem):
            return Span(problem=until)
        last = until
    start, end = _start_of(first, ref), _end_of(second, first, ref)
    whole_range = days and last and last[1] != days[0]
    if not whole_range and start is None and end is not None and second.timed:
        start = ref.calendar.opens
    if start is not None and end is None and (not second.timed):
        end = ref.calendar.closes if second.day else None
    if start is not None and end is not None and not whole_range and end <= start and end + 720 < 1440 and second.clock and not second.clock.part:
        end += 720
    if end is not None and start is None and whole_range:
        start = ref.calendar.opens
    return Span(
        first=days[0] if days else None,
        last=last[1] if last else None,
        start=start,
        end=end,
        minutes=length.minutes if start is None else None,
    )


def _days_of(moment: Moment, ref: Reference) -> Days | Problem | None:
    if moment.day is None:
        return (ref.today, ref.today) if moment.point == "now" else None
    days = resolve(moment.day, ref)
    if isinstance(days, Problem):
        return days
    for other in moment.again:
        again = resolve(other, ref)
        if isinstance(again, tuple) and again != days:
            dated, named = (days, other) if moment.day.kind != "weekday" else (again, moment.day)
            if named.kind == "weekday" and named.week is None and dated[0].isoweekday() == named.n:
                days = dated
                continue
            values = {"one": dated[0], "other": named.n if named.kind == "weekday" else again[0]}
            return Problem(Outcome.ASK_TIME, "contradiction", values)
    return days


def _start_of(moment: Moment, ref: Reference) -> int | None:
    (opens, _), (afternoon, closes) = ref.calendar.stretches
    if moment.clock:
        return moment.clock.minutes(moment.part)
    if moment.bare is not None:
        return Clock(moment.bare).minutes(moment.part)
    if moment.noon:
        return ref.calendar.lunch[0]
    if moment.point:
        return clock(ref.now) if moment.point == "now" else closes
    return {"am": opens, "pm": afternoon, "evening": closes, "dawn": 0}.get(moment.part)


def _end_of(moment: Moment, first: Moment, ref: Reference) -> int | None:
    (_, noon), (_, closes) = ref.calendar.stretches
    clock_said = moment.clock or (Clock(moment.bare) if moment.bare is not None else None)
    if clock_said:
        inherited = first.part if not moment.day and first.part == "evening" else ""
        end = clock_said.minutes(moment.part or inherited)
        start = _start_of(first, ref)
        if first.part == "am" and not moment.part and not moment.day and start is not None and clock_said.hour <= 12:
            plain = clock_said.hour * 60 + clock_said.minute
            end = plain if plain > start else end
        return end
    if moment.noon:
        return noon
    if moment.point:
        return clock(ref.now) if moment.point == "now" else closes
    return {"am": noon, "pm": closes, "evening": 22 * 60, "dawn": 6 * 60}.get(moment.part)


def _one_end(moment: Moment, days: Days | None, length: Length, ref: Reference) -> Span:
    opens, closes = ref.calendar.opens, ref.calendar.closes
    base = Span(first=days[0] if days else None, last=days[1] if days else None)
    if moment.edge:
        return _edge(base, moment.edge, ref)
    if moment.whole and moment.clock is None:
        return replace(base, whole=True)
    if moment.only and not moment.timed and not length.days and not length.minutes:
        return replace(base, open_start=moment.only == "late", open_end=moment.only == "early")
    point = _start_of(moment, ref)
    exact = moment.clock is not None or moment.bare is not None or moment.noon or bool(moment.point)
    if exact and point is not None:
        if length.minutes:
            return replace(base, start=point, minutes=length.minutes)
        if length.days:
            return replace(base, start=point, days=length.days)
        if moment.open_start or moment.join == "until" or moment.only == "late":
            return replace(base, start=opens, end=point)
        if moment.open_end or moment.only == "early":
            return replace(base, start=point, end=closes, open_end=True)
        return replace(base, start=point)
    if point is not None:  # a part of day
        if length.days and length.days > 1:
            return replace(base, start=point, days=length.days)
        end = _end_of(moment, moment, ref)
        if length.minutes and end is not None and length.minutes != ref.calendar.minutes(at(ref.today, point), at(ref.today, end)):
            return replace(base, minutes=length.minutes)  # 下午請兩小時: from when?
        return replace(base, start=point, end=end)
    if length.days == 1:
        return replace(base, whole=True)
    if length.days and days:
        if moment.day and moment.day.kind == "week" and length.days < ref.calendar.count_workdays(*days):
            return replace(base, days=length.days)  # 下週請兩天: which of them?
        return _restated(base, length.days, ref)
    return replace(base, whole=moment.whole, half=moment.half, days=length.days, minutes=length.minutes)


def _restated(base: Span, days: int, ref: Reference) -> Span:
    """兩天 after a range of two days says nothing new; after one day it is a length."""
    if base.first and base.last and base.first != base.last:
        return base
    return replace(base, days=days)


def _edge(base: Span, edge: Edge, ref: Reference) -> Span:
    today = ref.today
    calendar = ref.calendar
    if edge.kind == "early":
        start = calendar.subtract_minutes(at(today, calendar.closes), edge.minutes)
        return replace(base, start=clock(start) if start else None, end=calendar.closes)
    end = calendar.add_minutes(at(today, calendar.opens), edge.minutes)
    return replace(base, start=calendar.opens, end=clock(end) if end else None)
