"""What a model adds to the rules, on whatever server the settings name, and what it costs.

    python -m benchmarks.model CORPUS.jsonl --eip EIP.json [--every 10]

Replays every n-th dialogue with the model never, when needed and always asked, and prints a line for each: dialogues and turns
that are right, calls per turn, tokens read and written per call, seconds per call. The server is that of config.ini.
"""

import argparse
import asyncio
import json
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal

from model.settings import Settings
from module.start import set_switches

Calls = Literal["never", "when_needed", "always"]


class Timed:
    """Wraps a model and adds up the seconds of its calls."""

    def __init__(self, llm: Any) -> None:
        self._llm, self.seconds, self.calls = llm, 0.0, 0

    @property
    def name(self) -> str:
        """The model's name."""
        return str(self._llm.name)

    async def probe(self) -> str:
        """The model's own probe."""
        return str(await self._llm.probe())

    async def complete(self, system: str, user: str, schema: dict[str, object]) -> str:
        """See Llm.complete."""
        began = time.perf_counter()
        self.calls += 1
        try:
            return str(await self._llm.complete(system, user, schema))
        finally:
            self.seconds += time.perf_counter() - began


async def measured(corpus: Path, eip: Path, settings: Settings, call: Calls, every: int) -> Mapping[str, float]:
    """The figures of one way of calling."""
    from module.eip.company_file import load_company
    from module.llm.choose import server_of
    from module.replay import read_corpus, replayed, settings_for
    from tests.test_corpus import written, wrong

    company, chosen = load_company(eip), settings_for(settings, call, None)
    server = server_of(chosen.llm)
    llm = Timed(server) if server else None
    dialogues, rows = read_corpus(corpus, company)[::every], written(corpus)[::every]
    right = turns = turns_right = 0
    results = {(str(turn["id"]), turn["turn"]): turn async for turn in replayed(dialogues, company, chosen, 1, llm)}
    for row in rows:
        good = [not wrong(step.get("expect", {}), results[row["id"], at]) for at, step in enumerate(row["turns"])]
        right, turns, turns_right = right + all(good), turns + len(good), turns_right + sum(good)
    calls = llm.calls if llm else 0
    read, wrote = server.tokens if server else (0, 0)
    return {
        "dialogues": len(rows), "right": right / len(rows), "turns_right": turns_right / turns, "calls_per_turn": calls / turns,
        "tokens_read": read / (calls or 1), "tokens_written": wrote / (calls or 1), "seconds": llm.seconds / (calls or 1) if llm else 0.0,
    }  # fmt: skip


def main() -> None:
    """Prints one JSON line for each way of calling."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--eip", type=Path, required=True)
    parser.add_argument("--every", type=int, default=10, help="every n-th dialogue only")
    given = parser.parse_args()
    set_switches()
    from module.logs import configure
    from module.start import read_settings

    configure("error")
    settings = read_settings(None)
    ways: tuple[Calls, ...] = ("never", "when_needed", "always")
    for call in ways:
        figures = asyncio.run(measured(given.corpus, given.eip, settings, call, given.every))
        print(json.dumps({"llm": call, **{name: round(value, 3) for name, value in figures.items()}}), flush=True)


if __name__ == "__main__":
    main()
