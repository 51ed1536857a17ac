"""Problems in words: the code names the sentence, its values are put in once."""

from datetime import date
from typing import Any

from model.form import LeaveForm
from model.outcome import Outcome, Problem
from model.worktime import DAY
from module.nodes.context import Context
from module.words import calendar_values, clock_text, duration, number

SHOWN = 8  # choices named or offered; the card's own control holds them all
EVENT_NAMES = {"婚": "結婚登記日或宴客日", "喪": "過世的日期", "產": "預產期或產檢日"}
UNITS = {480: ("一整天", "12/28 整天"), 240: ("半天", "12/28 上午")}


def phrase(problem: Problem, form: LeaveForm, context: Context) -> tuple[str, list[str]]:
    """The sentence, and short answers that can be tapped."""
    values: dict[str, Any] = {"category": form.category or "", **calendar_values(context.calendar)}
    values |= {key: _plain(value, context) for key, value in problem.values.items()}
    choices = _choices(problem, form, context)
    values |= {"choices": _listed(choices, context), "first_choice": choices[0] if choices else ""}
    values.setdefault("name", "")
    _ADD.get(problem.outcome, _nothing)(values, problem, form, context)
    return context.words.say(str(problem.outcome), problem.reason, **values), _options(problem, choices, context)


def _plain(value: object, context: Context) -> object:
    if isinstance(value, date):
        return context.words.day(value)
    if isinstance(value, str) and len(value) == 10 and value[4:5] == "-" and value[:4].isdigit():
        return context.words.day(date.fromisoformat(value))
    return value


def _choices(problem: Problem, form: LeaveForm, context: Context) -> list[str]:
    given = problem.values.get("choices")
    if isinstance(given, list | tuple):
        names = [str(name) for name in given]
        if problem.outcome is Outcome.AGENT_UNAVAILABLE:
            return [name for name in names if name != problem.values.get("name")]
        return names
    if problem.outcome is Outcome.CATEGORY_NOT_ALLOWED:
        return [kind.name for kind in context.employee.leave_types]
    return []


def _options(problem: Problem, choices: list[str], context: Context) -> list[str]:
    """Answers that can be tapped; days on which nobody works are not offered."""
    if choices:
        return choices[:SHOWN]
    key = str(problem.outcome)
    table = f"{key}.{problem.reason}" if problem.reason else key
    if not context.words.has("options", table):
        return []
    today = context.now.date()
    off = {word for word, ahead in (("今天", 0), ("明天", 1)) if not context.calendar.is_workday(today + ahead * DAY)}
    offered = context.words.say("options", table).split("|")
    return [answer for answer in offered if not any(answer.startswith(word) for word in off)]


def _listed(choices: list[str], context: Context) -> str:
    """All of a few; the first of many, and how many there are."""
    first = "、".join(choices[:SHOWN])
    return first if len(choices) <= SHOWN else context.words.say("options", "more", first=first, count=len(choices))


def _nothing(values: dict[str, Any], problem: Problem, form: LeaveForm, context: Context) -> None:
    return None


def _time(values: dict[str, Any], problem: Problem, form: LeaveForm, context: Context) -> None:
    if "minutes" in values:
        values["minutes_text"] = duration(int(values["minutes"]))
    if problem.reason == "contradiction" and isinstance(values["other"], int):
        values["other"] = context.words.say("form", "weekdays")[values["other"] - 1]
    names = problem.values.get("holidays")
    values["holiday_names"] = f"（{'、'.join(map(str, names))}）" if isinstance(names, list) and names else ""
    if "until" in problem.values:
        values["worked"] = "–".join(clock_text(int(str(problem.values[name]))) for name in ("since", "until"))
    month, day = problem.values.get("month"), problem.values.get("day")
    values["date_text"] = f" {month}/{day} " if month else f" {day} 號" if day else ""
    said = problem.values.get("date")
    if problem.reason == "too_far_back" and said:
        day_said = said if isinstance(said, date) else date.fromisoformat(str(said))
        values["next_year"] = f"{day_said.year + 1}/{day_said.month}/{day_said.day}"


def _hours(values: dict[str, Any], problem: Problem, form: LeaveForm, context: Context) -> None:
    values["needed"], values["left"] = number(int(values["needed"]) / 60), number(int(values["left"]) / 60)


def _unit(values: dict[str, Any], problem: Problem, form: LeaveForm, context: Context) -> None:
    unit = int(values["unit"])
    values["unit_text"], values["unit_example"] = UNITS.get(unit, (duration(unit), "下午兩點到三點"))


def _event(values: dict[str, Any], problem: Problem, form: LeaveForm, context: Context) -> None:
    values["event_name"] = next((name for part, name in EVENT_NAMES.items() if part in values["category"]), "發生的日期")


def _overlap(values: dict[str, Any], problem: Problem, form: LeaveForm, context: Context) -> None:
    leave: Any = problem.values["leave"]
    times = f"{context.words.moment(leave.start)} ~ {context.words.moment(leave.end)}"
    values["leave_text"] = f"{leave.wf_no} {leave.category} {times}"


_ADD = {
    Outcome.ASK_TIME: _time,
    Outcome.TIME_INVALID: _time,
    Outcome.NOT_ENOUGH_HOURS: _hours,
    Outcome.UNIT_INVALID: _unit,
    Outcome.ASK_EVENT_DATE: _event,
    Outcome.OVERLAPS: _overlap,
}
