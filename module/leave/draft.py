"""The form while it is being talked about, and how a message changes it (SEMANTICS §4 pending lengths, §8 corrections)."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from datetime import date, datetime
from typing import Any

from model.meaning import Change, Span, Wish
from model.outcome import Outcome, Problem
from model.worktime import DAY, WorkCalendar, at, clock

Times = tuple[datetime, datetime]

WEEK = 7 * DAY


@dataclass(frozen=True)
class Draft:
    """Newest values of the form. how: said, guessed or assumed, per field.

    Attributes:
        start, end: as said, before rounding.
        pending: a stretch of time that still lacks something (a length without start …).
        tried: times that were refused; a later half sentence may complete them.
        questions: per field, what the words left open.
    """

    category: str | None = None
    start: datetime | None = None
    end: datetime | None = None
    agent: str | None = None
    memo: str | None = None
    event_date: date | None = None
    how: Mapping[str, str] = field(default_factory=dict)
    pending: Span | None = None
    tried: Times | None = None
    questions: Mapping[str, Problem] = field(default_factory=dict)

    @property
    def times(self) -> Times | None:
        """Start and end, when both are known."""
        return (self.start, self.end) if self.start and self.end else None

    def set(self, name: str, value: Any, how: str = "said") -> "Draft":
        """The draft with that field set, and its open question gone."""
        changed = replace(self, **{name: value})
        return replace(changed, how={**self.how, name: how}).answered(name)

    def answered(self, name: str) -> "Draft":
        """The draft with the open question of that field gone."""
        return replace(self, questions={k: v for k, v in self.questions.items() if k != name})

    def ask(self, name: str, problem: Problem) -> "Draft":
        """The draft with a question left open."""
        return replace(self, questions={**self.questions, name: problem})


@dataclass(frozen=True)
class Rules:
    """What merging needs to know of today and the company."""

    now: datetime
    calendar: WorkCalendar
    today_types: frozenset[str]


def apply(draft: Draft, wish: Wish, rules: Rules, how: str = "said", memo_welcome: bool = True) -> Draft:
    """The draft after one message; what was not mentioned stays."""
    draft = _category(draft, wish, how)
    if wish.agent:
        draft = draft.set("agent", wish.agent, how)
    elif wish.agent_problem and wish.agent_problem.outcome is not Outcome.UNCLEAR_EDIT:
        draft = draft.set("agent", None).ask("agent", wish.agent_problem)
    if wish.memo and (wish.memo_said or memo_welcome):
        draft = draft.set("memo", wish.memo, how)
    if wish.event_date:
        draft = draft.set("event_date", wish.event_date, how)
    elif wish.event_problem:
        draft = draft.ask("event_date", wish.event_problem)
    return _time(draft, wish, rules, how)


def _category(draft: Draft, wish: Wish, how: str) -> Draft:
    if wish.category_choices:
        choices = {"choices": list(wish.category_choices)}
        return draft.set("category", None).ask("category", Problem(Outcome.ASK_CATEGORY, "several", choices))
    if wish.category and wish.category_said:
        return draft.set("category", wish.category, how)
    if wish.category and draft.how.get("category") not in ("said", "guessed") and "category" not in draft.questions:
        return draft.set("category", wish.category, "assumed")
    return draft


# ---- time


def _time(draft: Draft, wish: Wish, rules: Rules, how: str) -> Draft:
    span = wish.spans[0] if wish.spans else None
    if span and span.problem:
        return draft.ask("time", span.problem)
    if span is None and not wish.changes:
        return draft
    base = draft.times or draft.tried
    found: Times | Span | Problem | None = None
    relative = [change for change in wish.changes if change.kind in ("shift", "extend")]
    ends = {change.kind for change in wish.changes} & {"start", "end"}
    if relative and (base or draft.pending is None):
        found = _changed(base, relative, rules) if base else Problem(Outcome.ASK_TIME)
    elif ends and span and draft.times:
        found = _one_end(draft.times, ends, span, rules)
    elif span:
        found = _said(draft, span, base, rules)
    if found is None:
        return draft
    if isinstance(found, Problem):
        return draft.ask("time", found)
    draft = replace(draft, questions={k: v for k, v in draft.questions.items() if k != "time"})
    if isinstance(found, Span):
        return replace(draft, pending=found, start=None, end=None)
    return replace(draft.set("start", found[0], how).set("end", found[1], how), pending=None, tried=None)


def _changed(base: Times, changes: list[Change], rules: Rules) -> Times | Problem:
    """Shifts move both ends, extensions the last; by working days, or by working time on the same day."""
    start, end = base
    for change in changes:
        if change.days:
            end = at(rules.calendar.shift(end.date(), change.days), clock(end))
            start = at(rules.calendar.shift(start.date(), change.days), clock(start)) if change.kind == "shift" else start
        elif change.minutes:
            moved = _moved(end, change.minutes, rules.calendar)
            first = _moved(start, change.minutes, rules.calendar) if change.kind == "shift" else start
            if moved is None or first is None:
                return Problem(Outcome.TIME_INVALID, "past_closing")
            start, end = first, moved
    if end <= start or rules.calendar.minutes(start, end) == 0:
        return Problem(Outcome.TIME_INVALID, "nothing_left")
    return start, end


def _moved(moment: datetime, minutes: int, calendar: WorkCalendar) -> datetime | None:
    if minutes >= 0:
        return calendar.add_minutes(moment, minutes)
    return calendar.subtract_minutes(moment, -minutes)


def _one_end(base: Times, ends: set[str], span: Span, rules: Rules) -> Times | Span | Problem:
    start, end = base
    if "end" in ends:
        minute = span.start if span.start is not None and (span.end is None or span.open_end) else span.end
        day = span.last or end.date()
        end = at(day, minute if minute is not None else clock(end) if span.last is None or clock(end) != clock(start) else rules.calendar.closes)
    else:
        minute = span.start if span.start is not None and not span.open_start else span.end
        start = at(span.first or start.date(), minute if minute is not None else clock(start))
    if end <= start:
        return Problem(Outcome.TIME_INVALID, "end_before_start")
    return start, end


def _said(draft: Draft, span: Span, base: Times | None, rules: Rules) -> Times | Span | Problem:
    """A stretch as said, completed by what is pending or already on the form."""
    calendar = rules.calendar
    if draft.pending and not (span.first and (span.has_clock or span.whole)):
        span = filled(draft.pending, span)
    elif base and span.first is None:
        span = _on_base(span, base, calendar)
        if span.problem:
            return span.problem
    elif base and base[0].date() == base[1].date() and _is_bare_day(span):
        span = replace(span, start=clock(base[0]), end=clock(base[1]))
    if span.first is None and draft.category in rules.today_types and (span.has_clock or span.whole or span.half or span.minutes):
        span = replace(span, first=rules.now.date(), last=rules.now.date())
    return complete(span, calendar)


def _is_bare_day(span: Span) -> bool:
    return span.first == span.last and not (span.has_clock or span.whole or span.half or span.days or span.minutes)


def _on_base(span: Span, base: Times, calendar: WorkCalendar) -> Span:
    first, last = base[0].date(), base[1].date()
    if span.whole:
        return Span(first=first, last=last, whole=True)
    if span.days:
        return Span(first=first, last=first, days=span.days, start=span.start)
    only_start = span.start is not None and span.end is None
    if first != last and (span.half or span.has_clock) and not only_start:
        return replace(span, problem=Problem(Outcome.ASK_TIME, "which_day", {"first": first, "last": last}))
    if span.minutes and span.start is None:
        whole = (clock(base[0]), clock(base[1])) == (calendar.opens, calendar.closes)
        return replace(span, first=first, last=first, start=None if whole else clock(base[0]))
    if span.start is not None and span.end is None and span.minutes is None:  # another start, the same length
        length = calendar.minutes(*base)
        return replace(span, first=first, last=first, minutes=length if 0 < length < calendar.day_minutes else None)
    return replace(span, first=first, last=first)


def filled(known: Span, new: Span) -> Span:
    """What was pending with what was said now."""
    clock_said = new.has_clock or new.whole
    if known.open_start and new.start is not None and new.end is None:  # 明天會晚到; 十點
        new = replace(new, start=None, end=new.start)
    if known.days and known.first and known.last and known.first != known.last:  # 下週請兩天; 從週二開始
        new = _into_week(new, known.first, known.last)
    explicit_end = new.start is not None and new.end is not None and not new.open_end
    return Span(
        first=new.first or known.first,
        last=new.last or known.last,
        start=new.start if new.start is not None else (known.start if not new.whole else None),
        end=new.end if new.end is not None else (known.end if not new.whole else None),
        days=new.days or (None if clock_said else known.days),
        minutes=new.minutes or (None if explicit_end or new.whole else known.minutes),
        half=new.half or (known.half and not clock_said),
        whole=new.whole or (known.whole and not clock_said),
        open_end=new.open_end or known.open_end,
        open_start=new.open_start or known.open_start,
    )


def _into_week(new: Span, monday: date, friday: date) -> Span:
    """A weekday that answers which day of that week is one of that week."""
    if new.first is None or new.first >= monday or monday - new.first > WEEK:
        return replace(new, last=new.first)
    inside = new.first + WEEK
    return replace(new, first=inside, last=inside) if inside <= friday else new


def complete(span: Span, calendar: WorkCalendar) -> Times | Span | Problem:
    """Start and end as said; a Span when something is missing; a Problem when it cannot be."""
    if span.first is None or span.last is None:
        return span
    if span.half and not span.has_clock:
        return span
    if span.minutes and (span.end is None or span.open_end):
        if span.start is None:
            return span
        end = calendar.add_minutes(at(span.first, span.start), span.minutes)
        return (at(span.first, span.start), end) if end else Problem(Outcome.TIME_INVALID, "past_closing")
    if span.days and span.last > span.first and span.days < calendar.count_workdays(span.first, span.last):
        return span
    if span.days:
        first = span.first if calendar.is_workday(span.first) else calendar.shift(span.first, 1)
        opens = calendar.opens if span.start is None else span.start
        return at(first, opens), at(calendar.span_of(first, span.days), calendar.closes)
    if (span.open_start or span.open_end) and not (span.has_clock or span.whole):
        return span
    if span.whole or not span.has_clock:
        return at(span.first, calendar.opens), at(span.last, calendar.closes)
    if span.end is None:
        if span.last > span.first or span.open_end:
            return at(span.first, span.start or calendar.opens), at(span.last, calendar.closes)
        return span
    return at(span.first, calendar.opens if span.start is None else span.start), at(span.last, span.end)


def span_as_dict(span: Span | None) -> dict[str, Any]:
    """Plain values for the state; empty when there is nothing pending."""
    if span is None:
        return {}
    plain = {key: value for key, value in asdict(span).items() if key != "problem" and value not in (None, False)}
    return {key: value.isoformat() if isinstance(value, date) else value for key, value in plain.items()}


def span_from_dict(plain: Mapping[str, Any] | None) -> Span | None:
    """The opposite of `span_as_dict`."""
    if not plain:
        return None
    days = {key: date.fromisoformat(plain[key]) for key in ("first", "last") if plain.get(key)}
    return Span(**{**plain, **days})
