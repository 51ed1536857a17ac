"""The REST contract of an EIP, as the server gives it and the client takes it: docs/eip.md, docs/eip-openapi.json.

Times are `YYYY-MM-DDTHH:MM` of Asia/Taipei without zone, lengths whole minutes of working time. Parsing is strict:
whatever is missing, unknown or of another type is no answer.
"""

import re
from collections.abc import Mapping
from dataclasses import asdict
from datetime import date, datetime
from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, PlainSerializer, WithJsonSchema, model_validator

from model.company import Absence, Employee, Leave, LeaveType, Substitute
from model.form import LeaveRequest
from model.outcome import Outcome, Problem
from model.worktime import WorkCalendar
from module.eip.port import Receipt

DATE = r"20[0-9]{2}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])"
MOMENT, DAY = rf"^{DATE}T([01][0-9]|2[0-3]):[0-5][0-9]$", rf"^{DATE}$"
LONGEST_DAYS = 400
KEY_PATTERN = r"^[A-Za-z0-9_-]{1,128}$"


def _moment(value: object) -> datetime:
    if isinstance(value, datetime):
        return value
    if isinstance(value, str) and len(value) == 16 and value.startswith("20"):
        return datetime.strptime(value, "%Y-%m-%dT%H:%M")
    raise ValueError("expected YYYY-MM-DDTHH:MM of this century")


def _day(value: object) -> date:
    if isinstance(value, date):
        return value
    if isinstance(value, str) and len(value) == 10 and value.startswith("20"):
        return datetime.strptime(value, "%Y-%m-%d").date()
    raise ValueError("expected YYYY-MM-DD of this century")


Moment = Annotated[
    datetime,
    BeforeValidator(_moment),
    PlainSerializer(lambda moment: moment.isoformat(timespec="minutes")),
    WithJsonSchema({"type": "string", "pattern": MOMENT, "examples": ["2026-12-10T09:00"]}),
]
Day = Annotated[
    date,
    BeforeValidator(_day),
    PlainSerializer(date.isoformat),
    WithJsonSchema({"type": "string", "pattern": DAY, "examples": ["2026-12-10"]}),
]
Text = Annotated[str, Field(min_length=1, max_length=200)]
Free = Annotated[str, Field(max_length=2000)]
Minutes = Annotated[int, Field(ge=0, le=1_000_000)]
Balance = Annotated[int, Field(ge=-1_000_000, le=100_000_000)]
Key = Annotated[str, Field(pattern=KEY_PATTERN, examples=["mYkTq1v7Nn3eB0c2"])]
Clock = Annotated[int, Field(ge=0, le=1440, description="minutes after midnight")]
Hours = Annotated[tuple[Clock, Clock], WithJsonSchema({"type": "array", "items": {"type": "integer"}})]
YEAR = re.compile(r"20[0-9]{2}")


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class SubstitutePart(_Part):
    """A colleague who may stand in (代理人)."""

    id: Text
    no: Text
    name: Text
    name_en: Free


class LeaveTypePart(_Part):
    """A leave type the employee may take; remaining_minutes is null where there is no limit."""

    id: Text
    name: Text
    unit_minutes: Annotated[int, Field(ge=1, le=14400)]
    memo_required: bool
    event_date_required: bool
    remaining_minutes: Balance | None
    backdate_days: Annotated[int, Field(ge=0, le=3650)]
    advance_days: Annotated[int, Field(ge=0, le=3650)]
    proof_days: Annotated[int, Field(ge=0, le=3650)] | None
    max_consecutive_days: Annotated[int, Field(ge=1, le=3650)] | None
    proof_within_days: Annotated[int, Field(ge=0, le=3650)] = 7
    remaining_by_year: dict[str, Balance] | None = Field(
        None, description="minutes left by calendar year, where each year has its own number; a year not named has none"
    )

    @model_validator(mode="after")
    def _years(self) -> "LeaveTypePart":
        if not all(YEAR.fullmatch(year) for year in self.remaining_by_year or {}):
            raise ValueError("remaining_by_year: expected years as keys, like 2026")
        if self.remaining_by_year is not None and self.remaining_minutes != sum(self.remaining_by_year.values()):
            raise ValueError("remaining_minutes: expected the sum of remaining_by_year")
        return self

    def value(self) -> LeaveType:
        """As the assistant knows it."""
        years = self.remaining_by_year
        by_year = None if years is None else {int(year): left for year, left in years.items()}
        return LeaveType(**self.model_dump(exclude={"remaining_by_year"}), remaining_by_year=by_year)


