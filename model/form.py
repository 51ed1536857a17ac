"""The leave form: what was understood (may have gaps) → what is filed (complete) → what is shown."""

import hashlib
import json
from dataclasses import dataclass, field
from datetime import date, datetime


@dataclass(frozen=True)
class LeaveForm:
    """The form as known so far; a field is None while nobody stated or assumed it.

    Attributes:
        assumed: names of the fields that hold a default, shown as （預設）.
        guessed: names of the fields read through the model's plain words, shown as （推測）.
        adjusted: start or end, where the time was rounded or drawn into working hours, shown as 已調整.
        notes: keys of [notes] in module/words: what was rounded, drawn in or cut, and what must follow.
    """

    category: str | None = None
    start: datetime | None = None
    end: datetime | None = None
    agent: str | None = None
    memo: str | None = None
    event_date: date | None = None
    assumed: frozenset[str] = frozenset()
    guessed: frozenset[str] = frozenset()
    notes: tuple[str, ...] = ()
    attachments: tuple[str, ...] = ()
    adjusted: frozenset[str] = frozenset()


@dataclass(frozen=True)
class LeaveRequest:
    """A complete leave, as previewed and as filed. Times are Asia/Taipei without zone; minutes is working time."""

    account: str
    employee_id: str
    employee_no: str
    department_id: str
    category_id: str
    category: str
    start: datetime
    end: datetime
    minutes: int
    agent_id: str
    agent_no: str
    agent: str
    memo: str
    event_date: date | None = None
    attachments: tuple[str, ...] = ()

    def as_dict(self) -> dict[str, object]:
        """Plain values for storing: times as ISO text."""
        plain = dict(self.__dict__)
        plain["start"] = self.start.isoformat(timespec="minutes")
        plain["end"] = self.end.isoformat(timespec="minutes")
        plain["event_date"] = self.event_date.isoformat() if self.event_date else None
        plain["attachments"] = list(self.attachments)
        return plain

    @classmethod
    def from_dict(cls, plain: dict[str, object]) -> "LeaveRequest":
        """The opposite of `as_dict`."""
        values = dict(plain)
        values["start"] = datetime.fromisoformat(str(values["start"]))
        values["end"] = datetime.fromisoformat(str(values["end"]))
        event = values.get("event_date")
        values["event_date"] = date.fromisoformat(str(event)) if event else None
        attachments = values.get("attachments")
        values["attachments"] = tuple(str(a) for a in attachments) if isinstance(attachments, list | tuple) else ()
        return cls(**values)  # type: ignore[arg-type]  # the keys are the fields of as_dict

    def digest(self) -> str:
        """sha256 over the canonical content: what the confirmation token is bound to."""
        return hashlib.sha256(json.dumps(self.as_dict(), sort_keys=True, ensure_ascii=False).encode()).hexdigest()


@dataclass(frozen=True)
class YearShare:
    """What a leave takes of one calendar year's quota. before and after are None where the EIP has no number for each year."""

    year: int
    minutes: int
    before: int | None = None
    after: int | None = None


@dataclass(frozen=True)
class Preview:
    """A complete request with what the employee must see before confirming.

    Attributes:
        token: single use; the confirm button carries it, and it is the EIP's idempotency key.
        remaining_before, remaining_after: minutes left of the type; None where unlimited.
        years: the length by calendar year, for a leave over New Year; otherwise empty.
        notes: sentences for the employee about what was rounded, drawn in or cut, and what must follow.
    """

    request: LeaveRequest
    employee_name: str
    hours: float
    days: float
    remaining_before: int | None
    remaining_after: int | None
    assumed: frozenset[str] = frozenset()
    guessed: frozenset[str] = frozenset()
    notes: tuple[str, ...] = field(default=())
    token: str = ""
    years: tuple[YearShare, ...] = ()
    adjusted: frozenset[str] = frozenset()
