"""What the assistant needs of a language model."""

from typing import Protocol


class Llm(Protocol):
    """A language model that answers in JSON."""

    @property
    def name(self) -> str:
        """What it is called in logs and on the page."""
        ...

    async def complete(self, system: str, user: str, schema: dict[str, object]) -> str:
        """One complete answer as text, by JSON schema where the server can.

        Raises ModelUnavailable (not reachable, missing, out of time) or ModelError (a cut or senseless answer).
        """
        ...

    async def probe(self) -> str:
        """Empty when all is well, otherwise one line: what is wrong and what mends it. Raises nothing of ours."""
        ...
