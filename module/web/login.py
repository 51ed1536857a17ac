"""Logging in and out, and the health addresses: our own routes beside Gradio's."""

from html import escape
from pathlib import Path

from fastapi import APIRouter, Request
from starlette.responses import FileResponse, HTMLResponse, JSONResponse, RedirectResponse, Response

from model.settings import Settings
from module.web.auth import Login, Throttled
from module.web.brand import brand
from module.web.gate import Gate
from module.web.login_header import HeaderLogin
from module.web.port import Bot
from module.web.sessions import Sessions

HERE = Path(__file__).parent
WRONG = "登入失敗，請確認後再試一次。"
WAIT = "試了太多次，請十分鐘後再試。"
_PAGE = """<!doctype html>
<html lang="zh-Hant-TW"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<meta name="color-scheme" content="light dark"><title>登入 · {title}</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml"><link rel="stylesheet" href="/login.css">{brand}</head>
<body><main><header><img src="/logo" alt="" width="44" height="44"><h1>{title}</h1><p>{company}</p></header>
{error}{form}</main></body></html>"""


def routes(bot: Bot, settings: Settings, login: Login, gate: Gate, sessions: Sessions) -> APIRouter:
    """/login, /logout, /healthz, /readyz and the login page's two files."""
    router = APIRouter()

    def page(error: str = "", status: int = 200) -> HTMLResponse:
        shown = f'<p class="error" role="alert">{escape(error)}</p>' if error else ""
        title, company = escape(settings.page.title), escape(settings.page.company)
        return HTMLResponse(_PAGE.format(title=title, company=company, error=shown, form=login.form(error), brand=brand(settings.page)), status)

    @router.get("/login")
    async def show(request: Request) -> Response:
        known = sessions.account(request.cookies.get(gate.cookie, ""))
        if isinstance(login, HeaderLogin):
            named = login.named(request.scope)
            if named is None:
                return page(status=403)
            return RedirectResponse("/", 303) if known == named else opened(request, named)
        return RedirectResponse("/", 303) if known else page()

    @router.post("/login")
    async def enter(request: Request) -> Response:
        sent = {name: str(value) for name, value in (await request.form(max_files=0, max_fields=10)).items()}
        try:
            account = await login.account(sent, request.client.host if request.client else "")
        except Throttled:
            return page(WAIT, 429)
        if account is None:
            return page(WRONG, 401)
        return opened(request, account)

    def opened(request: Request, account: str) -> Response:
        sessions.close(request.cookies.get(gate.cookie, ""))
        answer = RedirectResponse("/", 303)
        answer.set_cookie(
            gate.cookie,
            sessions.open(account),
            max_age=int(settings.auth.session_hours * 3600),
            path="/",
            secure=gate.https,
            httponly=True,
            samesite="lax",
        )
        return answer

    @router.post("/logout")
    async def leave(request: Request) -> Response:
        sessions.close(request.cookies.get(gate.cookie, ""))
        answer = RedirectResponse("/login", 303)
        answer.delete_cookie(gate.cookie, path="/", secure=gate.https, httponly=True, samesite="lax")
        return answer

    @router.get("/healthz")
    async def alive() -> dict[str, bool]:
        return {"ok": True}

    @router.get("/readyz")
    async def ready() -> Response:
        health = await bot.health()
        return JSONResponse(health, 200 if health.get("ok", True) else 503)

    @router.get("/login.css")
    async def style() -> Response:
        return FileResponse(HERE / "login.css", media_type="text/css")

    @router.get("/logo")
    async def logo() -> Response:
        return FileResponse(settings.page.logo or HERE / "favicon.svg")

    @router.get("/favicon.ico")
    @router.get("/favicon.svg")
    async def icon() -> Response:
        return FileResponse(HERE / "favicon.svg", media_type="image/svg+xml")

    return router
