"""One attempt to hand a confirmed leave to the EIP, and what may be concluded from the answer."""

import asyncio
from dataclasses import dataclass

from model.errors import EipError, EipRefused, EipUnreachable
from model.form import LeaveRequest
from module.eip.port import Eip, Receipt

DOUBTS = 8
SEND_S = 20.0


@dataclass(frozen=True)
class Claim:
    """An outbox row taken by one sender; doubts counts the earlier attempts whose answer is not known."""

    token: str
    owner: str
    request: LeaveRequest
    attempts: int
    doubts: int


@dataclass(frozen=True)
class Result:
    """The row's next state; doubted when this attempt may have been delivered."""

    state: str
    receipt: Receipt | None = None
    text: str = ""
    doubted: bool = False


async def deliver(claim: Claim, eip: Eip) -> Result:
    """Sends the request with its token as key; after any doubt the EIP is asked for that key first."""
    try:
        async with asyncio.timeout(SEND_S):
            if claim.doubts and (receipt := await eip.find(claim.token)):
                return Result("DONE", receipt)
            if claim.doubts >= DOUBTS:
                return Result("HANDOFF")
            return Result("DONE", await eip.submit(claim.request, claim.token))
    except EipRefused as no:
        return await _refused(claim, eip, no.text)
    except EipUnreachable:
        return Result("UNKNOWN" if claim.doubts else "READY")
    except Exception:  # whatever went wrong, the leave may stand
        return Result("HANDOFF" if claim.doubts >= DOUBTS else "UNKNOWN", doubted=True)


async def _refused(claim: Claim, eip: Eip, text: str) -> Result:
    if not claim.doubts:
        return Result("REJECTED", text=text)
    try:  # 「同時段同日期」 may well be our own earlier attempt
        async with asyncio.timeout(SEND_S):
            receipt = await eip.find(claim.token)
    except (EipError, TimeoutError):
        return Result("UNKNOWN", doubted=True)
    return Result("DONE", receipt) if receipt else Result("REJECTED", text=text)
