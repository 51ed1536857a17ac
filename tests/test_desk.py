"""Matters for HR: a number at once, nothing passed on unasked, states by code alone, and the answer in the chat."""

import asyncio
from datetime import datetime
from itertools import product
from pathlib import Path

import pytest
from typer.testing import CliRunner

from model.case import MOVES, STATES, Case, CaseState, moved
from model.errors import IllegalMove, NoSuchCase
from model.intake import Fact, Report, Task
from model.outcome import Outcome
from module import cli
from module.database.stores import open_stores
from module.desk.acceptance import accepted, ids_in
from module.desk.cases import Cases
from module.llm.fake import FakeLLM
from tests.eip_office import IRENE
from tests.leave_chat import Chat, chatting, company_with

NOW = datetime(2026, 11, 30, 10, 0)
SECRET = "主管一直摸我肩膀很不舒服"


@pytest.fixture
def cases(tmp_path: Path) -> Cases:
    return Cases(open_stores(tmp_path / "outbox.db").safe, lambda: NOW)


async def only(chat: Chat) -> Case:
    (case,) = (await chat.bot.cases.desk()).cases
    return case


# ---- states


@pytest.mark.parametrize(("state", "to"), list(product(STATES, STATES)))
def test_only_the_listed_moves_are_made(state: CaseState, to: CaseState) -> None:
    if to in MOVES[state]:
        assert moved(state, to) == to
    else:
        with pytest.raises(IllegalMove):
            moved(state, to)


async def test_a_case_runs_through_its_states_and_every_step_is_kept(cases: Cases) -> None:
    case = await cases.open("a", "pay", "薪水少了")
    assert (case.number, case.state) == ("HR20261130001", "handed_off")
    await cases.answer(case.number, "已補發", "hr")
    await cases.close(case.number, "hr")
    steps = [(who, state) for _, who, state in await cases.steps(case.number)]
    assert steps == [
        *(("assistant", state) for state in ("received", "triaged", "dispatched", "reported", "handed_off")),
        ("hr", "answered"), ("hr", "closed"),
    ]  # fmt: skip


async def test_a_refused_move_changes_nothing(cases: Cases) -> None:
    number = (await cases.open("a", "asked", "找人資")).number
    await cases.close(number, "hr")
    before = await cases.case(number)
    with pytest.raises(IllegalMove):
        await cases.answer(number, "晚了", "hr")
    assert await cases.case(number) == before


async def test_numbers_are_given_once_and_in_order(cases: Cases) -> None:
    assert [(await cases.open("a", "asked", "x")).number for _ in range(3)] == [f"HR2026113000{n}" for n in (1, 2, 3)]


async def test_nobody_adds_to_somebody_elses_case(cases: Cases) -> None:
    number = (await cases.open("a", "asked", "x")).number
    for who, which in (("b", number), ("a", "HR20261130999")):
        with pytest.raises(NoSuchCase):
            await cases.agree(who, which, "對話")
    assert (await cases.case(number)).excerpt is None


# ---- what a report is worth


TASK = Task(task_id="1-policy", worker="handbook", question="婚假幾天")


def told(**more: object) -> Report:
    return Report.model_validate({"task_id": "1-policy", "worker": "handbook", "status": "ok", "answer": "8 日"} | more)


def test_a_fact_without_source_is_dropped_and_an_answer_without_fact_is_none() -> None:
    good, bad = Fact(key="H16", value="8 日", source="H16"), Fact(key="x", value="9 日")
    assert accepted(told(facts=[good, bad]), TASK).facts == (good,)
    assert accepted(told(facts=[bad]), TASK).status == "not_found"


def test_a_report_for_another_task_is_an_error() -> None:
    fact = [Fact(key="H16", value="8 日", source="H16")]
    assert accepted(told(facts=fact, task_id="2-policy"), TASK).status == "error"


@pytest.mark.parametrize("claim", ["已為您送出假單", "假單已經取消", "送出成功"])
def test_no_specialist_may_claim_to_have_filed(claim: str) -> None:
    fact = [Fact(key="H16", value="8 日", source="H16")]
    assert accepted(told(facts=fact, answer=claim), TASK).answer == ""


def test_an_id_counts_only_where_it_stands_in_the_message() -> None:
    assert ids_in(["WF20261101001", "WF20261101009"], "幫我查 wf20261101001 的進度") == ("WF20261101001",)
    assert ids_in(["WF2026"], "WF20261101001") == ()


# ---- the conversation


async def test_a_case_holds_the_request_alone_until_the_employee_agrees(tmp_path: Path) -> None:
    async with chatting(company_with(), tmp_path) as chat:
        turn = await chat.say("我要申訴主管把我的假退掉")
        case = await only(chat)
        assert turn.outcome is Outcome.HAND_OFF
        assert case.number in turn.reply
        assert (case.kind, case.excerpt) == ("complaint", None)
        agreed = await chat.say("好")
        assert agreed.outcome is Outcome.HAND_OFF
        assert case.number in agreed.reply
        excerpt = (await only(chat)).excerpt
        assert excerpt is not None
        assert "我要申訴主管把我的假退掉" in excerpt


@pytest.mark.parametrize("no", ["不附", "不用了", "先不要附對話"])
async def test_declining_leaves_the_case_without_the_conversation(tmp_path: Path, no: str) -> None:
    async with chatting(company_with(), tmp_path) as chat:
        turn = await chat.say("12/30請特休", "上個月薪水算錯了，幫我轉人資", no)
        assert turn.outcome is Outcome.UNCLEAR_FIRST
        assert (await only(chat)).excerpt is None
        assert (await chat.say("送出")).outcome is Outcome.SUBMITTED


