"""What the page needs of the assistant. `module.app.LeaveBot` has this shape; tests bring a small fake."""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Protocol

from model.case import Case, CaseState, Desk
from model.conversation import View
from model.meaning import Meaning
from model.outcome import Turn
from model.overview import Overview


class Cases(Protocol):
    """The queue for HR. A number that does not exist raises NoSuchCase, a move that is not allowed IllegalMove."""

    async def desk(self) -> Desk:
        """Cases, newest first, and questions without an answer."""
        ...

    async def case(self, number: str) -> Case:
        """One case."""
        ...

    async def steps(self, number: str) -> tuple[tuple[datetime, str, CaseState], ...]:
        """(when, who, state) of every step."""
        ...

    async def waiting(self) -> int:
        """How many nobody has answered."""
        ...

    async def answer(self, number: str, text: str, who: str) -> Case:
        """Answers; the employee reads it in the chat."""
        ...

    async def close(self, number: str, who: str) -> Case:
        """Closes."""
        ...

    async def drop(self, question: int) -> None:
        """Takes a question off the list."""
        ...


class Bot(Protocol):
    """One conversation per account; every call is safe to repeat."""

    async def say(self, account: str, text: str, progress: Callable[[str], None] | None = None) -> Turn:
        """Takes a message in, of any length; `progress` is told the step that begins."""
        ...

    async def confirm(self, account: str, token: str) -> Turn:
        """Files (or cancels) what the token stands for, at most once; a stale token files nothing."""
        ...

    async def edit(self, account: str, values: Mapping[str, str]) -> Turn:
        """Sets fields of the form by their names; the same checks as typing."""
        ...

    async def discard(self, account: str) -> Turn:
        """Drops what the card shows."""
        ...

    async def overview(self, account: str, start: datetime | None = None, end: datetime | None = None) -> Overview:
        """The employee's own facts around those days, by default half a year back and a year ahead. Raises EipError."""
        ...

    async def meaning(self, account: str, text: str) -> Meaning:
        """How a sentence is understood; nothing is changed."""
        ...

    def passages(self, text: str) -> tuple[tuple[str, str, str], ...]:
        """(number, title, text) of the handbook's passages nearest to the words, best first."""
        ...

    async def reset(self, account: str) -> Turn:
        """Forgets the conversation on the server too."""
        ...

    async def view(self, account: str) -> View:
        """The conversation as it stands now."""
        ...

    @property
    def cases(self) -> Cases:
        """What is for a person at HR."""
        ...

    def is_hr(self, account: str) -> bool:
        """Whether that account may read and answer it."""
        ...

    async def health(self) -> dict[str, object]:
        """Parts and their state; `ok` is False when the assistant cannot work."""
        ...

    async def start(self) -> None:
        """Opens what is needed."""
        ...

    async def close(self) -> None:
        """Closes it again."""
        ...

    def accounts(self) -> tuple[tuple[str, str, str, str], ...]:
        """(account, name, employee number, department) of everyone, for the demo login."""
        ...
