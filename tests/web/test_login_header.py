"""Single sign-on by a proxy's header: who is believed, and who is not."""

from typing import Any

import pytest

from model.errors import ConfigError
from model.settings import Settings

PROXY, ELSEWHERE = "10.0.0.1", "10.9.9.9"
SET = {"auth": {"mode": "header", "proxy_header": "X-Remote-User", "proxy_addresses": "10.0.0.0/30"}}
AMY, BOB = {"x-remote-user": "amy.chen"}, {"x-remote-user": "bob.lin"}


@pytest.fixture
async def site(open_site: Any) -> Any:
    return await open_site(SET)


@pytest.mark.parametrize("address", [PROXY, f"::ffff:{PROXY}"])
async def test_whom_the_proxy_names_is_logged_in_without_a_form(site: Any, address: str) -> None:
    browser = site.browser(address)
    entered = await browser.get("/login", headers=AMY)
    assert (entered.status_code, entered.headers["location"]) == (303, "/")
    assert (await browser.get("/config", headers=AMY)).status_code == 200


async def test_the_same_header_from_another_address_is_refused(site: Any) -> None:
    spoofer = site.browser(ELSEWHERE)
    answer = await spoofer.get("/login", headers=AMY | {"x-forwarded-for": PROXY})
    assert answer.status_code == 403
    assert "set-cookie" not in answer.headers
    assert "單一登入" in answer.text


async def test_a_cookie_opens_nothing_past_the_proxy(site: Any) -> None:
    browser = site.browser(PROXY)
    await browser.get("/login", headers=AMY)
    stolen = {"cookie": f"sid={browser.cookies['sid']}"}
    assert (await site.browser(ELSEWHERE).get("/config", headers=AMY | stolen)).status_code == 401
    assert (await site.browser(PROXY).get("/config", headers=stolen)).status_code == 401


async def test_the_next_person_at_the_browser_is_not_the_last_one(site: Any) -> None:
    browser = site.browser(PROXY)
    await browser.get("/login", headers=AMY)
    first = browser.cookies["sid"]
    assert (await browser.get("/config", headers=BOB)).status_code == 401
    assert (await browser.get("/login", headers=BOB)).status_code == 303
    assert browser.cookies["sid"] != first
    assert (await browser.get("/config", headers=BOB)).status_code == 200


@pytest.mark.parametrize("names", [[], [""], ["  "], ["a" * 101], ["amy.chen", "bob.lin"]])
async def test_no_name_or_two_names_are_nobody(site: Any, names: list[str]) -> None:
    answer = await site.browser(PROXY).get("/login", headers=[("x-remote-user", name) for name in names])
    assert answer.status_code == 403


async def test_a_form_cannot_log_in(site: Any) -> None:
    answer = await site.browser(PROXY).post("/login", data={"account": "amy.chen"}, headers=AMY)
    assert answer.status_code == 401
    assert "set-cookie" not in answer.headers


@pytest.mark.parametrize("addresses", ["", "proxy.example.com", "10.0.0.1/24"])
def test_a_proxy_must_be_named_by_its_address(addresses: str) -> None:
    with pytest.raises(ConfigError, match="proxy_addresses"):
        Settings.from_mapping({"auth": SET["auth"] | {"proxy_addresses": addresses}}, {})
