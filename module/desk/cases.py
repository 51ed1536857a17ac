"""The queue for HR. A case changes its state here and nowhere else, one step at a time, each step kept."""

import unicodedata
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, func, literal, select

from model.case import TO_A_PERSON, Case, CaseKind, CaseState, Desk, OpenQuestion, moved
from model.errors import NoSuchCase
from module.database.transactions import Database
from module.desk.tables import CASE, QUESTION, STEP

REQUEST, EXCERPT, ANSWER, QUESTION_TEXT, LISTED = 200, 20_000, 4_000, 300, 500
ASSISTANT = "assistant"


class Cases:
    """Every method may raise StoreError; a move that is not allowed raises IllegalMove and changes nothing."""

    def __init__(self, database: Database, clock: Callable[[], datetime]) -> None:
        """Over the shared database."""
        self._database, self._clock = database, clock
        self._to_tell: frozenset[str] = frozenset()

    async def open(self, account: str, kind: CaseKind, request: str) -> Case:
        """A new case with its number, in HR's queue; it holds the request alone."""
        return await self._database.writing(lambda tx: self._open(tx, account, kind, _plain(request)[:REQUEST]))

    async def agree(self, account: str, number: str, excerpt: str) -> Case:
        """The employee agreed: the conversation is added. Raises NoSuchCase, for another's number too."""

        def add(tx: Connection) -> Case:
            case = _one(tx, number)
            if case.account != account:
                raise NoSuchCase(f"沒有案件 {number}")
            return self._set(tx, number, excerpt=_plain(excerpt)[-EXCERPT:])

        return await self._database.writing(add)

    async def answer(self, number: str, text: str, who: str) -> Case:
        """HR's answer, told to the employee at the next look. Raises NoSuchCase, IllegalMove, ValueError when empty."""
        if not _plain(text).strip():
            raise ValueError("empty answer")

        def settle(tx: Connection) -> Case:
            self._move(tx, number, "answered", who)
            return self._set(tx, number, answer=_plain(text).strip()[:ANSWER], answered_by=who, told=False)

        case = await self._database.writing(settle)
        self._to_tell |= {case.account}
        return case

    async def close(self, number: str, who: str) -> Case:
        """The matter is done. Raises NoSuchCase, IllegalMove."""
        return await self._database.writing(lambda tx: self._move(tx, number, "closed", who))

    async def case(self, number: str) -> Case:
        """Raises NoSuchCase."""
        return await self._database.reading(lambda tx: _one(tx, number))

    async def desk(self, closed: bool = True) -> Desk:
        """What HR sees: cases, newest first, and open questions."""
        cases = select(CASE).order_by(CASE.c.id.desc()).limit(LISTED)
        cases = cases if closed else cases.where(CASE.c.state != "closed")
        listed = await self._database.reading(lambda tx: tuple(map(_case, tx.execute(cases))))
        questions = select(QUESTION).order_by(QUESTION.c.id.desc()).limit(LISTED)
        return Desk(listed, await self._database.reading(lambda tx: tuple(OpenQuestion(*row) for row in tx.execute(questions))))

    async def waiting(self) -> int:
        """How many cases nobody has answered."""
        count = select(func.count(literal(1))).select_from(CASE).where(CASE.c.state == "handed_off")
        return await self._database.reading(lambda tx: tx.scalar(count) or 0)

    async def steps(self, number: str) -> tuple[tuple[datetime, str, CaseState], ...]:
        """(when, who, state) of every step, the first one first."""
        query = select(STEP.c.at, STEP.c.who, STEP.c.state).where(STEP.c.number == number).order_by(STEP.c.id)
        return await self._database.reading(lambda tx: tuple((row.at, row.who, row.state) for row in tx.execute(query)))

    # ---- answers on their way to the employee

    async def look(self) -> None:
        """Who has an answer waiting; asked now and then, so that a turn costs no look-up of its own."""
        query = select(CASE.c.account).where(CASE.c.told.is_(False)).distinct()
        self._to_tell = await self._database.reading(lambda tx: frozenset(tx.scalars(query)))

    def has_news(self, account: str) -> bool:
        """Whether an answer waits for that employee, as far as this process knows."""
        return account in self._to_tell

    async def news(self, account: str) -> tuple[Case, ...]:
        """The answers that the employee has not seen yet, oldest first."""
        mine = select(CASE).where(CASE.c.account == account, CASE.c.told.is_(False)).order_by(CASE.c.id)
        return await self._database.reading(lambda tx: tuple(map(_case, tx.execute(mine))))

    async def told(self, account: str, cases: Sequence[Case]) -> None:
        """The employee has been shown these answers."""
        numbers = [case.number for case in cases]
        shown = CASE.update().where(CASE.c.account == account, CASE.c.number.in_(numbers)).values(told=True)
        await self._database.writing(lambda tx: tx.execute(shown))
        self._to_tell -= {account}

    # ---- questions without an answer

    async def keep(self, question: str) -> None:
        """Keeps a question whose asker agreed to that."""
        values = {"text": _plain(question)[:QUESTION_TEXT], "asked": self._clock()}
        await self._database.writing(lambda tx: tx.execute(QUESTION.insert().values(values)))

    async def drop(self, question: int) -> None:
        """The handbook says it now, or nobody needs it."""
        await self._database.writing(lambda tx: tx.execute(QUESTION.delete().where(QUESTION.c.id == question)))

    # ---- within a transaction

    def _open(self, tx: Connection, account: str, kind: CaseKind, request: str) -> Case:
        now = self._clock()
        day = f"HR{now:%Y%m%d}"
        last = tx.scalar(select(func.max(CASE.c.number)).where(CASE.c.number.startswith(day)))  # writers take turns
        number = f"{day}{int(last[len(day) :]) + 1 if last else 1:03d}"
        fixed = {"answer": "", "answered_by": "", "told": True, "created": now, "updated": now}
        first, *steps = TO_A_PERSON
        tx.execute(CASE.insert().values(number=number, account=account, kind=kind, state=first, request=request, **fixed))
        self._step(tx, number, first, ASSISTANT)
        for state in steps:
            self._move(tx, number, state, ASSISTANT)
        return _one(tx, number)

    def _move(self, tx: Connection, number: str, to: CaseState, who: str) -> Case:
        state = moved(_one(tx, number).state, to)
        self._step(tx, number, state, who)
        return self._set(tx, number, state=state)

    def _step(self, tx: Connection, number: str, state: CaseState, who: str) -> None:
        tx.execute(STEP.insert().values(number=number, at=self._clock(), who=who, state=state))

    def _set(self, tx: Connection, number: str, **values: object) -> Case:
        tx.execute(CASE.update().where(CASE.c.number == number).values(updated=self._clock(), **values))
        return _one(tx, number)


def _plain(text: str) -> str:
    """Without control characters, and without those that turn the direction of what follows."""
    return "".join(char for char in text if char == "\n" or unicodedata.category(char)[0] != "C")


def _one(tx: Connection, number: str) -> Case:
    row = tx.execute(select(CASE).where(CASE.c.number == number)).first()
    if row is None:
        raise NoSuchCase(f"沒有案件 {number}")
    return _case(row)


def _case(row: Row[Any]) -> Case:
    kept = {name: value for name, value in row._mapping.items() if name != "id"}
    return Case(**kept)
