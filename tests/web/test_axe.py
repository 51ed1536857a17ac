"""What axe says of the page: nothing serious in what we draw; what is Gradio's own is listed with its reason."""

from collections.abc import Iterator
from datetime import datetime
from typing import Any

import pytest
from web_served import Tab, chromium, served

from model.settings import Settings
from module.app import build

pytestmark = pytest.mark.e2e

# Rules that Gradio's own components break, and where; nothing of ours is inside.
GRADIOS: dict[str, str] = {}
SERIOUS = ("serious", "critical")


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as running:
        yield running


@pytest.fixture
def address(tmp_path: Any) -> Iterator[str]:
    from module.web.page import create_app

    settings = Settings.from_mapping({"llm": {"provider": "none"}, "store": {"data_dir": str(tmp_path)}}, {})
    bot = build(settings, clock=lambda: datetime(2026, 11, 30, 10, 0))
    with served(create_app(bot, settings)) as place:
        yield place


def violations(page: Any) -> list[str]:
    """Serious ones as `rule: element`, without those that are Gradio's own."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe-playwright-python is not installed")
    page.wait_for_timeout(300)
    found = axe.Axe().run(page).response["violations"]
    return [
        f"{rule['id']}: {node['html'][:160]} {node['any'][0]['message'][:160] if node['any'] else ''}"
        for rule in found
        if rule["impact"] in SERIOUS
        for node in rule["nodes"]
        if not (rule["id"] in GRADIOS and GRADIOS[rule["id"]] in node["html"])
    ]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious_in_any_view(browser: Any, address: str, scheme: str) -> None:
    tab = Tab(browser, address, "irene.chen", viewport={"width": 1280, "height": 860}, color_scheme=scheme)
    page, found = tab.page, {}
    found["first"] = violations(page)
    tab.say("下週三要請事假")
    found["question"] = violations(page)
    page.click("#chat .options button >> nth=0")
    page.wait_for_selector("#preview svg.strip")
    found["preview"] = violations(page)
    page.click("#edit")
    page.wait_for_selector("form.edit")
    found["edit"] = violations(page)
    page.click("form.edit .back")
    page.click("#confirm")
    page.wait_for_selector("#state .chip-sent")
    found["receipt"] = violations(page)
    page.click("#panel-open")
    page.wait_for_selector("dialog[open] .balances")
    page.fill("dialog input[name=q]", "特休")
    page.press("dialog input[name=q]", "Enter")
    page.wait_for_selector("dialog .found details")
    page.click("dialog .part-meaning summary")
    found["panel"] = violations(page)
    assert {view: broken for view, broken in found.items() if broken} == {}
    tab.context.close()


def test_axe_finds_nothing_serious_on_the_login_page(browser: Any, address: str) -> None:
    page = browser.new_page()
    page.goto(f"{address}/login")
    assert violations(page) == []
    page.close()
