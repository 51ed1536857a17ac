"""The embedded EIP: a whole small one in a SQLite file. Master data comes from the company file, leaves live here."""

import asyncio
from collections.abc import Callable
from datetime import date, datetime
from pathlib import Path
from typing import TypeVar

from sqlalchemy import Connection

from model.company import Absence, Employee, Leave
from model.errors import EipDoubt, EipUnreachable, StoreError
from model.form import LeaveRequest
from model.outcome import Problem
from model.worktime import WorkCalendar, at
from module.database.sqlite import open_sqlite
from module.database.transactions import Database
from module.eip import company_file, ledger
from module.eip.company_file import CompanyFile
from module.eip.filed import Filed, filed
from module.eip.port import Around, Known, Receipt
from module.eip.rules import problems

WAIT_S = 5.0
T = TypeVar("T")


class SqliteEip:
    """Implements the port `Eip`. Every method runs one short transaction in a thread."""

    def __init__(self, database: Database, company: CompanyFile, clock: Callable[[], datetime]) -> None:
        """Use `open`."""
        self._database, self._company, self._clock = database, company, clock

    @classmethod
    def open(cls, path: Path | None, company: CompanyFile, clock: Callable[[], datetime]) -> "SqliteEip":
        """Opens the file (None: in memory); the first opening takes over the leaves of the company file.

        Raises ConfigError when the file cannot be opened.
        """
        database = open_sqlite(path, ledger.METADATA, WAIT_S)
        with database.write() as tx:
            ledger.fill(tx, company, clock())
        return cls(database, company, clock)

    def close(self) -> None:
        """Gives the database connections back."""
        self._database.close()

    @property
    def company_name(self) -> str:
        """The company's name, for the page."""
        return self._company.company

    def accounts(self) -> tuple[tuple[str, str, str, str], ...]:
        """Account, name, employee number and department of everybody, for a login that lets one pick."""
        return tuple((row.account, row.name, row.no, row.department.name) for row in self._company.employees)

    async def employee(self, account: str) -> Employee:
        """See the port."""
        return await self._read(lambda tx: ledger.employee(tx, self._company, account))

    async def calendar(self, year: int) -> WorkCalendar:
        """See the port."""
        return await asyncio.to_thread(company_file.calendar, self._company, year)

    async def leaves(self, account: str, start: datetime, end: datetime) -> tuple[Leave, ...]:
        """See the port."""
        return await self._read(lambda tx: ledger.leaves(tx, self._company, account, start, end))

    async def absences(self, account: str, start: datetime, end: datetime) -> tuple[Absence, ...]:
        """See the port."""
        return await self._read(lambda tx: ledger.absences(tx, self._company, account, start, end))

    async def around(self, account: str, start: datetime, end: datetime) -> Around:
        """See the port."""
        return await self._read(lambda tx: ledger.around(tx, self._company, account, start, end))

    async def known(self, account: str, start: datetime, end: datetime) -> Known:
        """See the port."""
        company = self._company
        return await self._read(
            lambda tx: (ledger.employee(tx, company, account), *ledger.around(tx, company, account, start, end))
        )

    async def validate(self, request: LeaveRequest, today: date) -> tuple[Problem, ...]:
        """See the port."""
        return await self._read(lambda tx: problems(request, ledger.facts(tx, self._company, request, at(today, 0))))

    async def submit(self, request: LeaveRequest, key: str) -> Receipt:
        """See the port. A refusal carries the EIP's own words, like 「(WF) 同時段同日期」."""
        return await self._write(lambda tx: ledger.file(tx, self._company, request, key, self._clock()))

    async def find(self, key: str) -> Receipt | None:
        """See the port. A leave that was cancelled since is found too."""
        return await self._read(lambda tx: ledger.receipt(tx, key))

    async def cancel(self, wf_no: str, account: str) -> Leave:
        """See the port. Somebody else's number is refused like one that does not exist."""
        return await self._write(lambda tx: ledger.cancel(tx, self._company, wf_no, account, self._clock()))

    async def filed(self, start: datetime, end: datetime) -> list[Filed]:
        """Everybody's leaves that touch [start, end), for whoever runs the embedded EIP."""
        return await self._read(lambda tx: filed(tx, self._company, start, end))

    async def approve(self, wf_no: str) -> Leave:
        """Approves a submitted leave, for whoever runs the embedded EIP. Raises EipRefused."""
        return await self._write(lambda tx: ledger.approve(tx, self._company, wf_no))

    async def _read(self, ask: Callable[[Connection], T]) -> T:
        try:
            return await self._database.reading(ask)
        except StoreError as wrong:
            raise EipUnreachable(str(wrong)) from wrong

    async def _write(self, act: Callable[[Connection], T]) -> T:
        try:
            return await self._database.writing(act)
        except StoreError as wrong:
            raise EipDoubt(str(wrong)) from wrong
