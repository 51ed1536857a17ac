"""The ASGI shell in front of everything: what it does not let through never reaches Gradio.

In order: Host (400), known address (404), method (405), origin (403), login (401, or the login page),
how often (429), size of the body (413), whose Gradio session it is (403).
"""

import json
import re

import structlog
from starlette.datastructures import Headers, QueryParams
from starlette.requests import cookie_parser
from starlette.responses import JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from module.web import labels
from module.web.body import Refused, capped, replayed
from module.web.gate import Gate
from module.web.login_header import HeaderLogin
from module.web.outgoing import Outgoing
from module.web.pace import Pace
from module.web.routes import Route, find
from module.web.sessions import Sessions

log = structlog.get_logger()
QUIET = (401, 404)
_HASH = re.compile(r"[A-Za-z0-9-]{4,64}")
# Gradio builds addresses from these.
_STRIPPED = {b"x-forwarded-host", b"x-gradio-server", b"x-direct-url", b"forwarded"}
# Pages arrive unpacked so that their scripts can be hashed; files that browsers keep may come packed.
_UNPACKED = {*_STRIPPED, b"accept-encoding"}


class Shell:
    """Lets through what `routes` lists, from our own page, to whom it belongs."""

    def __init__(self, app: ASGIApp, gate: Gate, sessions: Sessions, pace: Pace, proxy: HeaderLogin | None) -> None:
        self._app = app
        self._gate = gate
        self._sessions = sessions
        self._pace = pace
        self._proxy = proxy

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """ASGI entry."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
        elif scope["type"] == "http":
            await self._http(scope, receive, send)
        else:
            await send({"type": "websocket.close", "code": 1008})

    async def _http(self, scope: Scope, receive: Receive, send: Send) -> None:
        found = find(scope["path"])
        answer = Outgoing(send, https=self._gate.https, keep=bool(found and found[0].keep))
        try:
            receive = await self._admit(scope, receive, found)
        except Refused as refused:
            tell = log.info if refused.status in QUIET else log.warning
            tell("request_refused", status=refused.status, path=scope["path"][:80], method=scope["method"])
            await _refusal(refused, scope)(scope, receive, answer)
            return
        dropped = _STRIPPED if found and found[0].keep else _UNPACKED
        kept = [(name, value) for name, value in scope["headers"] if name not in dropped]
        await self._app({**scope, "headers": kept}, receive, answer)
        await answer.finish()

    async def _admit(self, scope: Scope, receive: Receive, found: tuple[Route, str] | None) -> Receive:
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if not self._gate.knows(host):
            raise Refused(400, "不認得這個主機名稱；若要使用，請加進 [server] allowed_hosts")
        if found is None:
            raise Refused(404, "沒有這個網址")
        route, session_hash = found
        if scope["method"] not in route.methods:
            raise Refused(405, "不支援這個方法")
        self._check_origin(route, scope["method"], headers, host)
        sid = cookie_parser(headers.get("cookie", "")).get(self._gate.cookie, "")
        account = self._sessions.account(sid) if route.login else ""
        # The proxy may have somebody else at the same browser by now: the cookie alone is not enough.
        if account is None or (route.login and self._proxy and self._proxy.named(scope) != account):
            raise Refused(401, "登入已過期，請重新整理頁面再登入。")
        if scope["method"] == "POST":
            self._check_pace(route, account, scope)
            body = await capped(receive, headers.get("content-length", ""), route.cap)
            receive = replayed(body, receive)
            if route.session_hash == "body":
                session_hash = _from_body(body)
        if route.session_hash == "query":
            session_hash = _from_query(scope)
        if route.session_hash:
            self._check_owner(session_hash, sid)
        return receive

    def _check_origin(self, route: Route, method: str, headers: Headers, host: str) -> None:
        if not route.own_origin and method != "POST":
            return
        origin = headers.get("origin")
        foreign = origin is not None and not self._gate.own(origin, host)
        if foreign or headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
            raise Refused(403, "只接受本頁的要求；若網頁在代理後面，請設定 [server] public_url")

    def _check_pace(self, route: Route, account: str, scope: Scope) -> None:
        address = scope["client"][0] if scope.get("client") else ""
        if route.pace and (wait := self._pace.wait(route.pace, account, address)):
            raise Refused(429, labels.TOO_FAST.format(seconds=wait), wait)

    def _check_owner(self, session_hash: str, sid: str) -> None:
        if not _HASH.fullmatch(session_hash):
            raise Refused(400, "要求的格式不對")
        if not self._sessions.bind(session_hash, sid):
            raise Refused(403, "這個對話不屬於您")


def _refusal(refused: Refused, scope: Scope) -> Response:
    later = {"retry-after": str(refused.retry)} if refused.retry else None
    if refused.status == 401 and scope["path"] == "/":
        return RedirectResponse("/login", 303)
    if scope["path"].startswith("/gradio_api/"):
        return JSONResponse({"detail": refused.text}, refused.status, later)
    return PlainTextResponse(refused.text, refused.status, later)


def _from_body(body: bytes) -> str:
    try:
        said = json.loads(body)
    except (ValueError, RecursionError):
        raise Refused(400, "要求的格式不對") from None
    name = said.get("session_hash") if isinstance(said, dict) else None
    return name if isinstance(name, str) else ""


def _from_query(scope: Scope) -> str:
    names = QueryParams(scope["query_string"]).getlist("session_hash")
    return names[0] if len(names) == 1 else ""
