"""What of a report counts. Code decides, whoever wrote it."""

import re
from collections.abc import Iterable

from model.intake import Report, Task

SHOWN = 6_000  # characters of one report
_SUCCESS = re.compile(r"(?:已|已經)(?:為您|幫您|替您)?(?:送出|取消|核准|撤銷|請好)|送出成功|假單.{0,4}(?:成立|生效)")


def ids_in(numbers: Iterable[str], message: str) -> tuple[str, ...]:
    """The numbers that stand in the message word for word; any other counts as blank."""
    folded = message.casefold()
    return tuple(number for number in numbers if re.search(rf"(?<![a-z0-9]){re.escape(number.casefold())}(?!\d)", folded))


def accepted(report: Report, task: Task) -> Report:
    """The report as far as it counts.

    It answers this task and no other; facts without source are dropped; what remains of an `ok` without any fact is not
    found; a sentence that claims to have filed or cancelled something, which no specialist can do, is an error.
    """
    if report.task_id != task.task_id or report.worker != task.worker:
        return Report(task_id=task.task_id, worker=task.worker, status="error")
    facts = tuple(fact for fact in report.facts if fact.source.strip() and fact.value.strip())
    if report.status == "ok" and not facts:
        return report.model_copy(update={"status": "not_found", "facts": (), "answer": ""})
    if _SUCCESS.search(report.answer) and not any(_SUCCESS.search(fact.value) for fact in facts):
        return report.model_copy(update={"status": "error", "facts": facts, "answer": ""})
    return report.model_copy(update={"facts": facts, "answer": report.answer[:SHOWN]})


def lines(report: Report) -> str:
    """The facts of a report, each on a line of its own."""
    return "\n".join(fact.value for fact in report.facts)
