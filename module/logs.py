"""Logs: one JSON object a line on stderr, with an allow-list of fields, so no name, reason or message gets in."""

import logging
import sys
from collections.abc import MutableMapping
from typing import Any

import structlog

ALLOWED = frozenset(
    {
        "event", "level", "timestamp", "logger", "conversation", "turn", "outcome", "also", "rounds", "ms", "llm_calls",
        "model", "status", "error", "wf_no", "key", "count", "path", "method", "setting", "provider", "fields",
    }
)  # fmt: skip
CHARS = 300


def configure(level: str) -> None:
    """Sets up structlog and the standard library's logging. Level is debug, info, warning or error."""
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            only_allowed,
            structlog.processors.JSONRenderer(ensure_ascii=False),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
    )
    logging.basicConfig(level=max(logging.WARNING, logging.getLevelNamesMapping()[level.upper()]), stream=sys.stderr)


def only_allowed(_: object, __: str, entry: MutableMapping[str, Any]) -> MutableMapping[str, Any]:
    """Drops what is not allowed and cuts long text; an exception leaves its type only."""
    error = entry.get("exc_info")
    kept = {key: _short(value) for key, value in entry.items() if key in ALLOWED}
    if isinstance(error, BaseException):
        kept["error"] = type(error).__name__
    elif error and (current := sys.exc_info()[0]):
        kept["error"] = current.__name__
    return kept


def _short(value: object) -> object:
    if value is None or isinstance(value, int | float):
        return value
    return str(value)[:CHARS]
