"""Foreign errors of model servers, mapped to ours in one table."""

import json
from collections.abc import Iterator
from contextlib import contextmanager

import httpx

from model.errors import ModelError, ModelUnavailable

# First match wins. ollama.ResponseError is an Exception of its own and is told by its status below.
_TABLE: tuple[tuple[type[Exception], type[ModelError], str], ...] = (
    (httpx.ConnectError, ModelUnavailable, "not reachable"),
    (httpx.TimeoutException, ModelUnavailable, "out of time"),
    (httpx.HTTPError, ModelUnavailable, "connection lost"),
    (TimeoutError, ModelUnavailable, "out of time"),
    (OSError, ModelUnavailable, "not reachable"),
    (json.JSONDecodeError, ModelError, "garbage instead of an answer"),
    (ValueError, ModelError, "no answer"),
    (KeyError, ModelError, "answer of an unknown shape"),
    (TypeError, ModelError, "answer of an unknown shape"),
    (IndexError, ModelError, "answer of an unknown shape"),
)


@contextmanager
def mapped(name: str) -> Iterator[None]:
    """Turns every error of a model call into ModelUnavailable or ModelError; cancellation passes."""
    try:
        yield
    except ModelError:
        raise
    except Exception as error:
        raise _ours(name, error) from error


def _ours(name: str, error: Exception) -> ModelError:
    status = getattr(getattr(error, "response", error), "status_code", None)
    if isinstance(status, int):
        kind = ModelError if status == 400 else ModelUnavailable
        return kind(f"{name}: status {status}")
    for foreign, ours, text in _TABLE:
        if isinstance(error, foreign):
            return ours(f"{name}: {text} ({type(error).__name__})")
    return ModelError(f"{name}: {type(error).__name__}")
