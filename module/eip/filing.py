"""How a confirmation stands, as the outbox tells it."""

import json
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Literal

from sqlalchemy import Row

from model.form import LeaveRequest
from module.eip.port import Receipt

FilingState = Literal["done", "pending", "refused", "stale", "used", "handoff"]
FILING_STATES: dict[str, FilingState] = {
    "READY": "pending",
    "SENDING": "pending",
    "UNKNOWN": "pending",
    "DONE": "done",
    "CANCELLED": "done",
    "REJECTED": "refused",
    "HANDOFF": "handoff",
}


@dataclass(frozen=True)
class Filing:
    """How a confirmation stands.

    Attributes:
        state: done; pending (being sent, or in doubt); refused; handoff (given up, a person must look);
            used (the token, or the same request, was confirmed before: `receipt` is that leave);
            stale (unknown, foreign, expired or revoked token: nothing was sent).
        text: the EIP's own words where it refused.
        token: the outbox row, which may belong to an earlier preview of the same request.
    """

    state: FilingState
    receipt: Receipt | None = None
    text: str = ""
    request: LeaveRequest | None = None
    token: str = ""


@dataclass(frozen=True)
class AuditEntry:
    """Who did what, when, to a request of which digest, and how it ended. No reasons, no names."""

    at: datetime
    account: str
    what: str
    digest: str
    outcome: str


def filing_of(row: Row[Any]) -> Filing:
    """What an outbox row says."""
    receipt = Receipt(row.wf_no, row.minutes) if row.wf_no else None
    return Filing(FILING_STATES[row.state], receipt, row.text, unpacked(row.request), row.id)


def again(filing: Filing) -> Filing:
    """The same filing for somebody who confirms it once more."""
    return replace(filing, state="used") if filing.state in ("done", "refused") else filing


def packed(request: LeaveRequest) -> str:
    """A request as stored."""
    return json.dumps(request.as_dict(), ensure_ascii=False)


def unpacked(text: str) -> LeaveRequest:
    """A stored request."""
    return LeaveRequest.from_dict(json.loads(text))
