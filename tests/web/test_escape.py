"""Text that stays text."""

from datetime import date
from html import unescape

import pytest
from hypothesis import given
from hypothesis import strategies as st

from model.form import LeaveForm
from model.outcome import Outcome, Turn
from module.web.card import card, day
from module.web.escape import one_line, plain

PAYLOADS = (
    "<img src=x onerror=__x=1>",
    "<script>__x=2</script>",
    "[c](javascript:__x=3)",
    "<svg onload=__x=4>",
    '<svg><a href="javascript:__x=7"><text y=20>k</text></a></svg>',
    "![i](http://evil.example/leak)",
    "$$\\href{javascript:alert(1)}{x}$$",
    "```mermaid\ngraph TD\n```",
    "# heading\n- list\n1. one\n---\n| a | b |",
    "&lt;script&gt; &amp; https://evil.example www.evil.example a@evil.example",
)


@pytest.mark.parametrize("text", PAYLOADS)
def test_no_active_mark_is_left(text: str) -> None:
    escaped = plain(text)
    for mark in ("<", ">", "[", "]", "`", "*", "_", "|", "$", "\\", "://", "www.", "@"):
        assert mark not in escaped
    assert unescape(escaped) == text


@given(st.text())
def test_a_browser_reads_back_exactly_what_was_written(text: str) -> None:
    plainly = text.replace("\r\n", "\n").replace("\r", "\n")
    blank = str.maketrans("\t\xa0", "  ")
    assert unescape(plain(text)).translate(blank) == plainly.translate(blank)


def test_dates_and_times_are_left_as_they_are() -> None:
    assert plain("2026-12-09（三）09:00 至 18:00。") == "2026-12-09（三）09:00 至 18:00。"


def test_one_line_has_no_line_break() -> None:
    assert one_line("家裡\n有事") == "家裡 有事"


def test_no_token_no_card() -> None:
    assert card(None) == ""


def test_a_day_is_shown_with_its_weekday() -> None:
    assert day(date(2026, 12, 9)) == "2026-12-09（三）"


def test_a_cancellation_names_the_leave() -> None:
    turn = Turn(Outcome.CONFIRM_CANCEL, "", LeaveForm(), cancel_wf="WF<1>", confirm_token="t")
    assert "取消假單" in card(turn)
    assert "WF&#60;1&#62;" in card(turn)
