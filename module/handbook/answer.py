"""Questions answered from the handbook: quoted by code, or told by a model that code checks."""

import re
from collections.abc import Iterable, Sequence

from model.answer import HandbookAnswer
from module.handbook.book import Handbook
from module.handbook.find import Finding, find
from module.handbook.passages import Passage
from module.handbook.questions import asks_for_a_number
from module.handbook.sayings import flat
from module.handbook.search import Index, terms
from module.handbook.told import tell
from module.llm.port import Llm

SENTENCES = 3
NEAR = 0.45  # a sentence this good, compared with the best, is quoted too
FIGURE = 4.0  # what a figure adds to a sentence when one is asked for
TITLED = 0.4  # what the title says, every sentence is about
FIRST = 1.0  # a passage begins with its rule
_DIGIT = re.compile(r"\d")
NOTHING = HandbookAnswer(found=False)


async def answer(question: str, handbook: Handbook, llm: Llm | None = None, before: str = "") -> HandbookAnswer:
    """What the handbook says; `found` is False when it says nothing that is sure enough.

    Args:
        question: the message, cleaned; it may hold several questions.
        before: the question asked just before, whose subject a short follow-up keeps.

    Raises nothing of ours: a handbook that became unreadable stays as it was, a model that is down is done without.
    """
    index = handbook.index
    findings = find(question, index, before)
    if not any(finding.sure for finding in findings):
        return NOTHING
    if llm is not None:
        told = await tell(question, findings, llm, before)
        if told is not None:
            return told
    return quoted(findings, index)


def quoted(findings: Sequence[Finding], index: Index) -> HandbookAnswer:
    """The sentences that answer, each passage with its number; what was not found is said."""
    lines: dict[str, str] = {}
    cited: dict[str, list[str]] = {}
    for finding in findings:
        if not finding.sure:
            lines[finding.question] = f"「{finding.question[:40].strip('？?，。 ')}」手冊沒有寫到。"
        for hit in finding.sure:
            number, sentences = hit.passage.id, hit.passage.sentences
            cited[number] = [*cited.get(number, []), *best_sentences(finding, hit.passage, index)]
            lines[number] = "".join(in_order(sentences, cited[number])) + f"（{number}）"
    return HandbookAnswer.model_validate(
        {"found": True, "answer": "\n".join(lines.values()), "citations": tuple(cited)},
        context={"retrieved": tuple(cited)},
    )


def best_sentences(finding: Finding, passage: Passage, index: Index) -> list[str]:
    """One to three sentences of the passage, the nearest to the question first."""
    sentences = passage.sentences
    figures = asks_for_a_number(finding.question)
    told = terms(flat(passage.title), index.sayings)
    wanted = {term: weight * (TITLED if term in told else 1.0) for term, weight in finding.asked.items()}

    def worth(sentence: str) -> float:
        figure = FIGURE if figures and _DIGIT.search(sentence) else 0.0
        first = FIRST if sentence == sentences[0] else 0.0
        return index.share(sentence, wanted) + figure + first

    ranked = sorted(sentences, key=worth, reverse=True)
    best = worth(ranked[0])
    chosen = [sentence for sentence in ranked[:SENTENCES] if worth(sentence) >= NEAR * best]
    if figures and not any(map(_DIGIT.search, chosen)):
        chosen += neighbours_with_figure(sentences, chosen[0])
    return chosen[:SENTENCES]


def neighbours_with_figure(sentences: Sequence[str], chosen: str) -> list[str]:
    """The sentence after or before that holds a figure, if any."""
    place = sentences.index(chosen)
    around = [*sentences[place + 1 : place + 2], *sentences[max(place - 1, 0) : place]]
    return [sentence for sentence in around if _DIGIT.search(sentence)][:1]


def in_order(sentences: Iterable[str], chosen: Sequence[str]) -> list[str]:
    """The chosen sentences as they stand in the passage, each once."""
    return [sentence for sentence in sentences if sentence in chosen]
