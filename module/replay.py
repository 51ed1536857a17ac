"""Replays a corpus of dialogues through the real graph: a fresh company and conversation for each."""

import asyncio
import json
import time
from collections.abc import AsyncIterator
from datetime import datetime
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, NaiveDatetime, ValidationError, model_validator

from model.errors import ConfigError
from model.form import LeaveForm
from model.outcome import Turn
from model.settings import Settings

if TYPE_CHECKING:
    from module.eip.company_file import CompanyFile
    from module.llm.port import Llm


class _Row(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Step(_Row):
    """One turn: typed text or a button, perhaps with a clock and an EIP fault of its own."""

    say: str | None = None
    do: Literal["confirm", "confirm_stale", "reset"] | None = None
    now: NaiveDatetime | None = None
    eip: Annotated[str, Field(pattern=r"^(down|doubt|refuse:.*)?$")] = ""
    expect: dict[str, object] = {}

    @model_validator(mode="after")
    def _one_of_both(self) -> "Step":
        if (self.say is None) == (self.do is None):
            raise ValueError("say 與 do 要有一個，而且只有一個")
        return self


class Dialogue(_Row):
    """One line of a corpus."""

    id: str
    employee: str
    now: NaiveDatetime
    tags: tuple[str, ...] = ()
    turns: tuple[Step, ...]


def read_corpus(path: Path, company: "CompanyFile") -> tuple[Dialogue, ...]:
    """All dialogues of a JSON-lines file. Raises ConfigError naming file, line and place."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as wrong:
        raise ConfigError(f"{path}：讀不到語料檔（{type(wrong).__name__}），請確認路徑與編碼") from None
    return tuple(_dialogue(f"{path} 第 {number} 行", line, company) for number, line in _numbered(lines))


def _numbered(lines: list[str]) -> list[tuple[int, str]]:
    return [(number, line) for number, line in enumerate(lines, 1) if line.strip()]


def _dialogue(place: str, line: str, company: "CompanyFile") -> Dialogue:
    try:
        dialogue = Dialogue.model_validate_json(line)
    except ValidationError as wrong:
        first = wrong.errors()[0]
        key = ".".join(map(str, first["loc"]))
        raise ConfigError(f"{place}：{key}：{first['msg'].removeprefix('Value error, ')}") from None
    if dialogue.employee not in company.by_id:
        raise ConfigError(f"{place}：employee：公司資料裡沒有 {dialogue.employee}")
    return dialogue


def settings_for(settings: Settings, llm: Literal["never", "when_needed", "always"], handbook: Path | None) -> Settings:
    """The settings for a replay: nothing is kept, the model is called as asked. Raises ConfigError."""
    if handbook and not handbook.is_dir():
        raise ConfigError(f"{handbook}：沒有這個手冊資料夾")
    model = {"provider": "none"} if llm == "never" else {"call": llm}
    return settings.model_copy(
        update={
            "llm": settings.llm.model_copy(update=model),
            "store": settings.store.model_copy(update={"kind": "memory"}),
            "desk": settings.desk.model_copy(update={"handbook": str(handbook)} if handbook else {}),
        }
    )


async def replayed(
    dialogues: tuple[Dialogue, ...], company: "CompanyFile", settings: Settings, jobs: int, llm: "Llm | None" = None
) -> AsyncIterator[dict[str, object]]:
    """One object per turn, in the corpus's order; `jobs` dialogues run at once. The model is the settings' unless given."""
    from module.llm.choose import build_llm

    places, llm = asyncio.Semaphore(jobs), llm or build_llm(settings.llm)

    async def one(dialogue: Dialogue) -> list[dict[str, object]]:
        async with places:
            return await _played(dialogue, company, settings, llm)

    tasks = [asyncio.ensure_future(one(dialogue)) for dialogue in dialogues]
    try:
        for task in tasks:
            for turn in await task:
                yield turn
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _played(
    dialogue: Dialogue, company: "CompanyFile", settings: Settings, llm: "Llm | None"
) -> list[dict[str, object]]:
    from module.app import build
    from module.eip.faults import FaultyEip
    from module.eip.sqlite import SqliteEip

    now = dialogue.now

    def clock() -> datetime:
        return now

    embedded = SqliteEip.open(None, company, clock)
    eip = FaultyEip(embedded)
    bot = build(settings, clock=clock, eip=eip, llm=llm)
    account, tokens, results = company.by_id[dialogue.employee].account, [""], []
    await bot.start()
    try:
        for number, step in enumerate(dialogue.turns):
            now, eip.fault = step.now or dialogue.now, step.eip or None
            started = time.perf_counter()
            if step.say is not None:
                turn = await bot.say(account, step.say)
            elif step.do == "reset":
                turn = await bot.reset(account)
            else:
                turn = await bot.confirm(account, tokens[-1] if step.do == "confirm" else _stale(tokens))
            tokens += [turn.confirm_token] if turn.confirm_token else []
            results.append(_result(dialogue.id, number, turn, time.perf_counter() - started))
    finally:
        await bot.close()
        embedded.close()
    return results


def _stale(tokens: list[str]) -> str:
    """The token before the last different one."""
    return next((earlier for earlier, later in reversed(list(pairwise(tokens))) if earlier != later), "")


def _result(name: str, number: int, turn: Turn, seconds: float) -> dict[str, object]:
    return {
        "id": name,
        "turn": number,
        "outcome": str(turn.outcome),
        "also": [str(outcome) for outcome in turn.also],
        "form": form_of(turn.form),
        "hours": turn.hours,
        "reply": turn.reply,
        "llm_calls": turn.llm_calls,
        "ms": round(seconds * 1000, 2),
    }


def form_of(form: LeaveForm) -> dict[str, str | None]:
    """The six fields as text, null where empty."""
    return {
        "category": form.category,
        "start": f"{form.start:%Y-%m-%d %H:%M}" if form.start else None,
        "end": f"{form.end:%Y-%m-%d %H:%M}" if form.end else None,
        "agent": form.agent,
        "memo": form.memo,
        "event_date": form.event_date.isoformat() if form.event_date else None,
    }


def as_line(result: dict[str, object]) -> str:
    """One result as a JSON line."""
    return json.dumps(result, ensure_ascii=False)
