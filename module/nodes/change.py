"""Changing a filed leave: the new form, checked as if the old leave were gone already (SEMANTICS: cancel, then file anew)."""

import re
from dataclasses import replace
from datetime import timedelta

from model.company import Employee, Leave, LeaveType
from model.errors import EipError
from model.meaning import Meaning
from model.worktime import at
from module.leave.checks import cost, cost_by_year
from module.leave.draft import Draft, apply
from module.nodes.context import Context
from module.understand.read import Situation, understand

YEAR = timedelta(days=366)
BECOMES = re.compile(r"改到|改成|改為|換到|換成|移到|挪到|改")
BARE_WEEKDAY = re.compile(r"^\s*(?=(?:週|周|星期|禮拜|拜)[一二三四五六日天])")


def changed(leave: Leave, meaning: Meaning, context: Context) -> Draft:
    """The leave as a draft with what the message says that it becomes."""
    parts = BECOMES.split(meaning.text, maxsplit=1)
    rest, count = BARE_WEEKDAY.subn("這", parts[1] if len(parts) > 1 else "", count=1)
    now = at(leave.start.date(), 0) if count else context.now  # a bare weekday is one of the leave's own week
    situation = Situation(open=True, category=leave.category, start=leave.start.date())
    wishes = understand(f"改成{rest}", now, context.employee, context.calendar, context.lexicon, situation).wishes
    how = dict.fromkeys(("category", "start", "end", "agent", "memo"), "said")
    old = Draft(leave.category, leave.start, leave.end, leave.agent or None, leave.memo or None, how=how)
    return apply(old, wishes[0], context.rules) if wishes else old


def unchanged(leave: Leave, draft: Draft) -> bool:
    """Whether nothing was said of what the leave becomes."""
    same = (draft.category, draft.start, draft.end) == (leave.category, leave.start, leave.end)
    return same and draft.agent == (leave.agent or None) and not draft.questions and draft.pending is None


def as_if_gone(leave: Leave, context: Context) -> Context:
    """The context with the leave's minutes given back and its days free."""
    kinds = tuple(_given_back(kind, leave, context) for kind in context.employee.leave_types)
    employee: Employee = replace(context.employee, leave_types=kinds)
    return replace(context, employee=employee, without=leave.wf_no)


def _given_back(kind: LeaveType, leave: Leave, context: Context) -> LeaveType:
    if kind.name != leave.category or kind.remaining_minutes is None:
        return kind
    back = cost(kind, leave.start, leave.end, context.calendar)
    by_year = kind.remaining_by_year
    if by_year is not None:
        shares = cost_by_year(kind, leave.start, leave.end, context.calendar)
        by_year = {year: left + shares.get(year, 0) for year, left in by_year.items()}
        back = sum(by_year.values()) - kind.remaining_minutes
    return replace(kind, remaining_minutes=kind.remaining_minutes + back, remaining_by_year=by_year)


async def is_cancelled(wf_no: str, context: Context) -> bool:
    """Whether that leave is cancelled already, as after a crash between cancelling and filing."""
    try:
        leaves = await context.eip.leaves(context.account, context.now - YEAR, context.now + 2 * YEAR)
    except EipError:
        return False
    return any(leave.wf_no == wf_no and leave.status == "cancelled" for leave in leaves)
