"""A company as a JSON file, read strictly: worktime, holidays, leave types, employees, leaves that already stand."""

from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import date, time
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Discriminator, Field, NaiveDatetime, Tag, ValidationError, model_validator

from model.company import LeaveType
from model.errors import ConfigError
from model.worktime import WorkCalendar

Text = Annotated[str, Field(min_length=1)]
Days = Annotated[int, Field(ge=0, le=3650)]
Minutes = Annotated[int, Field(ge=0)]
Year = Annotated[str, Field(pattern=r"^20\d\d$")]
# Tagged, so that a mistake is told once and at its place.
Left = Annotated[
    Annotated[Minutes, Tag("[one]")] | Annotated[dict[Year, Minutes], Tag("[by year]")],
    Discriminator(lambda given: "[by year]" if isinstance(given, dict) else "[one]"),
]


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


class Worktime(_Part):
    """A working day; workdays are ISO weekdays (Monday is 1), unit_minutes the step of leave times."""

    start: time
    end: time
    lunch: tuple[time, time]
    unit_minutes: Annotated[int, Field(ge=1, le=480)]
    workdays: frozenset[Annotated[int, Field(ge=1, le=7)]]

    @model_validator(mode="after")
    def _in_order(self) -> "Worktime":
        if not self.start < self.lunch[0] <= self.lunch[1] < self.end:
            raise ValueError("時間順序不對，請改成 start < lunch[0] ≤ lunch[1] < end")
        return self


class Limits(_Part):
    """How far back and ahead leave may lie, in days, where a type says nothing of its own."""

    backdate_days: Days
    advance_days: Days


class TypeRow(_Part):
    """One leave type; the optional keys override `limits` or add a rule."""

    id: Text
    name: Text
    unit_minutes: Annotated[int, Field(ge=1)]
    memo_required: bool
    event_date_required: bool
    backdate_days: Days | None = None
    advance_days: Days | None = None
    proof_days: Days | None = None
    proof_within_days: Days = 7
    max_consecutive_days: Annotated[int, Field(ge=1)] | None = None


class Department(_Part):
    """Where an employee belongs."""

    id: Text
    name: Text


class EmployeeRow(_Part):
    """One employee: agents are employee ids in order; remaining_minutes is the white list (null: no limit; or by year)."""

    id: Text
    no: Text
    account: Text
    name: Text
    name_en: str
    department: Department
    agents: tuple[str, ...]
    remaining_minutes: dict[str, Left | None]


class LeaveRow(_Part):
    """A leave that stands already; its length is not in remaining_minutes any more."""

    wf_no: Annotated[str, Field(pattern=r"^WF\d{11,}$")]
    employee: str
    leave_type: str
    start: NaiveDatetime
    end: NaiveDatetime
    agent: str
    memo: str
    status: Literal["submitted", "approved", "cancelled"]


class CompanyFile(_Part):
    """The whole file. A holiday whose name is null takes a day of `holidays_country` away again."""

    company: Text
    timezone: Literal["Asia/Taipei"]
    worktime: Worktime
    holidays_country: Annotated[str, Field(pattern=r"^[A-Z]{2}$")] | None = None
    holidays: dict[date, str | None]
    makeup_workdays: dict[date, str]
    half_workdays: dict[date, tuple[time, time]] = {}
    blocked_dates: dict[date, Text] = {}
    limits: Limits
    leave_types: tuple[TypeRow, ...]
    employees: tuple[EmployeeRow, ...]
    leaves: tuple[LeaveRow, ...]

    @model_validator(mode="after")
    def _consistent(self) -> "CompanyFile":
        if wrong := next(_inconsistencies(self), None):
            raise ValueError(wrong)
        return self

    @cached_property
    def by_account(self) -> dict[str, EmployeeRow]:
        """The employees by account."""
        return {person.account: person for person in self.employees}

    @cached_property
    def by_id(self) -> dict[str, EmployeeRow]:
        """The employees by id."""
        return {person.id: person for person in self.employees}

    def leave_type(self, kind: TypeRow, remaining: int | dict[int, int] | None) -> LeaveType:
        """One leave type as an employee sees it, with so many minutes left, altogether or by year."""
        years = remaining if isinstance(remaining, dict) else None
        back = self.limits.backdate_days if kind.backdate_days is None else kind.backdate_days
        ahead = self.limits.advance_days if kind.advance_days is None else kind.advance_days
        return LeaveType(
            id=kind.id,
            name=kind.name,
            unit_minutes=kind.unit_minutes,
            memo_required=kind.memo_required,
            event_date_required=kind.event_date_required,
            remaining_minutes=sum(remaining.values()) if isinstance(remaining, dict) else remaining,
            remaining_by_year=years,
            backdate_days=back,
            advance_days=ahead,
            proof_days=kind.proof_days,
            proof_within_days=kind.proof_within_days,
            max_consecutive_days=kind.max_consecutive_days,
        )


