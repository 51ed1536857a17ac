"""The page of HR: what is for a person, to read, answer and close. For everybody else it does not exist (404)."""

from collections.abc import Awaitable, Callable
from datetime import datetime
from html import escape
from pathlib import Path

from fastapi import APIRouter, Request
from starlette.responses import FileResponse, HTMLResponse, PlainTextResponse, RedirectResponse, Response

from model.case import MOVES, Case, Desk, OpenQuestion
from model.errors import IllegalMove, NoSuchCase
from model.settings import Page
from module.web.brand import brand
from module.web.gate import Gate
from module.web.port import Bot
from module.web.sessions import Sessions
from module.words import Words, load

HERE = Path(__file__).parent
NOT_HERE = PlainTextResponse("沒有這個網址", 404)
LONGEST = 4_000
_PAGE = """<!doctype html>
<html lang="zh-Hant-TW"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark"><title>{count}{title}</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml"><link rel="stylesheet" href="/hr.css">{brand}</head>
<body><header><h1>{title}</h1><span class="count">{new}</span><a href="{up}">{back}</a></header><main>{body}</main></body></html>"""


def hr(bot: Bot, page: Page, gate: Gate, sessions: Sessions) -> APIRouter:
    """/hr, /hr/NUMBER with its two buttons, /hr/questions/ID/drop and the style sheet."""
    router, words = APIRouter(), load()

    async def only_hr(request: Request, answer: Callable[[str], Awaitable[Response]]) -> Response:
        account = sessions.account(request.cookies.get(gate.cookie, ""))
        if account is None or not bot.is_hr(account):
            return NOT_HERE
        try:
            return await answer(account)
        except NoSuchCase:
            return NOT_HERE

    async def shown(body: str, up: str, back: str, status: int = 200) -> Response:
        waiting = await bot.cases.waiting()
        new = escape(words.say("desk", "new", count=waiting))
        title, count = escape(words.say("desk", "title")), f"({waiting}) " if waiting else ""
        return HTMLResponse(_PAGE.format(title=title, count=count, new=new, up=up, back=escape(back), body=body, brand=brand(page)), status)

    async def one(number: str, problem: str = "", typed: str = "", status: int = 200) -> Response:
        case, steps = await bot.cases.case(number), await bot.cases.steps(number)
        body = _case(case, steps, _names(bot), words, problem, typed)
        return await shown(body, "/hr", words.say("desk", "to_list"), status)

    @router.get("/hr")
    async def everything(request: Request) -> Response:
        async def listed(_: str) -> Response:
            return await shown(_desk(await bot.cases.desk(), _names(bot), words), "/", words.say("desk", "back"))

        return await only_hr(request, listed)

    @router.get("/hr/{number}")
    async def single(number: str, request: Request) -> Response:
        return await only_hr(request, lambda _: one(number))

    @router.post("/hr/{number}/answer")
    async def answer(number: str, request: Request) -> Response:
        async def given(account: str) -> Response:
            text = str((await request.form(max_files=0, max_fields=3)).get("text", ""))[:LONGEST]
            if not text.strip():
                return await one(number, words.say("desk", "empty_answer"), status=422)
            try:
                await bot.cases.answer(number, text, account)
            except IllegalMove:
                return await one(number, words.say("desk", "not_now"), text, 409)
            return RedirectResponse(f"/hr/{number}", 303)

        return await only_hr(request, given)

    @router.post("/hr/{number}/close")
    async def close(number: str, request: Request) -> Response:
        async def done(account: str) -> Response:
            try:
                await bot.cases.close(number, account)
            except IllegalMove:
                return await one(number, words.say("desk", "not_now"), status=409)
            return RedirectResponse("/hr", 303)

        return await only_hr(request, done)

    @router.post("/hr/questions/{question}/drop")
    async def drop(question: int, request: Request) -> Response:
        async def dropped(_: str) -> Response:
            await bot.cases.drop(question)
            return RedirectResponse("/hr#questions", 303)

        return await only_hr(request, dropped)

    @router.get("/hr.css")
    async def style() -> Response:
        return FileResponse(HERE / "hr.css", media_type="text/css")

    return router


def _names(bot: Bot) -> dict[str, str]:
    return {account: name for account, name, *_ in bot.accounts()}


# ---- HTML, every value escaped


