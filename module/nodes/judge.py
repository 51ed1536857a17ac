"""The form with its defaults, judged by the EIP's facts of now."""

from dataclasses import replace
from datetime import timedelta

from model.errors import EipError
from model.form import LeaveForm
from model.outcome import Outcome, Problem
from module.eip.port import Around
from module.leave.checks import Facts, first_problem
from module.leave.defaults import pending_question, timed, with_defaults
from module.leave.draft import Draft
from module.nodes.context import Context


async def judged(draft: Draft, context: Context) -> tuple[LeaveForm, Problem | None]:
    """The form with its defaults, and the first thing that keeps it from being filed, by the EIP's facts of now."""
    facts = Facts(context.employee, context.calendar, context.now, open=draft.questions)
    form = timed(draft, facts)
    leaves, absences = await _around(form, context)
    leaves = tuple(leave for leave in leaves if leave.wf_no != context.without)
    facts = replace(facts, leaves=leaves, absences=absences, open=_open(draft, facts))
    form = with_defaults(form, draft, facts)
    return form, first_problem(form, facts)


def _open(draft: Draft, facts: Facts) -> dict[str, Problem]:
    questions = dict(draft.questions)
    pending = pending_question(draft)
    if pending and "time" not in questions:
        questions["time"] = pending
    agent = questions.get("agent")
    if agent and agent.outcome in (Outcome.ASK_AGENT, Outcome.AGENT_NOT_ALLOWED) and "choices" not in agent.values:
        names = [person.name for person in facts.employee.substitutes]
        questions["agent"] = replace(agent, values={**agent.values, "choices": names})
    return questions


async def _around(form: LeaveForm, context: Context) -> Around:
    if form.start is None or form.end is None or form.end <= form.start:
        return (), ()
    if context.window and context.window[0] <= form.start and form.end <= context.window[1]:
        return context.around
    if form.end - form.start > timedelta(days=800):
        return (), ()
    try:
        return await context.eip.around(context.account, form.start, form.end)
    except EipError:
        return (), ()
