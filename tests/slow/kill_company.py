"""Thirty people with ten leaves each, for the test that kills the filing process."""

from datetime import datetime, timedelta

from model.form import LeaveRequest
from module.eip.company_file import CompanyFile, EmployeeRow
from tests.eip_office import Office, the_company

KEY = "a-key-only-for-tests"
START = datetime(2026, 11, 30, 0, 5)
PEOPLE, LEAVES_EACH = 30, 10


def company() -> CompanyFile:
    """The corpus's company with thirty more people who stand in for nobody but have one substitute."""
    real = the_company()
    stand_in = next(row for row in real.employees if row.account == "ming.wang")
    kinds = {kind.id: None for kind in real.leave_types}
    rows = [
        EmployeeRow(
            id=f"K{n:03d}", no=f"9{n:03d}", account=f"person.{n}", name=f"員工{n}", name_en="",
            department=stand_in.department, agents=(stand_in.id,), remaining_minutes=kinds,
        )
        for n in range(PEOPLE)
    ]  # fmt: skip
    return real.model_copy(update={"employees": (*real.employees, *rows)})


def plan() -> list[LeaveRequest]:
    """The leaves to file, in order: everybody's first, then everybody's second, …"""
    office = Office(company=company())
    days: list[datetime] = []
    day = datetime(2026, 12, 28)
    while len(days) < LEAVES_EACH:
        day += timedelta(days=1)
        if day.weekday() < 5 and day.date() not in (datetime(2027, 1, 1).date(),):
            days.append(day)
    return [
        office.request(f"{day:%Y-%m-%d} 09:00", f"{day:%Y-%m-%d} 18:00", "公假", memo="出差", account=f"person.{n}")
        for day in days
        for n in range(PEOPLE)
    ]
