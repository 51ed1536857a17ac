"""The days around a leave as a picture: weeks of a month with what is off, taken, asked for, and who is away."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from html import escape

from model.form import Preview
from model.overview import Overview
from model.worktime import DAY, WorkCalendar, at
from module.words import Words

WEEK, MOST_WEEKS = timedelta(days=7), 9
GUTTER, WIDE, HIGH, WIDTH = 30, 41, 30, 320
KINDS = ("this", "own", "holiday", "off", "away")
Pair = tuple[datetime, datetime]
# Every kind differs by its pattern too, not by colour alone.
PATTERNS = (
    '<defs><pattern id="hatch" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">'
    '<rect width="6" height="6" class="holiday-ground"/><path d="M0 0V6" class="holiday-line"/></pattern>'
    '<pattern id="dots" width="6" height="6" patternUnits="userSpaceOnUse"><rect width="6" height="6" class="own-ground"/>'
    '<circle cx="3" cy="3" r="1.3" class="own-dot"/></pattern><pattern id="bars" width="4" height="6" '
    'patternUnits="userSpaceOnUse"><rect width="4" height="6" class="away-ground"/><path d="M1 0V6" class="away-line"/></pattern>'
    '<pattern id="taking" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(-45)">'
    '<rect width="6" height="6" class="taking-ground"/><path d="M0 0V6" class="taking-line"/></pattern></defs>'
)


@dataclass(frozen=True)
class _Days:
    """What is told of single days."""

    calendar: WorkCalendar
    this: tuple[Pair, ...]
    own: tuple[Pair, ...]
    away: tuple[Pair, ...]

    def part(self, day: date, pairs: tuple[Pair, ...]) -> tuple[float, float] | None:
        """Which part of the working day is covered, 0 to 1 from opening to closing; None when none of it."""
        opens, closes = at(day, self.calendar.opens), at(day, self.calendar.closes)
        inside = [
            (max(a, opens), min(b, closes)) for a, b in pairs if self.calendar.minutes(max(a, opens), min(b, closes))
        ]
        if not inside:
            return None
        whole = (closes - opens).total_seconds()
        first, last = min(a for a, _ in inside), max(b for _, b in inside)
        return (first - opens).total_seconds() / whole, (last - opens).total_seconds() / whole

    def which(self, kind: str, day: date) -> bool:
        """Whether that day is of the kind."""
        if kind == "holiday":
            return day in self.calendar.holidays
        if kind == "off":
            return not self.calendar.is_workday(day) and day not in self.calendar.holidays
        return self.part(day, getattr(self, kind)) is not None


def strip(preview: Preview, overview: Overview, words: Words) -> str:
    """The picture as SVG with its alternative text; colours stand in page.css."""
    request = preview.request
    calendar = overview.calendar
    own = tuple((one.start, one.end) for one in overview.leaves if one.status != "cancelled")
    away = tuple((one.start, one.end) for one in overview.absences if one.name == request.agent)
    days = _Days(calendar, ((request.start, request.end),), own, away)
    rows = weeks(request.start.date(), request.end.date())
    seen = [day for monday in rows if monday for day in _week(monday)]
    kinds = [kind for kind in KINDS if any(days.which(kind, day) for day in seen)]
    names = {kind: words.say("strip", kind, agent=request.agent) for kind in kinds}
    legend = list(_legend(names, 34 + HIGH * len(rows)))
    height = 34 + HIGH * len(rows) + 22 * ((len(names) + 1) // 2) + 4
    parts = [PATTERNS, *_head(words), *_rows(rows, days, words), *legend]
    if preview.remaining_before and preview.remaining_after is not None:
        parts += _hours(preview.remaining_after / preview.remaining_before, height + 6)
        height += 18
    alt = escape(_alt(seen, names, days, words))
    head = f'<svg xmlns="http://www.w3.org/2000/svg" class="strip" viewBox="0 0 {WIDTH} {height}" role="img" aria-label="{alt}">'
    return f"{head}{''.join(parts)}</svg>"


def shown(first: date, last: date) -> tuple[date, date]:
    """The first and the last day that a leave's picture shows."""
    rows = [monday for monday in weeks(first, last) if monday]
    return rows[0], rows[-1] + 6 * DAY


