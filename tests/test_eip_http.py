"""What the HTTP client concludes from answers of every kind: refused, certainly not sent, or nobody knows."""

import gzip
import json
import socket
from datetime import datetime
from typing import Any

import pytest

from model.errors import ConfigError, EipDoubt, EipError, EipRefused, EipUnreachable
from model.settings import EipSettings, Settings
from module.eip.classic import ClassicEip
from module.eip.http import HttpEip
from module.eip.outbox import Outbox
from module.eip.remote import remote
from tests.eip_answers import Answers, answer, answering
from tests.eip_office import IRENE, Office

GOOD = {"reference": "key", "wf_no": "WF20261130001", "minutes": 480}
HTML = "<html><body>請先登入</body></html>".encode()
REQUEST = Office().request("2026-12-10 09:00", "2026-12-10 18:00", memo="看醫生")
NO = {"message": "(WF) 同時段同日期"}


def client(answers: Answers, timeout_s: float = 5.0) -> HttpEip:
    return HttpEip(answers.url, "the-key", timeout_s)


async def test_a_submission_carries_key_reference_and_nothing_else_of_ours() -> None:
    async with answering(answer(200, GOOD)) as answers:
        receipt = await client(answers).submit(REQUEST, "key")
    assert (receipt.wf_no, receipt.minutes) == ("WF20261130001", 480)
    (asked,) = answers.asked
    assert asked.line == "POST /v1/leaves HTTP/1.1"
    assert (asked.headers["idempotency-key"], asked.headers["x-api-key"]) == ("key", "the-key")
    assert json.loads(asked.body) == REQUEST.as_dict() | {"reference": "key"}


SENSELESS: dict[str, bytes | None] = {
    "closed without a word": None,
    "cut in the middle": answer(200, GOOD)[:-5],
    "no HTTP": b"hello\r\n\r\n",
    "HTML with 200": answer(200, HTML),
    "empty": answer(200),
    "empty object": answer(200, {}),
    "a list": answer(200, [GOOD]),
    "null": answer(200, None),
    "status as text": answer(200, {"status": "true"}),
    "minutes as text": answer(200, GOOD | {"minutes": "480"}),
    "minutes not a number": answer(200, b'{"reference":"key","wf_no":"WF1","minutes":NaN}'),
    "too much": answer(200, GOOD | {"more": 1}),
    "too little": answer(200, {"wf_no": "WF1"}),
    "no number": answer(200, GOOD | {"wf_no": ""}),
    "another reference": answer(200, GOOD | {"reference": "other"}),
    "wrong charset": answer(200, json.dumps(GOOD).encode("utf-16")),
    "packed": answer(200, gzip.compress(json.dumps(GOOD).encode()), "content-encoding: gzip"),
    "2 MB": answer(200, GOOD | {"wf_no": "W" * 2_000_000}),
    "a hundred thousand brackets": answer(200, b"[" * 100_000),
    "redirect to a login": answer(302, HTML, "location: /v1/login"),
    "created": answer(201, GOOD),
    "unknown route": answer(404, {"detail": "Not Found"}),
    "refused in HTML": answer(422, HTML),
    "too many": answer(429, NO, "retry-after: 1"),
    "server error": answer(500, NO),
    "bad gateway": answer(502, HTML),
    "unavailable": answer(503, NO),
}


@pytest.mark.parametrize("what", sorted(SENSELESS))
async def test_a_senseless_answer_to_a_submission_is_doubt_and_is_sent_once(what: str) -> None:
    async with answering(SENSELESS[what]) as answers:
        with pytest.raises(EipDoubt):
            await client(answers).submit(REQUEST, "key")
    assert [asked.line for asked in answers.asked] == ["POST /v1/leaves HTTP/1.1"]


async def test_an_answer_that_does_not_come_is_doubt_within_the_time() -> None:
    async with answering() as answers:
        answers.wait = True
        with pytest.raises(EipDoubt):
            await client(answers, 0.2).submit(REQUEST, "key")
        with pytest.raises(EipDoubt):
            await client(answers, 0.2).employee(IRENE)


@pytest.mark.parametrize("status", [400, 404, 409, 413, 422])
async def test_a_refusal_keeps_the_words_of_the_eip(status: int) -> None:
    async with answering(answer(status, NO)) as answers:
        with pytest.raises(EipRefused) as no:
            await client(answers).submit(REQUEST, "key")
    assert no.value.text == "(WF) 同時段同日期"


@pytest.mark.parametrize("status", [401, 403])
async def test_an_expired_key_means_nothing_was_sent_and_is_logged_once(
    status: int, logged: list[dict[str, Any]]
) -> None:
    async with answering(answer(status, NO)) as answers:
        eip = client(answers)
        for _ in range(3):
            with pytest.raises(EipUnreachable):
                await eip.submit(REQUEST, "key")
        answers.reply = answer(200, GOOD)
        await eip.submit(REQUEST, "key")
    assert [entry["event"] for entry in logged] == ["eip_key_denied", "eip_key_accepted"]
    assert "the-key" not in str(logged)
    logged.clear()


async def test_a_refused_connection_and_an_unknown_name_mean_nothing_was_sent() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        closed = f"http://127.0.0.1:{free.getsockname()[1]}"
    for url in (closed, "http://eip.invalid", "http://127.0.0.1:1"):
        with pytest.raises(EipUnreachable):
            await HttpEip(url, "key", 4.0).submit(REQUEST, "key")


