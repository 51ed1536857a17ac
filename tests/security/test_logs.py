"""What reaches the log: one JSON object a line, of allowed fields, whatever was typed and whatever broke."""

import json
import logging
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
import structlog

from module import logs


@contextmanager
def logging_as_served() -> Iterator[structlog.typing.FilteringBoundLogger]:
    """Real lines on stderr at the level debug, for a while."""
    before, handlers, level = structlog.get_config(), logging.root.handlers[:], logging.root.level
    logging.root.handlers.clear()  # pytest's own must not be closed
    logs.configure("debug")
    try:
        yield structlog.get_logger()
    finally:
        structlog.configure(**before)
        logging.root.handlers[:], logging.root.level, logging.raiseExceptions = handlers, level, True


def lines(capsys: pytest.CaptureFixture[str]) -> list[dict[str, object]]:
    return [json.loads(line) for line in capsys.readouterr().err.splitlines()]


def test_IN_03_no_line_can_be_forged(capsys: pytest.CaptureFixture[str]) -> None:
    forged = "/x\n2026-11-30 INFO login ok user=admin\x1b[2J\u2028\u202e\r\x00"
    with logging_as_served() as log:
        log.warning("request_refused", path=forged, memo=forged, method=forged)
    text = capsys.readouterr().err
    assert text.count("\n") == 1 and text.isascii() and text.rstrip("\n").isprintable()
    assert json.loads(text)["path"] == forged and "memo" not in json.loads(text)


def test_an_exception_leaves_its_kind_and_place_only(capsys: pytest.CaptureFixture[str]) -> None:
    with logging_as_served() as log:
        try:
            raise RuntimeError("postgresql://leave:hunter2@db/leave 看醫生")
        except RuntimeError as error:
            log.exception("turn_failed", incident="ab12")
            log.error("turn_failed", exc_info=error)
            logging.getLogger("some.library").exception("cannot do %s", error)
            logging.getLogger("some.library").error(f"hunter2 {error}")  # what libraries do
            logging.getLogger("asyncio").error(f"Task exception was never retrieved\nfuture: {error}")
    found = lines(capsys)
    assert "hunter2" not in json.dumps(found) and "看" not in json.dumps(found, ensure_ascii=False)
    assert [line.get("error") for line in found] == ["RuntimeError"] * 3 + [None] * 2
    assert all(str(line["where"]).startswith("test_logs:") or "test_logs" in str(line["where"]) for line in found[:3])
    assert [line["event"] for line in found[2:]] == ["cannot do %s", "library", "Task exception was never retrieved"]


def test_an_employee_is_a_keyed_hash() -> None:
    assert logs.who("irene.chen") == logs.who("irene.chen") != logs.who("amy.chen")
    assert "irene" not in logs.who("irene.chen") and len(logs.who("x")) == 12
