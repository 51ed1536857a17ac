"""The call that many companies have already, spoken exactly, and its answers read strictly."""

import json
from dataclasses import replace

import pytest

from model.errors import EipDoubt, EipRefused
from module.eip.classic import ClassicEip
from module.eip.http import Wire
from module.eip.outbox import Outbox
from module.eip.port import Receipt
from tests.eip_answers import Answers, answer, answering
from tests.eip_office import IRENE, Office

OFFICE = Office()
REQUEST = OFFICE.request("2026-12-10 09:00", "2026-12-11 12:00", memo="回南部「看家人」")
REQUEST = replace(REQUEST, attachments=("診斷書.pdf",))


def filing(answers: Answers, office: Office = OFFICE) -> ClassicEip:
    return ClassicEip(office.eip(), Wire(answers.url + "/flow/leave", "key", 5.0))


async def test_the_call_is_spoken_exactly() -> None:
    async with answering(answer(200, {"status": True, "data": "WF20261130001,1.38,11"})) as answers:
        assert await filing(answers).submit(REQUEST, "token") == Receipt("WF20261130001", 660)
    (asked,) = answers.asked
    assert asked.line == "POST /flow/leave HTTP/1.1"
    assert asked.headers["content-type"] == "application/json"
    assert json.loads(asked.body) == {
        "inputAccount": "1024",
        "department_no": "D30",
        "agent_no": "1031",
        "memo": "回南部「看家人」",
        "category_id": "L01",
        "leave_at": "202612100900202612111200",
        "attach_path": "診斷書.pdf",
    }


@pytest.mark.parametrize(
    ("data", "minutes"), [("WF1,1,3", 660), ("WF1,1.38,11", 660), ("WF1,1.0,8.0", 480), ("WF1,0,0.5", 30)]
)
async def test_the_length_is_read_as_a_whole_or_as_days_and_hours(data: str, minutes: int) -> None:
    async with answering(answer(200, {"status": True, "data": data})) as answers:
        assert await filing(answers).submit(REQUEST, "token") == Receipt("WF1", minutes)


async def test_an_error_text_stays_as_it_came() -> None:
    text = "(WF) 同時段同日期 <b>已請</b>\n請洽人資"
    async with answering(answer(200, {"status": False, "data": {"error_msg": text}})) as answers:
        with pytest.raises(EipRefused) as no:
            await filing(answers).submit(REQUEST, "token")
    assert no.value.text == text


STRANGE: list[object] = [
    {},
    {"status": True},
    {"status": True, "data": None},
    {"status": True, "data": ""},
    {"status": True, "data": "WF1"},
    {"status": True, "data": "WF1,1"},
    {"status": True, "data": "WF1,1,8,x"},
    {"status": True, "data": "WF1,one,8"},
    {"status": True, "data": "WF１,1,8"},
    {"status": True, "data": ",1,8"},
    {"status": True, "data": "WF1,-1,8"},
    {"status": True, "data": "WF1,1,8\n"},
    {"status": True, "data": {"error_msg": "(WF) 不行"}},
    {"status": "true", "data": "WF1,1,8"},
    {"status": 1, "data": "WF1,1,8"},
    {"status": False, "data": "WF1,1,8"},
    {"status": False, "data": {}},
    {"status": False, "data": {"error_msg": ""}},
    {"status": False, "data": {"error_msg": None}},
    {"status": True, "data": "WF1,1,8", "more": 1},
    [{"status": True, "data": "WF1,1,8"}],
    b"<html>login</html>",
    b"",
]


@pytest.mark.parametrize("body", STRANGE, ids=str)
async def test_anything_else_is_doubt(body: object) -> None:
    async with answering(answer(200, body)) as answers:
        with pytest.raises(EipDoubt):
            await filing(answers).submit(REQUEST, "token")
    assert len(answers.asked) == 1


@pytest.mark.parametrize("status", [201, 302, 400, 404, 409, 422, 429, 500])
async def test_any_other_status_is_doubt_whatever_it_says(status: int) -> None:
    async with answering(answer(status, {"status": False, "data": {"error_msg": "(WF) 不行"}})) as answers:
        with pytest.raises(EipDoubt):
            await filing(answers).submit(REQUEST, "token")


async def test_after_a_lost_answer_the_leave_of_that_time_is_the_answer() -> None:
    office = Office()
    outbox = Outbox.open(None, office.clock)
    token = await outbox.mint(IRENE, "chat", REQUEST)
    async with answering(None) as answers:
        eip = filing(answers, office)
        assert (await outbox.confirm(IRENE, "chat", token, eip)).state == "pending"
        receipt = await eip.other.submit(REQUEST, "filed behind the lost answer")
        office.later(minutes=1)
        (told,) = await outbox.reconcile(eip)
    assert (told.state, told.receipt) == ("done", receipt)
    assert len(answers.asked) == 1


async def test_after_a_lost_answer_without_a_leave_a_person_has_to_look() -> None:
    office = Office()
    outbox = Outbox.open(None, office.clock)
    token = await outbox.mint(IRENE, "chat", REQUEST)
    async with answering(None) as answers:
        eip = filing(answers, office)
        await outbox.confirm(IRENE, "chat", token, eip)
        for _ in range(10):
            office.later(minutes=6)
            await outbox.reconcile(eip)
    status = await outbox.status(token)
    assert status is not None and status.state == "handoff"
    assert len(answers.asked) == 1
