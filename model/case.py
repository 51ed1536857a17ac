"""A matter that a person at HR takes over, and the states that it runs through."""

from dataclasses import dataclass, field
from datetime import datetime
from types import MappingProxyType
from typing import Literal, get_args

from model.errors import IllegalMove

CaseState = Literal["received", "triaged", "dispatched", "reported", "answered", "handed_off", "closed"]
CaseKind = Literal["asked", "complaint", "harassment", "pay", "exception", "anger", "low_confidence"]
STATES: tuple[CaseState, ...] = get_args(CaseState)
# From where to where a case may go; everything else is refused.
MOVES: MappingProxyType[CaseState, frozenset[CaseState]] = MappingProxyType(
    {
        "received": frozenset({"triaged"}),
        "triaged": frozenset({"dispatched"}),
        "dispatched": frozenset({"reported"}),
        "reported": frozenset({"answered", "handed_off"}),
        "handed_off": frozenset({"answered", "closed"}),
        "answered": frozenset({"closed"}),
        "closed": frozenset(),
    }
)
TO_A_PERSON: tuple[CaseState, ...] = ("received", "triaged", "dispatched", "reported", "handed_off")


def moved(state: CaseState, to: CaseState) -> CaseState:
    """The state after the move. Raises IllegalMove."""
    if to not in MOVES[state]:
        raise IllegalMove(f"案件不能從 {state} 變成 {to}")
    return to


@dataclass(frozen=True)
class Case:
    """One matter for HR.

    Attributes:
        number: as the employee is told it, e.g. HR20261130001.
        request: what was asked for, or a neutral sentence where that would already tell too much; at most 200 characters.
        excerpt: the conversation, only after the employee agreed to pass it on; None until then.
        answer: HR's answer in plain text, empty until given.
        told: whether the employee has been shown the answer.
    """

    number: str
    account: str
    kind: CaseKind
    state: CaseState
    request: str
    created: datetime
    updated: datetime
    excerpt: str | None = None
    answer: str = ""
    answered_by: str = ""
    told: bool = False


@dataclass(frozen=True)
class OpenQuestion:
    """A question that the handbook could not answer; its asker agreed that it is kept. Nobody's name stands by it."""

    id: int
    text: str
    asked: datetime


@dataclass(frozen=True)
class Desk:
    """What HR sees: the cases, newest first, and the questions that the handbook should answer."""

    cases: tuple[Case, ...] = ()
    questions: tuple[OpenQuestion, ...] = field(default=())
