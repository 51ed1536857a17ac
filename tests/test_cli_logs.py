"""Logs hold what is allowed and nothing else."""

import json

import pytest
import structlog

from module import logs


def test_a_field_that_is_not_allowed_never_reaches_the_log(capsys: pytest.CaptureFixture[str]) -> None:
    before = structlog.get_config()
    try:
        logs.configure("info")
        log = structlog.get_logger()
        log.info("turn", outcome="preview", ms=1.5, memo="看醫生", name="陳大文", fields=["memo"])
        log.debug("unseen")
        try:
            raise ValueError("看醫生")
        except ValueError:
            log.exception("failed", error="x" * 1000)
    finally:
        structlog.configure(**before)
    first, second = (json.loads(line) for line in capsys.readouterr().err.splitlines())
    assert first.keys() == {"event", "outcome", "ms", "fields", "level", "timestamp"}
    assert "看醫生" not in json.dumps(second, ensure_ascii=False)
    assert second["error"] == "ValueError"