class EmployeePart(_Part):
    """The employee with substitutes in order, and leave types with the minutes left now."""

    id: Text
    no: Text
    account: Text
    name: Text
    name_en: Free
    department_id: Text
    department: Text
    substitutes: tuple[SubstitutePart, ...]
    leave_types: tuple[LeaveTypePart, ...]

    @classmethod
    def of(cls, person: Employee) -> "EmployeePart":
        """The same as it goes over the wire."""
        plain = asdict(person)
        for kind in plain["leave_types"]:
            years = kind["remaining_by_year"]
            kind["remaining_by_year"] = years and {str(year): left for year, left in years.items()}
        return cls.model_validate(plain)

    def value(self) -> Employee:
        """As the assistant knows it."""
        plain = {name: getattr(self, name) for name in ("id", "no", "account", "name", "name_en")}
        return Employee(
            **plain,
            department_id=self.department_id,
            department=self.department,
            substitutes=tuple(Substitute(**part.model_dump()) for part in self.substitutes),
            leave_types=tuple(part.value() for part in self.leave_types),
        )


class LeavePart(_Part):
    """A leave that stands, or was cancelled."""

    wf_no: Text
    category: Text
    start: Moment
    end: Moment
    agent: Free
    memo: Free
    status: Literal["submitted", "approved", "cancelled"]
    minutes: Minutes

    @classmethod
    def of(cls, leave: Leave) -> "LeavePart":
        """The same as it goes over the wire."""
        return cls.model_validate(asdict(leave))

    def value(self) -> Leave:
        """As the assistant knows it."""
        return Leave(**{name: getattr(self, name) for name in LeavePart.model_fields})


class LeavesPart(_Part):
    """The employee's own leaves, by start."""

    leaves: tuple[LeavePart, ...]


class AbsencePart(_Part):
    """When a substitute is away: free or busy only."""

    name: Text
    start: Moment
    end: Moment


class AbsencesPart(_Part):
    """When the employee's own substitutes are away."""

    absences: tuple[AbsencePart, ...]

    @classmethod
    def of(cls, away: tuple[Absence, ...]) -> "AbsencesPart":
        """The same as it goes over the wire."""
        return cls(absences=tuple(AbsencePart.model_validate(asdict(absence)) for absence in away))

    def value(self) -> tuple[Absence, ...]:
        """As the assistant knows it."""
        return tuple(Absence(part.name, part.start, part.end) for part in self.absences)


class CalendarPart(_Part):
    """Working hours, and days off from the year before to two years after; workdays are ISO weekdays."""

    opens: Clock
    closes: Clock
    lunch: Hours
    unit_minutes: Annotated[int, Field(ge=1, le=480)]
    workdays: tuple[Annotated[int, Field(ge=1, le=7)], ...]
    holidays: dict[str, Free]
    makeup_workdays: tuple[Day, ...]
    known_until: Annotated[int, Field(ge=0, le=9999)]
    blocked: dict[str, Free]
    half_workdays: dict[str, Hours] = Field({}, description="days of which only [from, to) is worked")

    @model_validator(mode="after")
    def _in_order(self) -> "CalendarPart":
        if not self.opens < self.lunch[0] <= self.lunch[1] < self.closes:
            raise ValueError("expected opens < lunch[0] <= lunch[1] < closes")
        for key in (*self.holidays, *self.blocked, *self.half_workdays):
            _day(key)
        if any(low >= high for low, high in self.half_workdays.values()):
            raise ValueError("half_workdays: expected from < to")
        return self

    @classmethod
    def of(cls, days: WorkCalendar) -> "CalendarPart":
        """The same as it goes over the wire."""
        return cls(
            opens=days.opens,
            closes=days.closes,
            lunch=days.lunch,
            unit_minutes=days.unit_minutes,
            workdays=tuple(sorted(days.workdays)),
            holidays={day.isoformat(): name for day, name in sorted(days.holidays.items())},
            makeup_workdays=tuple(sorted(days.makeup_workdays)),
            known_until=days.known_until,
            blocked={day.isoformat(): why for day, why in sorted(days.blocked.items())},
            half_workdays={day.isoformat(): hours for day, hours in sorted(days.half_workdays.items())},
        )

    def value(self) -> WorkCalendar:
        """As the assistant knows it."""
        return WorkCalendar(
            opens=self.opens,
            closes=self.closes,
            lunch=self.lunch,
            unit_minutes=self.unit_minutes,
            workdays=frozenset(self.workdays),
            holidays={_day(day): name for day, name in self.holidays.items()},
            makeup_workdays=frozenset(self.makeup_workdays),
            known_until=self.known_until,
            blocked={_day(day): why for day, why in self.blocked.items()},
            half_workdays={_day(day): hours for day, hours in self.half_workdays.items()},
        )