async def test_reading_is_tried_twice_and_no_more() -> None:
    async with answering(answer(503, NO)) as answers:
        with pytest.raises(EipDoubt):
            await client(answers).find("key")
        assert len(answers.asked) == 2
        with pytest.raises(EipDoubt):
            await client(answers).cancel("WF1", IRENE)
        assert len(answers.asked) == 3


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"reference": "key", "found": False},
        {"reference": "key", "found": True, "receipt": None},
        {"reference": "key", "found": False, "receipt": GOOD},
        {"reference": "other", "found": False, "receipt": None},
        {"reference": "key", "found": True, "receipt": GOOD | {"reference": "other"}},
    ],
)
async def test_only_a_plain_no_means_that_there_is_no_leave(body: object) -> None:
    async with answering(answer(200, body)) as answers:
        with pytest.raises(EipDoubt):
            await client(answers).find("key")
        answers.reply = answer(404, {"message": "(WF) 查無"})
        with pytest.raises(EipError):
            await client(answers).find("key")
        answers.reply = answer(200, {"reference": "key", "found": False, "receipt": None})
        assert await client(answers).find("key") is None


async def test_cancelling_believes_only_that_very_leave() -> None:
    leave = {"wf_no": "WF1", "category": "特休假", "start": "2026-12-10T09:00", "end": "2026-12-10T18:00"}
    leave |= {"agent": "王小明", "memo": "", "status": "cancelled", "minutes": 480}
    async with answering(answer(200, leave)) as answers:
        assert (await client(answers).cancel("WF1", IRENE)).start == datetime(2026, 12, 10, 9)
        for wrong in ({"wf_no": "WF2"}, {"status": "submitted"}, {"start": "2026-12-10T09:00Z"}, {"end": 0}):
            answers.reply = answer(200, leave | wrong)
            with pytest.raises(EipDoubt):
                await client(answers).cancel("WF1", IRENE)


async def test_an_account_cannot_leave_its_place_in_the_path() -> None:
    async with answering(answer(422, NO)) as answers:
        with pytest.raises(EipRefused):
            await client(answers).employee("../../admin?x=1#y")
    assert answers.asked[0].line == "GET /v1/employees/..%2F..%2Fadmin%3Fx%3D1%23y HTTP/1.1"


async def test_the_outbox_keeps_what_an_expired_key_held_up_and_sends_it_later(logged: list[dict[str, Any]]) -> None:
    office = Office()
    outbox = Outbox.open(None, office.clock)
    token = await outbox.mint(IRENE, "chat", REQUEST)
    async with answering(answer(401, NO)) as answers:
        eip = client(answers)
        assert (await outbox.confirm(IRENE, "chat", token, eip)).state == "pending"
        office.later(minutes=1)
        answers.reply = answer(200, GOOD | {"reference": token})
        (filing,) = await outbox.reconcile(eip)
    assert filing.state == "done"
    assert not any("by-reference" in asked.line for asked in answers.asked)
    logged.clear()


async def test_the_outbox_never_takes_a_senseless_answer_for_success_nor_for_failure() -> None:
    office = Office()
    outbox = Outbox.open(None, office.clock)
    token = await outbox.mint(IRENE, "chat", REQUEST)
    async with answering(answer(200, HTML)) as answers:
        eip = client(answers)
        assert (await outbox.confirm(IRENE, "chat", token, eip)).state == "pending"
        for _ in range(12):
            office.later(minutes=6)
            await outbox.reconcile(eip)
        status = await outbox.status(token)
        assert status is not None and status.state == "handoff"
        assert [asked.line for asked in answers.asked if asked.line.startswith("POST")] == ["POST /v1/leaves HTTP/1.1"]


def test_the_key_comes_from_the_environment_only_and_is_shown_nowhere() -> None:
    with pytest.raises(ConfigError, match="LEAVEBOT_EIP_API_KEY"):
        Settings.from_mapping({"eip": {"api_key": "secret-of-the-eip"}}, {})
    settings = Settings.from_mapping({"eip": {"provider": "http"}}, {"LEAVEBOT_EIP_API_KEY": "secret-of-the-eip"})
    assert "secret-of-the-eip" not in repr(settings)


def test_the_settings_choose_the_adapter() -> None:
    assert remote(EipSettings()) is None
    with pytest.raises(ConfigError, match="LEAVEBOT_EIP_API_KEY"):
        remote(EipSettings(provider="http"))
    assert isinstance(remote(EipSettings(provider="http", api_key="k")), HttpEip)
    classic = EipSettings(provider="http", api_key="k", filing_url="http://127.0.0.1:1/file")
    assert isinstance(remote(classic), ClassicEip)


async def test_an_employees_leaves_are_sent_in_the_order_of_confirmation() -> None:
    office = Office()
    outbox = Outbox.open(None, office.clock)
    later = office.request("2026-12-11 09:00", "2026-12-11 18:00")
    other = office.request("2026-12-10 09:00", "2026-12-10 18:00", agent="黃淑芬", account="kevin.chang")
    tokens = []
    async with answering(answer(503, NO)) as answers:
        for account, request in ((IRENE, REQUEST), (IRENE, later), ("kevin.chang", other)):
            office.later(seconds=1)
            tokens.append(await outbox.mint(account, f"chat {request.start} {account}", request))
            filing = await outbox.confirm(account, f"chat {request.start} {account}", tokens[-1], client(answers))
            assert filing.state == "pending"
    sent = [asked.headers["idempotency-key"] for asked in answers.asked]
    assert sent == [tokens[0], tokens[2]]
    eip = office.eip()
    office.later(minutes=10)
    done = await outbox.reconcile(eip)
    assert [filing.token for filing in done] == tokens
    assert {filing.state for filing in done} == {"done"}
