"""An EIP that misbehaves on command, for replaying dialogues and for tests."""

from collections.abc import Awaitable, Callable
from datetime import date, datetime
from typing import TypeVar

from model.company import Absence, Employee, Leave
from model.errors import EipDoubt, EipRefused, EipUnreachable
from model.form import LeaveRequest
from model.outcome import Problem
from model.worktime import WorkCalendar
from module.eip.port import Around, Eip, Known, Receipt

T = TypeVar("T")


class FaultyEip:
    """Wraps an EIP.

    Attributes:
        fault: None; `down` (every call is unreachable); `refuse:TEXT` (a submission is refused with that text);
            `doubt` (a submission goes through, but its answer is lost).
    """

    def __init__(self, eip: Eip, fault: str | None = None) -> None:
        """Wraps `eip`; `fault` may be changed at any time."""
        self.eip, self.fault = eip, fault

    async def employee(self, account: str) -> Employee:
        """See the port."""
        return await self._reach(lambda: self.eip.employee(account))

    async def calendar(self, year: int) -> WorkCalendar:
        """See the port."""
        return await self._reach(lambda: self.eip.calendar(year))

    async def leaves(self, account: str, start: datetime, end: datetime) -> tuple[Leave, ...]:
        """See the port."""
        return await self._reach(lambda: self.eip.leaves(account, start, end))

    async def absences(self, account: str, start: datetime, end: datetime) -> tuple[Absence, ...]:
        """See the port."""
        return await self._reach(lambda: self.eip.absences(account, start, end))

    async def around(self, account: str, start: datetime, end: datetime) -> Around:
        """See the port."""
        return await self._reach(lambda: self.eip.around(account, start, end))

    async def known(self, account: str, start: datetime, end: datetime) -> Known:
        """See the port."""
        return await self._reach(lambda: self.eip.known(account, start, end))

    async def validate(self, request: LeaveRequest, today: date) -> tuple[Problem, ...]:
        """See the port."""
        return await self._reach(lambda: self.eip.validate(request, today))

    async def submit(self, request: LeaveRequest, key: str) -> Receipt:
        """See the port."""
        if self.fault and self.fault.startswith("refuse:"):
            raise EipRefused(self.fault.removeprefix("refuse:"))
        receipt = await self._reach(lambda: self.eip.submit(request, key))
        if self.fault == "doubt":
            raise EipDoubt("the answer was lost")
        return receipt

    async def find(self, key: str) -> Receipt | None:
        """See the port."""
        return await self._reach(lambda: self.eip.find(key))

    async def cancel(self, wf_no: str, account: str) -> Leave:
        """See the port."""
        return await self._reach(lambda: self.eip.cancel(wf_no, account))

    async def _reach(self, call: Callable[[], Awaitable[T]]) -> T:
        if self.fault == "down":
            raise EipUnreachable("the EIP is down")
        return await call()
