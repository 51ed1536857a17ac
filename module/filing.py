"""The outbox as one conversation sees it."""

from dataclasses import dataclass

from model.form import LeaveRequest
from module.eip.filing import Filing
from module.eip.outbox import Outbox
from module.eip.port import Eip


@dataclass(frozen=True)
class ConversationFiling:
    """Tokens and filings of one account and conversation: nobody else's can be named through it."""

    outbox: Outbox
    eip: Eip
    account: str
    conversation: str

    async def mint(self, request: LeaveRequest) -> str:
        """A token for what is now on screen; earlier ones are dead."""
        return await self.outbox.mint(self.account, self.conversation, request)

    async def revoke(self) -> None:
        """Nothing on screen can be confirmed any more."""
        await self.outbox.revoke(self.conversation)

    async def confirm(self, token: str) -> Filing:
        """Files what the token stands for, at most once. Raises StoreError when nothing could be recorded."""
        return await self.outbox.confirm(self.account, self.conversation, token, self.eip)

    async def status(self, token: str) -> Filing | None:
        """How a confirmation stands now."""
        return await self.outbox.status(token)

    async def forget(self, wf_no: str) -> None:
        """A cancelled leave may be filed again."""
        await self.outbox.forget(self.account, wf_no)
