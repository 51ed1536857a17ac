"""The embedded EIP's book of leaves: one table, and what may be asked of it and written to it within a transaction."""

import json
from collections import Counter
from datetime import datetime
from typing import Any

from sqlalchemy import (
    Column,
    Connection,
    DateTime,
    Index,
    Integer,
    MetaData,
    Row,
    String,
    Table,
    and_,
    bindparam,
    extract,
    func,
    select,
)

from model.company import Absence, Employee, Leave, Substitute
from model.errors import EipRefused
from model.form import LeaveRequest
from model.outcome import Outcome
from module.eip.company_file import CompanyFile, EmployeeRow, calendar
from module.eip.port import Around, Receipt
from module.eip.rules import problems, refusal
from module.leave.checks import Facts, cost, cost_by_year

UNKNOWN_ACCOUNT = "(WF) 查無此帳號"
UNKNOWN_NUMBER = "(WF) 查無此單號"
ALREADY_CANCELLED = "(WF) 此單已取消"
HAS_BEGUN = "(WF) 已核准且已開始的假單不能取消"
NOT_SUBMITTED = "(WF) 只有送審中的假單可以核准"
NOT_AS_ON_FILE = "(WF) 人員、假別或時數與系統資料不符"
KEY_USED = "(WF) 識別碼已用於另一張假單"

METADATA = MetaData()
# `drawn` is what a leave changes in the balance of the company file: nothing while the file already counts it.
LEAVES = Table(
    "leaves",
    METADATA,
    Column("wf_no", String, primary_key=True),
    Column("key", String, unique=True),
    Column("digest", String, nullable=False),
    Column("employee_id", String, nullable=False),
    Column("type_id", String, nullable=False),
    Column("start", DateTime, nullable=False),
    Column("end", DateTime, nullable=False),
    Column("agent_id", String, nullable=False),
    Column("memo", String, nullable=False),
    Column("event_date", String),
    Column("attachments", String, nullable=False),
    Column("status", String, nullable=False),
    Column("minutes", Integer, nullable=False),
    Column("cost", Integer, nullable=False),
    Column("drawn", Integer, nullable=False),
    Column("filed", DateTime, nullable=False),
    Index("leaves_of_employee", "employee_id", "start"),
)

# Built once: every turn runs these.
_TOUCHES = and_(
    LEAVES.c.employee_id.in_(bindparam("people", expanding=True)),
    LEAVES.c.start < bindparam("end"),
    LEAVES.c.end > bindparam("start"),
)
TOUCHING = select(LEAVES).where(_TOUCHES).order_by(LEAVES.c.start)
AWAY = (
    select(LEAVES.c.employee_id, LEAVES.c.start, LEAVES.c.end)
    .where(_TOUCHES, LEAVES.c.status != "cancelled")
    .order_by(LEAVES.c.start)
)
_FIRST_YEAR, _LAST_YEAR = extract("year", LEAVES.c.start), extract("year", LEAVES.c.end)
DRAWN = (
    select(LEAVES.c.type_id, _FIRST_YEAR, _LAST_YEAR, func.sum(LEAVES.c.drawn))
    .where(LEAVES.c.employee_id == bindparam("person"))
    .group_by(LEAVES.c.type_id, _FIRST_YEAR, _LAST_YEAR)
)
OVER_NEW_YEAR = select(LEAVES.c.type_id, LEAVES.c.start, LEAVES.c.end, LEAVES.c.cost, LEAVES.c.drawn).where(
    LEAVES.c.employee_id == bindparam("person"), LEAVES.c.drawn != 0, _FIRST_YEAR != _LAST_YEAR
)


def fill(tx: Connection, company: CompanyFile, now: datetime) -> None:
    """Takes over the leaves of the company file, once in a database's life."""
    if tx.exec_driver_sql("PRAGMA user_version").scalar():
        return
    kinds = {kind.id: company.leave_type(kind, None) for kind in company.leave_types}
    for leave in company.leaves:
        days = calendar(company, leave.start.year)
        values = leave.model_dump(include={"wf_no", "start", "end", "memo", "status"})
        values |= {"employee_id": leave.employee, "type_id": leave.leave_type, "agent_id": leave.agent}
        values |= {"minutes": days.minutes(leave.start, leave.end), "digest": "", "attachments": "[]", "drawn": 0}
        values |= {"cost": cost(kinds[leave.leave_type], leave.start, leave.end, days), "filed": now}
        tx.execute(LEAVES.insert().values(values))
    tx.exec_driver_sql("PRAGMA user_version = 1")


