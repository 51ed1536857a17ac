"""The side panel as HTML of our own, every value escaped: hours left, own leaves, who is away, handbook, how it was read."""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from html import escape
from itertools import groupby

from model.company import Leave, LeaveType
from model.overview import Overview
from module.web.routes import find
from module.words import Words, number

SOON = timedelta(days=62)
Row = tuple[str, str, str, str]


def panel(overview: Overview, said: str, rows: Sequence[Row], words: Words) -> str:
    """The whole panel; `rows` say how the last message was understood, headings first."""
    title, close, dark = (escape(words.say(*key)) for key in (("page", "panel"), ("page", "close"), ("panel", "dark")))
    parts = [
        f'<header><h2>{title}</h2><button type="button" class="close" aria-label="{close}">×</button></header>',
        _part("balances", _balances(overview, words), words),
        _part("leaves", _leaves(overview, words), words),
        _part("away", _away(overview, words), words) if overview.employee.substitutes else "",
        _part("handbook", _search(words), words),
        _part("meaning", _meaning(said, rows, words), words, closed=True),
        f'<label class="switch"><input type="checkbox" role="switch"><span>{dark}</span></label>',
    ]
    return "".join(parts)


def trouble(words: Words) -> str:
    """When there is nothing to show."""
    return f'<p class="none">{escape(words.say("panel", "unreachable"))}</p>'


def _part(name: str, inside: str, words: Words, closed: bool = False) -> str:
    title = escape(words.say("panel", name))
    return f'<details class="part part-{name}"{"" if closed else " open"}><summary><h3>{title}</h3></summary>{inside}</details>'


# ---- hours left


def _balances(overview: Overview, words: Words) -> str:
    most = max((kind.remaining_minutes or 0 for kind in overview.employee.leave_types), default=0) or 1
    return f'<ul class="balances">{"".join(_balance(kind, most, overview, words) for kind in overview.employee.leave_types)}</ul>'


def _balance(kind: LeaveType, most: int, overview: Overview, words: Words) -> str:
    left = kind.remaining_minutes
    if left is None:
        told, drawn = words.say("panel", "unlimited"), ""
    else:
        days = number(round(left / overview.calendar.day_minutes, 2))
        told, drawn = words.say("panel", "left", hours=number(left / 60), days=days), bar(left / most)
    return f"<li><span>{escape(kind.name)}</span><b>{escape(told)}</b>{drawn}</li>"


def bar(share: float) -> str:
    """A bar filled to that share, 0 to 1; what it says stands in words beside it."""
    wide = max(0.0, min(1.0, share)) * 100
    return (
        '<svg class="bar" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">'
        f'<rect class="rest" width="100" height="4" rx="2"/><rect class="left" width="{wide:.1f}" height="4" rx="2"/></svg>'
    )


# ---- own leaves, and who is away


def _leaves(overview: Overview, words: Words) -> str:
    if not overview.leaves:
        return f'<p class="none">{escape(words.say("panel", "no_leaves"))}</p>'
    newest = sorted(overview.leaves, key=lambda leave: leave.start, reverse=True)
    months = groupby(newest, lambda leave: (leave.start.year, leave.start.month))
    return "".join(_month(year, month, leaves, overview.now, words) for (year, month), leaves in months)


def _month(year: int, month: int, leaves: Iterable[Leave], now: datetime, words: Words) -> str:
    title = escape(words.say("panel", "month", year=year, month=month))
    return f'<h4>{title}</h4><ul class="leaves">{"".join(_leave(leave, now, words) for leave in leaves)}</ul>'


def _leave(leave: Leave, now: datetime, words: Words) -> str:
    end = (
        f"{leave.end:%H:%M}"
        if leave.end.date() == leave.start.date()
        else f"{words.day(leave.end.date())}{leave.end:%H:%M}"
    )
    when = f"{words.day(leave.start.date())}{leave.start:%H:%M}–{end}"
    status = escape(words.say("status", leave.status))
    cancel = escape(words.say("page", "cancel_words", wf_no=leave.wf_no))
    button = (
        f'<button type="button" class="cancel" data-say="{cancel}">{escape(words.say("page", "cancel_leave"))}</button>'
    )
    file = f"/leaves/{leave.wf_no}.ics"
    link = f'<a href="{escape(file)}" download>{escape(words.say("page", "ics"))}</a>' if find(file) else ""
    acts = link + (button if leave.end > now else "")
    acts = f'<div class="acts">{acts}</div>' if acts and leave.status != "cancelled" else ""
    return (
        f'<li class="leave-{escape(leave.status)}"><div><b>{escape(leave.category)}</b><span class="status">{status}</span></div>'
        f"<div>{escape(when)}</div><small>{escape(leave.wf_no)}</small>{acts}</li>"
    )


def _away(overview: Overview, words: Words) -> str:
    soon = [one for one in overview.absences if one.end > overview.now and one.start < overview.now + SOON]
    if not soon:
        return f'<p class="none">{escape(words.say("panel", "nobody_away"))}</p>'
    lines = (
        f"<li><b>{escape(one.name)}</b><span>"
        f"{escape(words.say('panel', 'away_line', start=_short(one.start, words), end=_short(one.end, words)))}</span></li>"
        for one in sorted(soon, key=lambda one: (one.start, one.name))
    )
    return f'<ul class="away-list">{"".join(lines)}</ul>'


def _short(moment: datetime, words: Words) -> str:
    return f"{words.day(moment.date())}{moment:%H:%M}"


# ---- handbook, and how it was read


def _search(words: Words) -> str:
    hint, button, name = (escape(words.say("panel", key)) for key in ("handbook_hint", "search", "handbook"))
    return (
        f'<form class="handbook" role="search"><input type="search" name="q" maxlength="200" placeholder="{hint}" aria-label="{name}">'
        f'<button type="submit">{button}</button></form><div class="found" aria-live="polite"></div>'
    )


def passages(found: Iterable[tuple[str, str, str]], words: Words) -> str:
    """What the handbook says, passage by passage with its number."""
    shown = "".join(
        f"<details><summary><b>{escape(number)}</b> {escape(title)}</summary><p>{escape(text)}</p></details>"
        for number, title, text in found
    )
    return shown or f'<p class="none">{escape(words.say("panel", "not_found"))}</p>'


def _meaning(said: str, rows: Sequence[Row], words: Words) -> str:
    if not said:
        return f'<p class="none">{escape(words.say("panel", "nothing_said"))}</p>'
    head = "".join(f'<th scope="col">{escape(cell)}</th>' for cell in rows[0][:3])
    lines = "".join("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in row[:3]) + "</tr>" for row in rows[1:])
    return f"<blockquote>{escape(said[:300])}</blockquote><table><thead><tr>{head}</tr></thead><tbody>{lines}</tbody></table>"
