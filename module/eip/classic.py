"""Filing by the one call that many companies' systems already have; everything else is asked of another adapter.

The call knows no reference, so a lost answer cannot be asked for by key. A leave of exactly that time that the employee
has since is the answer; none is no proof, and a person has to look.
"""

import re
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from model.company import Absence, Employee, Leave
from model.errors import EipDoubt, EipRefused
from model.form import LeaveRequest
from model.outcome import Problem
from model.worktime import WorkCalendar
from module.eip.http import Wire, parsed
from module.eip.port import Around, Eip, Known, Receipt

FILED = re.compile(r"(WF[A-Za-z0-9-]{1,60}),(\d{1,4}(?:\.\d{1,2})?),(\d{1,4}(?:\.\d{1,2})?)", re.ASCII)


DAY_MINUTES = 480


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class _Why(_Part):
    error_msg: Annotated[str, Field(min_length=1, max_length=2000)]


class _Answer(_Part):
    status: bool
    data: Annotated[str, Field(max_length=100)] | _Why


def call_of(request: LeaveRequest) -> dict[str, object]:
    """The body of the call: inputAccount is the employee's number, attachments go by name only."""
    return {
        "inputAccount": request.employee_no,
        "department_no": request.department_id,
        "agent_no": request.agent_no,
        "memo": request.memo,
        "category_id": request.category_id,
        "leave_at": f"{request.start:%Y%m%d%H%M}{request.end:%Y%m%d%H%M}",
        "attach_path": ",".join(request.attachments),
    }


def receipt_of(body: bytes, request: LeaveRequest) -> Receipt:
    """What the answer says. Raises EipRefused with its error text as it came, EipDoubt for anything else."""
    answer = parsed(_Answer, body)
    if not answer.status and isinstance(answer.data, _Why):
        raise EipRefused(answer.data.error_msg)
    said = FILED.fullmatch(answer.data) if answer.status and isinstance(answer.data, str) else None
    if said is None:
        raise EipDoubt("an answer without number, days and hours")
    return Receipt(said[1], _minutes(float(said[2]), float(said[3]), request))


def _minutes(days: float, hours: float, request: LeaveRequest) -> int:
    """Some systems say the whole length in hours, some only what is left over after the days."""
    both = round(days * DAY_MINUTES + hours * 60)
    return both if both == request.minutes else round(hours * 60)


@dataclass
class ClassicEip:
    """Implements the port `Eip`: `submit` by the classic call, the rest by `other`."""

    other: Eip
    wire: Wire
    _in_doubt: dict[str, LeaveRequest] = field(default_factory=dict)

    async def employee(self, account: str) -> Employee:
        """See the port."""
        return await self.other.employee(account)

    async def calendar(self, year: int) -> WorkCalendar:
        """See the port."""
        return await self.other.calendar(year)

    async def leaves(self, account: str, start: datetime, end: datetime) -> tuple[Leave, ...]:
        """See the port."""
        return await self.other.leaves(account, start, end)

    async def absences(self, account: str, start: datetime, end: datetime) -> tuple[Absence, ...]:
        """See the port."""
        return await self.other.absences(account, start, end)

    async def around(self, account: str, start: datetime, end: datetime) -> Around:
        """See the port."""
        return await self.other.around(account, start, end)

    async def known(self, account: str, start: datetime, end: datetime) -> Known:
        """See the port."""
        return await self.other.known(account, start, end)

    async def validate(self, request: LeaveRequest, today: date) -> tuple[Problem, ...]:
        """See the port."""
        return await self.other.validate(request, today)

    async def submit(self, request: LeaveRequest, key: str) -> Receipt:
        """See the port. Sent once; the key stays here."""
        try:
            status, body = await self.wire.exchange("POST", "", json=call_of(request))
            if status != 200:
                raise EipDoubt(f"status {status}")
            receipt = receipt_of(body, request)
        except EipDoubt:
            self._in_doubt[key] = request
            raise
        self._in_doubt.pop(key, None)
        return receipt

    async def find(self, key: str) -> Receipt | None:
        """The leave of exactly that request. Raises EipDoubt where there is none: it may still be on its way."""
        if request := self._in_doubt.get(key):
            for leave in await self.other.leaves(request.account, request.start, request.end):
                same = (leave.category, leave.start, leave.end) == (request.category, request.start, request.end)
                if same and leave.status != "cancelled":
                    return Receipt(leave.wf_no, leave.minutes)
        raise EipDoubt("the classic call knows no reference")

    async def cancel(self, wf_no: str, account: str) -> Leave:
        """See the port."""
        return await self.other.cancel(wf_no, account)
