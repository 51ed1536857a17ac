"""What the page needs of the assistant. `module.app.LeaveBot` has this shape; tests bring a small fake."""

from typing import Protocol

from model.conversation import View
from model.outcome import Turn


class Bot(Protocol):
    """One conversation per account; every call is safe to repeat."""

    async def say(self, account: str, text: str) -> Turn:
        """Takes a message in, of any length."""
        ...

    async def confirm(self, account: str, token: str) -> Turn:
        """Files (or cancels) what the token stands for, at most once; a stale token files nothing."""
        ...

    async def reset(self, account: str) -> Turn:
        """Forgets the conversation on the server too."""
        ...

    async def view(self, account: str) -> View:
        """The conversation as it stands now."""
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
