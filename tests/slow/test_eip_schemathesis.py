"""The EIP server against requests made up from its own contract: no fault, and no answer beside the contract."""

from collections import Counter
from pathlib import Path
from typing import Any

import pytest

schemathesis = pytest.importorskip("schemathesis", reason="pip install schemathesis: it is part of the dev extra")

from hypothesis import HealthCheck, given, settings  # noqa: E402  # after the skip
from schemathesis.checks import not_a_server_error  # noqa: E402
from schemathesis.specs.openapi.checks import (  # noqa: E402
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from module.eip.server import create  # noqa: E402
from tests.eip_office import IRENE, Office  # noqa: E402

pytestmark = pytest.mark.slow
KEY = "a-key-only-for-tests"
CHECKS = (not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance)
OPERATIONS = 8
GOOD = Office().request("2026-12-10 09:00", "2026-12-10 18:00").as_dict()


def make_sensible(case: Any) -> None:
    """The same request about a real employee, with a number of its own values left in."""
    if "account" in case.path_parameters:
        case.path_parameters["account"] = IRENE
        case.query |= {"start": "2026-12-01T00:00", "end": "2027-01-01T00:00"} if case.query else {}
    if isinstance(case.body, dict):
        kept = [name for name in ("memo", "event_date", "attachments", "category", "minutes") if name in case.body]
        kept = kept[: len(str(case.body)) % 6]
        known = GOOD | {name: case.body[name] for name in kept} | {"today": "2026-11-30"}
        case.body = {name: known.get(name, value) for name, value in case.body.items()}
        if "reference" in case.body and case.headers is not None:
            case.headers["Idempotency-Key"] = case.body["reference"]


def test_made_up_requests_find_no_fault(tmp_path: Path) -> None:
    schema = schemathesis.openapi.from_asgi("/openapi.json", create(Office().eip(tmp_path / "eip.db"), KEY))
    answered: Counter[tuple[str, int]] = Counter()

    def ask(case: schemathesis.Case) -> None:
        for _ in ("as made up", "about somebody who exists"):
            answer = case.call_and_validate(headers={"X-API-Key": KEY}, checks=CHECKS)
            answered[case.operation.label, answer.status_code] += 1
            make_sensible(case)

    slowly = settings(
        max_examples=100, deadline=None, database=None, derandomize=True, suppress_health_check=list(HealthCheck)
    )
    for found in schema.get_all_operations():
        slowly(given(case=found.ok().as_strategy())(ask))()
    assert len({label for label, _ in answered}) == OPERATIONS
    assert answered.total() >= OPERATIONS * 50
    assert {status for _, status in answered} >= {200, 400, 404, 422}, answered
