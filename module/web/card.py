"""State chip, preview card and receipt as HTML of our own around escaped values. No logic: it shows what it is given."""

from collections.abc import Iterator
from datetime import date, datetime

from model.conversation import View
from model.form import LeaveForm, Preview
from model.outcome import Outcome, Turn
from module.web import labels
from module.web.escape import one_line
from module.web.routes import find
from module.words import Words, load

Rows = list[tuple[str, str]]


def chip(view: View | None, busy: str = "") -> str:
    """The state chip, and beside it the 規則模式 badge while no model answers. `busy` overrides the state."""
    turn = view.turn if view else None
    state = busy or (turn.chip if turn else "ready")
    text = labels.CHIPS.get(state, labels.CHIPS["ready"])
    if state == "clarifying" and turn and turn.rounds[0]:
        text += f" {turn.rounds[0]}/{turn.rounds[1]}"
    badge = f'<span class="badge">{labels.RULES_ONLY}</span>' if view and view.mode == "rules" else ""
    return f'<span class="chip chip-{state}">{text}</span>{badge}'


def identity(view: View) -> str:
    """Who is speaking; for HR also the way to what waits for a person."""
    person = view.employee
    desk = ""
    if view.waiting_cases is not None:
        words = load()
        count = f" <b>{view.waiting_cases}</b>" if view.waiting_cases else ""
        desk = f'<a class="hr" href="/hr">{words.say("desk", "title")}{count}</a>'
    return desk + f'<span class="who">{one_line(person.name)}<small>{one_line(person.department)}</small></span>'


def card(turn: Turn | None, words: Words | None = None) -> str:
    """What the confirm button stands for, or what was filed just now; empty when there is neither."""
    words = words or load()
    if turn is None:
        return ""
    if turn.confirm_token and turn.preview:
        return _leave(turn.preview, words)
    if turn.confirm_token and turn.cancel_wf:
        return _frame(words, "cancel", [(words.say("card", "cancel_what"), one_line(turn.cancel_wf))], [], ())
    return receipt(turn, words) if turn.outcome is Outcome.SUBMITTED and turn.wf_no else ""


def digest(preview: Preview) -> str:
    """Names what a card shows in an address: enough to tell it from others, useless for confirming."""
    return preview.request.digest()[:20]


def receipt(turn: Turn, words: Words) -> str:
    """The number of what was filed, and what it was."""
    number = one_line(turn.wf_no)
    head = [(words.say("card", "number"), f'<span class="number">{number}</span>')]
    named = {"copy": words.say("page", "copied"), "cancel_leave": words.say("page", "cancel_words", wf_no=number)}
    acts = "".join(
        f'<button type="button" class="{name}" title="{title}">{words.say("page", name)}</button>'
        for name, title in named.items()
    )
    calendar = f"/leaves/{number}.ics"
    if find(calendar):
        acts += f'<a href="{calendar}" download>{words.say("page", "ics")}</a>'
    return _frame(words, "receipt", head, list(_filed(turn.form, words)), (), f'<div class="acts">{acts}</div>')


def _filed(form: LeaveForm, words: Words) -> Iterator[tuple[str, str]]:
    start, end = (words.moment(one) if one else "" for one in (form.start, form.end))
    values = (form.category, start, end, form.agent)
    for name, value in zip(("category", "start", "end", "agent"), values, strict=True):
        if value:
            yield words.say("card", name), one_line(value)


def _leave(preview: Preview, words: Words) -> str:
    length = words.say("card", "length_text", hours=f"{preview.hours:g}", days=f"{preview.days:g}")
    shown, small = length.split(" ", 1)
    headline = [
        _row("category", preview, one_line(preview.request.category), words),
        (words.say("card", "length"), f"{shown} <small>{small}</small>"),
    ]
    picture = f'<div class="drawn drawn-{digest(preview)}"></div>'
    return _frame(words, "preview", headline, list(_rows(preview, words)), preview.notes, picture)


def _rows(preview: Preview, words: Words) -> Iterator[tuple[str, str]]:
    request = preview.request
    yield _row("start", preview, moment(request.start), words)
    yield _row("end", preview, moment(request.end), words)
    yield _row("agent", preview, one_line(request.agent), words)
    yield _row("memo", preview, one_line(request.memo), words)
    if request.event_date:
        yield _row("event_date", preview, day(request.event_date), words)
    if preview.years:
        yield words.say("card", "years"), words.shares(preview)
    yield words.say("card", "remaining"), words.remaining(preview)
    if request.attachments:
        yield words.say("card", "attachments"), "、".join(one_line(name) for name in request.attachments)
    yield words.say("card", "person"), f"{one_line(preview.employee_name)}（{one_line(request.employee_no)}）"


def _frame(words: Words, kind: str, headline: Rows, rows: Rows, notes: tuple[str, ...], picture: str = "") -> str:
    head = "".join(f'<div class="cell"><dt>{name}</dt><dd>{value}</dd></div>' for name, value in headline)
    lines = "".join(f'<div class="field"><dt>{name}</dt><dd>{value}</dd></div>' for name, value in rows)
    remarks = "".join(f"<li>{one_line(note)}</li>" for note in notes)
    tag = words.say("card", "filed" if kind == "receipt" else "not_yet")
    return (
        f'<div class="card card-{kind}"><div class="card-head">{words.say("card", kind)}<span class="tag">{tag}</span></div>'
        f'<dl class="card-main">{head}</dl>'
        + (f"<dl>{lines}</dl>" if lines else "")
        + picture
        + (f'<ul class="notes">{remarks}</ul>' if remarks else "")
        + "</div>"
    )


def _row(field: str, preview: Preview, value: str, words: Words) -> tuple[str, str]:
    key = "assumed" if field in preview.assumed else "guessed" if field in preview.guessed else ""
    key = key or ("adjusted" if field in preview.adjusted else "")
    mark = f' <span class="mark">{words.say("form", key)}</span>' if key else ""
    return words.say("card", field), value + mark


def day(value: date) -> str:
    """2026-12-09（三）."""
    return f"{value:%Y-%m-%d}（{labels.WEEKDAYS[value.weekday()]}）"


def moment(value: datetime) -> str:
    """2026-12-09（三）09:00."""
    return f"{day(value)}{value:%H:%M}"
