"""The desk as lines of text, for the command line; what is kept holds no control characters."""

from model.case import Case
from module.desk.cases import Cases
from module.words import load


async def listed(cases: Cases, closed: bool) -> list[str]:
    """One line a case: number, state, kind, when, request; then the questions without an answer."""
    desk = await cases.desk(closed)
    lines = [_line(case) for case in desk.cases]
    lines += [f"?{question.id}\t{question.asked:%Y-%m-%d %H:%M}\t{question.text}" for question in desk.questions]
    return lines or [load().say("desk", "nothing")]


async def whole(cases: Cases, number: str) -> list[str]:
    """Everything about one case, and every step it took. Raises NoSuchCase."""
    case, words = await cases.case(number), load()
    lines = [_line(case), *(f"{at:%Y-%m-%d %H:%M:%S}\t{who}\t{state}" for at, who, state in await cases.steps(number))]
    lines += [words.say("desk", "excerpt"), *case.excerpt.splitlines()] if case.excerpt else [words.say("desk", "no_excerpt")]
    return lines + ([words.say("desk", "answer"), *case.answer.splitlines()] if case.answer else [])


def _line(case: Case) -> str:
    words = load()
    kind, state = words.say("desk_kind", case.kind), words.say("desk_state", case.state)
    return f"{case.number}\t{state}\t{kind}\t{case.created:%Y-%m-%d %H:%M}\t{case.account}\t{' '.join(case.request.split())}"
