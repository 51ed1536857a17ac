"""Three hundred leaves through a bad line, by a process that is killed a hundred times: each stands once or is handed on."""

import asyncio
import contextlib
import itertools
import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from module.eip.outbox import Outbox
from module.eip.server import create
from module.eip.sqlite import SqliteEip
from tests.eip_served import served
from tests.slow.fault_proxy import FaultProxy
from tests.slow.filing_process import fast_clock
from tests.slow.kill_company import KEY, company, plan

ROOT = Path(__file__).parents[2]
KILLS, FORMS = 120, 300
FAULT_RATE, SEED = 0.45, 20261130

SENDING = "SELECT owner FROM outbox WHERE state = 'SENDING'"

pytestmark = pytest.mark.slow


@asynccontextmanager
async def proxy(target: str, chance: random.Random) -> AsyncIterator[FaultProxy]:
    host, port = target.removeprefix("http://").split(":")
    between = FaultProxy((host, int(port)), FAULT_RATE, chance)
    server = await asyncio.start_server(between.serve, "127.0.0.1", 0)
    between.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    try:
        yield between
    finally:
        server.close()
        await asyncio.gather(*filter(None, between.running), return_exceptions=True)  # what is held back still arrives


async def kill_until_done(folder: Path, url: str, began: float, chance: random.Random) -> tuple[int, int]:
    """Runs the filing process over and over; how often it was killed, and how often in the middle of sending."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "tests.slow.filing_process", str(folder), url, str(began),
        cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
    )  # fmt: skip
    assert process.stdin is not None and process.stdout is not None
    kills, sending = 0, set[str]()
    for life in itertools.count(1):
        process.stdin.write(f"{min(FORMS, FORMS * life // KILLS)}\n".encode())
        pid = int((await process.stdout.readline()).split()[1])
        if kills < KILLS:
            await asyncio.sleep(chance.uniform(0, chance.choice((0.15, 0.8))))
            with contextlib.suppress(ProcessLookupError):  # the last one may have finished
                os.kill(pid, signal.SIGKILL)
        status = int((await process.stdout.readline()).split()[1])
        if status == signal.SIGKILL:
            kills += 1
            sending |= {owner for (owner,) in rows(folder / "outbox.db", SENDING)}
        else:
            assert status == 0, "the filing process failed"
            break
    process.stdin.close()
    await process.wait()
    return kills, len(sending)


def rows(file: Path, query: str) -> list[tuple[str, ...]]:
    database = sqlite3.connect(file)
    try:
        return database.execute(query).fetchall()
    finally:
        database.close()


async def test_every_confirmed_leave_stands_once_or_is_handed_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], logged: list[dict[str, object]]
) -> None:
    began, chance = time.time(), random.Random(SEED)
    eip = SqliteEip.open(tmp_path / "eip.db", company(), lambda: fast_clock(began))
    Outbox.open(tmp_path / "outbox.db", lambda: fast_clock(began)).close()
    with served(create(eip, KEY)) as target:
        async with proxy(target, chance) as between:
            kills = await kill_until_done(tmp_path, between.url, began, chance)
    logged.clear()
    judge(tmp_path, kills, between.done, time.time() - began, capsys)


def judge(
    folder: Path, kills: tuple[int, int], faults: Counter[str], seconds: float, capsys: pytest.CaptureFixture[str]
) -> None:
    outbox = rows(folder / "outbox.db", "SELECT id, digest, state, wf_no, account FROM outbox")
    filed = rows(folder / "eip.db", "SELECT key, wf_no, employee_id, start FROM leaves WHERE key IS NOT NULL")
    by_key = {key: number for key, number, *_ in filed}
    duplicates = len(filed) - len({(who, start) for _, _, who, start in filed})
    states = Counter(state for _, _, state, *_ in outbox)
    lost = [key for key, _, state, *_ in outbox if key not in by_key and state != "HANDOFF"]
    wrong = [key for key, _, state, number, _ in outbox if state == "DONE" and by_key.get(key) != number]
    called_failed = [key for key, _, state, *_ in outbox if state == "REJECTED"]
    happened = sum(count for fault, count in faults.items() if fault != "none")
    with capsys.disabled():
        print(
            f"\nkills {kills[0]} ({kills[1]} while sending), faults {happened} of {faults.total()} requests, filed {len(filed)}, states {dict(states)},"
        )
        print(f"duplicates {duplicates}, lost {len(lost)}, called failed {len(called_failed)}, {seconds:.0f} s")
        print(f"faults: {dict(sorted(faults.items()))}")
    assert {digest for _, digest, *_ in outbox} == {request.digest() for request in plan()}
    assert (len(outbox), duplicates, lost, wrong, called_failed) == (FORMS, 0, [], [], [])
    assert set(states) <= {"DONE", "HANDOFF"}
    assert kills[0] >= 100
    assert len(faults) == 13, "every kind of fault happened"
