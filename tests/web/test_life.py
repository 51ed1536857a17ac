"""The whole life of a leave in a real browser, on a desk and on a phone, light and dark; every view leaves a picture."""

import json
import re
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from web_served import SHOTS, Tab, chromium, served

from model.settings import Settings
from module.app import build

pytestmark = pytest.mark.e2e

CHEN = "irene.chen"
SIZES = {"desk": {"width": 1280, "height": 860}, "phone": {"width": 390, "height": 844}}
HOSTILE = '<img src=x onerror="window.__x=1"> **b** [c](javascript:window.__x=2) <svg onload=window.__x=3> $$x$$'


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as running:
        yield running


@pytest.fixture
def clock() -> list[float]:
    return [0.0]


@pytest.fixture
def address(tmp_path: Any, clock: list[float]) -> Iterator[str]:
    from module.web.page import create_app

    settings = Settings.from_mapping({"llm": {"provider": "none"}, "store": {"data_dir": str(tmp_path)}}, {})
    bot = build(settings, clock=lambda: datetime(2026, 11, 30, 10, 0))
    with served(create_app(bot, settings, clock=lambda: clock[0])) as place:
        yield place


def opened(browser: Any, address: str, size: str = "desk", **look: Any) -> Tab:
    SHOTS.mkdir(exist_ok=True)
    permissions = ["clipboard-read", "clipboard-write"]
    return Tab(browser, address, CHEN, viewport=SIZES[size], has_touch=size == "phone", permissions=permissions, **look)


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_whole_life_of_a_leave(browser: Any, address: str, size: str, scheme: str) -> None:
    tab = opened(browser, address, size, color_scheme=scheme)
    page = tab.page

    def shot(name: str) -> None:
        page.evaluate("() => Promise.all(document.getAnimations().map(one => one.finished.catch(() => {})))")
        page.screenshot(path=SHOTS / f"{name}-{size}-{scheme}.png")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), name

    shot("first")
    tab.say("下週三要請事假")
    shot("question")
    page.click("#chat .options button >> nth=0")
    page.wait_for_selector("#preview svg.strip")
    assert tab.card()["事由"] == "家裡有事"
    tab.say("改成特休假")
    page.wait_for_function("() => document.querySelector('#preview').innerText.includes('特休假')")
    page.click("#edit")
    page.wait_for_selector("form.edit")
    shot("edit")
    page.select_option("form.edit select[name=agent]", "林雅婷")
    page.fill("form.edit input[name=start]", "2026-12-10T13:00")
    page.fill("form.edit input[name=end]", "2026-12-11T18:00")
    page.click("form.edit .main")
    page.wait_for_function("() => document.querySelector('#preview').innerText.includes('2026-12-11')")
    page.wait_for_selector("#preview svg.strip")
    assert tab.card()["代理人"] == "林雅婷"
    assert tab.card()["時數"].startswith("13 小時")
    shot("preview")
    page.click("#confirm")
    page.wait_for_selector("#state .chip-sent")
    number = page.inner_text("#preview .number")
    assert re.fullmatch(r"WF\d+", number)
    page.click("#preview .copy")
    page.wait_for_function("() => document.querySelector('#preview .copy').innerText === '已複製'")
    assert page.evaluate("navigator.clipboard.readText()") == number
    shot("receipt")
    page.click("#panel-open")
    page.wait_for_selector("dialog[open] .balances")
    assert number in page.inner_text("dialog")
    shot("panel")
    page.click(f"dialog li:has-text('{number}') .cancel")
    page.wait_for_selector("#confirm:visible")
    assert page.inner_text("#confirm") == "確認取消"
    shot("cancel")
    page.click("#confirm")
    page.wait_for_function("() => document.querySelector('#chat').innerText.includes('已取消 WF')")
    assert tab.foreign() == []
    assert tab.complaints == []
    tab.context.close()


def test_a_refusal_by_a_control_reads_as_when_typed_and_leaves_nothing_to_confirm(browser: Any, address: str) -> None:
    tab = opened(browser, address)
    tab.say("下週三要請特休")
    tab.page.click("#preview .field:has-text('開始')")
    tab.page.wait_for_selector("form.edit")
    assert tab.page.evaluate("document.activeElement.name") == "start"
    tab.page.fill("form.edit input[name=start]", "2026-12-12T09:00")
    tab.page.fill("form.edit input[name=end]", "2026-12-12T18:00")
    tab.page.click("form.edit .main")
    tab.page.wait_for_selector("#confirm", state="detached")
    assert "週末" in tab.page.inner_text("#chat .bot.message >> nth=-1")
    tab.page.screenshot(path=SHOTS / "refusal.png")
    tab.context.close()