def _desk(desk: Desk, names: dict[str, str], words: Words) -> str:
    cases = "".join(_row(case, names, words) for case in sorted(desk.cases, key=lambda case: case.state != "handed_off"))
    questions = "".join(_question(question, words) for question in desk.questions)
    nothing, none = (f'<p class="none">{escape(words.say("desk", key))}</p>' for key in ("nothing", "no_questions"))
    return (
        f'<ul class="cases">{cases}</ul>{"" if cases else nothing}'
        f'<section id="questions"><h2>{escape(words.say("desk", "questions"))}</h2>'
        f'<p class="hint">{escape(words.say("desk", "questions_hint"))}</p><ul>{questions}</ul>{"" if questions else none}</section>'
    )


def _row(case: Case, names: dict[str, str], words: Words) -> str:
    return (
        f'<li class="{case.state}"><a href="/hr/{escape(case.number)}"><span class="top"><b>{escape(case.number)}</b>{_marks(case, words)}</span>'
        f'<span class="said">{escape(case.request)}</span>'
        f"<small>{escape(names.get(case.account, case.account))} · {case.created:%m/%d %H:%M}</small></a></li>"
    )


def _marks(case: Case, words: Words) -> str:
    kind, state = escape(words.say("desk_kind", case.kind)), escape(words.say("desk_state", case.state))
    return f'<span class="mark kind-{case.kind}">{kind}</span><span class="mark state-{case.state}">{state}</span>'


def _question(question: OpenQuestion, words: Words) -> str:
    drop = escape(words.say("desk", "drop"))
    return (
        f'<li><span class="said">{escape(question.text)}</span><small>{question.asked:%m/%d %H:%M}</small>'
        f'<form method="post" action="/hr/questions/{question.id}/drop">'
        f'<button aria-label="{drop}：{escape(question.text[:40])}">{drop}</button></form></li>'
    )


def _case(
    case: Case, steps: tuple[tuple[datetime, str, str], ...], names: dict[str, str], words: Words, problem: str, typed: str
) -> str:
    parts = [
        f'<h2>{escape(case.number)} {_marks(case, words)}</h2><dl><dt>{escape(words.say("desk", "person"))}</dt>'
        f"<dd>{escape(names.get(case.account, ''))} <small>{escape(case.account)}</small></dd>"
        f'<dt>{escape(words.say("desk", "created"))}</dt><dd>{case.created:%Y-%m-%d %H:%M}</dd></dl>',
        f'<p class="error" role="alert">{escape(problem)}</p>' if problem else "",
        _said("request", case.request, words),
        _said("excerpt", case.excerpt, words) if case.excerpt else f'<p class="none">{escape(words.say("desk", "no_excerpt"))}</p>',
        _said("answer", case.answer, words) if case.answer else "",
        _answering(case, words, typed) if "answered" in MOVES[case.state] else "",
        _closing(case, words) if "closed" in MOVES[case.state] else "",
        _steps(steps, names, words),
    ]
    return f'<article>{"".join(parts)}</article>'


def _said(name: str, text: str, words: Words) -> str:
    return f'<section class="{name}"><h3>{escape(words.say("desk", name))}</h3><div class="text">{escape(text)}</div></section>'


def _answering(case: Case, words: Words, typed: str) -> str:
    label, hint, send = (escape(words.say("desk", key)) for key in ("answer", "answer_hint", "send"))
    return (
        f'<form method="post" action="/hr/{escape(case.number)}/answer"><label for="text">{label}</label><small id="hint">{hint}</small>'
        f'<textarea id="text" name="text" rows="5" maxlength="{LONGEST}" required aria-describedby="hint">\n{escape(typed)}</textarea>'
        f'<button class="primary">{send}</button></form>'
    )


def _closing(case: Case, words: Words) -> str:
    return f'<form method="post" action="/hr/{escape(case.number)}/close"><button>{escape(words.say("desk", "close"))}</button></form>'


def _steps(steps: tuple[tuple[datetime, str, str], ...], names: dict[str, str], words: Words) -> str:
    def who(account: str) -> str:
        return words.say("desk", account) if account in ("assistant", "console") else names.get(account, account)

    lines = "".join(
        f"<li><time>{at:%m/%d %H:%M}</time> {escape(words.say('desk_state', state))} <small>{escape(who(account))}</small></li>"
        for at, account, state in steps
    )
    return f'<details><summary>{escape(words.say("desk", "steps"))}</summary><ol>{lines}</ol></details>'
