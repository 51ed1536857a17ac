"""The whole walk of a matter in a real browser: asked, passed on, answered by HR, told, closed; with pictures."""

from collections.abc import Iterator
from datetime import datetime
from typing import Any

import pytest
from web_hostile import HOSTILE
from web_served import SHOTS, Tab, WithoutPolicy, chromium, served

from model.settings import Settings
from module.app import build

pytestmark = pytest.mark.e2e


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as running:
        yield running


@pytest.fixture(params=["with the policy", "without the policy"])
def address(request: pytest.FixtureRequest, tmp_path: Any) -> Iterator[str]:
    from module.web.page import create_app

    settings = Settings.from_mapping({"llm": {"provider": "none"}, "store": {"data_dir": str(tmp_path)}}, {})
    app = create_app(build(settings, clock=lambda: datetime(2026, 11, 30, 10, 0)), settings)
    with served(app if request.param == "with the policy" else WithoutPolicy(app)) as place:
        yield place


@pytest.mark.parametrize(("width", "height", "scheme"), [(1280, 860, "light"), (390, 844, "dark")])
def test_a_matter_walks_from_the_employee_to_hr_and_back(
    browser: Any, address: str, width: int, height: int, scheme: str, request: pytest.FixtureRequest
) -> None:
    SHOTS.mkdir(exist_ok=True)
    look = {"viewport": {"width": width, "height": height}, "color_scheme": scheme}
    tab = Tab(browser, address, "irene.chen", **look)

    def shot(page: Any, name: str) -> None:
        page.screenshot(path=SHOTS / f"hr-{name}-{width}-{scheme}.png")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), name

    tab.say("公司有補助托嬰費嗎")
    tab.page.click("#chat .options button:has-text('留給人資')")
    tab.page.wait_for_selector("#chat .bot.message:has-text('已把這個問題留給人資')")
    tab.say(f"薪水算錯了 {HOSTILE}"[:1900])
    shot(tab.page, "offer")
    tab.page.click("#chat .options button:has-text('附上對話')")
    tab.page.wait_for_selector("#chat .bot.message:has-text('已把對話附到案件')")

    person = Tab(browser, address, "hr.tsai", **look)
    page = person.page
    assert "1" in page.inner_text("#who .hr")
    shot(page, "notice")
    page.goto(f"{address}/hr")
    assert "window.__x=2" in page.inner_text(".cases .said")
    shot(page, "list")
    page.click(".cases a")
    assert "<script>" in page.inner_text(".excerpt .text")
    page.fill("#text", f"已補發 {HOSTILE}"[:3000])
    shot(page, "case")
    page.click("button.primary")
    page.wait_for_selector(".answer .text")
    shot(page, "answered")

    tab.page.reload()
    tab.page.wait_for_selector("#chat .bot.message:has-text('人資回覆案件')")
    shot(tab.page, "told")
    page.click("form[action$=close] button")
    page.wait_for_selector(".cases .closed")
    page.click("#questions button")
    page.wait_for_selector("#questions .none")
    for one in (page, tab.page):
        assert one.evaluate("window.__x") is None
    assert page.evaluate("document.querySelectorAll('main img, main svg, main script, main iframe, main input').length") == 0
    assert not person.foreign() and not tab.foreign()
    tab.context.close()
    person.context.close()
