"""Sentences of employees, written from SEMANTICS without looking at the rules: dialogues, and messages that hold nothing."""

import asyncio
import functools
import json
import tomllib
from collections.abc import Iterator, Mapping
from datetime import datetime
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest

from model.company import Employee
from model.meaning import Meaning
from model.settings import Settings
from model.worktime import WorkCalendar
from module.eip.company_file import load_company
from module.eip.sqlite import SqliteEip
from module.handbook.book import Handbook
from module.replay import read_corpus, replayed
from module.understand.lexicon import Lexicon
from module.understand.normalise import clean
from module.understand.read import understand

CORPUS = Path(__file__).parent / "corpus"
COMPANY = load_company(CORPUS / "eip.json")
NOW = datetime(2026, 11, 30, 10, 0)


def rows(name: str) -> list[dict[str, Any]]:
    """The lines of a corpus."""
    return [json.loads(line) for line in (CORPUS / name).read_text(encoding="utf-8").splitlines()]


PHRASES, NOTHING = rows("phrases.jsonl"), rows("phrases_none.jsonl")


@pytest.fixture(scope="session")
def results() -> Iterator[Mapping[tuple[str, int], Mapping[str, Any]]]:
    """Every turn of every dialogue, played once; the handbook, which no dialogue changes, is read once."""
    settings = Settings.from_mapping({"llm": {"provider": "none"}, "store": {"kind": "memory"}}, {})
    dialogues = read_corpus(CORPUS / "phrases.jsonl", COMPANY)

    async def play() -> dict[tuple[str, int], Mapping[str, Any]]:
        turns: dict[tuple[str, int], Mapping[str, Any]] = {}
        async for turn in replayed(dialogues, COMPANY, settings, 1):
            turns[str(turn["id"]), int(str(turn["turn"]))] = turn
        return turns

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Handbook, "open", functools.cache(Handbook.open))
        yield asyncio.run(play())


def parts(key: str, wanted: list[str], text: str) -> list[str]:
    """`…_has` parts that the text lacks, `…_not` parts that it holds."""
    held = key.endswith("_not")
    return [f"{key} {part!r}: {text!r}" for part in wanted if (part in text) is held]


def form_wrongs(wanted: Mapping[str, Any], form: Mapping[str, Any]) -> list[str]:
    """What is wrong in the form."""
    found = []
    for key, value in wanted.items():
        if key.startswith("memo_"):
            found += parts(key, value, form["memo"] or "")
        elif (form[key] or None) != (value or None):
            found.append(f"{key} {form[key]!r}, not {value!r}")
    return found


def wrongs(expect: Mapping[str, Any], got: Mapping[str, Any]) -> list[str]:
    """What differs from the expectation, in words; empty when all is right."""
    allowed = [expect["outcome"]] if "outcome" in expect else expect.get("outcome_any", [got["outcome"]])
    found = [] if got["outcome"] in allowed else [f"outcome {got['outcome']}, not {'/'.join(allowed)}"]
    found += form_wrongs(expect.get("form", {}), got["form"])
    for key in ("reply_has", "reply_not"):
        found += parts(key, expect.get(key, []), got["reply"])
    if expect.get("hours", got["hours"]) != got["hours"]:
        found.append(f"hours {got['hours']}, not {expect['hours']}")
    found += [f"also lacks {part}" for part in expect.get("also", []) if part not in got["also"]]
    if "also_any" in expect and not {*expect["also_any"]} & {*got["also"]}:
        found.append(f"also {got['also']}, none of {expect['also_any']}")
    return found


@pytest.mark.parametrize("dialogue", [pytest.param(row, id=row["id"]) for row in PHRASES])
def test_a_dialogue_goes_as_its_sentences_mean(
    dialogue: Mapping[str, Any], results: Mapping[tuple[str, int], Mapping[str, Any]]
) -> None:
    said = [
        f"[{number}] {turn.get('say') or turn.get('do')}: {wrong}"
        for number, turn in enumerate(dialogue["turns"])
        for wrong in wrongs(turn.get("expect", {}), results[dialogue["id"], number])
    ]
    assert not said, "\n".join(said)


@pytest.fixture(scope="session")
def around() -> tuple[Employee, WorkCalendar, Lexicon]:
    """An employee with four substitutes, the calendar, and the words that come along."""
    eip = SqliteEip.open(None, COMPANY, lambda: NOW)
    found = asyncio.run(eip.employee(COMPANY.by_id["E1024"].account)), asyncio.run(eip.calendar(NOW.year))
    eip.close()
    return *found, Lexicon.of(tomllib.loads(files("module.words").joinpath("lexicon.toml").read_text(encoding="utf-8")))


def read_of(kind: str, meaning: Meaning) -> list[object]:
    """What the message was understood to say of dates, type or substitute."""
    if kind == "date":
        times = [span for wish in meaning.wishes for span in wish.spans]
        return [span for span in times if {span.first, span.start, span.end, span.days, span.minutes} != {None}]
    if kind == "category":
        return [value for wish in meaning.wishes for value in (wish.category, *wish.category_choices) if value]
    return [value for wish in meaning.wishes for value in (wish.agent, wish.agent_problem) if value]


@pytest.mark.parametrize("row", [pytest.param(row, id=row["id"]) for row in NOTHING])
def test_nothing_is_read_where_nothing_is_said(
    row: Mapping[str, Any], around: tuple[Employee, WorkCalendar, Lexicon]
) -> None:
    meaning = understand(clean(row["text"]), NOW, *around)
    assert {kind: read_of(kind, meaning) for kind in row["none"]} == {kind: [] for kind in row["none"]}