def row_of(company: CompanyFile, account: str) -> EmployeeRow:
    """The employee's row of the company file. Raises EipRefused."""
    if row := company.by_account.get(account):
        return row
    raise EipRefused(UNKNOWN_ACCOUNT)


def employee(tx: Connection, company: CompanyFile, account: str) -> Employee:
    """The employee with the minutes left now. Raises EipRefused."""
    row = row_of(company, account)
    left = _left(tx, company, row)
    colleagues = [company.by_id[agent] for agent in row.agents]
    return Employee(
        id=row.id,
        no=row.no,
        account=row.account,
        name=row.name,
        name_en=row.name_en,
        department_id=row.department.id,
        department=row.department.name,
        substitutes=tuple(Substitute(who.id, who.no, who.name, who.name_en) for who in colleagues),
        leave_types=tuple(
            company.leave_type(kind, left[kind.id]) for kind in company.leave_types if kind.id in left
        ),
    )


def _left(tx: Connection, company: CompanyFile, row: EmployeeRow) -> dict[str, int | dict[int, int] | None]:
    """Minutes left now by type: what the company file says, less what leaves have drawn since."""
    drawn: Counter[tuple[str, int]] = Counter()
    over = False
    for kind, first, last, minutes in tx.execute(DRAWN, {"person": row.id}):
        if first != last and isinstance(row.remaining_minutes.get(kind), dict):
            over = True
        else:
            drawn[kind, first] += minutes
    for leave in tx.execute(OVER_NEW_YEAR, {"person": row.id}) if over else ():
        for year, minutes in _shares(leave, company).items():
            drawn[leave.type_id, year] += minutes
    left: dict[str, int | dict[int, int] | None] = {}
    for kind, given in row.remaining_minutes.items():
        if isinstance(given, dict):
            left[kind] = {int(year): minutes - drawn[kind, int(year)] for year, minutes in given.items()}
        else:
            left[kind] = None if given is None else given - sum(n for (of, _), n in drawn.items() if of == kind)
    return left


def _shares(leave: Any, company: CompanyFile) -> dict[int, int]:
    """What a leave over New Year has drawn from each year; the last year bears what the calendar has changed since."""
    kind = next(kind for kind in company.leave_types if kind.id == leave.type_id)
    parts = cost_by_year(company.leave_type(kind, None), leave.start, leave.end, calendar(company, leave.start.year))
    sign = 1 if leave.drawn > 0 else -1
    shares = {year: sign * minutes for year, minutes in parts.items()}
    shares[leave.end.year] = shares.get(leave.end.year, 0) + leave.drawn - sum(shares.values())
    return shares


def leaves(tx: Connection, company: CompanyFile, account: str, start: datetime, end: datetime) -> tuple[Leave, ...]:
    """The employee's own leaves that touch [start, end), by start."""
    known = {"people": [row_of(company, account).id], "start": start, "end": end}
    return tuple(_leave(row, company) for row in tx.execute(TOUCHING, known))


def _leave(row: Row[Any], company: CompanyFile) -> Leave:
    kind = next((kind.name for kind in company.leave_types if kind.id == row.type_id), row.type_id)
    agent = company.by_id[row.agent_id].name if row.agent_id in company.by_id else row.agent_id
    return Leave(row.wf_no, kind, row.start, row.end, agent, row.memo, row.status, row.minutes)


def absences(tx: Connection, company: CompanyFile, account: str, start: datetime, end: datetime) -> tuple[Absence, ...]:
    """When the employee's own substitutes are away within [start, end)."""
    known = {"people": list(row_of(company, account).agents), "start": start, "end": end}
    return tuple(Absence(company.by_id[who].name, first, last) for who, first, last in tx.execute(AWAY, known))


def around(tx: Connection, company: CompanyFile, account: str, start: datetime, end: datetime) -> Around:
    """`leaves` and `absences` by one look into the table."""
    me = row_of(company, account)
    rows = tx.execute(TOUCHING, {"people": [me.id, *me.agents], "start": start, "end": end}).all()
    away = (row for row in rows if row.employee_id != me.id and row.status != "cancelled")
    return (
        tuple(_leave(row, company) for row in rows if row.employee_id == me.id),
        tuple(Absence(company.by_id[row.employee_id].name, row.start, row.end) for row in away),
    )


def facts(tx: Connection, company: CompanyFile, request: LeaveRequest, now: datetime) -> Facts:
    """What the leave checks may know about a request."""
    account, start, end = request.account, request.start, request.end
    return Facts(
        employee=employee(tx, company, account),
        calendar=calendar(company, start.year),
        now=now,
        leaves=leaves(tx, company, account, start, end),
        absences=absences(tx, company, account, start, end),
    )


