"""The EIP server: its description is the contract in docs/, its errors are of one shape, and it keeps within bounds."""

import asyncio
import json
import os
import signal
import socket
import subprocess
import sys
from datetime import datetime
from pathlib import Path
from typing import Any

import httpx
import pytest

from model.company import Employee
from model.errors import EipDoubt, EipUnreachable
from model.form import LeaveRequest
from model.settings import EipSettings
from module.eip import guard
from module.eip.outbox import Outbox
from module.eip.port import Receipt
from module.eip.remote import remote
from module.eip.serve import contract_text
from module.eip.server import create
from tests.eip_office import IRENE, Office

ROOT = Path(__file__).parents[1]
KEY = "a-key-only-for-tests"
REQUEST = Office().request("2026-12-10 09:00", "2026-12-10 18:00")
BODY = REQUEST.as_dict() | {"reference": "r1"}
MINE = f"/v1/employees/{IRENE}"


def asking(eip: Any = None, key: str | None = KEY) -> httpx.AsyncClient:
    transport = httpx.ASGITransport(create(eip or Office().eip(), KEY), raise_app_exceptions=False)
    headers = {"X-API-Key": key} if key is not None else {}
    return httpx.AsyncClient(transport=transport, base_url="http://eip", headers=headers)


def test_the_contract_in_docs_is_what_the_server_says_of_itself() -> None:
    written = (ROOT / "docs" / "eip-openapi.json").read_text(encoding="utf-8")
    assert json.loads(written) == json.loads(contract_text()), "leavebot eip-server --contract > docs/eip-openapi.json"


def test_every_operation_documents_its_errors_and_needs_the_key() -> None:
    for path, methods in json.loads(contract_text())["paths"].items():
        for method, operation in methods.items():
            assert {"400", "401", "403", "409", "422", "429", "500", "503"} <= operation["responses"].keys(), path
            assert operation["security"], (path, method)


@pytest.mark.parametrize("key", [None, "", "a-key", KEY + " ", KEY.upper()])
async def test_without_the_key_nothing_is_told_nor_done(key: str | None) -> None:
    office = Office()
    eip = office.eip()
    async with asking(eip, key) as client:
        for answer in (
            await client.get(MINE),
            await client.get("/v1/employees/nobody"),
            await client.post("/v1/leaves", json=BODY, headers={"Idempotency-Key": "r1"}),
        ):
            assert (answer.status_code, answer.json()) == (401, {"message": "(WF) API 金鑰不正確"})
    assert await eip.find("r1") is None


MALFORMED: list[tuple[dict[str, object] | bytes, str]] = [
    (b"", "r1"),
    (b"{", "r1"),
    (b"[" * 60_000, "r1"),
    (b'{"account": "\xff"}', "r1"),
    (b'{"account": "\\ud800"}', "r1"),
    (BODY | {"reference": "r2"}, "r1"),
    (BODY, "r 1"),
    (BODY, ""),
    (BODY | {"more": 1}, "r1"),
    (BODY | {"minutes": "480"}, "r1"),
    (BODY | {"minutes": 10**30}, "r1"),
    (BODY | {"minutes": -1}, "r1"),
    (BODY | {"start": "2026-12-10T09:00:00+08:00"}, "r1"),
    (BODY | {"start": "2026-02-30T09:00"}, "r1"),
    (BODY | {"start": "0001-01-01T00:00"}, "r1"),
    (BODY | {"end": "2099-12-31T00:00"}, "r1"),
    (BODY | {"memo": "假" * 2001}, "r1"),
    (BODY | {"event_date": "someday"}, "r1"),
    (BODY | {"attachments": ["a"] * 21}, "r1"),
    ({key: value for key, value in BODY.items() if key != "agent_id"}, "r1"),
]


@pytest.mark.parametrize(("body", "key"), MALFORMED)
async def test_what_is_not_of_the_contract_is_400_and_files_nothing(body: dict[str, object] | bytes, key: str) -> None:
    eip = Office().eip()
    async with asking(eip) as client:
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        headers = {"Idempotency-Key": key, "content-type": "application/json"}
        answer = await client.post("/v1/leaves", content=content, headers=headers)
    assert answer.status_code == 400, answer.text
    assert list(answer.json()) == ["message"]
    assert await eip.find("r1") is None
    assert len(await eip.leaves(IRENE, datetime(2026, 1, 1), datetime(2027, 1, 1))) == 1


async def test_refusals_have_the_status_of_their_kind() -> None:
    filed = {"Idempotency-Key": "r1"}
    async with asking() as client:
        assert (await client.post("/v1/leaves", json=BODY, headers=filed)).status_code == 200
        twin = BODY | {"reference": "r2"}
        answers = [
            await client.post("/v1/leaves", json=twin, headers={"Idempotency-Key": "r2"}),
            await client.post("/v1/leaves", json=BODY | {"memo": "別的"}, headers=filed),
            await client.post("/v1/leaves", json=twin | {"category": "好假"}, headers={"Idempotency-Key": "r2"}),
            await client.post("/v1/leaves/WF1/cancel", json={"account": IRENE}),
            await client.get("/v1/employees/nobody"),
            await client.get(f"{MINE}/leaves", params={"start": "2026-12-11T00:00", "end": "2026-12-10T00:00"}),
            await client.get(f"{MINE}/leaves", params={"start": "2026-12-11", "end": "x"}),
            await client.get("/v1/calendar/1"),
            await client.get("/v1/calendar/99999999999999999999"),
            await client.get("/v1/nowhere"),
        ]
    assert [answer.status_code for answer in answers] == [409, 409, 422, 404, 404, 400, 400, 400, 400, 404]
    assert "message" not in answers[-1].json()


