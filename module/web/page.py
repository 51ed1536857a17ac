"""The web application: our shell, our login, and the Gradio page behind them."""

import asyncio
import socket
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from urllib.parse import urlsplit

import gradio as gr
import uvicorn
from fastapi import FastAPI, Request
from starlette.types import ASGIApp

from model.errors import ConfigError
from model.settings import Server, Settings
from module.web.auth import choose
from module.web.beside import beside
from module.web.brand import brand, check
from module.web.chat import ChatPage
from module.web.gate import Gate
from module.web.hr import hr
from module.web.login import routes
from module.web.login_header import HeaderLogin
from module.web.pace import Pace
from module.web.port import Bot
from module.web.sessions import Sessions
from module.web.shell import Shell
from module.web.unread import Unread

HERE = Path(__file__).parent
FONTS = ["Noto Sans TC", "Noto Sans CJK TC", "PingFang TC", "Microsoft JhengHei", "system-ui", "sans-serif"]
HEAD = (
    '<meta name="color-scheme" content="light dark"><meta name="referrer" content="same-origin">'
    '<link rel="icon" href="/favicon.svg" type="image/svg+xml"><script type="module" src="/js/page.js"></script>'
)


def create_app(bot: Bot, settings: Settings, clock: Callable[[], float] = time.monotonic) -> ASGIApp:
    """The whole site as one ASGI application; `clock` counts seconds for the expiry of logins. Raises ConfigError."""
    if urlsplit(settings.server.public_url).path.strip("/"):
        raise ConfigError(
            "[server] public_url：要用一個自己的主機名稱，後面不能再有路徑，例如 https://leave.example.com"
        )
    check(settings.page)
    gate = Gate(hosts(settings.server), settings.server.public_url)
    sessions = Sessions(settings.auth.session_hours * 3600, clock)
    pace = Pace(settings.limits)
    login = choose(bot, settings)

    blocks = ChatPage(bot, settings, pace).blocks()

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        await bot.start()
        tidying = asyncio.create_task(Unread(blocks._queue).watch())
        try:
            yield
        finally:
            tidying.cancel()
            await bot.close()

    def account(request: Request) -> str | None:
        return sessions.account(request.cookies.get(gate.cookie, ""))

    app = FastAPI(docs_url=None, redoc_url=None, openapi_url=None, lifespan=lifespan)
    app.include_router(routes(bot, settings, login, gate, sessions))
    app.include_router(beside(bot, gate, sessions))
    app.include_router(hr(bot, settings.page, gate, sessions))
    gr.mount_gradio_app(
        app,
        blocks,
        path="/",
        auth_dependency=account,
        root_path=settings.server.public_url or None,
        show_error=False,
        max_file_size="1kb",
        ssr_mode=False,
        run_history=False,
        mcp_server=False,
        enable_monitoring=False,
        footer_links=[],
        theme=gr.themes.Base(primary_hue="blue", neutral_hue="slate", font=FONTS, font_mono=["ui-monospace"]),
        css_paths=HERE / "page.css",
        head=HEAD + brand(settings.page),
    )
    return Shell(app, gate, sessions, pace, login if isinstance(login, HeaderLogin) else None)


def hosts(server: Server) -> frozenset[str]:
    """Host names under which the page may be asked for."""
    own = {server.host, "localhost", "127.0.0.1", "::1", *server.allowed_hosts}
    if server.host in ("0.0.0.0", "::"):
        own.add(socket.gethostname())
    return frozenset(name.lower() for name in own | {urlsplit(server.public_url).hostname or ""} if name)


def serve(bot: Bot, settings: Settings) -> None:
    """Serves until interrupted. Raises ConfigError when the port is taken or the host unknown."""
    app = create_app(bot, settings)
    listening = listen(settings.server)
    print(welcome(bot, settings), flush=True)
    config = uvicorn.Config(
        app,
        log_config=None,  # module.logs
        access_log=False,
        server_header=False,
        date_header=True,
        # With mode = header the peer must stay the proxy itself, not whom the proxy speaks for.
        proxy_headers=bool(settings.server.public_url) and settings.auth.mode != "header",
        forwarded_allow_ips="127.0.0.1",
        timeout_keep_alive=75,
        timeout_graceful_shutdown=5,
    )
    with suppress(KeyboardInterrupt):
        uvicorn.Server(config).run(sockets=[listening])


def listen(server: Server) -> socket.socket:
    """A bound socket. Raises ConfigError naming the setting."""
    place = f"[server] host = {server.host}, port = {server.port}"
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(server.host, server.port, type=socket.SOCK_STREAM)[0]
        bound = socket.socket(family, kind, protocol)
        try:
            bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            bound.bind(address)
        except OSError:
            bound.close()
            raise
    except OSError as wrong:
        raise ConfigError(f"{place}：無法使用（{wrong.strerror}），請換一個埠號，或關掉正在使用它的程式") from None
    return bound


def welcome(bot: Bot, settings: Settings) -> str:
    """What the terminal says: where to click, and as whom."""
    shown = "127.0.0.1" if settings.server.host in ("0.0.0.0", "::") else settings.server.host
    lines = [f"{settings.page.title}已啟動：{settings.server.public_url or f'http://{shown}:{settings.server.port}/'}"]
    if settings.auth.mode == "demo":
        names = "、".join(f"{name}（{account}）" for account, name, _, _ in bot.accounts()[:6])
        lines.append(f"示範登入，任選一位：{names}")
    return "\n".join([*lines, "按 Ctrl+C 結束"])
