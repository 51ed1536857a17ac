"""Logs: one JSON object a line on stderr, with an allow-list of fields, so no name, reason or message gets in.

What libraries log goes the same way: their fixed words and the kind of error, never the values in it.
"""

import hashlib
import hmac
import logging
import secrets
import sys
from collections.abc import MutableMapping
from types import TracebackType
from typing import Any

import structlog

ALLOWED = frozenset(
    {
        "event", "level", "timestamp", "logger", "conversation", "turn", "who", "incident", "outcome", "also", "rounds", "ms",
        "llm_calls", "model", "status", "error", "where", "wf_no", "key", "count", "path", "method", "setting", "provider", "fields",
    }
)  # fmt: skip
CHARS = 300
FIXED_WORDS = ("asyncio", "uvicorn", "uvicorn.error")  # their first lines are constants
_KEY = secrets.token_bytes(32)


def who(account: str) -> str:
    """The account as the log may hold it: the same within one run of the program, and no way back."""
    return hmac.new(_KEY, account.encode(), hashlib.sha256).hexdigest()[:12]


def configure(level: str) -> None:
    """Sets up structlog and the standard library's logging. Level is debug, info, warning or error."""
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            only_allowed,
            structlog.processors.JSONRenderer(),  # escapes whatever is not ASCII, line and direction marks among it
        ],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
    )
    least = max(logging.WARNING, logging.getLevelNamesMapping()[level.upper()])
    logging.basicConfig(level=least, handlers=[_Passed()], force=True)
    logging.raiseExceptions = False  # a record that cannot be shown is no reason to print it


class _Passed(logging.Handler):
    """Hands a library's record to structlog."""

    def emit(self, record: logging.LogRecord) -> None:
        """One line: the words that the library wrote into its code, and the kind and place of the error."""
        constant = bool(record.args) or record.name in FIXED_WORDS
        words = str(record.msg).split("\n", 1)[0] if constant else "library"
        error = record.exc_info if record.exc_info and record.exc_info[0] else None
        structlog.get_logger().log(record.levelno, words[:CHARS], logger=record.name, exc_info=error)


def only_allowed(_: object, __: str, entry: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Drops what is not allowed and cuts long text; an exception leaves its type and its place only."""
    given = entry.get("exc_info")
    kept = {key: _short(value) for key, value in entry.items() if key in ALLOWED}
    if given:
        kind, _error, trace = given if isinstance(given, tuple) else _parts(given)
        if kind:
            kept |= {"error": kind.__name__, "where": _place(trace)}
    return kept


def _parts(given: object) -> tuple[type[BaseException] | None, BaseException | None, TracebackType | None]:
    return (type(given), given, given.__traceback__) if isinstance(given, BaseException) else sys.exc_info()


def _place(trace: TracebackType | None) -> str:
    """module:line of where it was raised."""
    while trace and trace.tb_next:
        trace = trace.tb_next
    return f"{trace.tb_frame.f_globals.get('__name__', '?')}:{trace.tb_lineno}" if trace else ""


def _short(value: object) -> object:
    if value is None or isinstance(value, int | float):
        return value
    return str(value)[:CHARS]
