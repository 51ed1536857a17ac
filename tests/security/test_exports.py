"""Exports for HR: every leave of the month, and no cell that a spreadsheet would calculate."""

import csv
import os
import subprocess
import sys
import zipfile
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.errors import ConfigError
from module.eip.company_file import load_company
from module.eip.filed import Filed
from module.eip.sqlite import SqliteEip
from module.export import month_of, neutral, rows, write
from tests.eip_office import CORPUS

ROOT = Path(__file__).parents[2]
FORMULAS = (
    "=1+1",
    "+1",
    "-1",
    "@SUM(A1)",
    "\t=1",
    "\r=1",
    "\n=1",
    "＝１",
    "＋1",
    "－1",
    "＠x",
    "﹢1",
    "﹣1",
    "−1",
    " =1",
    "\u3000=1",
    "\ufeff=1",
    '=cmd|"/c calc"!A1',
)
LEAVE = Filed(
    "WF20261130001", "1024", "=陳怡君", "@研發部", "特休假", datetime(2026, 12, 9, 9), datetime(2026, 12, 9, 18), 480, "+王小明",
    '=HYPERLINK("http://evil.example","x")', "2026-11-01", "submitted", datetime(2026, 11, 30, 10),
)  # fmt: skip


@pytest.mark.parametrize("text", FORMULAS)
def test_what_looks_like_a_formula_becomes_text(text: str) -> None:
    assert neutral(text) == f"'{text}"


@pytest.mark.parametrize("text", ["看醫生", "WF1", "1024", "3-1", "a=b", "", "'=1", "2026-12-09 09:00"])
def test_plain_text_stays_as_it_is(text: str) -> None:
    assert neutral(text) == text


@given(st.text())
def test_no_cell_begins_with_a_sign(text: str) -> None:
    assert not neutral(text).lstrip(" \u3000").startswith(("=", "+", "-", "@", "＝", "＋", "－", "＠", "\t", "\r"))


def test_reasons_are_written_only_when_wanted_and_csv_keeps_every_cell(tmp_path: Path) -> None:
    assert "evil" not in str(rows([LEAVE], reasons=False))
    write(tmp_path / "a.csv", rows([LEAVE], reasons=True))
    text = (tmp_path / "a.csv").read_text(encoding="utf-8-sig")
    assert all(line.startswith('"') and line.endswith('"') for line in text.splitlines())
    head, row = csv.reader(text.splitlines())
    leave = dict(zip(head, row, strict=True))
    assert (leave["姓名"], leave["部門"], leave["代理人"], leave["時數"]) == ("'=陳怡君", "'@研發部", "'+王小明", "8")
    assert leave["事由"].startswith("'=HYPERLINK")
    assert (tmp_path / "a.csv").stat().st_mode & 0o077 == 0


def test_a_workbook_holds_text_only(tmp_path: Path) -> None:
    pytest.importorskip("xlsxwriter", reason="the extra xlsx is not installed")
    write(tmp_path / "a.xlsx", rows([LEAVE, replace(LEAVE, memo="https://evil.example")], reasons=True))
    with zipfile.ZipFile(tmp_path / "a.xlsx") as book:
        sheet = book.read("xl/worksheets/sheet1.xml").decode()
        links = [name for name in book.namelist() if "rels" in name and "sheet" in name]
        assert "'=HYPERLINK" in book.read("xl/sharedStrings.xml").decode()
    assert "<f>" not in sheet and "hyperlink" not in sheet.lower() and links == []
    assert sheet.count("<c ") == sheet.count('t="s"')


@pytest.mark.parametrize("text", ["2026-13", "2026", "2026-1", "", "0000-01", "12-2026"])
def test_a_month_that_is_none_is_told(text: str) -> None:
    with pytest.raises(ConfigError, match="2026-12"):
        month_of(text)


def test_december_ends_with_the_year() -> None:
    assert month_of("2026-12") == (datetime(2026, 12, 1), datetime(2027, 1, 1))


async def test_a_month_holds_everybodys_leaves_that_touch_it(tmp_path: Path) -> None:
    company = load_company(CORPUS / "eip.json")
    eip = SqliteEip.open(None, company, lambda: datetime(2026, 11, 30, 10))
    everything = await eip.filed(datetime(2000, 1, 1), datetime(2100, 1, 1))
    assert len(everything) == len(company.leaves)
    first = everything[0]
    assert first in await eip.filed(first.start, first.end) and first.name and first.department
    assert first not in await eip.filed(first.end, datetime(2100, 1, 1))
    eip.close()


def run(folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    environ = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "PYTHONUTF8": "1"}
    code = "from module.cli import main; main()"
    return subprocess.run(
        [sys.executable, "-c", code, *command],
        cwd=folder,
        env=environ,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_the_command_writes_a_file_once_and_says_what_is_wrong(tmp_path: Path) -> None:
    missing = run(tmp_path, "export", "a.csv")
    assert missing.returncode == 2 and "[eip]" in missing.stderr and not (tmp_path / "a.csv").exists()
    assert run(tmp_path, "eip", "approve", "WF0").returncode == 1  # the demo company is there now
    done = run(tmp_path, "export", "a.csv", "--month", "2026-12")
    assert done.returncode == 0, done.stderr
    assert "張假單" in done.stdout
    again = run(tmp_path, "export", "a.csv", "--month", "2026-12")
    assert again.returncode == 2 and "已經有這個檔案" in again.stderr
    assert ".xlsx" in run(tmp_path, "export", "a.txt").stderr
