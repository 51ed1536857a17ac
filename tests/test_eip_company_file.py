"""Company files: lengths over the calendar of the corpora, public holidays, and mistakes told in one line."""

import json
from collections.abc import Callable
from datetime import date, datetime
from pathlib import Path
from typing import Any

import pytest

from model.errors import ConfigError
from module.eip import company_file
from module.eip.company_file import calendar, load_company
from tests.eip_office import CORPUS, the_company

DEMO = Path(company_file.__file__).parent / "demo_company.json"


@pytest.mark.parametrize(
    ("start", "end", "hours"),
    [
        ("2026-12-24 09:00", "2026-12-28 18:00", 16),
        ("2026-12-31 09:00", "2027-01-04 18:00", 16),
        ("2026-12-28 09:00", "2027-01-08 18:00", 72),
        ("2027-02-03 09:00", "2027-02-11 18:00", 16),
        ("2026-12-03 14:00", "2026-12-07 12:00", 15),
        ("2026-12-03 11:00", "2026-12-03 13:00", 1),
        ("2026-12-03 12:00", "2026-12-03 14:00", 1),
        ("2026-12-03 09:30", "2026-12-03 11:00", 1.5),
        ("2026-12-25 09:00", "2026-12-27 18:00", 0),
    ],
)
def test_length_counts_working_time_only(start: str, end: str, hours: float) -> None:
    days = calendar(the_company(), 2026)
    assert days.minutes(datetime.fromisoformat(start), datetime.fromisoformat(end)) == hours * 60


def test_the_corpus_company_has_only_the_holidays_of_its_file() -> None:
    days = calendar(the_company(), 2026)
    assert days.holidays.keys() == the_company().holidays.keys()
    assert days.known_until == 2027


def test_the_demo_company_adds_public_holidays_and_keeps_its_own_names() -> None:
    days = calendar(load_company(DEMO), 2026)
    assert date(2026, 10, 9) in days.holidays
    assert days.holidays[date(2027, 2, 5)] == "除夕"
    assert days.known_until == 2028
    assert date(2025, 2, 8) in days.makeup_workdays


def written(folder: Path, change: Callable[[Any], object]) -> Path:
    plain = json.loads((CORPUS / "eip.json").read_text(encoding="utf-8"))
    change(plain)
    path = folder / "company.json"
    path.write_text(json.dumps(plain, ensure_ascii=False), encoding="utf-8")
    return path


def test_a_null_holiday_takes_a_public_one_away(tmp_path: Path) -> None:
    path = written(tmp_path, lambda c: c.update(holidays_country="TW", holidays={"2026-09-28": None}))
    days = calendar(load_company(path), 2026)
    assert days.is_workday(date(2026, 9, 28))
    assert not days.is_workday(date(2026, 5, 1))


def test_a_makeup_workday_is_worked(tmp_path: Path) -> None:
    path = written(tmp_path, lambda c: c.update(makeup_workdays={"2026-12-12": "補班"}))
    days = calendar(load_company(path), 2026)
    assert days.minutes(datetime(2026, 12, 12, 9), datetime(2026, 12, 12, 18)) == 480


def test_a_type_may_have_limits_of_its_own(tmp_path: Path) -> None:
    own = {"backdate_days": 5, "proof_days": 7, "max_consecutive_days": 3}
    company = load_company(written(tmp_path, lambda c: c["leave_types"][2].update(own)))
    kind = company.leave_type(company.leave_types[2], 60)
    assert (kind.backdate_days, kind.advance_days, kind.proof_days, kind.max_consecutive_days) == (5, 365, 7, 3)


