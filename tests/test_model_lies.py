"""A model that is wrong in every way it can be, over the whole corpus: the model can only add."""

import pytest

from model.settings import Settings
from module.eip.company_file import load_company
from module.llm.fake import MISTAKES, FakeLLM
from module.llm.lies import LIES
from module.replay import read_corpus, replayed, settings_for
from tests.test_corpus import ACTS, CORPUS, LEAST, written, wrong

WRONGS = (*LIES, *(name for name in MISTAKES if name not in ("none", "down")), "hang")
FILE = CORPUS / "dev.jsonl"


async def replay_with(mistakes: tuple[str, ...], call: str = "always", each: int = 1) -> tuple[list[str], list[int]]:
    """What was wrong in the corpus when every `each`-th dialogue meets the mistake of its turn, and the calls of each turn."""
    company = load_company(CORPUS / "eip.json")
    settings = settings_for(Settings.from_mapping({"llm": {"timeout": "0.05"}}, {}), call, CORPUS / "handbook")  # type: ignore[arg-type]
    faults, calls = [], []
    for place, (dialogue, row) in enumerate(zip(read_corpus(FILE, company), written(FILE), strict=True)):
        if place % each:
            continue
        mistake = mistakes[place // each % len(mistakes)]
        results = [turn async for turn in replayed((dialogue,), company, settings, 1, FakeLLM(always=mistake))]
        for step, got in zip(row["turns"], results, strict=True):
            calls.append(int(str(got["llm_calls"])))
            expect = step.get("expect", {})
            unasked = got["outcome"] in ACTS and got["outcome"] not in [expect.get("outcome"), *expect.get("outcome_any", [])]
            bad = wrong(expect, got) + (["unasked"] if unasked else [])
            bad += ["called"] if got["outcome"] == "submitted" and got["llm_calls"] else []
            faults += [f"{dialogue.id} {mistake} {step.get('say')}: {bad}"] if bad else []
    return faults, calls


async def test_a_lying_model_costs_no_dialogue_and_never_more_than_two_calls() -> None:
    faults, calls = await replay_with(WRONGS)
    assert len({fault.split()[0] for fault in faults}) <= 230 - LEAST["dev.jsonl"], "\n".join(faults)
    assert max(calls) <= 2


@pytest.mark.slow
@pytest.mark.parametrize("mistake", WRONGS)
async def test_no_single_mistake_costs_a_dialogue(mistake: str) -> None:
    faults, calls = await replay_with((mistake,))
    assert not faults, "\n".join(faults)
    assert max(calls) <= 2


async def test_the_model_is_rarely_asked_when_the_rules_read_all() -> None:
    faults, calls = await replay_with(("none",), call="when_needed")
    assert not faults, "\n".join(faults)
    assert 0 < sum(calls) / len(calls) <= 0.15