@pytest.mark.parametrize("words", [SECRET, "有同事常常故意碰我的腿", "客戶硬要抱我"])
async def test_harassment_shows_the_protected_channel_and_keeps_none_of_the_words(tmp_path: Path, words: str) -> None:
    async with chatting(company_with(), tmp_path, desk={"channel": "專線 5880"}) as chat:
        turn = await chat.say(words)
        case = await only(chat)
        assert "專線 5880" in turn.reply
        assert words[:4] not in repr(case)
        await chat.say("附上對話")
        assert words in str((await only(chat)).excerpt)


async def test_a_later_yes_means_what_stands_on_screen(tmp_path: Path) -> None:
    async with chatting(company_with(), tmp_path) as chat:
        await chat.say("我要找人資", "12/30請特休")
        turn = await chat.say("好")
        assert turn.outcome is Outcome.PREVIEW
        assert (await only(chat)).excerpt is None


async def test_asking_again_for_a_person_keeps_the_number(tmp_path: Path) -> None:
    async with chatting(company_with(), tmp_path) as chat:
        await chat.say("薪水少了三千，請人資處理", "找人資", "聯絡人資")
        assert (await only(chat)).kind == "pay"


@pytest.mark.parametrize("call", ["when_needed", "always"])
@pytest.mark.parametrize("words", [SECRET, f"{SECRET}，明天我要請特休", "你聽不懂人話，我要真人", f"特休可以遞延嗎？{SECRET}"])
async def test_no_model_sees_what_is_for_a_person(tmp_path: Path, words: str, call: str) -> None:
    model = FakeLLM()
    async with chatting(company_with(), tmp_path, model=model, llm={"call": call, "friendly": "yes"}) as chat:
        turn = await chat.say(words)
        assert Outcome.HAND_OFF in (turn.outcome, *turn.also)
        assert model.calls == []
        await chat.say("可以", "哇啦哇啦", "嘰哩咕嚕", "嗚嚕嗚嚕")
        assert all(words not in call.user and SECRET not in call.user for call in model.calls)


async def test_the_answer_of_hr_reaches_the_employee_once(tmp_path: Path) -> None:
    async with chatting(company_with(), tmp_path) as chat:
        await chat.say("薪水少了三千，請人資處理")
        case = await only(chat)
        await chat.bot.cases.answer(case.number, "<b>已補發</b>", "hr.tsai")
        view = await chat.bot.view(IRENE)
        again = await chat.bot.view(IRENE)
        said = [message.text for message in again.messages if "已補發" in message.text]
        assert said == [f"人資回覆案件 {case.number}：<b>已補發</b>"]
        assert len(view.messages) == len(again.messages)


async def test_the_answer_of_hr_comes_with_the_next_turn_even_after_a_reset(tmp_path: Path) -> None:
    async with chatting(company_with(), tmp_path) as chat:
        await chat.say("薪水少了三千，請人資處理")
        case = await only(chat)
        await chat.bot.reset(IRENE)
        await chat.bot.cases.answer(case.number, "已補發", "hr.tsai")
        turn = await chat.say("12/30請特休")
        assert turn.outcome is Outcome.PREVIEW
        assert "已補發" in turn.reply
        assert "已補發" not in (await chat.say("代理人改Tina")).reply


# ---- questions without an answer


async def test_a_question_is_kept_only_when_its_asker_agrees_and_without_a_name(tmp_path: Path) -> None:
    async with chatting(company_with(), tmp_path) as chat:
        turn = await chat.say("公司有補助托嬰費嗎")
        assert turn.options == ("聯絡人資", "留給人資")
        assert (await chat.bot.cases.desk()).questions == ()
        await chat.say("留給人資")
        (question,) = (await chat.bot.cases.desk()).questions
        assert "托嬰" in question.text
        assert IRENE not in repr(question)
        await chat.bot.cases.drop(question.id)
        assert (await chat.bot.cases.desk()).questions == ()


async def test_asking_hr_after_an_unknown_question_passes_the_question_on(tmp_path: Path) -> None:
    async with chatting(company_with(), tmp_path) as chat:
        await chat.say("公司有補助托嬰費嗎", "那幫我問人資")
        assert "托嬰" in (await only(chat)).request


async def test_what_is_too_short_to_look_up_is_said_differently_from_what_the_handbook_lacks(tmp_path: Path) -> None:
    async with chatting(company_with(), tmp_path) as chat:
        vague = await chat.say("可以請多少")
        lacking = await chat.say("可以帶毛小孩來上班嗎")
        assert lacking.outcome is vague.outcome is Outcome.POLICY_UNKNOWN
        assert vague.reply != lacking.reply


# ---- the command line


def test_the_command_line_lists_shows_answers_and_closes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LEAVEBOT_STORE_DATA_DIR", str(tmp_path))
    stores = open_stores(tmp_path / "outbox.db")
    number = asyncio.run(Cases(stores.safe, lambda: NOW).open(IRENE, "pay", "薪水\x1b[31m少了")).number
    stores.close()

    def run(*words: str) -> str:
        done = CliRunner().invoke(cli.app, ["desk", *words])
        assert done.exit_code == 0, done.output
        return done.stdout

    assert number in run("list")
    assert "\x1b" not in run("list")
    assert "已回覆" in run("answer", number, "已補發")
    assert "已補發" in run("show", number)
    assert "已結案" in run("close", number)
    assert number not in run("list")
    assert number in run("list", "--all")
    assert isinstance(CliRunner().invoke(cli.app, ["desk", "close", number]).exception, IllegalMove)
