"""A message about rules, taken apart into its questions."""

import re
from collections.abc import Iterator

_STOPS = re.compile(r"(?<=[？?！!。；;\n])")
_COMMAS = re.compile(r"[，,、]")
_ASKS = re.compile(
    r"[嗎呢誰哪幾?？]|什麼|多少|怎麼|怎樣|如何|多久|多早|何時|可不可以|能不能|會不會|要不要|是不是|是否|有沒有|上限"
    r"|how |what |when |which |can i"
)
_QUANTITY = re.compile(r"幾|多少|多久|多早|最[多晚長高少]|上限|限制|期限|期間|何時|什麼時候|how (?:many|much|long)")
QUESTIONS = 4
AFTER_CHARS = 40  # a statement after the question belongs to it; anything longer is a signature or the like


def questions(message: str) -> list[str]:
    """The questions of a message, at most four; a statement goes with the question after it.

    「病假要附證明嗎？還有產假幾週」 are two, 「要提前幾天送、要誰簽」 too; a message without a question is one.
    """
    found: list[str] = []
    waiting = ""
    for sentence in _STOPS.split(message):
        for part in _halves(sentence.strip()):
            if _ASKS.search(part.casefold()):
                found.append(waiting + part)
                waiting = ""
            else:
                waiting += part
    if found and len(waiting) <= AFTER_CHARS:
        found[-1] += waiting
    return (found or [message.strip()])[:QUESTIONS]


def _halves(sentence: str) -> Iterator[str]:
    """Cuts at a comma only where both sides ask."""
    pending = ""
    for part in _COMMAS.split(sentence):
        if pending and _ASKS.search(pending.casefold()) and _ASKS.search(part.casefold()):
            yield pending
            pending = part
        else:
            pending = f"{pending}，{part}" if pending else part
    if pending:
        yield pending


def asks_for_a_number(question: str) -> bool:
    """Whether the answer should hold a figure."""
    return bool(_QUANTITY.search(question.casefold()))
