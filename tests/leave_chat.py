"""The whole assistant over a company of the test's own choice, with a clock that can be set."""

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from model.company import Leave, LeaveType
from model.outcome import Turn
from model.settings import Settings
from module.app import LeaveBot, build
from module.eip.company_file import CompanyFile
from module.eip.faults import FaultyEip
from module.eip.port import Eip
from module.llm.port import Llm
from tests.eip_office import IRENE, Office, the_company


def company_with(type_rules: Mapping[str, Any] | None = None, left: Mapping[str, Any] | None = None, **more: Any) -> CompanyFile:
    """The corpus's company; `type_rules` go onto 特休假 (L01), `left` into Irene's remaining minutes."""
    company = the_company()
    kinds = (company.leave_types[0].model_copy(update=type_rules or {}), *company.leave_types[1:])
    irene, *others = company.employees
    irene = irene.model_copy(update={"remaining_minutes": {**irene.remaining_minutes, **(left or {})}})
    return company.model_copy(update={"leave_types": kinds, "employees": (irene, *others), **more})


class Chat:
    """Irene's conversation. `eip` may be told to misbehave; `office` holds the clock."""

    def __init__(self, office: Office, folder: Path, eip: Eip | None = None, model: Llm | None = None, **sections: dict[str, str]) -> None:
        self.office = office
        self.eip = FaultyEip(eip or office.eip())
        settings = {"llm": {"provider": "none"}, "store": {"kind": "memory", "data_dir": str(folder)}, "log": {"level": "debug"}}
        chosen = Settings.from_mapping(settings | sections, {})
        self.bot: LeaveBot = build(chosen, clock=office.clock, eip=self.eip, llm=model)

    async def say(self, *texts: str) -> Turn:
        """The last turn."""
        turn = None
        for text in texts:
            turn = await self.bot.say(IRENE, text)
        assert turn is not None
        return turn

    async def confirm(self, turn: Turn) -> Turn:
        """Presses the button of that turn."""
        return await self.bot.confirm(IRENE, turn.confirm_token)

    async def standing(self) -> dict[str, Leave]:
        """Irene's leaves that are not cancelled, by number."""
        now = datetime(2026, 11, 30)
        leaves = await self.eip.eip.leaves(IRENE, now - timedelta(days=90), now + timedelta(days=500))
        return {leave.wf_no: leave for leave in leaves if leave.status != "cancelled"}

    async def kind(self, name: str = "特休假") -> LeaveType:
        """A leave type with what is left of it now."""
        kind = (await self.eip.eip.employee(IRENE)).leave_type(name)
        assert kind is not None
        return kind


@asynccontextmanager
async def chatting(
    company: CompanyFile, folder: Path, eip: Eip | None = None, model: Llm | None = None, **sections: dict[str, str]
) -> AsyncIterator[Chat]:
    """The assistant, started, and closed afterwards."""
    chat = Chat(Office(company=company), folder, eip, model, **sections)
    await chat.bot.start()
    try:
        yield chat
    finally:
        await chat.bot.close()
