"""What a turn costs beside its parts, as ratios: absolute times say more about the machine than about the code.

(a) four empty LangGraph nodes with our checkpointer; (b) understanding the sentence; (c) a whole turn without a model,
everything in memory as in (a), and (d) with EIP and outbox in files. All are measured one after the other in every round,
and medians are compared.
"""

import asyncio
import statistics
import time
import tomllib
from collections.abc import Awaitable, Callable
from datetime import datetime
from functools import partial
from importlib import resources
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Annotated, Any, TypedDict

from model.company import Employee
from model.state import concat
from model.worktime import WorkCalendar
from module.start import set_switches

if TYPE_CHECKING:
    from module.app import LeaveBot

ROUNDS, WARM_UP, LONG, SHORT = 60, 10, 300, 10
NOW = datetime(2026, 11, 30, 10, 0)
TEXTS = ("下週三下午要請特休，代理人王小明", "時間改成12/31", "事由改為回老家", "改成下午兩點到四點")


class Four(TypedDict):
    """The smallest state that grows and is bounded like ours."""

    messages: Annotated[list[str], concat]


async def timed(act: Awaitable[object]) -> float:
    """Milliseconds of one run."""
    started = time.perf_counter()
    await act
    return (time.perf_counter() - started) * 1000


def empty_graph() -> Callable[[str], Awaitable[object]]:
    """Runs four nodes that do nothing, as `chat → checkChatType → rewrite → checkForm` are linked."""
    from langgraph.graph import END, START, StateGraph

    from module.store import LatestOnlySaver

    async def nothing(state: Four) -> Four:
        return {"messages": []}

    names = ("chat", "checkChatType", "rewrite", "checkForm")
    graph = StateGraph(Four)
    for name in names:
        graph.add_node(name, nothing)
    for first, second in zip((START, *names), (*names, END), strict=True):
        graph.add_edge(first, second)
    compiled: Any = graph.compile(checkpointer=LatestOnlySaver())
    config = {"configurable": {"thread_id": "bench"}}

    async def run(text: str) -> object:
        return await compiled.ainvoke({"messages": [text]}, config, durability="exit")

    return run


def understanding(employee: Employee, calendar: WorkCalendar) -> Callable[[str], Awaitable[object]]:
    """Reads a sentence by the rules."""
    from module.understand.lexicon import Lexicon
    from module.understand.normalise import clean
    from module.understand.read import understand

    file = resources.files("module.words") / "lexicon.toml"
    lexicon = Lexicon.of(tomllib.loads(file.read_text(encoding="utf-8")))

    async def run(text: str) -> object:
        return understand(clean(text), NOW, employee, calendar, lexicon)

    return run


async def growth(old: "LeaveBot", young: "LeaveBot", account: str) -> float:
    """How much more a turn costs after LONG turns than after SHORT ones, measured in turns of two offices alike."""
    for number in range(LONG):
        await old.say(account, TEXTS[number % len(TEXTS)])
    pairs = []
    for number in range(ROUNDS * 2):
        if number % SHORT == 0:
            await young.reset(account)
            for before in range(SHORT // 2):
                await young.say(account, TEXTS[before % len(TEXTS)])
        text = TEXTS[number % len(TEXTS)]
        pairs.append((await timed(old.say(account, text)), await timed(young.say(account, text))))
    late, early = (statistics.median(column) for column in zip(*pairs, strict=True))
    return float(late / early)


async def measure() -> None:
    """Prints the comparison."""
    from model.settings import EipSettings, LlmSettings, Settings, Store
    from module.app import build
    from module.eip.company_file import load_company
    from module.eip.sqlite import SqliteEip

    company_json = Path(__file__).parents[1] / "tests" / "corpus" / "eip.json"
    company = load_company(company_json)
    account = company.employees[0].account
    offices = [SqliteEip.open(None, company, lambda: NOW) for _ in range(2)]
    settings = Settings(llm=LlmSettings(provider="none"))
    bot, other = (build(settings, clock=lambda: NOW, eip=office) for office in offices)
    with TemporaryDirectory() as folder:
        on_disk = {"store": Store(data_dir=folder), "eip": EipSettings(company=str(company_json))}
        filed = build(settings.model_copy(update=on_disk), clock=lambda: NOW)
        for one in (bot, other, filed):
            await one.start()
        employee, calendar = await offices[0].employee(account), await offices[0].calendar(NOW.year)
        acts = (
            empty_graph(),
            understanding(employee, calendar),
            partial(bot.say, account),
            partial(filed.say, account),
        )
        rows = [[await timed(act(TEXTS[number % len(TEXTS)])) for act in acts] for number in range(WARM_UP + ROUNDS)]
        a, b, c, d = (statistics.median(column) for column in zip(*rows[WARM_UP:], strict=True))
        print(f"(a) four empty nodes             {a:7.2f} ms")
        print(f"(b) understanding                {b:7.2f} ms")
        print(f"(c) a whole turn, all in memory  {c:7.2f} ms")
        print(f"(d) a whole turn, all in files   {d:7.2f} ms")
        print(f"c / (a + b)                      {c / (a + b):7.2f}")
        print(f"d / (a + b)                      {d / (a + b):7.2f}")
        print(f"turn {LONG} / turn {SHORT}               {await growth(bot, other, account):7.2f}")
        for one in (bot, other, filed):
            await one.close()
        for office in offices:
            office.close()


if __name__ == "__main__":
    set_switches()
    from module.logs import configure

    configure("error")
    asyncio.run(measure())
