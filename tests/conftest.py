"""What holds for all tests: switches set, no proxy, no settings from outside, and a logged warning fails the test."""

import os
import uuid
from collections.abc import Iterator

from module.start import set_switches

set_switches()

import pytest  # noqa: E402  # after the switches, which some libraries read when they are imported
import structlog  # noqa: E402
from hypothesis import settings  # noqa: E402

from tests.postgres_server import Server, postgres  # noqa: E402

# On the server the same examples every time; at a desk new ones, which find new faults.
settings.register_profile("ci", derandomize=True)
if os.environ.get("CI"):
    settings.load_profile("ci")

LOUD = ("warning", "error", "critical", "exception")


@pytest.fixture(autouse=True)
def _no_settings_from_outside(monkeypatch: pytest.MonkeyPatch) -> None:
    for variable in list(os.environ):
        if variable.startswith("LEAVEBOT_") or variable.lower() in ("http_proxy", "https_proxy", "all_proxy"):
            monkeypatch.delenv(variable)


@pytest.fixture(autouse=True)
def logged() -> Iterator[list[structlog.typing.EventDict]]:
    """What was logged; a test that expects a warning takes it out of the list."""
    with structlog.testing.capture_logs() as entries:
        yield entries
    loud = [entry for entry in entries if entry["log_level"] in LOUD]
    assert not loud, loud


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[Server]:
    """One PostgreSQL for the run; skips, with the reason, where there is none."""
    with postgres() as server:
        yield server


@pytest.fixture
def postgres_url(postgres_server: Server) -> str:
    """The address of an empty database."""
    return postgres_server.url(f"test_{uuid.uuid4().hex}")
