"""All leaves of the embedded EIP within some time, for whoever runs it."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, select

from module.eip.company_file import CompanyFile
from module.eip.ledger import LEAVES


@dataclass(frozen=True)
class Filed:
    """One leave with whose it is; minutes is working time, event_date ISO or empty."""

    wf_no: str
    employee_no: str
    name: str
    department: str
    category: str
    start: datetime
    end: datetime
    minutes: int
    agent: str
    memo: str
    event_date: str
    status: str
    filed: datetime


def filed(tx: Connection, company: CompanyFile, start: datetime, end: datetime) -> list[Filed]:
    """The leaves that touch [start, end), by start."""
    kinds = {kind.id: kind.name for kind in company.leave_types}
    touching = select(LEAVES).where(LEAVES.c.start < end, LEAVES.c.end > start).order_by(LEAVES.c.start, LEAVES.c.wf_no)
    found = []
    for row in tx.execute(touching):
        who, agent = company.by_id.get(row.employee_id), company.by_id.get(row.agent_id)
        leave = Filed(
            row.wf_no, who.no if who else "", who.name if who else row.employee_id, who.department.name if who else "",
            kinds.get(row.type_id, row.type_id), row.start, row.end, row.minutes, agent.name if agent else row.agent_id,
            row.memo, row.event_date or "", row.status, row.filed,
        )  # fmt: skip
        found.append(leave)
    return found