class Broken:
    """An EIP whose parts fail, each in its own way."""

    def __init__(self) -> None:
        self.gate = asyncio.Event()

    async def employee(self, account: str) -> Employee:
        raise EipUnreachable("database is locked: /secret/path")

    async def submit(self, request: LeaveRequest, key: str) -> Receipt:
        raise EipDoubt("disk full: /secret/path")

    async def find(self, key: str) -> Receipt | None:
        if key == "wait":
            await self.gate.wait()
            return None
        raise RuntimeError("/secret/path")


async def test_faults_of_the_server_tell_nothing_of_its_inside() -> None:
    async with asking(Broken()) as client:
        answers = [
            await client.get(MINE),
            await client.post("/v1/leaves", json=BODY, headers={"Idempotency-Key": "r1"}),
            await client.get("/v1/leaves/by-reference/r1"),
        ]
    assert [answer.status_code for answer in answers] == [503, 503, 500]
    assert not any("secret" in answer.text for answer in answers)


async def test_too_large_is_413_declared_or_not() -> None:
    async def drip() -> Any:
        for _ in range(200):
            yield b" " * 1024

    async with asking() as client:
        headers = {"Idempotency-Key": "r1"}
        assert (await client.post("/v1/leaves", content=b" " * 70_000, headers=headers)).status_code == 413
        assert (await client.post("/v1/leaves", content=drip(), headers=headers)).status_code == 413


async def test_too_many_at_once_are_429_and_then_it_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guard, "AT_ONCE", 3)
    eip = Broken()
    async with asking(eip) as client:
        waiting = [asyncio.create_task(client.get("/v1/leaves/by-reference/wait")) for _ in range(3)]
        while True:
            refused = await client.get(MINE)
            if refused.status_code == 429:
                break
            await asyncio.sleep(0)
        assert refused.headers["retry-after"] == "1"
        eip.gate.set()
        assert {answer.status_code for answer in await asyncio.gather(*waiting)} == {200}
        assert (await client.get(MINE)).status_code == 503


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "config.ini").write_text("[llm]\nprovider = none\n", encoding="utf-8")
    return tmp_path


def leavebot(folder: Path, *words: str, **variables: str) -> subprocess.CompletedProcess[str]:
    code = "import sys; from module.cli import main; main()"
    environ = {key: value for key, value in os.environ.items() if not key.startswith("LEAVEBOT_")} | variables
    return subprocess.run(
        [sys.executable, "-c", code, *words],
        cwd=folder,
        env=environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_server_does_not_start_without_a_real_key(folder: Path) -> None:
    for variables in ({}, {"LEAVEBOT_EIP_API_KEY": "short"}):
        done = leavebot(folder, "eip-server", "--port", "17861", **variables)
        assert done.returncode == 2
        assert "LEAVEBOT_EIP_API_KEY" in done.stderr
        assert "Traceback" not in done.stderr


async def test_the_command_serves_the_contract_until_it_is_told_to_stop(folder: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    code = "from module.cli import main; main()"
    environ = {"PYTHONPATH": str(ROOT), "PATH": os.environ["PATH"], "LEAVEBOT_EIP_API_KEY": KEY}
    words = (sys.executable, "-c", code, "eip-server", "--port", str(port))
    server = await asyncio.create_subprocess_exec(*words, cwd=folder, env=environ)
    chosen = EipSettings(provider="http", base_url=f"http://127.0.0.1:{port}/", api_key=KEY)
    eip = remote(chosen)
    assert eip is not None
    try:
        for _ in range(300):
            try:
                person = await eip.employee(IRENE)
                break
            except EipUnreachable:
                await asyncio.sleep(0.1)
        assert person.name == "陳怡君"
        assert (await eip.calendar(2026)).day_minutes == 480
    finally:
        server.terminate()
    assert await asyncio.wait_for(server.wait(), 20) in (0, -signal.SIGTERM)
    with pytest.raises(EipUnreachable):
        await eip.employee(IRENE)


async def test_somebody_can_approve_and_the_audit_can_be_read(folder: Path) -> None:
    assert leavebot(folder, "audit").returncode == 2
    first = leavebot(folder, "eip", "approve", "WF1")
    assert (first.returncode, "查無此單號" in first.stderr) == (1, True)
    office = Office()
    outbox = Outbox.open(folder / "data" / "outbox.db", office.clock)
    token = await outbox.mint(IRENE, "chat", REQUEST)
    filing = await outbox.confirm(IRENE, "chat", token, office.eip(folder / "data" / "eip.db"))
    outbox.close()
    assert filing.receipt is not None
    done = leavebot(folder, "eip", "approve", filing.receipt.wf_no)
    assert done.stdout.startswith(f"{filing.receipt.wf_no} 已核准")
    trail = leavebot(folder, "audit").stdout
    assert "2026-11-30 10:00:00\tirene.chen\tconfirm\t" in trail
    assert f"DONE {filing.receipt.wf_no}" in trail
    assert "休假" not in trail
