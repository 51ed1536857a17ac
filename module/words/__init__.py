"""Every sentence the assistant says, read from data files."""

import tomllib
from collections.abc import Mapping
from datetime import date, datetime
from functools import lru_cache
from importlib.resources import files
from typing import Any

from model.form import LeaveForm, Preview
from model.worktime import WorkCalendar


class Words:
    """The sentences of one language. Values go in once, so that braces typed by a user stay as they are."""

    def __init__(self, table: Mapping[str, Mapping[str, str]]) -> None:
        """Use `load`."""
        self._table = table

    def say(self, section: str, key: str = "", **values: object) -> str:
        """The sentence; a key that has none of its own falls back to the section's. A missing value raises KeyError."""
        sentences = self._table[section]
        return sentences.get(key, sentences.get("", "")).format_map(values)

    def has(self, section: str, key: str) -> bool:
        """Whether there is such a sentence."""
        return key in self._table.get(section, {})

    def moment(self, moment: datetime) -> str:
        """2026-12-09（三）09:00."""
        return f"{moment:%Y-%m-%d}（{self.weekday(moment.date())}）{moment:%H:%M}"

    def weekday(self, day: date) -> str:
        """一 … 日."""
        return self._table["form"]["weekdays"][day.weekday()]

    def day(self, day: date) -> str:
        """12/9（三）."""
        return f"{day.month}/{day.day}（{self.weekday(day)}）"

    def rows(self, preview: Preview) -> list[tuple[str, str]]:
        """The preview as label and value, in the order shown, defaults marked."""
        request, form = preview.request, self._table["form"]
        marks = dict.fromkeys(preview.assumed, form["assumed"]) | dict.fromkeys(preview.guessed, form["guessed"])
        length = form["length_text"].format(days=number(preview.days), hours=number(preview.hours))
        rows = [
            (form["name"], preview.employee_name),
            (form["no"], request.employee_no),
            (form["category"], request.category + marks.get("category", "")),
            (form["start"], self.moment(request.start) + marks.get("start", "")),
            (form["end"], self.moment(request.end) + marks.get("end", "")),
            (form["length"], length + self.split(preview)),
            (form["agent"], request.agent + marks.get("agent", "")),
            (form["memo"], request.memo + marks.get("memo", "")),
        ]
        if request.event_date:
            rows.append((form["event_date"], f"{request.event_date}（{self.weekday(request.event_date)}）"))
        return [*rows, (form["remaining"], self.remaining(preview))]

    def remaining(self, preview: Preview) -> str:
        """56 → 48 小時; by year over New Year; 不限 where the EIP has no number."""
        form = self._table["form"]
        if preview.years and preview.years[0].before is not None:
            shares = [(share.year, share.before or 0, share.after or 0) for share in preview.years]
            line = form["remaining_in_year"]
            return "、".join(line.format(year=year, before=number(before / 60), after=number(after / 60)) for year, before, after in shares)
        if preview.remaining_before is None or preview.remaining_after is None:
            return form["unlimited"]
        before, after = number(preview.remaining_before / 60), number(preview.remaining_after / 60)
        return form["remaining_text"].format(before=before, after=after)

    def split(self, preview: Preview) -> str:
        """（2026 年 8 小時、2027 年 8 小時）, for a leave over New Year; otherwise empty."""
        shares = self.shares(preview)
        return self._table["form"]["year_shares"].format(shares=shares) if shares else ""

    def shares(self, preview: Preview) -> str:
        """2026 年 8 小時、2027 年 8 小時."""
        form = self._table["form"]
        return "、".join(form["year_share"].format(year=share.year, hours=number(share.minutes / 60)) for share in preview.years)

    def summary(self, preview: Preview) -> str:
        """The preview in one line, for the transcript; the card shows the rest."""
        request = preview.request
        end = f"{request.end:%H:%M}" if request.end.date() == request.start.date() else self.moment(request.end)
        length = self._table["form"]["length_text"].format(days=number(preview.days), hours=number(preview.hours))
        return f"{request.category} {self.moment(request.start)}–{end}，{length}{self.split(preview)}，{self._table['form']['agent']} {request.agent}"

    def preview(self, preview: Preview) -> str:
        """The preview as lines of text."""
        lines = [f"{label}：{value}" for label, value in self.rows(preview)]
        return "\n".join([*lines, *preview.notes])


def number(value: float) -> str:
    """8, 1.5: without a needless decimal point."""
    return f"{value:g}"


def duration(minutes: int) -> str:
    """2 小時, 90 分鐘."""
    return f"{minutes // 60} 小時" if minutes % 60 == 0 else f"{minutes} 分鐘"


def clock_text(minutes: int) -> str:
    """09:00."""
    return f"{minutes // 60:02d}:{minutes % 60:02d}"


def script(form: LeaveForm) -> str:
    """The form as the one-line script of DESIGN §2."""
    times = f"{form.start:%Y-%m-%d %H:%M}~{form.end:%Y-%m-%d %H:%M}" if form.start and form.end else ""
    parts = [
        "我要請假", f"時間是{times}", f"請假類別是{form.category or ''}", f"請假事由是{form.memo or ''}",
        f"代理人是{form.agent or ''}", f"事件發生日是{form.event_date or ''}",
    ]  # fmt: skip
    return " | ".join(parts)


def calendar_values(calendar: WorkCalendar) -> dict[str, object]:
    """Working hours as the sentences name them."""
    lunch = "–".join(map(clock_text, calendar.lunch))
    return {"opens": clock_text(calendar.opens), "closes": clock_text(calendar.closes), "lunch": lunch}


@lru_cache(maxsize=4)
def load(language: str = "zh_TW") -> Words:
    """The sentences of a language; the file lies beside this one."""
    text = files(__name__).joinpath(f"{language}.toml").read_text(encoding="utf-8")
    table: dict[str, dict[str, Any]] = tomllib.loads(text)
    return Words(table)
