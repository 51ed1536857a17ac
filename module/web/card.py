"""State chip and preview card as HTML of our own around escaped values. No logic: it shows what it is given."""

from collections.abc import Iterator
from datetime import date, datetime

from model.conversation import View
from model.form import Preview
from model.outcome import Turn
from module.web import labels
from module.web.escape import one_line


def chip(view: View | None, busy: str = "") -> str:
    """The state chip, and beside it the 規則模式 badge while no model answers. `busy` overrides the state."""
    turn = view.turn if view else None
    state = busy or (turn.chip if turn else "ready")
    text = labels.CHIPS.get(state, labels.CHIPS["ready"])
    if state == "clarifying" and turn:
        text += f" {turn.rounds[0]}/{turn.rounds[1]}"
    badge = f'<span class="badge">{labels.RULES_ONLY}</span>' if view and view.mode == "rules" else ""
    return f'<span class="chip chip-{state}">{text}</span>{badge}'


def identity(view: View) -> str:
    """Who is speaking."""
    person = view.employee
    return f'<span class="who">{one_line(person.name)}<small>{one_line(person.department)}</small></span>'


def card(turn: Turn | None) -> str:
    """What the confirm button stands for; empty when there is nothing to confirm."""
    if turn is None or not turn.confirm_token:
        return ""
    if turn.preview:
        return _leave(turn.preview)
    if turn.cancel_wf:
        return _frame("取消假單", [("要取消的假單", one_line(turn.cancel_wf))], [], ())
    return ""


def _leave(preview: Preview) -> str:
    length = f"{preview.hours:g} <small>小時（{preview.days:g} 天）</small>"
    headline = [(_marked("假別", preview, "category"), one_line(preview.request.category)), ("時數", length)]
    return _frame("假單預覽", headline, list(_rows(preview)), preview.notes)


def _rows(preview: Preview) -> Iterator[tuple[str, str]]:
    request = preview.request
    yield _marked("開始", preview, "start"), moment(request.start)
    yield _marked("結束", preview, "end"), moment(request.end)
    yield _marked("代理人", preview, "agent"), one_line(request.agent)
    yield _marked("事由", preview, "memo"), one_line(request.memo)
    if request.event_date:
        yield _marked("事件發生日", preview, "event_date"), day(request.event_date)
    if preview.years:
        yield "各年時數", "・".join(f"{share.year} 年 {share.minutes / 60:g} 小時" for share in preview.years)
    if preview.remaining_before is not None and preview.remaining_after is not None:
        before, after = preview.remaining_before / 60, preview.remaining_after / 60
        yield "剩餘時數", f'{before:g} <span class="arrow">→</span> {after:g} 小時'
    if request.attachments:
        yield "附件", "、".join(one_line(name) for name in request.attachments)
    yield "姓名", one_line(preview.employee_name)
    yield "員編", one_line(request.employee_no)


def _frame(title: str, headline: list[tuple[str, str]], rows: list[tuple[str, str]], notes: tuple[str, ...]) -> str:
    head = "".join(f'<div class="cell"><dt>{name}</dt><dd>{value}</dd></div>' for name, value in headline)
    lines = "".join(f'<div class="field"><dt>{name}</dt><dd>{value}</dd></div>' for name, value in rows)
    remarks = "".join(f"<li>{one_line(note)}</li>" for note in notes)
    return (
        f'<div class="card"><div class="card-head">{title}<span class="tag">{labels.NOT_YET}</span></div>'
        f'<dl class="card-main">{head}</dl>'
        + (f"<dl>{lines}</dl>" if lines else "")
        + (f'<ul class="notes">{remarks}</ul>' if remarks else "")
        + "</div>"
    )


def _marked(name: str, preview: Preview, field: str) -> str:
    mark = labels.ASSUMED if field in preview.assumed else labels.GUESSED if field in preview.guessed else ""
    return f'{name}<span class="mark">{mark}</span>' if mark else name


def day(value: date) -> str:
    """2026-12-09（三）."""
    return f"{value:%Y-%m-%d}（{labels.WEEKDAYS[value.weekday()]}）"


def moment(value: datetime) -> str:
    """2026-12-09（三）09:00."""
    return f"{day(value)}{value:%H:%M}"