def test_discarding_and_not_editing_change_nothing_that_was_filed(browser: Any, address: str) -> None:
    tab = opened(browser, address)
    tab.say("下週三要請特休")
    tab.page.click("#edit")
    tab.page.wait_for_selector("form.edit")
    tab.page.keyboard.press("Escape")
    tab.page.wait_for_selector("form.edit", state="detached")
    assert tab.page.evaluate("document.activeElement.id") == "edit"
    tab.page.click("#drop")
    tab.page.wait_for_selector("#confirm", state="detached")
    assert "不送這張了" in tab.page.inner_text("#chat")
    tab.context.close()


def test_enter_of_an_input_method_sends_nothing_and_shift_enter_is_a_new_line(browser: Any, address: str) -> None:
    tab = opened(browser, address)
    before = tab.page.locator("#chat .message").count()
    tab.page.focus("#box textarea")
    ime = tab.context.new_cdp_session(tab.page)
    ime.send("Input.imeSetComposition", {"text": "ㄒㄧㄚˋ", "selectionStart": 4, "selectionEnd": 4})
    tab.page.evaluate(
        """() => ['keydown', 'keypress'].forEach(kind => document.activeElement.dispatchEvent(
        new KeyboardEvent(kind, {key: 'Enter', isComposing: true, bubbles: true, cancelable: true})))"""
    )
    ime.send("Input.insertText", {"text": "下週三要請特休"})
    tab.page.evaluate(
        """() => { document.activeElement.dispatchEvent(new CompositionEvent('compositionend', {bubbles: true}));
        document.activeElement.dispatchEvent(new KeyboardEvent('keypress', {key: 'Enter', bubbles: true, cancelable: true})); }"""
    )
    tab.page.keyboard.press("Shift+Enter")
    tab.page.wait_for_timeout(400)
    assert tab.page.locator("#chat .message").count() == before
    assert tab.page.input_value("#box textarea") == "下週三要請特休\n"
    tab.page.keyboard.press("Enter")
    tab.page.wait_for_selector("#confirm:visible")
    assert tab.page.input_value("#box textarea") == ""
    tab.context.close()


def test_a_draft_outlives_a_reload_and_an_expired_login(browser: Any, address: str, clock: list[float]) -> None:
    tab = opened(browser, address)
    tab.page.fill("#box textarea", "下週三要請特休，還沒打完")
    tab.page.reload()
    tab.ready()
    assert tab.page.input_value("#box textarea") == "下週三要請特休，還沒打完"
    clock[0] += 9 * 3600
    tab.page.press("#box textarea", "Enter")
    tab.page.wait_for_selector(".people")
    tab.page.click(f"button[value='{CHEN}']")
    tab.ready()
    assert tab.page.input_value("#box textarea") == "下週三要請特休，還沒打完"
    tab.page.press("#box textarea", "Enter")
    tab.page.wait_for_selector("#confirm:visible")
    tab.page.reload()
    tab.ready()
    assert tab.page.input_value("#box textarea") == ""
    tab.context.close()


def test_logging_out_leaves_no_draft_behind(browser: Any, address: str) -> None:
    tab = opened(browser, address)
    tab.page.fill("#box textarea", "下週三要請病假")
    tab.page.click("#logout button")
    tab.page.wait_for_selector(".people")
    tab.page.click("button[value='david.lee']")
    tab.ready()
    assert tab.page.input_value("#box textarea") == ""
    tab.context.close()


def test_dark_is_chosen_by_a_switch_and_stays(browser: Any, address: str) -> None:
    tab = opened(browser, address, color_scheme="light")
    tab.page.click("#panel-open")
    tab.page.check("dialog .switch input")
    assert tab.page.evaluate("document.body.classList.contains('dark')")
    tab.page.reload()
    tab.ready()
    tab.page.wait_for_function("() => document.body.classList.contains('dark')")
    tab.context.close()


def test_the_panel_searches_the_handbook_and_says_how_it_was_read(browser: Any, address: str) -> None:
    tab = opened(browser, address)
    tab.say("下週三要請特休")
    tab.page.click("#panel-open")
    tab.page.fill("dialog input[name=q]", "特休 遞延")
    tab.page.press("dialog input[name=q]", "Enter")
    tab.page.wait_for_selector("dialog .found details")
    assert "H" in tab.page.inner_text("dialog .found summary >> nth=0")
    tab.page.click("dialog .part-meaning summary")
    assert "特休假" in tab.page.inner_text("dialog .part-meaning table")
    tab.page.keyboard.press("Escape")
    tab.page.wait_for_selector("dialog[open]", state="hidden")
    tab.context.close()


