"""How a turn ends (SEMANTICS §10) and what it returns."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from model.form import LeaveForm, Preview


class Outcome(StrEnum):
    """Every way in which a turn can end."""

    PREVIEW = "preview"
    ASK_TIME = "ask_time"
    ASK_HALF_DAY = "ask_half_day"
    ASK_CATEGORY = "ask_category"
    ASK_MEMO = "ask_memo"
    ASK_EVENT_DATE = "ask_event_date"
    ASK_AGENT = "ask_agent"
    NO_AGENT = "no_agent"
    AGENT_NOT_ALLOWED = "agent_not_allowed"
    AGENT_UNAVAILABLE = "agent_unavailable"
    CATEGORY_NOT_ALLOWED = "category_not_allowed"
    NO_HOURS_LEFT = "no_hours_left"
    NOT_ENOUGH_HOURS = "not_enough_hours"
    UNIT_INVALID = "unit_invalid"
    TIME_INVALID = "time_invalid"
    OVERLAPS = "overlaps"
    UNCLEAR_FIRST = "unclear_first"
    UNCLEAR_EDIT = "unclear_edit"
    FINAL_GUESS = "final_guess"
    GIVE_UP = "give_up"
    SUBMITTED = "submitted"
    SUBMIT_PENDING = "submit_pending"
    SUBMIT_FAILED = "submit_failed"
    NOTHING_TO_SUBMIT = "nothing_to_submit"
    RESET = "reset"
    BALANCE = "balance"
    LEAVE_LIST = "leave_list"
    CONFIRM_CANCEL = "confirm_cancel"
    LEAVE_CANCELLED = "leave_cancelled"
    CANCEL_FAILED = "cancel_failed"
    POLICY_ANSWER = "policy_answer"
    POLICY_UNKNOWN = "policy_unknown"
    HAND_OFF = "hand_off"
    HELP = "help"


@dataclass(frozen=True)
class Problem:
    """An employee's slip, or what the form still lacks: a code and the values its sentence needs (module/words)."""

    outcome: Outcome
    reason: str = ""
    values: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True)
class Turn:
    """What one turn returns to whoever shows it.

    Attributes:
        reply: everything said in this turn, the preview's text included; plain text, never markup.
        preview: what the confirm button stands for; None when there is nothing to confirm.
        cancel_wf: number of the filed leave that a confirmation would cancel; empty when none.
        confirm_token: what the button sends back; belongs to the preview or the cancellation shown last.
        options: short answers that can be tapped.
        chip: one of ready, clarifying, waiting, pending, sent, failed (the page adds busy).
        rounds: turns in a row that brought nothing new, and the limit.
    """

    outcome: Outcome
    reply: str
    form: LeaveForm
    also: tuple[Outcome, ...] = ()
    hours: float | None = None
    preview: Preview | None = None
    cancel_wf: str = ""
    confirm_token: str = ""
    wf_no: str = ""
    options: tuple[str, ...] = ()
    chip: str = "ready"
    rounds: tuple[int, int] = (0, 3)
    llm_calls: int = 0
    ms: float = 0.0
