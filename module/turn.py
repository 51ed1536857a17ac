"""The state after a turn → what is shown."""

from datetime import date, datetime
from typing import Any

from model.form import LeaveForm
from model.outcome import Outcome, Turn
from model.state import State
from module.nodes.preview import preview_from

CHIPS = {Outcome.SUBMITTED: "sent", Outcome.SUBMIT_PENDING: "pending", Outcome.SUBMIT_FAILED: "failed", Outcome.LEAVE_CANCELLED: "sent"}


def turn_of(state: State, limit: int, ms: float = 0.0, llm_calls: int = 0) -> Turn:
    """The turn that the state ends in."""
    outcome = Outcome(state["outcome"])
    card = state.get("card") or {}
    preview = preview_from(card) if card and state.get("shown") and not state.get("sending") else None
    cancel = state.get("cancel_wf", "")
    also = tuple(Outcome(name) for name in dict.fromkeys(state.get("also") or ()))
    return Turn(
        outcome,
        state.get("reply", ""),
        _form(state.get("form") or {}, card),
        also=also,
        hours=card.get("hours") if card else None,
        preview=preview,
        cancel_wf=cancel,
        confirm_token=state.get("cancel_token", "") if cancel else preview.token if preview else "",
        wf_no=state.get("wf_no", ""),
        options=tuple(state.get("options") or ()),
        chip=_chip(outcome, state, also),
        rounds=(state.get("rounds", 0), limit),
        llm_calls=llm_calls,
        ms=ms,
    )


def _chip(outcome: Outcome, state: State, also: tuple[Outcome, ...]) -> str:
    if state.get("sending"):
        return "pending"
    if outcome in CHIPS and Outcome.PREVIEW not in also:
        return CHIPS[outcome]
    if state.get("shown") or state.get("cancel_wf"):
        return "waiting"
    return "clarifying" if state.get("open") or state.get("rounds") else "ready"


def _form(plain: dict[str, Any], card: dict[str, Any]) -> LeaveForm:
    moments = {key: datetime.fromisoformat(plain[key]) if plain.get(key) else None for key in ("start", "end")}
    event = date.fromisoformat(plain["event_date"]) if plain.get("event_date") else None
    return LeaveForm(
        plain.get("category"), moments["start"], moments["end"], plain.get("agent"), plain.get("memo"), event,
        assumed=frozenset(card.get("assumed", ())), guessed=frozenset(card.get("guessed", ())),
    )  # fmt: skip