MISTAKES: list[tuple[Callable[[Any], object], str]] = [
    (lambda c: c.update(holliday={}), "holliday：沒有這個欄位"),
    (lambda c: c.pop("worktime"), "worktime：缺少這個欄位"),
    (lambda c: c["holidays"].update({"2026-02-30": "春節"}), "2026-02-30"),
    (lambda c: c["worktime"].update(start="19:00"), "worktime：時間順序不對"),
    (lambda c: c["worktime"].update(unit_minutes="30"), "worktime.unit_minutes"),
    (lambda c: c["employees"][1].pop("no"), "employees.1.no：缺少"),
    (lambda c: c["employees"][0]["agents"].append("E9999"), "employees E1024 的 agents：沒有 E9999"),
    (lambda c: c["employees"][0]["agents"].append("E1024"), "employees E1024 的 agents：沒有 E1024"),
    (lambda c: c["employees"][0]["remaining_minutes"].update(L99=1), "remaining_minutes：沒有 L99"),
    (lambda c: c["employees"][0]["remaining_minutes"].update(L01=-1), "employees.0.remaining_minutes.L01"),
    (lambda c: c["employees"][1].update(account="irene.chen"), "account：irene.chen 出現兩次"),
    (lambda c: c["leaves"][0].update(end="2026-12-16 09:00"), "WF20261101001 的 end"),
    (lambda c: c["leaves"][0].update(start="2026-12-16T09:00+08:00"), "leaves.0.start"),
    (lambda c: c["leaves"][0].update(leave_type="L77"), "leave_type：沒有 L77"),
    (lambda c: c["leaves"][0].update(status="maybe"), "leaves.0.status"),
    (lambda c: c.update(timezone="Asia/Tokyo"), "timezone"),
    (lambda c: c.update(holidays_country="XX"), "holidays_country：沒有 XX"),
    (lambda c: c.update(makeup_workdays={"2026-12-25": "補班"}), "2026-12-25"),
    (lambda c: c.update(half_workdays={"2026-12-25": ["09:00", "12:00"]}), "half_workdays 的 2026-12-25"),
    (lambda c: c.update(half_workdays={"2026-12-31": ["12:00", "09:00"]}), "half_workdays 的 2026-12-31：時間不對"),
    (lambda c: c.update(half_workdays={"2026-12-31": ["08:00", "12:00"]}), "half_workdays 的 2026-12-31：時間不對"),
    (lambda c: c.update(half_workdays={"2026-12-31": ["9 點", "12:00"]}), "half_workdays.2026-12-31.0：'9 點'"),
    (lambda c: c["employees"][0]["remaining_minutes"].update(L01={"今年": 480}), "employees.0.remaining_minutes.L01.今年"),
    (lambda c: c["employees"][0]["remaining_minutes"].update(L01={"2026": "8h"}), "employees.0.remaining_minutes.L01.2026：'8h'"),
    (lambda c: c["employees"][0]["remaining_minutes"].update(L01="8h"), "employees.0.remaining_minutes.L01：'8h'"),
    (lambda c: c["leave_types"][2].update(proof_days=-1), "leave_types.2.proof_days：'-1'"),
    (lambda c: c["leave_types"][2].update(max_consecutive_days=0), "leave_types.2.max_consecutive_days：'0'"),
    (lambda c: c.update(blocked_dates={"2026-12-31": ""}), "blocked_dates.2026-12-31"),
]


@pytest.mark.parametrize(("change", "place"), MISTAKES)
def test_a_mistake_gives_one_line_with_file_place_and_remedy(
    tmp_path: Path, change: Callable[[Any], object], place: str
) -> None:
    path = written(tmp_path, change)
    with pytest.raises(ConfigError) as told:
        load_company(path)
    line = str(told.value)
    assert line.startswith(f"{path}：")
    assert place in line
    assert "請" in line
    assert "\n" not in line


@pytest.mark.parametrize("content", [b"", b"{", b"\xff\xfe", b"[]", b'"x"'])
def test_what_is_no_company_at_all_gives_one_line(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "company.json"
    path.write_bytes(content)
    with pytest.raises(ConfigError, match="請") as told:
        load_company(path)
    assert "\n" not in str(told.value)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"nowhere\.json：讀不到這個檔案"):
        load_company(tmp_path / "nowhere.json")
