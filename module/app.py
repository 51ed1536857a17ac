"""Puts the parts together: the only place that chooses EIP, model and store, and that knows the clock."""

import asyncio
import time
import tomllib
import uuid
from collections.abc import Callable, Mapping
from contextlib import suppress
from contextvars import ContextVar
from dataclasses import replace
from datetime import datetime, timedelta
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import structlog

from model.company import Employee
from model.conversation import Message, View
from model.errors import ConfigError, EipError, StoreError
from model.form import LeaveForm
from model.meaning import Meaning
from model.outcome import Outcome, Turn
from model.overview import Overview
from model.settings import Settings
from model.state import State, flat, held
from model.worktime import WorkCalendar
from module.conversations import Conversations, TurnRunning, open_conversations
from module.database.stores import open_stores, place_of
from module.desk.cases import Cases
from module.eip.outbox import Outbox
from module.eip.port import Eip, Known
from module.eip.remote import remote
from module.filing import ConversationFiling
from module.graph import compile_graph
from module.handbook.book import Handbook
from module.handbook.find import find
from module.llm.one_turn import TurnLlm
from module.llm.port import Llm
from module.logs import who
from module.nodes.context import Context
from module.profile import require_strong
from module.start import taipei_now
from module.store import close_saver, mend, open_saver, out_of_order, prune
from module.turn import turn_of
from module.understand.lexicon import Lexicon
from module.understand.normalise import clean
from module.understand.read import understand
from module.words import load

if TYPE_CHECKING:
    from module.eip.sqlite import SqliteEip

DEMO_HR = frozenset({"hr.tsai"})  # of the company that comes along
BUSY_S, TICK_S, CALENDAR_S = 30.0, 5.0, 600.0
LOOK_BACK, LOOK_AHEAD = timedelta(days=40), timedelta(days=100)  # where nearly every leave lies: one look-up a turn


def _unwatched(step: str) -> None:
    """Nobody waits for the steps."""


_watching: ContextVar[Callable[[str], None]] = ContextVar("watching", default=_unwatched)