class LeaveBody(_Part):
    """A complete leave. minutes is the working time that the employee was shown; another length is refused."""

    account: Text
    employee_id: Text
    employee_no: Text
    department_id: Text
    category_id: Text
    category: Text
    start: Moment
    end: Moment
    minutes: Minutes
    agent_id: Text
    agent_no: Text
    agent: Text
    memo: Free
    event_date: Day | None = None
    attachments: Annotated[tuple[Text, ...], Field(max_length=20, strict=False)] = ()  # a list once JSON is parsed

    @model_validator(mode="after")
    def _not_endless(self) -> "LeaveBody":
        if abs((self.end - self.start).days) > LONGEST_DAYS:
            raise ValueError(f"a leave lasts {LONGEST_DAYS} days at most")
        return self

    @classmethod
    def of(cls, request: LeaveRequest, **more: Any) -> "LeaveBody":
        """The same as it goes over the wire."""
        return cls(**request.__dict__, **more)

    def value(self) -> LeaveRequest:
        """As the assistant knows it."""
        return LeaveRequest(**{name: getattr(self, name) for name in LeaveBody.model_fields})


class SubmitBody(LeaveBody):
    """A leave to file; reference is the Idempotency-Key once more, kept with the leave."""

    reference: Key


class DryRunBody(LeaveBody):
    """A leave to check as if today were that day."""

    today: Day


class CancelBody(_Part):
    """Whose leave it is."""

    account: Text


class ReceiptPart(_Part):
    """The EIP's word that a leave stands: its number and length, under the caller's reference."""

    reference: Key
    wf_no: Text
    minutes: Minutes

    @classmethod
    def of(cls, reference: str, receipt: Receipt) -> "ReceiptPart":
        """The same as it goes over the wire."""
        return cls(reference=reference, wf_no=receipt.wf_no, minutes=receipt.minutes)

    def value(self) -> Receipt:
        """As the assistant knows it."""
        return Receipt(self.wf_no, self.minutes)


class FoundPart(_Part):
    """The leave under a reference; found is false only when there is certainly none."""

    reference: Key
    found: bool
    receipt: ReceiptPart | None

    @model_validator(mode="after")
    def _of_one_mind(self) -> "FoundPart":
        if self.found != (self.receipt is not None) or (self.receipt and self.receipt.reference != self.reference):
            raise ValueError("found, receipt and reference do not fit together")
        return self

    @classmethod
    def of(cls, reference: str, receipt: Receipt | None) -> "FoundPart":
        """The same as it goes over the wire."""
        part = ReceiptPart.of(reference, receipt) if receipt else None
        return cls(reference=reference, found=part is not None, receipt=part)


class ProblemValues(_Part):
    """What the sentence about a problem needs; only what belongs to that problem is given."""

    category: Text | None = None
    choices: tuple[Text, ...] | None = None
    name: Text | None = None
    needed: Minutes | None = None
    left: Balance | None = None
    unit: Minutes | None = None
    year: Annotated[int, Field(ge=2000, le=2099)] | None = None
    since: Clock | None = None
    until: Clock | None = None
    days: Minutes | None = None
    date: Day | None = None
    why: Free | None = None
    holidays: tuple[Free, ...] | None = None
    leave: LeavePart | None = None


class ProblemPart(_Part):
    """One thing that keeps the leave from being filed."""

    outcome: Annotated[Outcome, Field(strict=False)]
    reason: Free = ""
    values: ProblemValues = ProblemValues()

    @classmethod
    def of(cls, problem: Problem) -> "ProblemPart":
        """The same as it goes over the wire."""
        return cls(outcome=problem.outcome, reason=problem.reason, values=_wired(problem.values))

    def value(self) -> Problem:
        """As the assistant knows it."""
        given = {name: getattr(self.values, name) for name in ProblemValues.model_fields}
        plain = {name: list(it) if isinstance(it, tuple) else it for name, it in given.items() if it is not None}
        plain |= {"leave": self.values.leave.value()} if self.values.leave else {}
        return Problem(self.outcome, self.reason, plain)


def _wired(values: Mapping[str, object]) -> ProblemValues:
    plain = {name: tuple(it) if isinstance(it, list) else it for name, it in values.items()}
    leave = values.get("leave")
    return ProblemValues.model_validate(plain | ({"leave": asdict(leave)} if isinstance(leave, Leave) else {}))


class ProblemsPart(_Part):
    """What a submission would be refused for, in order; empty when it would be filed."""

    problems: tuple[ProblemPart, ...]

    @classmethod
    def of(cls, problems: tuple[Problem, ...]) -> "ProblemsPart":
        """The same as it goes over the wire."""
        return cls(problems=tuple(map(ProblemPart.of, problems)))


class ErrorPart(_Part):
    """Why not, in words for the employee where the EIP refused."""

    message: Annotated[str, Field(min_length=1, max_length=500)]
