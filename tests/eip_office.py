"""The company of the corpora with a clock that can be set, for tests of EIP and outbox."""

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path

from model.form import LeaveRequest
from module.eip.company_file import CompanyFile, calendar, load_company
from module.eip.sqlite import SqliteEip

CORPUS = Path(__file__).parent / "corpus"
IRENE = "irene.chen"


def the_company() -> CompanyFile:
    return load_company(CORPUS / "eip.json")


@dataclass
class Office:
    now: datetime = datetime(2026, 11, 30, 10)
    company: CompanyFile = field(default_factory=the_company)

    def clock(self) -> datetime:
        return self.now

    def later(self, **span: float) -> None:
        self.now += timedelta(**span)

    def eip(self, path: Path | None = None) -> SqliteEip:
        return SqliteEip.open(path, self.company, self.clock)

    def request(
        self,
        start: str,
        end: str,
        category: str = "特休假",
        agent: str = "王小明",
        memo: str = "休假",
        account: str = IRENE,
        event_date: datetime | None = None,
    ) -> LeaveRequest:
        """A complete request with the ids of the company file."""
        person = self.company.by_account[account]
        kind = next(kind for kind in self.company.leave_types if kind.name == category)
        stand_in = next(row for row in self.company.employees if row.name == agent)
        first, last = datetime.fromisoformat(start), datetime.fromisoformat(end)
        return LeaveRequest(
            account=account,
            employee_id=person.id,
            employee_no=person.no,
            department_id=person.department.id,
            category_id=kind.id,
            category=category,
            start=first,
            end=last,
            minutes=calendar(self.company, first.year).minutes(first, last),
            agent_id=stand_in.id,
            agent_no=stand_in.no,
            agent=agent,
            memo=memo,
            event_date=event_date.date() if event_date else None,
        )