class LeaveBot:
    """The assistant. One open conversation an account; everything else is in the stores."""

    def __init__(
        self,
        settings: Settings,
        clock: Callable[[], datetime],
        eip: Eip,
        llm: Llm | None,
        outbox: Outbox,
        lexicon: Lexicon,
        handbook: Handbook,
        conversations: Conversations,
        cases: Cases,
    ) -> None:
        """Use `build`."""
        self._cases = cases
        demo = settings.auth.mode == "demo" and settings.eip.provider == "sqlite" and not settings.eip.company
        self._demo_hr = DEMO_HR if demo else frozenset()
        self.settings, self._clock, self._eip, self._llm, self._outbox, self._lexicon = settings, clock, eip, llm, outbox, lexicon
        self._words, self._handbook = load(), handbook
        self._conversations = conversations
        self._known: dict[str, Employee] = {}
        self._calendars: dict[int, tuple[float, WorkCalendar]] = {}
        self._graph: Any = None
        self._saver: Any = None
        self._tasks: list[asyncio.Task[None]] = []
        self._model_well = False
        self._asking: dict[str, TurnLlm] = {}

    # ---- life

    async def start(self) -> None:
        """Opens the store, asks whether the model is there, and begins to look after what is still being sent."""
        await self._open()
        if self._llm is not None:
            self._model_well = not await self._llm.probe()
        await self.cases.look()
        self._tasks = [asyncio.create_task(self._look_after())]

    async def close(self) -> None:
        """Ends the background work and closes the stores."""
        for task in self._tasks:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
        if self._saver is not None:
            await close_saver(self._saver)
        await self._conversations.close()
        self._outbox.close()

    async def _open(self) -> None:
        if self._graph is None:
            store = self.settings.store
            self._saver = await open_saver(store.kind, Path(store.data_dir), store.url)
            self._graph = compile_graph(self._saver, self.settings.policy.keep)

    async def _look_after(self) -> None:
        """Every few seconds: what is still being sent, idle conversations, and now and then the model."""
        tick = 0
        while True:
            await asyncio.sleep(TICK_S)
            tick += 1
            try:
                await mend(self._saver)
                await self._outbox.reconcile(self._eip)
                await self.cases.look()
                if tick % 12 == 0:
                    await self._forget_idle()
                if self._llm is not None and tick % 6 == 0:
                    self._model_well = not await self._llm.probe()
            except Exception as wrong:  # a broken part must not end the watch
                structlog.get_logger().warning("look_after_failed", error=type(wrong).__name__)

    async def _forget_idle(self) -> None:
        before = self._clock() - timedelta(hours=self.settings.policy.idle_hours)
        for account in await self._conversations.idle(before):
            with suppress(TurnRunning):
                async with self._conversations.turn(account, 0.1) as conversation:
                    await self._forget(account, conversation)

    async def _forget(self, account: str, conversation: str) -> None:
        await self._conversations.end(account)
        await self._outbox.revoke(conversation)
        await self._saver.adelete_thread(conversation)

    # ---- what the page, the terminal and the replay call

    def accounts(self) -> tuple[tuple[str, str, str, str], ...]:
        """(account, name, employee number, department) of everybody, for the demo login; empty where the EIP has no list."""
        listed = getattr(self._eip, "accounts", None)
        return tuple(listed()) if listed else ()

    @property
    def mode(self) -> Literal["model", "rules"]:
        """Whether a model answers now."""
        return "model" if self._llm is not None and self._model_well else "rules"

    async def say(self, account: str, text: str, progress: Callable[[str], None] | None = None) -> Turn:
        """Takes a message in; `progress` is told each step that may take long (a key of [step] in module/words)."""
        watching = _watching.set(progress or _unwatched)
        try:
            return await self._turn(account, {"text": text, "action": "say", "token": ""})
        finally:
            _watching.reset(watching)

    async def confirm(self, account: str, token: str) -> Turn:
        """Files or cancels what the token stands for, at most once."""
        return await self._turn(account, {"text": "", "action": "confirm", "token": token})

    async def edit(self, account: str, values: Mapping[str, str]) -> Turn:
        """Sets fields of the form (category, start, end, agent, memo, event_date; times in ISO): the same checks as typing."""
        return await self._turn(account, {"text": "", "action": "edit", "token": "", "edit": dict(values)})

    async def discard(self, account: str) -> Turn:
        """Drops what the card shows; the conversation stays, and what was filed too."""
        return await self._turn(account, {"text": "", "action": "discard", "token": ""})

    async def overview(self, account: str, start: datetime | None = None, end: datetime | None = None) -> Overview:
        """The employee's own facts around those days, by default half a year back and a year ahead. Raises EipError."""
        now = self._clock()
        start, end = start or now - timedelta(days=183), end or now + timedelta(days=366)
        employee, leaves, absences = await self._eip.known(account, start, end)
        seen = absences if self.settings.page.show_absences else ()
        return Overview(employee, await self._calendar(now.year), now, leaves, seen)

    def passages(self, text: str) -> tuple[tuple[str, str, str], ...]:
        """(number, title, text) of the handbook's passages nearest to the words, best first, at most five."""
        hits = {hit.passage.id: hit.passage for finding in find(clean(text)[:200], self._handbook.index) for hit in finding.hits}
        return tuple((one.id, one.title, one.text) for one in list(hits.values())[:5])

    async def reset(self, account: str) -> Turn:
        """Forgets the conversation, on the server too."""
        await self._open()
        if account in self._asking:
            self._asking[account].stop()
        async with self._conversations.turn(account, BUSY_S) as conversation:
            await self._forget(account, conversation)
        return Turn(Outcome.RESET, self._words.say("reset"), LeaveForm())

    async def view(self, account: str) -> View:
        """The conversation as it stands; a filing whose result has become known is told first."""
        await self._open()
        if self.cases.has_news(account):
            with suppress(TurnRunning):
                async with self._conversations.turn(account, 0.1) as current:
                    await self._news(account, current)
        conversation = await self._conversations.current(account)
        state = await self._state(conversation) if conversation else {}
        if state.get("sending") and conversation and not self._conversations.running(account):
            filing = await self._outbox.status(state["sending"])
            if filing is not None and filing.state not in ("pending", "handoff"):
                await self.confirm(account, state["sending"])
                state = await self._state(conversation)
        employee = await self._employee(account)
        messages = tuple(
            Message("user" if said["role"] == "user" else "assistant", said["text"], datetime.fromisoformat(said["at"]))
            for said in state.get("messages") or ()
        )
        turn = turn_of(state, self.settings.policy.rounds) if state.get("outcome") else None
        waiting = await self.cases.waiting() if self.is_hr(account) else None
        return View(messages, turn, employee[0], self.mode, waiting)

    @property
    def cases(self) -> Cases:
        """What is for a person at HR."""
        return self._cases

    def is_hr(self, account: str) -> bool:
        """Whether that account may read and answer what is for a person ([desk] hr)."""
        return account in (self.settings.desk.hr or self._demo_hr)

    async def _news(self, account: str, conversation: str) -> str:
        """HR's answers that the employee has not seen, put into the transcript; empty when there are none."""
        if not self.cases.has_news(account):
            return ""
        cases = await self.cases.news(account)
        texts = [self._words.say("hand_off", "news", number=case.number, answer=case.answer) for case in cases]
        at = self._clock().isoformat(timespec="seconds")
        said = [{"role": "assistant", "text": text, "at": at} for text in texts]
        config = {"configurable": {"thread_id": conversation}}
        await self._graph.aupdate_state(config, {"messages": said}, as_node="checkForm")
        await prune(self._saver, conversation)
        await self.cases.told(account, cases)
        return "\n\n".join(texts)

    async def meaning(self, account: str, text: str) -> Meaning:
        """What a sentence means as a first message of that employee; nothing is changed."""
        employee, _ = await self._employee(account)
        now = self._clock()
        return understand(clean(text), now, employee, await self._calendar(now.year), self._lexicon)

    async def health(self) -> dict[str, object]:
        """Parts and how they are; ok is False when the assistant cannot work."""
        try:
            await asyncio.wait_for(self._calendar(self._clock().year), 2)
            eip = "ok"
        except (EipError, TimeoutError) as wrong:
            eip = type(wrong).__name__
        try:
            store, count = "ok", await asyncio.wait_for(self._conversations.count(), 4)
        except (StoreError, TimeoutError) as wrong:
            store, count = type(wrong).__name__, 0
        return {"ok": eip == store == "ok", "eip": eip, "store": store, "model": self.mode, "conversations": count}

    # ---- one turn

    async def _state(self, conversation: str) -> State:
        snapshot = await self._graph.aget_state({"configurable": {"thread_id": conversation}})
        return flat(snapshot.values)

    async def _turn(self, account: str, given: State) -> Turn:
        began = time.perf_counter()
        await self._open()
        try:
            async with self._conversations.turn(account, BUSY_S) as conversation:
                with structlog.contextvars.bound_contextvars(conversation=conversation, turn=uuid.uuid4().hex[:8], who=who(account)):
                    turn = await self._turn_of(account, conversation, given, began)
        except TurnRunning:
            return self._broken("busy")
        except StoreError as wrong:
            return self._without_store(wrong)
        return turn

    async def _turn_of(self, account: str, conversation: str, given: State, began: float) -> Turn:
        log = structlog.get_logger()
        try:
            turn = await self._run(account, conversation, given, began)
        except EipError as wrong:
            log.warning("turn_without_eip", error=type(wrong).__name__)
            return self._broken("eip")
        except Exception as wrong:
            if out_of_order(wrong):
                return self._without_store(wrong)
            incident = uuid.uuid4().hex[:8]
            log.exception("turn_failed", incident=incident)
            if self.settings.log.level == "debug":
                raise
            return self._broken("world", incident=incident)
        log.info("turn", outcome=str(turn.outcome), llm_calls=turn.llm_calls, ms=round(turn.ms, 1))
        return turn

    def _without_store(self, wrong: Exception) -> Turn:
        structlog.get_logger().warning("turn_without_store", error=type(wrong).__name__)
        return self._broken("store")

    async def _run(self, account: str, conversation: str, given: State, began: float) -> Turn:
        news = await self._news(account, conversation)
        now = self._clock()
        window = (now - LOOK_BACK, now + LOOK_AHEAD)
        (employee, leaves, absences), reachable = await self._facts(account, *window)
        filing = ConversationFiling(self._outbox, self._eip, account, conversation)
        llm = TurnLlm(self._llm, self.settings.llm.timeout) if self._llm is not None and self._model_well else None
        context = Context(
            account=account, conversation=conversation, employee=employee, calendar=await self._calendar(now.year), now=now,
            eip=self._eip, filing=filing, lexicon=self._lexicon,
            words=self._words, handbook=self._handbook, cases=self.cases, llm=llm, llm_always=self.settings.llm.call == "always",
            llm_deadline=self.settings.llm.timeout, friendly=self.settings.llm.friendly,
            rounds=self.settings.policy.rounds, message_chars=self.settings.policy.message_chars,
            confidence=self.settings.desk.confidence, channel=self.settings.desk.channel, contact=self.settings.desk.contact,
            reachable=reachable, window=window, around=(leaves, absences), progress=_watching.get(),
        )  # fmt: skip
        config = {"configurable": {"thread_id": conversation}, "recursion_limit": 12}
        if llm is not None:
            self._asking[account] = llm
        try:
            state = await self._graph.ainvoke(held(given), config, context=context, durability="exit", output_keys="rest")
        finally:
            self._asking.pop(account, None)
            await filing.settled()
        if llm is not None and llm.down:
            self._model_well = False  # the page says so at once; the next probe may take it back
        await prune(self._saver, conversation)
        turn = turn_of(state, self.settings.policy.rounds, ms=(time.perf_counter() - began) * 1000, llm_calls=llm.calls if llm else 0)
        return replace(turn, reply="\n\n".join(filter(None, (news, turn.reply)))) if news else turn

    def _broken(self, key: str, **values: object) -> Turn:
        return Turn(Outcome.UNCLEAR_FIRST, self._words.say("error", key, **values), LeaveForm(), chip="failed")

    async def _employee(self, account: str) -> tuple[Employee, bool]:
        """Fresh facts, or the last known ones when the EIP cannot be reached."""
        found, fresh = await self._facts(account, self._clock(), self._clock())
        return found[0], fresh

    async def _facts(self, account: str, start: datetime, end: datetime) -> tuple[Known, bool]:
        """The employee with what stands around those days, fresh or as last known. Raises EipError when never known."""
        try:
            found = await self._eip.known(account, start, end)
        except EipError:
            if account not in self._known:
                raise
            return (self._known[account], (), ()), False
        self._known[account] = found[0]
        return found, True

    async def _calendar(self, year: int) -> WorkCalendar:
        kept = self._calendars.get(year)
        if kept and time.monotonic() - kept[0] < CALENDAR_S:
            return kept[1]
        try:
            calendar = await self._eip.calendar(year)
        except EipError:
            if kept is None:
                raise
            return kept[1]
        self._calendars[year] = (time.monotonic(), calendar)
        return calendar


