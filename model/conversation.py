"""What a page shows of one conversation: the server's own transcript, never the browser's."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from model.company import Employee
from model.outcome import Turn


@dataclass(frozen=True)
class Message:
    """One thing said. `text` is plain text as the employee may see it, never markup."""

    role: Literal["user", "assistant"]
    text: str
    at: datetime


@dataclass(frozen=True)
class View:
    """A conversation as it stands now.

    Attributes:
        turn: how the last turn ended, with preview and confirmation token; None before the first.
        waiting_cases: cases that nobody at HR has answered, for HR; None for everybody else.
        mode: rules while no model answers (規則模式).
    """

    messages: tuple[Message, ...]
    turn: Turn | None
    employee: Employee
    mode: Literal["model", "rules"] = "rules"
    waiting_cases: int | None = None
