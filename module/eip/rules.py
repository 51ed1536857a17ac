"""What the embedded EIP checks before it files, and what it answers when it refuses."""

from model.form import LeaveForm, LeaveRequest
from model.outcome import Outcome, Problem
from module.leave.checks import CHECKS, Facts

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
    return tuple(problem for check in CHECKS if (problem := check(form, facts)))
