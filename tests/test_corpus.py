"""The dialogues of tests/corpus through the real graph, without a model: what must be right, and how much of the rest."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from model.settings import Settings
from module.eip.company_file import load_company
from module.replay import read_corpus, replayed, settings_for

CORPUS = Path(__file__).parent / "corpus"
ACTS = ("submitted", "leave_cancelled")
# Of 230, 80, 70 and 108 dialogues: every leave dialogue, and what the desk and the handbook answer today.
LEAST = {"dev.jsonl": 230, "dev_desk.jsonl": 80, "dev_policy.jsonl": 70, "dev_wordings.jsonl": 107}


def wrong(expect: Mapping[str, Any], got: Mapping[str, Any]) -> list[str]:
    """What in a turn's result differs from what must be right."""
    outcomes = [expect["outcome"]] if "outcome" in expect else expect.get("outcome_any", [got["outcome"]])
    out = [] if got["outcome"] in outcomes else [f"outcome {got['outcome']}, not {outcomes}"]
    if expect.get("hours", got["hours"]) != got["hours"]:
        out.append(f"hours {got['hours']}")
    form, memo = got["form"], got["form"]["memo"] or ""
    for key, value in expect.get("form", {}).items():
        if key == "memo_has":
            out += [f"memo {memo!r} lacks {part}" for part in value if part not in memo]
        elif key == "memo_not":
            out += [f"memo {memo!r} holds {part}" for part in value if part in memo]
        elif (form[key] or None) != (value or None):
            out.append(f"{key} {form[key]!r}, not {value!r}")
    out += [f"also lacks {part}" for part in expect.get("also", []) if part not in got["also"]]
    if expect.get("also_any") and not set(expect["also_any"]) & set(got["also"]):
        out.append(f"also {got['also']}")
    out += [f"reply lacks {part}" for part in expect.get("reply_has", []) if part not in got["reply"]]
    return out + [f"reply holds {part}" for part in expect.get("reply_not", []) if part in got["reply"]]


def written(file: Path) -> list[dict[str, Any]]:
    """The corpus as it stands."""
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines() if line.strip()]


async def replay(file: Path) -> tuple[int, list[str], int]:
    """Dialogues fully right, what was wrong in the others, and acts that nobody asked for."""
    company = load_company(CORPUS / "eip.json")
    dialogues = read_corpus(file, company)
    settings = settings_for(Settings.from_mapping({}, {}), "never", CORPUS / "handbook")
    results = {(str(turn["id"]), turn["turn"]): turn async for turn in replayed(dialogues, company, settings, 1)}
    right, faults, unasked = 0, [], 0
    for dialogue in written(file):
        bad: list[str] = []
        for number, step in enumerate(dialogue["turns"]):
            expect, got = step.get("expect", {}), results[dialogue["id"], number]
            bad += wrong(expect, got)
            unasked += got["outcome"] in ACTS and got["outcome"] not in [expect.get("outcome"), *expect.get("outcome_any", [])]
        right += not bad
        faults += [f"{dialogue['id']}: {'; '.join(bad)}"] if bad else []
    return right, faults, unasked


@pytest.mark.parametrize("name", LEAST)
async def test_the_corpus_is_understood_and_nothing_is_done_unasked(name: str) -> None:
    right, faults, unasked = await replay(CORPUS / name)
    assert unasked == 0
    assert right >= LEAST[name], "\n".join(faults)
