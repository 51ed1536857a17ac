"""A small assistant with the shape the page needs, and a conversation that is enough to press every button."""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime

from model.company import Absence, Employee, Leave, LeaveType, Substitute
from model.conversation import Message, View
from model.form import LeaveForm, LeaveRequest, Preview
from model.meaning import Found, Meaning
from model.outcome import Outcome, Turn
from model.overview import Overview
from model.worktime import WorkCalendar
from module.database.stores import open_stores
from module.desk.cases import Cases

NOW = datetime(2026, 11, 30, 10, 0)
PEOPLE = (
    ("amy.chen", "陳怡君", "E1001", "研發部"),
    ("ben.lin", "林志明", "E1002", "研發部"),
    ("carol.wang", "王淑芬", "E1003", "人資部"),
)


def employee(account: str) -> Employee:
    """One of PEOPLE."""
    _, name, no, department = next(person for person in PEOPLE if person[0] == account)
    types = (LeaveType("1", "特休假", 60, False, False, 3360), LeaveType("2", "病假", 60, False, False, None))
    substitutes = (Substitute("2", "E1002", "林志明", "Ben Lin"), Substitute("3", "E1004", "張雅婷", "Tina Chang"))
    return Employee(no, no, account, name, account, "D1", department, substitutes, types)


class FakeBot:
    """Previews whatever is said, files on a fresh token. `filed` counts; `heard` is what reached it."""

    def __init__(self) -> None:
        self.mode = "rules"
        self.well = True
        self._cases = Cases(open_stores(None).safe, lambda: NOW)
        self.forget()

    def forget(self) -> None:
        """As new."""
        self.filed: list[str] = []
        self.slow: list[tuple[str, float]] = []
        self.edited: list[dict[str, str]] = []
        self.heard: list[tuple[str, str]] = []
        self.said: dict[str, list[Message]] = {}
        self.turns: dict[str, Turn] = {}
        self.minted = 0
        self.doubtful = False
        self.memo = "家裡有事"
        self.agent = "林志明"
        self.note = "下週三依今天 2026-11-30（一）推算。"
        self.options: tuple[str, ...] = ("請特休", "請病假")

    @property
    def cases(self) -> Cases:
        """An empty queue."""
        return self._cases

    def is_hr(self, account: str) -> bool:
        return account == "carol.wang"

    def accounts(self) -> tuple[tuple[str, str, str, str], ...]:
        return PEOPLE

    async def start(self) -> None:
        """Nothing to open."""

    async def close(self) -> None:
        """Nothing to close."""

    async def health(self) -> dict[str, object]:
        return {"ok": self.well}

    async def view(self, account: str) -> View:
        messages = tuple(self.said.get(account, ()))
        return View(messages, self.turns.get(account), employee(account), self.mode)  # type: ignore[arg-type]

    async def say(self, account: str, text: str, progress: Callable[[str], None] | None = None) -> Turn:
        for step, seconds in self.slow:
            if progress:
                progress(step)
            await asyncio.sleep(seconds)
        self.heard.append((account, text))
        self._note(account, "user", text)
        if text == "怪怪的":
            turn = Turn(Outcome.UNCLEAR_FIRST, "請告訴我想請什麼假、哪一天。", LeaveForm(), options=self.options)
            return self._keep(account, replace(turn, chip="clarifying", rounds=(1, 3)))
        agent = "張雅婷" if "雅婷" in text else self.agent
        preview = self._preview(account, agent)
        reply = f"請確認假單：\n{text}\n{self.memo}"
        turn = Turn(Outcome.PREVIEW, reply, LeaveForm(), preview=preview, confirm_token=preview.token, chip="waiting")
        return self._keep(account, turn)

    async def confirm(self, account: str, token: str) -> Turn:
        now = self.turns.get(account)
        if now is None or now.confirm_token != token:
            self._note(account, "assistant", "內容已變更，請重新確認。")
            return now or Turn(Outcome.NOTHING_TO_SUBMIT, "", LeaveForm())
        self.filed.append(token)
        if self.doubtful:
            turn = Turn(Outcome.SUBMIT_PENDING, "EIP 還沒有回覆，正在確認。", LeaveForm(), chip="pending")
            return self._keep(account, turn)
        return self.settle(account)

    def settle(self, account: str) -> Turn:
        """The EIP's answer becomes known."""
        number = f"WF2026{len(self.filed):06d}"
        turn = Turn(Outcome.SUBMITTED, f"已送出，單號 {number}。", LeaveForm(), wf_no=number, chip="sent")
        return self._keep(account, turn)

    async def edit(self, account: str, values: Mapping[str, str]) -> Turn:
        self.edited.append(dict(values))
        return await self.say(account, "雅婷" if values.get("agent") == "張雅婷" else "改")

    async def discard(self, account: str) -> Turn:
        return self._keep(account, Turn(Outcome.RESET, "好，這張不送了。", LeaveForm()))

    async def overview(self, account: str, start: datetime | None = None, end: datetime | None = None) -> Overview:
        leave = Leave("WF20261130001", "病假", NOW, NOW, "林志明", self.memo, "submitted", 60)
        away = Absence("林志明", datetime(2026, 12, 10, 9), datetime(2026, 12, 10, 18))
        return Overview(employee(account), WorkCalendar(), NOW, (leave,), (away,))

    async def meaning(self, account: str, text: str) -> Meaning:
        return Meaning(text, ("leave",), found=(Found("time", text, text, 0, len(text), "day"),))

    def passages(self, text: str) -> tuple[tuple[str, str, str], ...]:
        return (("H01", text, self.memo),)

    async def reset(self, account: str) -> Turn:
        self.said.pop(account, None)
        self.turns.pop(account, None)
        return Turn(Outcome.RESET, "好，重新開始。", LeaveForm())

    def _keep(self, account: str, turn: Turn) -> Turn:
        self._note(account, "assistant", turn.reply)
        self.turns[account] = turn
        return turn

    def _note(self, account: str, role: str, text: str) -> None:
        self.said.setdefault(account, []).append(Message(role, text, NOW))  # type: ignore[arg-type]

    def _preview(self, account: str, agent: str) -> Preview:
        start, end = datetime(2026, 12, 9, 9, 0), datetime(2026, 12, 9, 18, 0)
        person = employee(account)
        request = LeaveRequest(
            account, person.id, person.no, "D1", "1", "特休假", start, end, 480, "2", "E1002", agent, self.memo
        )
        self.minted += 1
        return Preview(
            request,
            person.name,
            8.0,
            1.0,
            3360,
            2880,
            assumed=frozenset({"agent", "memo"}),
            notes=(self.note,),
            token=f"token-{self.minted}",
        )
