"""Logging in: demo and password, throttle, expiry."""

import time
from pathlib import Path
from typing import Any

import pytest
from web_fake import FakeBot
from web_site import HTTPS, Site

from model.errors import ConfigError
from model.settings import Settings
from module.web.auth import Throttled
from module.web.gate import Gate
from module.web.login_password import PasswordLogin, read_accounts, set_password
from module.web.page import create_app, hosts, listen, welcome


async def test_the_demo_login_lists_everybody_and_says_what_it_is(site: Site) -> None:
    page = await site.browser().get("/login")
    assert "示範登入" in page.text
    for words in ("陳怡君", "amy.chen", "研發部"):
        assert words in page.text


async def test_an_account_that_does_not_exist_is_not_let_in(site: Site) -> None:
    answer = await site.browser().post("/login", data={"account": "nobody"})
    assert answer.status_code == 401
    assert "set-cookie" not in answer.headers


async def test_after_logging_out_the_old_cookie_opens_nothing(site: Site) -> None:
    amy = await site.login()
    old = amy.cookies["sid"]
    assert (await amy.post("/logout")).status_code == 303
    thief = site.browser()
    assert (await thief.get("/config", headers={"cookie": f"sid={old}"})).status_code == 401


async def test_a_login_ends_with_its_time(open_site: Any) -> None:
    now = [0.0]
    site = await open_site({"auth": {"session_hours": "1"}}, clock=lambda: now[0])
    amy = await site.login()
    now[0] = 3599.0
    assert (await amy.get("/config")).status_code == 200
    now[0] = 3601.0
    assert (await amy.get("/config")).status_code == 401


async def test_every_login_gets_a_new_id(site: Site) -> None:
    amy = await site.login()
    first = amy.cookies["sid"]
    await amy.post("/login", data={"account": "amy.chen"})
    assert amy.cookies["sid"] != first
    assert (await site.browser().get("/config", headers={"cookie": f"sid={first}"})).status_code == 401


@pytest.fixture
def accounts(tmp_path: Path) -> Path:
    path = tmp_path / "accounts.json"
    set_password(path, "amy.chen", "right")
    return path


async def attempt(login: PasswordLogin, account: str, password: str, address: str) -> str | None:
    return await login.account({"account": account, "password": password}, address)


async def test_AU_06_the_sixth_wrong_password_for_an_account_is_throttled(accounts: Path) -> None:
    login = PasswordLogin(str(accounts.parent))
    for _ in range(5):
        assert await attempt(login, "amy.chen", "wrong", "10.0.0.1") is None
    with pytest.raises(Throttled):
        await attempt(login, "amy.chen", "right", "10.0.0.1")
    assert await attempt(login, "amy.chen", "right", "10.0.0.2") == "amy.chen", "the victim is not locked out"


async def test_AU_06_one_address_cannot_try_many_accounts(accounts: Path) -> None:
    login = PasswordLogin(str(accounts.parent))
    for number in range(5):
        assert await attempt(login, f"user{number}", "wrong", "10.0.0.1") is None
    with pytest.raises(Throttled):
        await attempt(login, "user99", "wrong", "10.0.0.1")


async def test_AU_06_the_page_answers_an_unknown_account_as_a_wrong_password(open_site: Any, accounts: Path) -> None:
    site = await open_site({"auth": {"mode": "password"}, "store": {"data_dir": str(accounts.parent)}})
    browser = site.browser()
    known = await browser.post("/login", data={"account": "amy.chen", "password": "wrong"})
    unknown = await browser.post("/login", data={"account": "nobody", "password": "wrong"})
    assert (known.status_code, known.text) == (unknown.status_code, unknown.text) == (401, known.text)
    for _ in range(3):
        await browser.post("/login", data={"account": "amy.chen", "password": "wrong"})
    assert (await browser.post("/login", data={"account": "amy.chen", "password": "right"})).status_code == 429
    other = site.browser("10.0.0.9")
    assert (await other.post("/login", data={"account": "amy.chen", "password": "right"})).status_code == 303


async def test_AU_06_an_unknown_account_costs_as_much_as_a_wrong_password(accounts: Path) -> None:
    login = PasswordLogin(str(accounts.parent))

    async def cost(account: str) -> float:
        times = []
        for number in range(4):
            began = time.thread_time()
            login._right(account, f"wrong{number}")
            times.append(time.thread_time() - began)
        return min(times)

    known, unknown = await cost("amy.chen"), await cost("nobody")
    assert 0.5 < known / unknown < 2


async def test_an_unknown_account_never_matches_the_stand_in_hash(accounts: Path) -> None:
    login = PasswordLogin(str(accounts.parent))
    assert await attempt(login, "ghost", "nobody", "10.0.0.1") is None


def test_accounts_that_others_can_read_are_refused(accounts: Path) -> None:
    assert accounts.stat().st_mode & 0o777 == 0o600
    assert list(read_accounts(accounts)) == ["amy.chen"]
    accounts.chmod(0o644)
    with pytest.raises(ConfigError, match="chmod 600"):
        read_accounts(accounts)


def test_a_port_in_use_is_one_clear_line() -> None:
    settings = Settings.from_mapping({"server": {"port": "17999"}}, {})
    first = listen(settings.server)
    first.listen()
    try:
        with pytest.raises(ConfigError, match=r"17999.*換一個埠號"):
            listen(settings.server)
    finally:
        first.close()


def test_the_terminal_says_where_to_click_and_as_whom() -> None:
    said = welcome(FakeBot(), Settings())
    assert "http://127.0.0.1:7860/" in said
    assert "陳怡君（amy.chen）" in said


def test_host_names_come_from_the_settings() -> None:
    settings = Settings.from_mapping({"server": {"public_url": HTTPS, "allowed_hosts": "Leave.local"}}, {})
    assert {"leave.example.com", "leave.local", "127.0.0.1", "localhost"} <= hosts(settings.server)
    assert "evil.example" not in hosts(settings.server)


@pytest.mark.parametrize("host", ["127.0.0.1", "LocalHost:7860", "[::1]:7860"])
def test_our_own_names_are_known(host: str) -> None:
    assert Gate(hosts(Settings().server)).knows(host)


@pytest.mark.parametrize(
    "host", ["", "evil.example", "evil@127.0.0.1", "127.0.0.1@evil.example", "127.0.0.1:x", "[::1", "a b"]
)
def test_other_names_are_not(host: str) -> None:
    assert not Gate(hosts(Settings().server)).knows(host)


def test_an_address_with_a_path_is_refused_in_one_line() -> None:
    settings = Settings.from_mapping({"server": {"public_url": f"{HTTPS}/leave"}}, {})
    with pytest.raises(ConfigError, match="public_url"):
        create_app(FakeBot(), settings)
