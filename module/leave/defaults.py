"""What is assumed where nothing was said (SEMANTICS §1); every such field is marked （預設）."""

from dataclasses import replace

from model.company import Absence
from model.form import LeaveForm
from model.outcome import Outcome, Problem
from model.worktime import at
from module.leave.checks import Facts, away, proof_until
from module.leave.draft import Draft
from module.leave.rounding import fit

ANNUAL = "特休假"
RESTING = frozenset({"特休假", "補休假"})
TODAY_TYPES = frozenset({"有薪病假", "半薪病假", "生理假", "家庭照顧假", "事假"})
MEMO_LIMIT = 200


def timed(draft: Draft, facts: Facts) -> LeaveForm:
    """Type and times, assumed where nothing was said; times rounded and drawn in."""
    assumed = {name for name, how in draft.how.items() if how == "assumed" and getattr(draft, name) is not None}
    guessed = {name for name, how in draft.how.items() if how == "guessed" and getattr(draft, name) is not None}
    form = LeaveForm(draft.category, draft.start, draft.end, draft.agent, draft.memo, draft.event_date)
    if form.category is None and "category" not in draft.questions:
        form = replace(form, category=ANNUAL)
        assumed.add("category")
    nothing_said = form.start is None and draft.pending is None and "time" not in draft.questions
    if nothing_said and form.category in TODAY_TYPES and facts.employee.leave_type(form.category or ""):
        today = facts.now.date()
        form = replace(form, start=at(today, facts.calendar.opens), end=at(today, facts.calendar.closes))
        assumed |= {"start", "end"}
    notes: tuple[str, ...] = ()
    if form.start and form.end:
        start, end, notes = fit(form.start, form.end, facts.calendar)
        moved = {name for name, said, now in (("start", form.start, start), ("end", form.end, end)) if said != now}
        form = replace(form, start=start, end=end, adjusted=frozenset(moved))
    kind = facts.employee.leave_type(form.category or "")
    if kind and not kind.event_date_required:
        form = replace(form, event_date=None)
    return replace(form, assumed=frozenset(assumed), guessed=frozenset(guessed), notes=notes)


def with_defaults(form: LeaveForm, draft: Draft, facts: Facts) -> LeaveForm:
    """Reason and substitute too; a default substitute who is away gives way to the next."""
    assumed, notes = set(form.assumed), list(form.notes)
    memo, agent = form.memo, form.agent
    kind = facts.employee.leave_type(form.category or "")
    if not memo and kind and not kind.memo_required:
        memo = "休假" if kind.name in RESTING else kind.name
        assumed.add("memo")
    if memo and len(memo) > MEMO_LIMIT:
        memo = memo[:MEMO_LIMIT]
        notes.append("memo_cut")
    if agent is None and "agent" not in draft.questions and facts.employee.substitutes:
        agent = _first_free(form, facts.absences, facts)
        assumed.add("agent")
    notes += _calendar_notes(form, facts) + (["proof"] if proof_until(form, facts) else [])
    return replace(form, memo=memo, agent=agent, assumed=frozenset(assumed), notes=tuple(notes))


def _first_free(form: LeaveForm, absences: tuple[Absence, ...], facts: Facts) -> str:
    names = [person.name for person in facts.employee.substitutes]
    return next((name for name in names if not away(absences, name, form, facts.calendar)), names[0])


def _calendar_notes(form: LeaveForm, facts: Facts) -> list[str]:
    if form.start is None or form.end is None:
        return []
    days_off = [day for day in (form.start.date(), form.end.date()) if not facts.calendar.is_workday(day)]
    notes = ["edge_day_off"] if days_off else []
    return [*notes, "holidays_unknown"] if form.end.year > facts.calendar.known_until else notes


def pending_question(draft: Draft) -> Problem | None:
    """What a stretch of time still lacks."""
    span = draft.pending
    if span is None:
        return None
    if span.half and not span.has_clock and span.first:
        return Problem(Outcome.ASK_HALF_DAY)
    if span.minutes and span.start is None:
        return Problem(Outcome.ASK_TIME, "length_without_start" if span.first else "length_without_day", {"minutes": span.minutes})
    if span.days and (span.first is None or span.first != span.last):
        return Problem(Outcome.ASK_TIME, "days_without_start", {"days": span.days})
    if span.first is None:
        return Problem(Outcome.ASK_TIME, "no_day")
    if span.open_start or span.open_end:
        return Problem(Outcome.ASK_TIME, "arrival" if span.open_start else "leaving")
    return Problem(Outcome.ASK_TIME, "no_end")
