"""Every recorded or typical reply of a local model through the whole assistant: each ends in its right outcome, none in an exception."""

import json
from pathlib import Path
from typing import Any

import pytest

from model.outcome import Outcome, Turn
from module.eip.company_file import CompanyFile
from module.llm.fake import FakeLLM
from tests.eip_office import the_company
from tests.leave_chat import chatting

ROWS = [json.loads(line) for line in (Path(__file__).parent / "corpus" / "model_replies.jsonl").read_text(encoding="utf-8").splitlines()]
SENT = (Outcome.SUBMITTED, Outcome.SUBMIT_PENDING, Outcome.LEAVE_CANCELLED)
ALWAYS = {"provider": "ollama", "call": "always"}


async def said(row: dict[str, Any], company: CompanyFile, folder: Path, model: FakeLLM | None) -> Turn:
    sections = {"llm": ALWAYS} if model else {}
    async with chatting(company, folder, model=model, **sections) as chat:
        before = await chat.standing()
        turn = await chat.say(row["user"])
        assert await chat.standing() == before
    return turn


@pytest.mark.parametrize("row", ROWS, ids=[row["id"] for row in ROWS])
async def test_a_reply_ends_in_its_right_outcome(row: dict[str, Any], tmp_path: Path) -> None:
    company, action = the_company(), row["right_outcome"]["action"]
    alone = await said(row, company, tmp_path, None)
    llm = FakeLLM([row["raw"], row["raw"]])
    turn = await said(row, company, tmp_path, llm)
    assert turn.outcome not in SENT
    assert turn.llm_calls == len(llm.calls) <= 2
    # What the rules read stands, whatever the reply says: accepted, repaired, overridden or dropped.
    read = {name: value for name, value in vars(alone.form).items() if value and name not in ("assumed", "guessed", "notes")}
    kept = {name: getattr(turn.form, name) for name in read if name not in alone.form.assumed}
    assert kept == {name: read[name] for name in kept}
    if alone.outcome is Outcome.POLICY_ANSWER:
        # A handbook answer that cannot be checked is never shown, twice wrong is an honest no.
        assert turn.outcome in (Outcome.POLICY_ANSWER, Outcome.POLICY_UNKNOWN)
    elif action == "not_leave" or alone.outcome in (Outcome.BALANCE, Outcome.HELP):
        assert turn.outcome is alone.outcome
    if turn.form.agent:
        assert turn.form.agent in {person.name for person in company.employees}
    if turn.outcome is Outcome.PREVIEW and alone.outcome is not Outcome.PREVIEW:
        assert turn.form.guessed or turn.form.start == alone.form.start
