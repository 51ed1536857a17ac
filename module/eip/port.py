"""What the assistant needs of an EIP. One contract test runs against every adapter."""

from dataclasses import dataclass
from datetime import date, datetime
from typing import Protocol

from model.company import Absence, Employee, Leave
from model.form import LeaveRequest
from model.outcome import Problem
from model.worktime import WorkCalendar


@dataclass(frozen=True)
class Receipt:
    """The EIP's word that a leave stands: workflow number and length in minutes of working time."""

    wf_no: str
    minutes: int


Around = tuple[tuple[Leave, ...], tuple[Absence, ...]]
Known = tuple[Employee, tuple[Leave, ...], tuple[Absence, ...]]


class Eip(Protocol):
    """A company's EIP. Every method may raise EipUnreachable or EipDoubt (model/errors.py)."""

    async def employee(self, account: str) -> Employee:
        """The employee with substitutes, leave types and minutes left now. Raises EipRefused when unknown."""
        ...

    async def calendar(self, year: int) -> WorkCalendar:
        """Working hours, and the holidays from the year before to two years after."""
        ...

    async def leaves(self, account: str, start: datetime, end: datetime) -> tuple[Leave, ...]:
        """The employee's own leaves, cancelled ones too, that touch [start, end), by start."""
        ...

    async def absences(self, account: str, start: datetime, end: datetime) -> tuple[Absence, ...]:
        """When the employee's own substitutes are away within [start, end)."""
        ...

    async def around(self, account: str, start: datetime, end: datetime) -> Around:
        """`leaves` and `absences` together."""
        ...

    async def known(self, account: str, start: datetime, end: datetime) -> Known:
        """`employee`, `leaves` and `absences` together: what nearly every turn needs, in one look-up."""
        ...

    async def validate(self, request: LeaveRequest, today: date) -> tuple[Problem, ...]:
        """The checks that `submit` would run, filing nothing. Empty when it would be accepted."""
        ...

    async def submit(self, request: LeaveRequest, key: str) -> Receipt:
        """Files the leave once per key: the same key again returns the same receipt. Raises EipRefused."""
        ...

    async def find(self, key: str) -> Receipt | None:
        """The leave filed under that key, or None when there is certainly none."""
        ...

    async def cancel(self, wf_no: str, account: str) -> Leave:
        """Cancels the employee's own leave and gives the minutes back. Raises EipRefused."""
        ...
