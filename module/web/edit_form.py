"""The form's fields as the browser's own controls: they work by keyboard, by voice and on phones, in any number of choices."""

from datetime import date, datetime
from html import escape

from model.company import Employee
from model.form import LeaveForm
from module.words import Words


def edit_form(form: LeaveForm, employee: Employee, words: Words) -> str:
    """An HTML form of the fields as they are now; every value escaped. The page's script passes on what changed."""
    kind = employee.leave_type(form.category or "")
    rows = [
        _choice("category", form.category, [(one.name, one.name) for one in employee.leave_types], words),
        _input("start", "datetime-local", _moment(form.start), words, 'step="1800" required'),
        _input("end", "datetime-local", _moment(form.end), words, 'step="1800" required'),
        _choice(
            "agent",
            form.agent,
            [(one.name, f"{one.name} {one.name_en}".strip()) for one in employee.substitutes],
            words,
        ),
        _memo(form.memo or "", bool(kind and kind.memo_required), words),
    ]
    if kind and kind.event_date_required:
        rows.append(_input("event_date", "date", _day(form.event_date), words, ""))
    apply, back = (escape(words.say("page", key)) for key in ("apply", "back"))
    buttons = f'<div class="row"><button type="submit" class="main">{apply}</button><button type="button" class="back">{back}</button></div>'
    return f'<form class="edit" novalidate>{"".join(rows)}{buttons}</form>'


def _moment(moment: datetime | None) -> str:
    return moment.isoformat(timespec="minutes") if moment else ""


def _day(day: date | None) -> str:
    return day.isoformat() if day else ""


def _label(name: str, words: Words, control: str) -> str:
    return f"<label><span>{escape(words.say('form', name))}</span>{control}</label>"


def _input(name: str, kind: str, value: str, words: Words, more: str) -> str:
    return _label(name, words, f'<input type="{kind}" name="{name}" value="{value}" {more}>')


def _choice(name: str, value: str | None, choices: list[tuple[str, str]], words: Words) -> str:
    blank = "" if value else '<option value="" selected></option>'
    options = "".join(
        f'<option value="{escape(one)}"{" selected" if one == value else ""}>{escape(shown)}</option>'
        for one, shown in choices
    )
    return _label(name, words, f'<select name="{name}">{blank}{options}</select>')


def _memo(value: str, required: bool, words: Words) -> str:
    more = " required" if required else ""
    return _label("memo", words, f'<textarea name="memo" rows="2" maxlength="200"{more}>{escape(value)}</textarea>')