def _inconsistencies(company: CompanyFile) -> Iterator[str]:
    people, kinds = {row.id for row in company.employees}, {row.id for row in company.leave_types}
    for place, values in (
        ("employees 的 id", [row.id for row in company.employees]),
        ("employees 的 no", [row.no for row in company.employees]),
        ("employees 的 account", [row.account for row in company.employees]),
        ("leave_types 的 id", [row.id for row in company.leave_types]),
        ("leave_types 的 name", [row.name for row in company.leave_types]),
        ("leaves 的 wf_no", [row.wf_no for row in company.leaves]),
    ):
        yield from (
            f"{place}：{value} 出現兩次，請改成不同的值" for value, count in Counter(values).items() if count > 1
        )
    for row in company.employees:
        yield from _unknown(f"employees {row.id} 的 agents", row.agents, people - {row.id}, "其他員工的 id")
        yield from _unknown(
            f"employees {row.id} 的 remaining_minutes", row.remaining_minutes, kinds, "leave_types 的 id"
        )
    for leave in company.leaves:
        place = f"leaves {leave.wf_no} 的"
        yield from _unknown(f"{place} employee", [leave.employee], people, "employees 的 id")
        yield from _unknown(f"{place} agent", [leave.agent], people, "employees 的 id")
        yield from _unknown(f"{place} leave_type", [leave.leave_type], kinds, "leave_types 的 id")
        if leave.end <= leave.start:
            yield f"{place} end：必須晚於 start，請更正"
    yield from (
        f"holidays 的 {day}：同一天也在 makeup_workdays，請刪除其中一個"
        for day, name in company.holidays.items()
        if name and day in company.makeup_workdays
    )
    for day, (first, last) in company.half_workdays.items():
        if not company.worktime.start <= first < last <= company.worktime.end:
            yield f"half_workdays 的 {day}：時間不對，請改成 worktime 的 start 到 end 之間，先早後晚"
        if company.holidays.get(day):
            yield f"half_workdays 的 {day}：同一天也在 holidays，請刪除其中一個"


def _unknown(place: str, values: Iterable[str], known: set[str], remedy: str) -> Iterator[str]:
    return (f"{place}：沒有 {value}，請改成{remedy}" for value in values if value not in known)


def load_company(path: Path) -> CompanyFile:
    """The company of a JSON file. Raises ConfigError: one line with file, place and remedy."""
    try:
        company = CompanyFile.model_validate_json(path.read_bytes())
    except OSError as wrong:
        raise ConfigError(f"{path}：讀不到這個檔案（{wrong.strerror}），請確認 [eip] company 的路徑與權限") from None
    except ValidationError as wrong:
        raise ConfigError(f"{path}：{_complaint(wrong)}") from None
    country = company.holidays_country
    if country and not _has_holidays(country):
        raise ConfigError(f"{path}：holidays_country：沒有 {country} 的假日資料，請改成 TW 或刪除這一行")
    return company


REMEDIES = {
    "missing": "缺少這個欄位，請補上",
    "extra_forbidden": "沒有這個欄位，請刪除或更正拼字",
    "json_invalid": "不是正確的 JSON，請更正",
}


def _complaint(wrong: ValidationError) -> str:
    first, others = wrong.errors()[0], wrong.error_count() - 1
    place = ".".join(str(part) for part in first["loc"] if not str(part).startswith("["))
    if first["type"] == "value_error":
        text = first["msg"].removeprefix("Value error, ")
    elif first["type"] in ("missing", "extra_forbidden"):
        text = REMEDIES[first["type"]]
    elif first["type"] == "json_invalid":
        text = f"{REMEDIES['json_invalid']}（{first['msg'].removeprefix('Invalid JSON: ')}）"
    else:
        text = f"{str(first['input'])[:60]!r} 不是可用的值，請更正（{first['msg']}）"
    more = f"；另外還有 {others} 處" if others else ""
    return f"{place}：{text}{more}" if place else f"{text}{more}"


def _has_holidays(country: str) -> bool:
    from holidays import list_supported_countries  # slow to import, and only some companies need it

    return country in list_supported_countries()


@lru_cache(maxsize=64)
def _public(country: str, year: int) -> tuple[dict[date, str], frozenset[date]]:
    from holidays import country_holidays  # likewise

    years = range(year - 1, year + 3)
    days = country_holidays(country, years=years, language="zh_TW" if country == "TW" else None)
    return dict(days), frozenset(day for day in days.weekend_workdays if day.year in years)


def calendar(company: CompanyFile, year: int) -> WorkCalendar:
    """Working hours, and the holidays from the year before to two years after."""
    country, own, hours = company.holidays_country, company.holidays, company.worktime
    public, makeup = _public(country, year) if country else ({}, frozenset())
    half = {day: (_minutes(first), _minutes(last)) for day, (first, last) in company.half_workdays.items()}
    worked = (makeup - own.keys()) | company.makeup_workdays.keys()
    known = [day.year for day, name in own.items() if name] + ([year + 2] if public else [])
    return WorkCalendar(
        opens=_minutes(hours.start),
        closes=_minutes(hours.end),
        lunch=(_minutes(hours.lunch[0]), _minutes(hours.lunch[1])),
        unit_minutes=hours.unit_minutes,
        workdays=hours.workdays,
        holidays={day: name for day, name in {**public, **own}.items() if name and day not in {*worked, *half}},
        makeup_workdays=frozenset(worked),
        known_until=max(known, default=0),
        blocked=company.blocked_dates,
        half_workdays=half,
    )


def _minutes(moment: time) -> int:
    return moment.hour * 60 + moment.minute
