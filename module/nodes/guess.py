"""The model's reading of a message, turned into plain leave language that the rules read."""

from model.errors import ModelError
from model.meaning import Meaning
from model.state import State
from module.llm.extraction import Extraction, ExtractionContext, Said
from module.llm.port import Llm
from module.llm.structured import extract
from module.nodes.context import Context
from module.nodes.support import supported, supports

WISH, REASON = "我要請假", "事由:"
TALK = 6


def conversation(state: State) -> str:
    """What the employee wrote since the last time the form was empty, as one text; the newest last."""
    private = set(state.get("private") or ())  # what went to a person is not shown to a model later either
    said = [one["text"] for one in state.get("messages") or () if one["role"] == "user" and one["text"] not in private]
    count = min(TALK, state.get("rounds", 0) + 1)
    return "，".join(said[-count:])


async def guessed(text: str, meaning: Meaning, state: State, context: Context, llm: Llm) -> tuple[str, str]:
    """(plain, base): what only the model could read, and the message as a wish where the rules saw none.

    Both empty when the model is no help, or says what the employee's words do not support.
    """
    try:
        said = await extract(llm, text, _around(meaning, context), deadline=context.llm_deadline)
    except ModelError:
        return "", ""
    if said is None or said.intent != "leave":
        return "", ""
    opened = bool(state.get("open"))
    fresh = not meaning.kinds and not opened
    if fresh and not supports("leave", text):
        return "", ""
    return _plain(supported(said, text), meaning, context, opened, fresh), f"{WISH} {text}" if fresh else ""


def _around(meaning: Meaning, context: Context) -> ExtractionContext:
    employee = context.employee
    return ExtractionContext(
        leave_types=[kind.name for kind in employee.leave_types],
        substitutes=[person.name for person in employee.substitutes],
        today=f"{context.now:%Y-%m-%d}（週{context.words.weekday(context.now.date())}）",
        reading="、".join(f"{one.what}={one.words}" for one in meaning.found),
        leftover=meaning.leftover,
    )


def _plain(said: Extraction, meaning: Meaning, context: Context, opened: bool, fresh: bool) -> str:
    """Only what the rules did not read, each field with the word that introduces it; times are the rules' where they read any."""
    read = {one.what for one in meaning.found}
    time = None if "time" in read else said.time
    # A reason is taken by its words, and only where none could be on the form already.
    memo = None if opened or "memo" in read or (said.memo and _read_already(said.memo, meaning)) else said.memo
    parts = [
        (_words(time, context), ""),
        (said.category.plain or said.category.words if said.category else "", "請"),
        (said.agent.plain or said.agent.words if said.agent else "", "代理人"),
        (said.event_date.words if said.event_date and "event_date" not in read else "", "發生日"),
        (memo.words if memo else "", REASON),
    ]
    told = [before + part for part, before in parts if part]
    return "，".join([WISH, *told] if fresh else told)


def _read_already(memo: Said, meaning: Meaning) -> bool:
    """Whether the words touch what the rules read as something else, or only say that it is a leave."""
    if memo.words in WISH:
        return True
    start = meaning.text.find(memo.words)
    end = start + len(memo.words)
    return any(one.words in memo.words or (start >= 0 and one.start < end and start < one.end) for one in meaning.found)


def _words(said: Said | None, context: Context) -> str:
    """The employee's words where the rules can read a time in them, else the model's plain ones."""
    if said is None:
        return ""
    return said.words if context.timed(said.words) else said.plain or said.words
