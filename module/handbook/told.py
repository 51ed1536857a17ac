"""An answer told by a model, checked by code: citations, figures, words and language."""

import re
from collections.abc import Mapping, Sequence
from importlib.resources import files
from typing import Self

from pydantic import ValidationInfo, field_validator, model_validator

from model.answer import HandbookAnswer
from module.handbook.figures import figures
from module.handbook.find import Finding
from module.handbook.passages import Passage, plain
from module.handbook.sayings import flat
from module.llm.port import Llm
from module.llm.structured import ask
from module.llm.text import json_object, marked, neutralised

PASSAGES = 5
ANSWER_CHARS = 400
GROUNDED = 0.5  # the share of the answer's character pairs that must stand in the cited passages
SCHEMA: dict[str, object] = {
    "type": "object",
    "properties": {
        "found": {"type": "boolean"},
        "answer": {"type": "string"},
        "citations": {"type": "array", "items": {"type": "string"}},
    },
    "required": ["found", "answer", "citations"],
    "additionalProperties": False,
}
_CITED = re.compile(r"\s*[\[(（【]?\s*H\d{2,4}\s*[\])）】]?")
_CHINESE = re.compile(r"[\u3400-\u9fff]")
_MARKUP = re.compile(r"://|www\.|[<>`|]|\]\(|!\[|\*\*|^#", re.MULTILINE | re.IGNORECASE)


class Told(HandbookAnswer):
    """A model's answer. Validate with the context of HandbookAnswer and `"texts"`: passages' text by number.

    Raises ValidationError also for a figure that no cited passage holds, words that are not the passages',
    another language, an address or markup, and what is too long.
    """

    @field_validator("answer")
    @classmethod
    def _bare(cls, answer: str) -> str:
        """Numbers of passages are put behind by code; addresses and markup are refused."""
        if _MARKUP.search(answer):
            raise ValueError("不能有網址或標記")
        if len(answer) > ANSWER_CHARS:
            raise ValueError("回答太長")
        return traditional(re.sub(r"\s+", " ", _CITED.sub("", plain(answer))).strip())

    @model_validator(mode="after")
    def _holds(self, info: ValidationInfo) -> Self:
        if not self.found:
            return self
        texts: Mapping[str, str] = (info.context or {}).get("texts", {})
        source = "\n".join(texts.get(number, "") for number in self.citations)
        if 2 * len(_CHINESE.findall(self.answer)) < len(re.sub(r"\s", "", self.answer)):
            raise ValueError("要用正體中文回答")
        if figures(self.answer) - figures(source):
            raise ValueError("數字不在引用的條文裡")
        if _shared(self.answer, source) < GROUNDED:
            raise ValueError("回答的內容不在引用的條文裡")
        return self


async def tell(question: str, findings: Sequence[Finding], llm: Llm, before: str = "") -> HandbookAnswer | None:
    """The model's answer from the passages that were looked up, found False after two wrong ones.

    None when no model answered at all.
    """
    passages = _passages(findings)
    texts = {passage.id: f"{passage.title}\n{''.join(passage.sentences)}" for passage in passages}
    replied = False

    def read(reply: str) -> dict[str, object] | None:
        nonlocal replied
        replied = True
        return json_object(reply)

    system = files("module.words").joinpath("prompts", "handbook.txt").read_text(encoding="utf-8")
    context = {"retrieved": tuple(texts), "tool_answered": False, "texts": texts}
    told = await ask(llm, system, _request(question, passages, before), Told, context, schema=SCHEMA, read=read)
    if told is None:
        return HandbookAnswer(found=False) if replied else None
    if not told.found:
        return HandbookAnswer(found=False)
    text = f"{told.answer}（{'、'.join(told.citations)}）"
    return HandbookAnswer.model_validate(
        {"found": True, "answer": text, "citations": told.citations}, context={"retrieved": tuple(texts)}
    )


def _passages(findings: Sequence[Finding]) -> list[Passage]:
    """What the model may read: the sure passages first, then the next best."""
    sure = [hit.passage for finding in findings for hit in finding.sure]
    others = [hit.passage for finding in findings for hit in finding.hits[:3]]
    return list({passage.id: passage for passage in (*sure, *others)}.values())[:PASSAGES]


def _request(question: str, passages: Sequence[Passage], before: str) -> str:
    rules = "\n".join(neutralised(f"{p.id} {p.title}：{''.join(p.sentences)}") for p in passages)
    earlier = f"前一個問題：\n{marked(before)}\n\n" if before else ""
    return f"手冊條文：\n<<<條文\n{rules}\n條文>>>\n\n{earlier}問題：\n{marked(question)}"


def _shared(answer: str, source: str) -> float:
    mine, theirs = _pairs(answer), _pairs(source)
    return len(mine & theirs) / len(mine) if mine else 0.0


def _pairs(text: str) -> set[str]:
    runs = re.findall(r"[\u3400-\u9fff]+", flat(text))
    return {run[place : place + 2] for run in runs for place in range(len(run) - 1)}


def traditional(text: str) -> str:
    """Simplified Chinese turned into Traditional; what is Traditional already stays."""
    from opencc import OpenCC  # its tables take a moment to load: only when a model has answered

    return str(OpenCC("s2tw").convert(text))
