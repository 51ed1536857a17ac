"""Ways to log in. Each is one file with a class of this shape and a row in `choose`."""

from collections.abc import Mapping
from typing import Protocol

from model.errors import ConfigError
from model.settings import Settings
from module.web.login_header import HeaderLogin
from module.web.port import Bot


class Throttled(Exception):
    """Too many wrong tries; wait before the next."""


class Login(Protocol):
    """Decides whose login it is."""

    def form(self, error: str) -> str:
        """What stands inside the login page, as HTML with every value escaped."""
        ...

    async def account(self, form: Mapping[str, str], address: str) -> str | None:
        """The account that logged in, None when it must not. Raises Throttled."""
        ...


def choose(bot: Bot, settings: Settings) -> Login:
    """The way to log in named by [auth] mode. Raises ConfigError for one that does not exist."""
    mode = str(settings.auth.mode)
    if mode == "demo":
        from module.web.login_demo import DemoLogin

        return DemoLogin(bot)
    if mode == "password":
        try:
            from module.web.login_password import PasswordLogin
        except ImportError as missing:
            raise ConfigError(f"[auth] mode = password：缺少套件 {missing.name}，請安裝 leavebot[password]") from None
        return PasswordLogin(settings.store.data_dir)
    if mode == "header":
        return HeaderLogin(settings.auth)
    raise ConfigError(f"[auth] mode = {mode!r}：沒有這種登入方式，可用的有 demo、password、header")