def weeks(first: date, last: date) -> list[date | None]:
    """Mondays: the whole month of a leave within one, else its weeks and one on either side. None stands for weeks left out."""
    if (first.year, first.month) == (last.year, last.month):
        begins, ends = first.replace(day=1), (first.replace(day=28) + 4 * DAY).replace(day=1) - DAY
    else:
        begins, ends = first - WEEK, last + WEEK
    monday, rows = begins - begins.weekday() * DAY, list[date | None]()
    while monday <= ends:
        rows.append(monday)
        monday += WEEK
    half = MOST_WEEKS // 2
    return rows if len(rows) <= MOST_WEEKS else [*rows[:half], None, *rows[-half:]]


def _week(monday: date) -> list[date]:
    return [monday + n * DAY for n in range(7)]


def _head(words: Words) -> Iterator[str]:
    for column, name in enumerate(words.say("form", "weekdays")):
        yield f'<text class="weekday" x="{GUTTER + WIDE * (column + 0.5):g}" y="16">{escape(name)}</text>'


def _rows(rows: list[date | None], days: _Days, words: Words) -> Iterator[str]:
    month = 0
    for row, monday in enumerate(rows):
        top = 26 + HIGH * row
        if monday is None:
            yield f'<text class="weekday" x="{GUTTER + WIDE * 3.5:g}" y="{top + 18}">⋯</text>'
            continue
        shown_month = (monday + 6 * DAY).month if month == 0 or (monday + 6 * DAY).day <= 7 else monday.month
        if shown_month != month:
            month = shown_month
            yield f'<text class="month" x="2" y="{top + 18}">{escape(words.say("strip", "month", month=month))}</text>'
        for column, day in enumerate(_week(monday)):
            yield from _day(day, GUTTER + WIDE * column, top, days)


def _day(day: date, left: float, top: float, days: _Days) -> Iterator[str]:
    wide, high = WIDE - 4, HIGH - 4
    ground = next((kind for kind in ("holiday", "off") if days.which(kind, day)), "work")
    yield _box(ground, left + 2, top, wide, high)
    for kind, pairs in (("own", days.own), ("this", days.this)):
        if part := days.part(day, pairs):
            yield _box(kind, left + 2 + wide * part[0], top, wide * (part[1] - part[0]), high)
    if days.which("away", day):
        yield _box("away", left + 2, top + high - 6, wide, 6)
    whole = days.part(day, days.this)
    ink = ground if whole is None else "on" if whole[0] <= 0.3 and whole[1] >= 0.7 else "half"
    yield f'<text class="n n-{ink}" x="{left + WIDE / 2:g}" y="{top + 17:g}">{day.day}</text>'


def _hours(share: float, top: float) -> Iterator[str]:
    """What is left of the type: the full bar is what there is now, its hatched end what this leave takes."""
    wide = WIDTH - 8
    kept = wide * max(0.0, min(1.0, share))
    yield f'<rect class="taken" x="4" y="{top:g}" width="{wide}" height="10" rx="5"/>'
    yield f'<rect class="kept" x="4" y="{top:g}" width="{kept:.1f}" height="10" rx="5"/>'


def _box(kind: str, left: float, top: float, wide: float, high: float) -> str:
    return f'<rect class="{kind}" x="{left:g}" y="{top:g}" width="{wide:g}" height="{high:g}" rx="5"/>'


def _legend(names: dict[str, str], top: int) -> Iterator[str]:
    for number, (kind, name) in enumerate(names.items()):
        left, y = 4 + (number % 2) * 156, top + (number // 2) * 22
        yield (
            _box(kind, left, y + 2, 18, 13) + f'<text class="legend" x="{left + 25}" y="{y + 13}">{escape(name)}</text>'
        )


def _alt(seen: list[date], names: dict[str, str], days: _Days, words: Words) -> str:
    told = (
        f"{name} {'、'.join(words.day(day) for day in seen if days.which(kind, day))}"
        for kind, name in names.items()
        if kind != "off"
    )
    return words.say("strip", "alt", first=words.day(seen[0]), last=words.day(seen[-1]), parts="；".join(told))
