"""The desk's forms: what a message asks (Intake), what a specialist is given (Task), what it hands back (Report of Facts)."""

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from model.case import CaseKind

Intent = Literal["leave", "balance", "leave_list", "cancel_leave", "policy", "hand_off", "help", "other"]
Sentiment = Literal["neutral", "upset"]
Worker = Literal["balance", "leaves", "handbook", "person", "assistant"]
Status = Literal["ok", "not_found", "insufficient_info", "error", "needs_human"]
ATTEMPTS = 2


class _Form(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Question(_Form):
    """One thing that is asked, in the employee's words, and which rule took it for a question."""

    kind: str
    words: str


class Intake(_Form):
    """A message that is not plainly a leave form.

    Attributes:
        clean_question: the message without forwarded headers, letters of others, signature and marketing.
        verbatim_question: the message as it was typed.
        extracted: leave numbers that stand in the message, word for word.
        questions_asked: every single one, in the order asked.
    """

    intent: Intent
    intent_confidence: float = Field(ge=0, le=1)
    secondary_intents: tuple[Intent, ...] = ()
    needs_human: bool = False
    human_reason: CaseKind | None = None
    sentiment: Sentiment = "neutral"
    clean_question: str
    verbatim_question: str
    extracted: tuple[str, ...] = ()
    questions_asked: tuple[Question, ...] = ()


class Task(_Form):
    """A work order: only what the specialist needs.

    Attributes:
        needed: what the answer has to be about, e.g. leave types; empty when anything will do.
        attempt: 1, or 2 after another approach was asked for.
    """

    task_id: str
    worker: Worker
    question: str
    ids: tuple[str, ...] = ()
    needed: tuple[str, ...] = ()
    attempt: int = Field(default=1, ge=1, le=ATTEMPTS)


class Fact(_Form):
    """One thing that is so, and where that stands: the EIP, or a passage's number. Without source it does not count."""

    key: str
    value: str
    source: str = ""


class Report(_Form):
    """What a specialist hands back for one task.

    Attributes:
        answer: the sentence around the facts, in plain text; facts are shown below it unless it holds them.
        missing: what would have to be known first, with insufficient_info.
    """

    task_id: str
    worker: Worker
    status: Status
    confidence: float = Field(default=1.0, ge=0, le=1)
    facts: tuple[Fact, ...] = ()
    answer: str = ""
    missing: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
