"""What files leaves without a page: confirms through the outbox, reconciles, and can be killed at any moment.

Started once, it imports everything and forks a child for every line "ALLOWED" on stdin: the child may confirm that many
of the planned leaves, says "up PID", and ends by itself only when all of them are settled. "gone STATUS" follows its end.
"""

import asyncio
import os
import sqlite3
import sys
import time
from datetime import datetime, timedelta
from pathlib import Path

import structlog

from module.eip.http import HttpEip
from module.eip.outbox import Outbox
from tests.slow.kill_company import KEY, START, plan

SPEED = 100  # a lease of a minute lasts 0.6 s, a pause of five seconds 50 ms
CLIENT_S = 0.8


def fast_clock(began: float) -> datetime:
    return START + timedelta(seconds=(time.time() - began) * SPEED)


def confirmed(folder: Path) -> set[str]:
    with sqlite3.connect(folder / "outbox.db", timeout=30) as file:
        digests = {row[0] for row in file.execute("SELECT digest FROM outbox")}
    file.close()
    return digests


async def work(folder: Path, url: str, began: float, allowed: int) -> None:
    outbox, eip = Outbox.open(folder / "outbox.db", lambda: fast_clock(began)), HttpEip(url, KEY, CLIENT_S)
    planned, known = plan(), confirmed(folder)
    todo = [request for request in planned[:allowed] if request.digest() not in known]
    while True:
        await outbox.reconcile(eip)
        for request in todo[:3]:
            token = await outbox.mint(request.account, f"chat of {request.account}", request)
            await outbox.confirm(request.account, f"chat of {request.account}", token, eip)
        todo = todo[3:]
        open_rows = sum([len(await outbox.pending(account)) for account in {r.account for r in planned}])
        if not todo and not open_rows and allowed >= len(planned):
            return
        await asyncio.sleep(0.01)


def main(folder: Path, url: str, began: float) -> None:
    structlog.configure(logger_factory=structlog.ReturnLoggerFactory())  # stdout is for the words above
    for line in sys.stdin:
        child = os.fork()
        if child == 0:
            asyncio.run(work(folder, url, began, int(line)))
            os._exit(0)
        print(f"up {child}", flush=True)
        print(f"gone {os.waitpid(child, 0)[1]}", flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], float(sys.argv[3]))
