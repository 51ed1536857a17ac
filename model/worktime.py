"""Working hours, holidays and working-time arithmetic in whole minutes. A day's clock times are minutes after midnight."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta

DAY = timedelta(days=1)


def at(day: date, minutes: int) -> datetime:
    """The moment `minutes` after that day's midnight (1440 is the next midnight)."""
    return datetime.combine(day, time()) + timedelta(minutes=minutes)


def clock(moment: datetime) -> int:
    """Minutes after midnight."""
    return moment.hour * 60 + moment.minute


@dataclass(frozen=True)
class WorkCalendar:
    """When a company works.

    Attributes:
        opens, closes: first and last minute of a working day.
        lunch: the unpaid break, [from, to).
        unit_minutes: the step that leave times are rounded to.
        workdays: ISO weekdays (Monday is 1).
        holidays: days off with their names; a make-up workday is worked whatever weekday it is.
        known_until: the last year whose holidays are known.
        blocked: working days on which nobody may take leave, with the reason.
        half_workdays: days of which only [from, to) is worked, whatever weekday they are.
    """

    opens: int = 540
    closes: int = 1080
    lunch: tuple[int, int] = (720, 780)
    unit_minutes: int = 30
    workdays: frozenset[int] = frozenset({1, 2, 3, 4, 5})
    holidays: Mapping[date, str] = field(default_factory=dict)
    makeup_workdays: frozenset[date] = frozenset()
    known_until: int = 9999
    blocked: Mapping[date, str] = field(default_factory=dict)
    half_workdays: Mapping[date, tuple[int, int]] = field(default_factory=dict)

    @property
    def day_minutes(self) -> int:
        """Working minutes of a whole day."""
        return sum(end - start for start, end in self.stretches)

    @property
    def stretches(self) -> tuple[tuple[int, int], ...]:
        """The worked stretches of a whole day: before and after lunch."""
        return ((self.opens, self.lunch[0]), (self.lunch[1], self.closes))

    def hours(self, day: date) -> tuple[int, int]:
        """First and last minute worked on that day; of a day off, those of any other."""
        return self.half_workdays.get(day, (self.opens, self.closes))

    def stretches_on(self, day: date) -> tuple[tuple[int, int], ...]:
        """The worked stretches of that day."""
        if day not in self.half_workdays:
            return self.stretches
        opens, closes = self.half_workdays[day]
        cut = ((max(low, opens), min(high, closes)) for low, high in self.stretches)
        return tuple((low, high) for low, high in cut if low < high)

    def is_workday(self, day: date) -> bool:
        """Whether that day is worked: make-up and half workdays in, weekends and holidays out."""
        if day in self.makeup_workdays or day in self.half_workdays:
            return True
        return day.isoweekday() in self.workdays and day not in self.holidays

    def minutes(self, start: datetime, end: datetime) -> int:
        """Working minutes within [start, end)."""
        return sum(self._worked(day, start, end) for day in self._days(start, end) if self.is_workday(day))

    def _worked(self, day: date, start: datetime, end: datetime) -> int:
        first = clock(start) if day == start.date() else 0
        last = clock(end) if day == end.date() else 1440
        return sum(max(0, min(last, high) - max(first, low)) for low, high in self.stretches_on(day))

    @staticmethod
    def _days(start: datetime, end: datetime) -> Iterator[date]:
        for offset in range((end.date() - start.date()).days + 1):
            yield start.date() + offset * DAY

    def count_workdays(self, first: date, last: date) -> int:
        """Working days from first to last, both included."""
        return sum(self.is_workday(first + offset * DAY) for offset in range((last - first).days + 1))

    def shift(self, day: date, workdays: int) -> date:
        """The day that many working days later (earlier when negative); 0 leaves it where it is."""
        step = DAY if workdays > 0 else -DAY
        for _ in range(abs(workdays)):
            day += step
            for _ in range(366):
                if self.is_workday(day):
                    break
                day += step
        return day

    def span_of(self, first: date, workdays: int) -> date:
        """The last of so many working days, the first day counted when it is one."""
        return self.shift(first - DAY, workdays)

    def add_minutes(self, start: datetime, minutes: int) -> datetime | None:
        """Start plus working time on the same day; None when it would run past closing time."""
        now, left = clock(start), minutes
        for low, high in self.stretches_on(start.date()):
            if now < high:
                now = max(now, low)
                if left <= high - now:
                    return at(start.date(), now + left)
                left -= high - now
                now = high
        return None

    def subtract_minutes(self, end: datetime, minutes: int) -> datetime | None:
        """End minus working time on the same day; None when it would start before opening time."""
        now, left = clock(end), minutes
        for low, high in reversed(self.stretches_on(end.date())):
            if now > low:
                now = min(now, high)
                if left <= now - low:
                    return at(end.date(), now - left)
                left -= now - low
                now = low
        return None
