"""From a message that was read to the desk's form and its work orders."""

from collections.abc import Sequence

from model.intake import ATTEMPTS, Intake, Question, Report, Task
from model.meaning import Meaning
from module.desk.acceptance import ids_in
from module.desk.routing import PERSON, ROUTES, human_reason, upset

ABOUT_LEAVE, ABOUT_NOTHING = 0.4, 0.1  # how sure we are of a message that no rule places


def intake(meaning: Meaning, kinds: Sequence[str], matter_of_ours: bool) -> Intake:
    """The form of one message; `kinds` are those of the table that it holds, the first asked first.

    `matter_of_ours` says whether words of leave, pay or the company stand in what no rule could place.
    """
    routes = [ROUTES[kind] for kind in kinds]
    intents = list(dict.fromkeys(route.intent for route in routes)) or ["other"]
    asked = _asked(meaning, kinds)
    person = bool(PERSON.intersection(kinds) - {"no_hand_off"})
    unplaced = ABOUT_LEAVE if matter_of_ours else ABOUT_NOTHING
    return Intake(
        intent=intents[0],
        intent_confidence=min((route.confidence for route in routes), default=unplaced),
        secondary_intents=tuple(intents[1:]),
        needs_human=person,
        human_reason=human_reason(meaning.own) if person else None,
        sentiment="upset" if upset(meaning.own) else "neutral",
        clean_question=meaning.own,
        verbatim_question=meaning.text,
        extracted=ids_in(meaning.numbers, meaning.text),
        questions_asked=asked,
    )


def _asked(meaning: Meaning, kinds: Sequence[str]) -> tuple[Question, ...]:
    together = {"question": "policy"} if "policy" in kinds else {}  # beside a question on rules, the other is one too
    said = [(together.get(one.rule, one.rule), one.words.strip()) for one in meaning.found if one.what == "kind"]
    found = [Question(kind=kind, words=words) for kind, words in said if kind in kinds]
    named = {question.kind for question in found}
    return (*found, *(Question(kind=kind, words=meaning.own) for kind in kinds if kind not in named))


def orders(form: Intake, needed: Sequence[str] = ()) -> tuple[Task, ...]:
    """One work order for each kind asked, in order; questions for one specialist of one kind go together."""
    by_kind: dict[str, list[str]] = {}
    for question in form.questions_asked:
        by_kind.setdefault(question.kind, []).append(question.words)
    return tuple(
        Task(
            task_id=f"{number}-{kind}",
            worker=ROUTES[kind].worker,
            question="\n".join(words),
            ids=form.extracted,
            needed=tuple(needed),
        )
        for number, (kind, words) in enumerate(by_kind.items(), 1)
    )


def kind_of(task: Task) -> str:
    """The row of the table that the task comes from."""
    return task.task_id.split("-", 1)[1]


def again(task: Task, report: Report, whole: str) -> Task | None:
    """The one further try, with the whole message in place of the sentence; None when that would ask the same."""
    if report.status not in ("not_found", "error") or task.worker != "handbook" or task.attempt >= ATTEMPTS:
        return None
    if whole.strip() == task.question.strip():
        return None
    return task.model_copy(update={"question": whole, "attempt": task.attempt + 1})
