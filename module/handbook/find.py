"""The passage for every question of a message, or the honest answer that there is none."""

import re
from dataclasses import dataclass

from module.handbook.questions import questions
from module.handbook.sayings import flat
from module.handbook.search import Hit, Index, things

KEPT = 0.6  # what the subject of the question before still counts
SURE = (0.4, 0.8, 0.3)  # the share of the question that must be met with no, one, more things that say little
BARE = 2  # bigrams that are left of a question which only asks
EQUAL, MOST = 0.9, 3  # passages this close are all shown, at most three
NEAR = 0.6  # a passage this good, compared with the best, may answer instead
_ELLIPTIC = re.compile(r"(?:那|那麼|換成|如果是)?[^，。？?]{1,8}呢[？?。!！\s]{0,3}")  # 那病假呢: the same, of something else


@dataclass(frozen=True)
class Finding:
    """One question, what it asks for, and what answers it.

    Attributes:
        sure: the passage that answers, others only when they are as good; empty when none does.
        hits: the passages looked up, best first: what a model may read.
    """

    question: str
    asked: dict[str, float]
    sure: tuple[Hit, ...]
    hits: tuple[Hit, ...]


def find(message: str, index: Index, before: str = "") -> list[Finding]:
    """One finding for each question of the message."""
    found: list[Finding] = []
    for question in questions(message):
        found.append(_one(question, before, index))
        before = question if _subjects(question, index) else f"{before} {question}"
    return found


def names_nothing(message: str, index: Index) -> bool:
    """Whether no question of the message names a leave type, a topic or any other words that could be looked up."""
    asked = [index.asked(question) for question in questions(message)]
    return not any(things(terms) or len(terms) > BARE for terms in asked)


def _subjects(text: str, index: Index) -> set[str]:
    return index.sayings.found(flat(text)) & index.sayings.subjects


def _one(question: str, before: str, index: Index) -> Finding:
    own = index.asked(question)
    asked = dict(own)
    if before and _ELLIPTIC.fullmatch(question):
        kept = {term: weight for term, weight in index.asked(before).items() if term[1:] not in index.sayings.subjects}
        own = asked = kept | own
    if before and not _subjects(question, index):
        kept = {term: weight * KEPT for term, weight in index.asked(before).items() if term[0] == "@"}
        asked = kept | own
    hits = tuple(index.search(asked, own))
    good = [hit for hit in hits if hit.score >= NEAR * hits[0].score]
    sure = [hit for hit in good if _answers(hit, own, index) and _enough(hit, asked, index)]
    equals = tuple(hit for hit in sure if hit.score >= EQUAL * sure[0].score)
    return Finding(question, asked, equals[:MOST], hits)


def _answers(hit: Hit, own: dict[str, float], index: Index) -> bool:
    """Whether the passage names every topic of the question, and is not about another subject."""
    asked, named = things(own), index.named[hit.passage.id]
    topics, subjects = asked & index.sayings.topics.keys(), asked & index.sayings.subjects
    if topics:
        return topics | subjects <= named
    return bool(not subjects or subjects & named or not index.titled[hit.passage.id] & index.sayings.subjects)


def _enough(hit: Hit, asked: dict[str, float], index: Index) -> bool:
    """Whether what question and passage share is more than a common word or two."""
    shared = things(asked) & index.named[hit.passage.id]
    return bool(shared - index.sayings.weak) or hit.coverage >= SURE[min(len(shared), 2)]
