"""What the embedded EIP checks before it files, and what it answers when it refuses."""

from model.form import LeaveForm, LeaveRequest
from model.outcome import Outcome, Problem
from module.leave.checks import CHECKS, Check, Facts, time


def open_days(form: LeaveForm, facts: Facts) -> Problem | None:
    """No working time on a day on which nobody may take leave."""
    if form.start is None or form.end is None:
        return None
    for day, why in sorted(facts.calendar.blocked.items()):
        if form.start.date() <= day <= form.end.date() and facts.calendar.is_workday(day):
            return Problem(Outcome.TIME_INVALID, "blocked", {"date": day, "why": why})
    return None


def days_in_a_row(form: LeaveForm, facts: Facts) -> Problem | None:
    """Not more working days in one leave than the type allows."""
    kind = facts.employee.leave_type(form.category or "")
    if kind is None or kind.max_consecutive_days is None or form.start is None or form.end is None:
        return None
    if facts.calendar.count_workdays(form.start.date(), form.end.date()) <= kind.max_consecutive_days:
        return None
    return Problem(Outcome.TIME_INVALID, "too_many_days", {"category": kind.name, "days": kind.max_consecutive_days})


_TIME = CHECKS.index(time) + 1
RULES: tuple[Check, ...] = (*CHECKS[:_TIME], open_days, days_in_a_row, *CHECKS[_TIME:])

REFUSALS = {
    Outcome.ASK_CATEGORY: "(WF) 無此假別",
    Outcome.CATEGORY_NOT_ALLOWED: "(WF) 無此假別",
    Outcome.NO_HOURS_LEFT: "(WF) 剩餘時數不足",
    Outcome.NOT_ENOUGH_HOURS: "(WF) 剩餘時數不足",
    Outcome.UNIT_INVALID: "(WF) 請假時數不符合假別的最小單位",
    Outcome.TIME_INVALID: "(WF) 請假時間不正確",
    Outcome.ASK_TIME: "(WF) 請假時間不正確",
    Outcome.ASK_MEMO: "(WF) 事由未填",
    Outcome.ASK_EVENT_DATE: "(WF) 事件發生日未填",
    Outcome.NO_AGENT: "(WF) 代理人不正確",
    Outcome.ASK_AGENT: "(WF) 代理人不正確",
    Outcome.AGENT_NOT_ALLOWED: "(WF) 代理人不正確",
    Outcome.AGENT_UNAVAILABLE: "(WF) 代理人該時段請假中",
    Outcome.OVERLAPS: "(WF) 同時段同日期",
}
REASONS = {
    "too_far_back": "(WF) 超過可補請的天數",
    "too_far_ahead": "(WF) 超過可預請的天數",
    "blocked": "(WF) 該日不開放請假",
    "too_many_days": "(WF) 超過連續請假的天數上限",
}


def refusal(problem: Problem) -> str:
    """The EIP's own words for a problem."""
    return REASONS.get(problem.reason) or REFUSALS.get(problem.outcome, "(WF) 無法受理")


def form_of(request: LeaveRequest) -> LeaveForm:
    """The request as the checks want it."""
    return LeaveForm(
        category=request.category,
        start=request.start,
        end=request.end,
        agent=request.agent,
        memo=request.memo,
        event_date=request.event_date,
        attachments=request.attachments,
    )


def problems(request: LeaveRequest, facts: Facts) -> tuple[Problem, ...]:
    """Everything that keeps the request from being filed, in order."""
    form = form_of(request)
    return tuple(problem for rule in RULES if (problem := rule(form, facts)))
