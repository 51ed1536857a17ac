"""What a run of the graph knows besides the state: never stored, never shared between two conversations."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any

from model.company import Employee
from model.form import LeaveForm
from model.meaning import Meaning
from model.outcome import Problem
from model.state import FIELDS, State, newest
from model.worktime import WorkCalendar
from module.desk.cases import Cases
from module.desk.routing import PERSON
from module.eip.port import Around, Eip
from module.handbook.book import Handbook
from module.leave.defaults import TODAY_TYPES
from module.leave.draft import Draft, Rules, span_as_dict, span_from_dict
from module.llm.port import Llm
from module.understand.lexicon import Lexicon
from module.understand.read import Situation, understand
from module.words import Words


@dataclass(frozen=True)
class Context:
    """One run: the employee and her company now, and the ports.

    Attributes:
        filing: the outbox's door for this conversation (module/app.py).
        reachable: False when the EIP gave no fresh facts this turn.
        confidence, channel, contact: of [desk]; below the first HR is offered, the others say whom to call.
        without: a leave that counts as gone, while it is being changed.
        around: own leaves and the substitutes' absences as of now, within window.
    """

    account: str
    conversation: str
    employee: Employee
    calendar: WorkCalendar
    now: datetime
    eip: Eip
    filing: Any
    lexicon: Lexicon
    words: Words
    handbook: Handbook
    cases: Cases
    llm: Llm | None = None
    llm_always: bool = False
    llm_deadline: float = 20.0
    friendly: bool = False
    rounds: int = 3
    message_chars: int = 2000
    reachable: bool = True
    window: tuple[datetime, datetime] | None = None
    around: Around = ((), ())
    without: str = ""
    progress: Callable[[str], None] = lambda step: None
    confidence: float = 0.6
    channel: str = ""
    contact: str = ""
    _read: dict[str, Meaning] = field(default_factory=dict)

    @property
    def rules(self) -> Rules:
        """What merging needs."""
        return Rules(self.now, self.calendar, TODAY_TYPES)

    def model(self, state: State) -> Llm | None:
        """The model, where there is one and this message is not for a person."""
        return None if PERSON.intersection(state.get("touched") or ()) else self.llm

    def meaning(self, state: State) -> Meaning:
        """What this turn's message says; read once a run."""
        return self.read(state.get("text", ""), self.situation(state))

    def read(self, text: str, situation: Situation) -> Meaning:
        """What a text means here and now."""
        if text not in self._read:
            self._read[text] = understand(text, self.now, self.employee, self.calendar, self.lexicon, situation)
        return self._read[text]

    def timed(self, text: str) -> bool:
        """Whether the rules read a time in these words alone."""
        return any(one.what == "time" for one in self.read(text, Situation()).found)

    def situation(self, state: State) -> Situation:
        """What the conversation already holds."""
        category = newest(state, "category")
        kind = self.employee.leave_type(category or "")
        start = newest(state, "start")
        return Situation(
            open=bool(state.get("open")),
            asked=state.get("asked", ""),
            category=category,
            start=datetime.fromisoformat(start).date() if start else _tried_day(state),
            event=bool(kind and kind.event_date_required),
        )


def _tried_day(state: State) -> date | None:
    tried = state.get("tried") or {}
    return datetime.fromisoformat(tried["start"]).date() if tried else None


_NONE: dict[str, Any] = {"value": None, "how": ""}


def draft_of(state: State) -> Draft:
    """The newest values of the form as one value."""
    entries: dict[str, dict[str, Any]] = {name: (state.get(name) or [_NONE])[-1] for name in FIELDS}  # type: ignore[index]  # lists, all of them
    values = {name: entry["value"] for name, entry in entries.items()}
    tried = state.get("tried") or {}
    return Draft(
        category=values["category"],
        start=datetime.fromisoformat(values["start"]) if values["start"] else None,
        end=datetime.fromisoformat(values["end"]) if values["end"] else None,
        agent=values["agent"],
        memo=values["memo"],
        event_date=date.fromisoformat(values["event_date"]) if values["event_date"] else None,
        how={name: entry["how"] for name, entry in entries.items() if entry["how"] and entry["value"] is not None},
        pending=span_from_dict(state.get("pending")),
        tried=(datetime.fromisoformat(tried["start"]), datetime.fromisoformat(tried["end"])) if tried else None,
        questions={name: problem_from(plain) for name, plain in (state.get("questions") or {}).items()},
    )


def updates_for(old: Draft, new: Draft) -> dict[str, Any]:
    """What must be appended and set so that the state holds the new draft."""
    out: dict[str, Any] = {}
    for name in FIELDS:
        value, kind = getattr(new, name), new.how.get(name, "said")
        if value != getattr(old, name) or (value is not None and kind != old.how.get(name)):
            plain = value.isoformat(timespec="minutes") if isinstance(value, datetime) else value
            plain = plain.isoformat() if isinstance(plain, date) else plain
            out[name] = [{"value": plain, "how": kind}]
    out["pending"] = span_as_dict(new.pending)
    times = new.tried
    out["tried"] = {"start": times[0].isoformat(), "end": times[1].isoformat()} if times else {}
    out["questions"] = {name: plain_problem(problem) for name, problem in new.questions.items()}
    return out


def plain_problem(problem: Problem) -> dict[str, Any]:
    """A problem as plain values."""
    values = {k: v.isoformat() if isinstance(v, date) else v for k, v in problem.values.items()}
    return {"outcome": str(problem.outcome), "reason": problem.reason, "values": values}


def problem_from(plain: dict[str, Any]) -> Problem:
    """The opposite of `plain_problem`; days stay text."""
    from model.outcome import Outcome

    return Problem(Outcome(plain["outcome"]), plain["reason"], plain["values"])


def empty() -> dict[str, Any]:
    """The updates that clear the form; lists are emptied by appending None."""
    cleared: dict[str, Any] = {name: [{"value": None, "how": ""}] for name in FIELDS}
    return cleared | {"open": False, "pending": {}, "tried": {}, "questions": {}, "asked": "", "rounds": 0}


def form_as_view(form: LeaveForm) -> dict[str, Any]:
    """The form as plain values for the turn."""
    return {
        "category": form.category,
        "start": form.start.isoformat() if form.start else None,
        "end": form.end.isoformat() if form.end else None,
        "agent": form.agent,
        "memo": form.memo,
        "event_date": form.event_date.isoformat() if form.event_date else None,
    }


def spoken(updates: dict[str, Any], context: Context) -> dict[str, Any]:
    """The updates with their reply in the transcript; `brief` where the card shows the rest."""
    text = updates.pop("brief", "") or updates.get("reply", "")
    if not text:
        return updates
    return updates | {"messages": [{"role": "assistant", "text": text, "at": context.now.isoformat(timespec="seconds")}]}
