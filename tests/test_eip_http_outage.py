"""The EIP is away for two hours while thirty people confirm; then it comes back."""

import socket
from pathlib import Path

from module.eip.http import HttpEip
from module.eip.outbox import Outbox
from module.eip.server import create
from tests.eip_office import Office
from tests.eip_served import served
from tests.slow.kill_company import KEY, PEOPLE, START, company, plan


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


async def test_what_was_confirmed_while_the_eip_was_away_is_filed_once_and_in_order(tmp_path: Path) -> None:
    office, port = Office(now=START, company=company()), free_port()
    eip = HttpEip(f"http://127.0.0.1:{port}", KEY)
    outbox = Outbox.open(tmp_path / "outbox.db", office.clock)
    tokens = []
    for request in plan()[: 2 * PEOPLE]:
        office.later(minutes=2)
        tokens.append(await outbox.mint(request.account, f"chat of {request.account}", request))
        filing = await outbox.confirm(request.account, f"chat of {request.account}", tokens[-1], eip)
        assert filing.state == "pending"
    assert len(await outbox.reconcile(eip)) == 1, "one probe tells that it is still away"
    outbox.close()

    office.later(minutes=10)
    outbox = Outbox.open(tmp_path / "outbox.db", office.clock)
    with served(create(office.eip(tmp_path / "eip.db"), KEY), port):
        told = await outbox.reconcile(eip)
        assert [filing.token for filing in told] == tokens
        assert {filing.state for filing in told} == {"done"}
        for request in plan()[:PEOPLE]:
            filed = await eip.leaves(request.account, request.start, request.end.replace(month=12, day=31))
            numbers = [leave.wf_no for leave in filed]
            assert len(numbers) == 2 and numbers == sorted(numbers)
        assert await outbox.reconcile(eip) == []
    outbox.close()
