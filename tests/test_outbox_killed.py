"""kill -9 at every point of a confirmation: after the next start the leave stands exactly once."""

import signal
import subprocess
import sys
from datetime import datetime
from pathlib import Path

import pytest

from module.eip.outbox import Outbox
from tests.eip_office import IRENE, Office

ROOT = Path(__file__).parents[1]
VICTIM = """
import asyncio, os, signal, sys
from pathlib import Path
from module.eip.faults import FaultyEip
from module.eip.outbox import Outbox
from tests.eip_office import IRENE, Office

folder, point = Path(sys.argv[1]), sys.argv[2]
office = Office()

def die(*_):
    os.kill(os.getpid(), signal.SIGKILL)

class Deadly(FaultyEip):
    async def submit(self, request, key):
        if point == "before_submit":
            die()
        receipt = await self.eip.submit(request, key)
        die() if point == "after_submit" else None
        return receipt

async def main():
    outbox = Outbox.open(folder / "outbox.sqlite", office.clock)
    token = await outbox.mint(IRENE, "chat", office.request("2026-12-10 09:00", "2026-12-10 18:00"))
    (folder / "token").write_text(token)
    if point == "in_confirmation":
        outbox._claim = die
    await outbox.confirm(IRENE, "chat", token, Deadly(office.eip(folder / "eip.sqlite")))

asyncio.run(main())
"""


def confirm_and_die(folder: Path, point: str) -> None:
    died = subprocess.run([sys.executable, "-c", VICTIM, str(folder), point], cwd=ROOT, check=False)
    assert died.returncode == -signal.SIGKILL


@pytest.mark.parametrize("point", ["in_confirmation", "before_submit", "after_submit"])
async def test_a_killed_confirmation_files_one_leave_after_the_restart(tmp_path: Path, point: str) -> None:
    confirm_and_die(tmp_path, point)
    office = Office()
    office.later(seconds=61)
    token = (tmp_path / "token").read_text()
    outbox, eip = Outbox.open(tmp_path / "outbox.sqlite", office.clock), office.eip(tmp_path / "eip.sqlite")
    settled = await outbox.reconcile(eip)
    assert [filing.state for filing in settled] == ([] if point == "in_confirmation" else ["done"])
    again = await outbox.confirm(IRENE, "chat", token, eip)
    assert again.state == ("done" if point == "in_confirmation" else "used")
    leaves = await eip.leaves(IRENE, datetime(2026, 12, 10), datetime(2026, 12, 11))
    assert [leave.wf_no for leave in leaves] == [again.receipt.wf_no if again.receipt else ""]
    outbox.close()
    eip.close()
