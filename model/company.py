"""The company as one employee may see it: herself, her substitutes, leave types, balances and leaves."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True)
class Substitute:
    """A colleague who may stand in (代理人)."""

    id: str
    no: str
    name: str
    name_en: str


@dataclass(frozen=True)
class LeaveType:
    """A leave type on an employee's own white list.

    Attributes:
        unit_minutes: the length must be a multiple; 240 = half days, 480 = whole days.
        remaining_minutes: hours left in minutes; None where the EIP sets no limit.
        remaining_by_year: the same by calendar year, where the EIP gives one number a year; remaining_minutes is their sum.
        proof_days: a leave of so many working days or more needs proof; None where none is needed.
        proof_within_days: proof may follow so many days after the leave's last day.
        max_consecutive_days: working days that one leave may last; None where there is no limit.
    """

    id: str
    name: str
    unit_minutes: int
    memo_required: bool
    event_date_required: bool
    remaining_minutes: int | None
    backdate_days: int = 30
    advance_days: int = 365
    proof_days: int | None = None
    max_consecutive_days: int | None = None
    remaining_by_year: Mapping[int, int] | None = None
    proof_within_days: int = 7


@dataclass(frozen=True)
class Employee:
    """An employee with what the EIP allows her: substitutes in the EIP's order and leave types."""

    id: str
    no: str
    account: str
    name: str
    name_en: str
    department_id: str
    department: str
    substitutes: tuple[Substitute, ...]
    leave_types: tuple[LeaveType, ...]

    def leave_type(self, name: str) -> LeaveType | None:
        """The leave type of that exact name on the white list, or None."""
        return next((kind for kind in self.leave_types if kind.name == name), None)

    def substitute(self, name: str) -> Substitute | None:
        """The substitute of that exact full name, or None."""
        return next((person for person in self.substitutes if person.name == name), None)


@dataclass(frozen=True)
class Leave:
    """A leave that stands in the EIP. Status: submitted, approved or cancelled."""

    wf_no: str
    category: str
    start: datetime
    end: datetime
    agent: str
    memo: str
    status: str
    minutes: int


@dataclass(frozen=True)
class Absence:
    """When a substitute is away: free or busy only, no reason and no type."""

    name: str
    start: datetime
    end: datetime
