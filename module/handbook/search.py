"""Finding passages without a model: BM25 over character bigrams and the things that sayings name."""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from math import log

from module.handbook.passages import Passage
from module.handbook.sayings import Sayings, flat

K1, B = 1.2, 0.5  # passages are short and alike in length
THING, TITLE, TOGETHER = 3.0, 2, 0.6  # a thing counts more than a bigram; a title twice; words of one sentence more
ABOUT, NAMED, DETAIL = 0.5, 0.4, 0.8  # for a passage about the subject, one that names it, one that names the detail
OTHER = 0.75  # for a passage about something else
_RUNS = re.compile(r"[a-z]+|\d+(?:\.\d+)?|[\u3400-\u9fff]+")


@dataclass(frozen=True)
class Hit:
    """A passage for a question.

    Attributes:
        score: only good for comparing hits of one question.
        coverage: the share of the question's weight that the passage holds, 0 to 1.
    """

    passage: Passage
    score: float
    coverage: float


def terms(text: str, sayings: Sayings) -> Counter[str]:
    """Bigrams of Chinese, words of ASCII, and `@thing`."""
    found: Counter[str] = Counter()
    for run in _RUNS.findall(text):
        found.update([run] if run.isascii() or len(run) == 1 else [run[i : i + 2] for i in range(len(run) - 1)])
    found.update(f"@{name}" for name in sayings.found(text))
    return found


def things(found: Iterable[str]) -> frozenset[str]:
    """The names of the things among terms."""
    return frozenset(term[1:] for term in found if term[0] == "@")


class Index:
    """The passages, ready to be searched. Linear in their length to build.

    Attributes:
        titled: what each passage's title names, by number.
        named: what each passage names, by number.
    """

    def __init__(self, passages: Iterable[Passage], sayings: Sayings) -> None:
        self.passages, self.sayings = tuple(passages), sayings
        self._sentences: dict[str, frozenset[str]] = {}
        titles = [terms(flat(passage.title), sayings) for passage in self.passages]
        bodies = [terms(flat("".join(passage.sentences)), sayings) for passage in self.passages]
        numbers = [passage.id for passage in self.passages]
        self.titled = {number: things(title) for number, title in zip(numbers, titles, strict=True)}
        self.named = {n: self.titled[n] | things(body) for n, body in zip(numbers, bodies, strict=True)}
        self._postings: defaultdict[str, list[tuple[int, float]]] = defaultdict(list)
        counts = [
            body + Counter({term: TITLE * times for term, times in title.items()})
            for title, body in zip(titles, bodies, strict=True)
        ]
        mean = sum(map(Counter.total, counts)) / max(len(counts), 1)
        for place, count in enumerate(counts):
            norm = K1 * (1 - B + B * count.total() / mean)
            for term, times in count.items():
                self._postings[term].append((place, times * (K1 + 1) / (times + norm)))

    def weight(self, term: str) -> float:
        """How much a term tells: rare ones more, things more than bigrams."""
        with_it, total = len(self._postings.get(term, ())), len(self.passages)
        return log(1 + (total - with_it + 0.5) / (with_it + 0.5)) * (THING if term[0] == "@" else 1.0)

    def asked(self, question: str) -> dict[str, float]:
        """The terms of a question with their weights."""
        text = flat(question)
        named = {f"@{name}" for name in self.sayings.found(text)}
        words = terms(self.sayings.content(text), Sayings())
        return {term: self.weight(term) for term in {*words, *named} if not term[0].isdigit()}

    def search(self, asked: dict[str, float], own: Collection[str] = (), most: int = 8) -> list[Hit]:
        """The best passages, best first; `own` are the terms that the question itself names, all by default."""
        scores: defaultdict[int, float] = defaultdict(float)
        held: defaultdict[int, float] = defaultdict(float)
        for term, weight in asked.items():
            for place, strength in self._postings.get(term, ()):
                scores[place] += weight * strength
                held[place] += weight
        total = sum(asked.values()) or 1.0
        best = sorted(scores, key=lambda place: -scores[place])[: most * 2]
        hits = [self._hit(place, scores[place], held[place] / total, asked, own or asked) for place in best]
        return sorted(hits, key=lambda hit: -hit.score)[:most]

    def _hit(self, place: int, score: float, coverage: float, asked: dict[str, float], own: Collection[str]) -> Hit:
        passage = self.passages[place]
        subjects = {term[1:]: weight for term, weight in asked.items() if term[1:] in self.sayings.subjects}
        details = things(own) - self.sayings.subjects
        titled, named = self.titled[passage.id], self.named[passage.id]
        about = sum(subjects[name] for name in subjects.keys() & titled) / (sum(subjects.values()) or 1.0)
        score += TOGETHER * self._together(place, asked)
        score *= 1 + ABOUT * about + NAMED * bool(subjects.keys() & named)
        own_subjects = titled & self.sayings.subjects
        if own_subjects:
            score *= OTHER + (1 - OTHER) * len(own_subjects & subjects.keys()) / len(own_subjects)
        return Hit(passage, score * (1 + DETAIL * bool(details & named)), coverage)

    def _together(self, place: int, asked: dict[str, float]) -> float:
        sentences = self.passages[place].sentences
        return max((self.share(sentence, asked) for sentence in sentences), default=0.0)

    def share(self, sentence: str, asked: dict[str, float]) -> float:
        """The weight of the asked terms that stand in a sentence."""
        if sentence not in self._sentences:
            self._sentences[sentence] = frozenset(terms(flat(sentence), self.sayings))
        return sum(asked[term] for term in self._sentences[sentence] if term in asked)
