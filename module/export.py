"""Leaves of a month for HR, as CSV or XLSX, in cells that no spreadsheet takes for a formula."""

import csv
import re
import unicodedata
from collections.abc import Iterable, Sequence
from datetime import datetime
from pathlib import Path

from model.errors import ConfigError
from module.eip.filed import Filed

HEAD = ("單號", "員編", "姓名", "部門", "假別", "開始", "結束", "時數", "代理人", "狀態", "送出時間")
REASONS = ("事由", "事件發生日")
STATUS = {"submitted": "送審中", "approved": "已核准", "cancelled": "已取消"}
KINDS = ("csv", "xlsx")
_MONTH = re.compile(r"(\d{4})-(0[1-9]|1[0-2])")
_BREAKS = ("\t", "\r", "\n")
Row = tuple[str, ...]


def month_of(text: str) -> tuple[datetime, datetime]:
    """2026-12 → its first moment and the next month's. Raises ConfigError."""
    found = _MONTH.fullmatch(text)
    if found is None or int(found[1]) == 0 or int(found[1]) == 9999:
        raise ConfigError(f"月份 {text!r}：應為西元年-月，例如 2026-12")
    year, month = int(found[1]), int(found[2])
    return datetime(year, month, 1), datetime(year + month // 12, month % 12 + 1, 1)


def neutral(text: str) -> str:
    """The text with a ' before what a spreadsheet would calculate: = + - @ in any width, tab, line break."""
    first = unicodedata.normalize("NFKC", text.lstrip(" \u3000\u00a0\ufeff\u200b")[:1]).replace("\u2212", "-")
    return f"'{text}" if text.startswith(_BREAKS) or first.startswith(("=", "+", "-", "@", *_BREAKS)) else text


def rows(leaves: Iterable[Filed], reasons: bool) -> list[Row]:
    """Head and one row a leave; reasons and event dates only when wanted."""
    table = [HEAD + (REASONS if reasons else ())]
    for leave in leaves:
        status = STATUS.get(leave.status, leave.status)
        row = (
            leave.wf_no, leave.employee_no, leave.name, leave.department, leave.category, f"{leave.start:%Y-%m-%d %H:%M}",
            f"{leave.end:%Y-%m-%d %H:%M}", f"{leave.minutes / 60:g}", leave.agent, status, f"{leave.filed:%Y-%m-%d %H:%M}",
        )  # fmt: skip
        table.append(tuple(neutral(cell) for cell in row + ((leave.memo, leave.event_date) if reasons else ())))
    return table


def write(path: Path, table: Sequence[Row]) -> None:
    """Writes a new file, .csv or .xlsx by its name. Raises ConfigError when it exists or cannot be written."""
    kind = path.suffix.lower().lstrip(".")
    if kind not in KINDS:
        raise ConfigError(f"{path}：檔名要以 .csv 或 .xlsx 結尾")
    try:
        path.touch(mode=0o600, exist_ok=False)
        (_csv if kind == "csv" else _xlsx)(path, table)
    except FileExistsError:
        raise ConfigError(f"{path}：已經有這個檔案，請換一個檔名") from None
    except OSError as wrong:
        raise ConfigError(f"{path}：不能寫入（{wrong.strerror}）") from None


def _csv(path: Path, table: Sequence[Row]) -> None:
    with path.open("w", encoding="utf-8-sig", newline="") as file:  # spreadsheets know UTF-8 by its mark
        csv.writer(file, quoting=csv.QUOTE_ALL).writerows(table)


def _xlsx(path: Path, table: Sequence[Row]) -> None:
    try:
        import xlsxwriter
    except ImportError:
        path.unlink()
        raise ConfigError(f"{path}：缺少套件 xlsxwriter，請安裝 leavebot[xlsx]，或改用 .csv") from None
    with xlsxwriter.Workbook(path) as book:
        sheet = book.add_worksheet("請假")
        for number, row in enumerate(table):
            for column, cell in enumerate(row):
                sheet.write_string(number, column, cell)
        sheet.freeze_panes(1, 0)
        sheet.autofit()