def receipt(tx: Connection, key: str) -> Receipt | None:
    """The leave filed under that key, or None."""
    row = tx.execute(select(LEAVES.c.wf_no, LEAVES.c.minutes).where(LEAVES.c.key == key)).first()
    return Receipt(row.wf_no, row.minutes) if row else None


def file(tx: Connection, company: CompanyFile, request: LeaveRequest, key: str, now: datetime) -> Receipt:
    """Files the leave once per key. Raises EipRefused with the EIP's own words."""
    if earlier := receipt(tx, key):
        if tx.scalar(select(LEAVES.c.digest).where(LEAVES.c.key == key)) != request.digest():
            raise EipRefused(KEY_USED)
        return earlier
    known = facts(tx, company, request, now)
    if wrong := problems(request, known):
        twin = _twin(tx, request) if wrong[0].outcome is Outcome.OVERLAPS else None
        raise EipRefused(refusal(wrong[0]) + (f"，已有假單 {twin}" if twin else ""))
    kind = known.employee.leave_type(request.category)
    if kind is None or not _as_on_file(request, known):
        raise EipRefused(NOT_AS_ON_FILE)
    needed = cost(kind, request.start, request.end, known.calendar)
    number = _next_number(tx, now)
    values = {name: getattr(request, name) for name in ("employee_id", "start", "end", "agent_id", "memo", "minutes")}
    values |= {"wf_no": number, "key": key, "digest": request.digest(), "type_id": kind.id, "status": "submitted"}
    values |= {"event_date": request.event_date.isoformat() if request.event_date else None, "filed": now}
    values |= {"attachments": json.dumps(request.attachments), "cost": needed, "drawn": needed}
    tx.execute(LEAVES.insert().values(values))
    return Receipt(number, request.minutes)


def _as_on_file(request: LeaveRequest, known: Facts) -> bool:
    person, kind = known.employee, known.employee.leave_type(request.category)
    agent = person.substitute(request.agent)
    given = (request.employee_id, request.employee_no, request.department_id, request.category_id)
    return (
        kind is not None
        and agent is not None
        and given == (person.id, person.no, person.department_id, kind.id)
        and (request.agent_id, request.agent_no) == (agent.id, agent.no)
        and request.minutes == known.calendar.minutes(request.start, request.end)
    )


def _twin(tx: Connection, request: LeaveRequest) -> str | None:
    same = and_(
        LEAVES.c.employee_id == request.employee_id,
        LEAVES.c.type_id == request.category_id,
        LEAVES.c.start == request.start,
        LEAVES.c.end == request.end,
        LEAVES.c.status != "cancelled",
    )
    return tx.scalar(select(LEAVES.c.wf_no).where(same))


def _next_number(tx: Connection, now: datetime) -> str:
    day = f"WF{now:%Y%m%d}"
    counters = [
        int(number[len(day) :]) for number in tx.scalars(select(LEAVES.c.wf_no).where(LEAVES.c.wf_no.like(f"{day}%")))
    ]
    return f"{day}{max(counters, default=0) + 1:03d}"


def cancel(tx: Connection, company: CompanyFile, wf_no: str, account: str, now: datetime) -> Leave:
    """Cancels the employee's own leave and gives the minutes back. Raises EipRefused."""
    mine = and_(LEAVES.c.wf_no == wf_no, LEAVES.c.employee_id == row_of(company, account).id)
    row = tx.execute(select(LEAVES).where(mine)).first()
    if row is None:
        raise EipRefused(UNKNOWN_NUMBER)
    if row.status == "cancelled":
        raise EipRefused(ALREADY_CANCELLED)
    if row.status == "approved" and row.start <= now:
        raise EipRefused(HAS_BEGUN)
    tx.execute(LEAVES.update().where(mine).values(status="cancelled", drawn=LEAVES.c.drawn - LEAVES.c.cost))
    return _leave(tx.execute(select(LEAVES).where(mine)).one(), company)


def approve(tx: Connection, company: CompanyFile, wf_no: str) -> Leave:
    """Approves a submitted leave. Raises EipRefused."""
    that = LEAVES.c.wf_no == wf_no
    row = tx.execute(select(LEAVES).where(that)).first()
    if row is None:
        raise EipRefused(UNKNOWN_NUMBER)
    if row.status != "submitted":
        raise EipRefused(NOT_SUBMITTED)
    tx.execute(LEAVES.update().where(that).values(status="approved"))
    return _leave(tx.execute(select(LEAVES).where(that)).one(), company)
