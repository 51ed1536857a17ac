"""Routes for what stands beside the conversation. Each shows the login's own facts only, and only when it is opened."""

from collections.abc import Awaitable, Callable
from pathlib import Path

from fastapi import APIRouter, Request
from starlette.responses import FileResponse, HTMLResponse, PlainTextResponse, Response

from model.errors import EipError
from model.worktime import DAY, at
from module.understand.explain import explain
from module.web import panel
from module.web.card import digest
from module.web.edit_form import edit_form
from module.web.gate import Gate
from module.web.ics import ics
from module.web.port import Bot
from module.web.sessions import Sessions
from module.web.strip import shown, strip
from module.words import load

JS = Path(__file__).parent / "js"
NOT_HERE = PlainTextResponse("沒有這個網址", 404)


def beside(bot: Bot, gate: Gate, sessions: Sessions) -> APIRouter:
    """/drawn/…, /panel, /panel/handbook, /form, /leaves/….ics and the page's scripts. The shell has checked the login."""
    router, words = APIRouter(), load()

    async def own(request: Request, answer: Callable[[str], Awaitable[Response]]) -> Response:
        account = sessions.account(request.cookies.get(gate.cookie, ""))
        if account is None:
            return PlainTextResponse("", 401)
        try:
            return await answer(account)
        except EipError:
            return HTMLResponse(panel.trouble(words), 503)

    @router.get("/drawn/{name}")
    async def drawn(name: str, request: Request) -> Response:
        async def picture(account: str) -> Response:
            turn = (await bot.view(account)).turn
            if turn is None or turn.preview is None or digest(turn.preview) != name:
                return NOT_HERE
            leave = turn.preview.request
            first, last = shown(leave.start.date(), leave.end.date())
            overview = await bot.overview(account, at(first, 0), at(last + DAY, 0))
            return Response(strip(turn.preview, overview, words), media_type="image/svg+xml")

        return await own(request, picture)

    @router.get("/panel")
    async def side(request: Request) -> Response:
        async def whole(account: str) -> Response:
            view = await bot.view(account)
            overview = await bot.overview(account)
            said = next((one.text for one in reversed(view.messages) if one.role == "user"), "")
            rows = explain(await bot.meaning(account, said)) if said else []
            return HTMLResponse(panel.panel(overview, said, rows, words))

        return await own(request, whole)

    @router.get("/panel/handbook")
    async def handbook(request: Request) -> Response:
        asked = request.query_params.get("q", "")[:200]
        return HTMLResponse(panel.passages(bot.passages(asked) if asked.strip() else (), words))

    @router.get("/form")
    async def form(request: Request) -> Response:
        async def controls(account: str) -> Response:
            view = await bot.view(account)
            return HTMLResponse(edit_form(view.turn.form, view.employee, words)) if view.turn else NOT_HERE

        return await own(request, controls)

    @router.get("/leaves/{number}.ics")
    async def event(number: str, request: Request) -> Response:
        async def file(account: str) -> Response:
            overview = await bot.overview(account)
            leave = next((leave for leave in overview.leaves if leave.wf_no == number), None)
            if leave is None:
                return NOT_HERE
            named = {"Content-Disposition": f'attachment; filename="{number}.ics"'}
            return Response(ics(leave, overview.calendar, overview.now), media_type="text/calendar", headers=named)

        return await own(request, file)

    @router.get("/js/{name}.js")
    async def script(name: str) -> Response:
        file = JS / f"{name}.js"
        return FileResponse(file, media_type="text/javascript") if file.is_file() else NOT_HERE

    return router