@pytest.mark.parametrize("text", [HOSTILE, HOSTILE * 110], ids=["short", "10000 characters"])
def test_hostile_words_are_plain_text_in_chat_card_form_and_panel(browser: Any, address: str, text: str) -> None:
    tab = opened(browser, address)
    tab.say("下週三要請事假，事由是搬家")
    tab.say(text)
    tab.page.wait_for_selector("#confirm:visible")
    tab.page.click("#edit")
    tab.page.fill("form.edit textarea", HOSTILE)
    tab.page.click("form.edit .main")
    tab.page.wait_for_function("words => document.querySelector('#preview').innerText.includes(words)", arg=HOSTILE)
    tab.page.click("#edit")
    assert tab.page.input_value("form.edit textarea") == HOSTILE
    tab.page.click("form.edit .back")
    tab.page.click("#panel-open")
    tab.page.wait_for_selector("dialog[open] .balances")
    made = tab.page.evaluate(
        """() => [...document.querySelectorAll('#chat .message, #preview, dialog')].flatMap(root =>
        [...root.querySelectorAll('img, script, a:not([href^="/leaves/WF"][download]), iframe, strong, em')].map(part => part.outerHTML))"""
    )
    assert made == []
    assert tab.page.evaluate("window.__x") is None
    assert tab.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    tab.context.close()


def test_a_company_with_forty_types_and_sixty_substitutes_still_looks_right(browser: Any, tmp_path: Any) -> None:
    from module.eip.company_file import load_company
    from module.eip.sqlite import SqliteEip
    from module.web.page import create_app

    company = json.loads((Path(__file__).parents[1] / "corpus" / "eip.json").read_text(encoding="utf-8"))
    types = [
        {**company["leave_types"][0], "id": f"X{n:02d}", "name": f"第{n}類專案特別假別（含跨國輪調）"}
        for n in range(40)
    ]
    first, *others = company["employees"]
    people = [
        {
            **others[0],
            "id": f"Y{n:02d}",
            "no": f"9{n:03d}",
            "account": f"y{n}",
            "name": f"候補{n:02d}號",
            "name_en": f"Standby {n:02d}",
            "agents": [],
        }
        for n in range(60)
    ]
    left = {**first["remaining_minutes"], **{kind["id"]: 60 * (n + 1) for n, kind in enumerate(types)}}
    first = {**first, "agents": [*first["agents"], *(one["id"] for one in people)], "remaining_minutes": left}
    company |= {"leave_types": [*company["leave_types"], *types], "employees": [first, *others, *people]}
    file = tmp_path / "wide.json"
    file.write_text(json.dumps(company), encoding="utf-8")
    settings = Settings.from_mapping({"llm": {"provider": "none"}, "store": {"data_dir": str(tmp_path)}}, {})
    now = datetime(2026, 11, 30, 10, 0)
    bot = build(settings, clock=lambda: now, eip=SqliteEip.open(None, load_company(file), lambda: now))
    with served(create_app(bot, settings)) as address:
        phone = opened(browser, address, "phone")
        phone.say("下週三請特休，代理人換一個")
        offered = phone.page.locator("#chat .options button")
        assert offered.count() == 8
        assert "共 6" in phone.page.inner_text("#chat .bot.message >> nth=-1")
        phone.page.screenshot(path=SHOTS / "wide-question.png")
        phone.page.click("#chat .options button >> nth=0")
        phone.page.wait_for_selector("#edit")
        phone.page.click("#edit")
        phone.page.wait_for_selector("form.edit")
        assert phone.page.locator("form.edit select[name=agent] option").count() >= 64
        phone.page.select_option("form.edit select[name=category]", "第39類專案特別假別（含跨國輪調）")
        phone.page.select_option("form.edit select[name=agent]", "候補59號")
        phone.page.click("form.edit .main")
        phone.page.wait_for_function("() => document.querySelector('#preview').innerText.includes('候補59號')")
        phone.page.screenshot(path=SHOTS / "wide-preview.png", full_page=True)
        phone.page.click("#panel-open")
        phone.page.wait_for_selector("dialog[open] .balances")
        phone.page.screenshot(path=SHOTS / "wide-panel.png")
        for root in ("html", "dialog"):
            assert phone.page.evaluate(
                "root => (part => part.scrollWidth <= part.clientWidth)(document.querySelector(root))", root
            )
        phone.context.close()