def build(
    settings: Settings, *, clock: Callable[[], datetime] | None = None, eip: Eip | None = None, llm: Llm | None = None
) -> LeaveBot:
    """The assistant as the settings say; tests bring their own clock, EIP and model. Raises ConfigError."""
    require_strong(settings)
    clock = clock or taipei_now
    folder = Path(settings.store.data_dir) if eip is None else None
    if folder is not None:
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as wrong:
            raise ConfigError(f"[store] data_dir = {folder}：不能建立（{wrong.strerror}），請換一個可以寫入的資料夾") from None
    if eip is None:
        eip = remote(settings.eip) or embedded(settings, folder, clock)
    if llm is None:
        from module.llm.choose import build_llm

        llm = build_llm(settings.llm)
    store = settings.store
    shared = store.url if store.kind == "postgres" else None
    stores = open_stores(place_of(store) if folder or shared else None)
    outbox = Outbox(*stores, clock, settings.policy.preview_minutes)
    handbook = Handbook.open(Path(settings.desk.handbook) if settings.desk.handbook else None)
    conversations = open_conversations(store.kind, stores.fast, clock, shared)
    return LeaveBot(settings, clock, eip, llm, outbox, _lexicon(folder), handbook, conversations, Cases(stores.safe, clock))


def embedded(settings: Settings, folder: Path | None, clock: Callable[[], datetime]) -> "SqliteEip":
    """The embedded EIP with the company that the settings name; without a folder it lives in memory."""
    from module.doctor import company_path
    from module.eip.company_file import load_company
    from module.eip.sqlite import SqliteEip

    return SqliteEip.open(folder / "eip.db" if folder else None, load_company(company_path(settings)), clock)


def _lexicon(folder: Path | None) -> Lexicon:
    """The company's own file in the data folder, or the one that comes along. Raises ConfigError."""
    own = folder / "lexicon.toml" if folder else None
    shipped = files("module.words").joinpath("lexicon.toml").read_text(encoding="utf-8")
    text, where = (own.read_text(encoding="utf-8"), str(own)) if own and own.exists() else (shipped, "lexicon.toml")
    try:
        return Lexicon.of(tomllib.loads(text), where)
    except tomllib.TOMLDecodeError as wrong:
        raise ConfigError(f"{where}：格式不對（{wrong}），請更正") from None

