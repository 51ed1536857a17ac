"""The outbox as one conversation sees it."""

import asyncio

from model.form import LeaveRequest
from module.eip.filing import Filing
from module.eip.outbox import Outbox, new_token
from module.eip.port import Eip


class ConversationFiling:
    """Tokens and filings of one account and conversation, for one turn: nobody else's can be named through it.

    A preview is written while the turn goes on; `settled` waits for it, and a turn ends only after that.
    """

    def __init__(self, outbox: Outbox, eip: Eip, account: str, conversation: str) -> None:
        """For one turn."""
        self._outbox, self._eip, self._account, self._conversation = outbox, eip, account, conversation
        self._writing: asyncio.Task[str] | None = None

    async def settled(self) -> None:
        """Returns when the preview is on file. Raises StoreError when it could not be written."""
        if self._writing is not None:
            writing, self._writing = self._writing, None
            await writing

    async def mint(self, request: LeaveRequest) -> str:
        """A token for what is now on screen; earlier ones are dead."""
        await self.settled()
        token = new_token()
        writing = self._outbox.mint(self._account, self._conversation, request, token)
        self._writing = asyncio.create_task(writing)
        return token

    async def revoke(self) -> None:
        """Nothing on screen can be confirmed any more."""
        await self.settled()
        await self._outbox.revoke(self._conversation)

    async def confirm(self, token: str) -> Filing:
        """Files what the token stands for, at most once. Raises StoreError when nothing could be recorded."""
        await self.settled()
        return await self._outbox.confirm(self._account, self._conversation, token, self._eip)

    async def status(self, token: str) -> Filing | None:
        """How a confirmation stands now."""
        return await self._outbox.status(token)

    async def forget(self, wf_no: str) -> None:
        """A cancelled leave may be filed again."""
        await self._outbox.forget(self._account, wf_no)
