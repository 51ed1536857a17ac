"""How a sentence is understood, as a table: what, value, the words, the rule."""

from typing import Any

from model.meaning import Meaning, Span, Wish
from module.words import clock_text, duration, number

HEADER = ("欄位", "理解成", "原文", "規則")
LABELS = {
    "kind": "類型", "time": "時間", "category": "假別", "agent": "代理人", "memo": "事由", "event_date": "事件發生日", "change": "修改",
}  # fmt: skip
KINDS = {
    "leave": "請假或修改假單", "submit": "送出", "nod": "應答", "reset": "重新開始", "balance": "查剩餘時數", "leave_list": "查假單",
    "cancel_leave": "取消假單", "change_filed": "改已送出的假單", "policy": "問規定", "question": "問問題", "hand_off": "找專人", "help": "問用法",
    "courtesy": "寒暄", "others": "問別人的資料", "decline": "不用了", "no_hand_off": "不用找專人",
}  # fmt: skip


def explain(meaning: Meaning) -> list[tuple[str, str, str, str]]:
    """Rows of (what, value, words, rule): the kinds, every piece read with its rule, then what each leave comes to."""
    rows = [HEADER]
    rows += [("類型", KINDS.get(kind, kind), "", kind) for kind in meaning.kinds] or [("類型", "聽不懂", meaning.text, "")]
    rows += [(LABELS.get(one.what, one.what), one.value or one.words, one.words, one.rule) for one in meaning.found]
    for index, wish in enumerate(meaning.wishes, start=1):
        rows += [(f"{label}({index})" if len(meaning.wishes) > 1 else label, value, "", "合計") for label, value in _summary(wish)]
    if meaning.leftover and not any(wish.memo for wish in meaning.wishes):
        rows.append(("沒有讀懂", meaning.leftover, meaning.leftover, ""))
    return rows


def _summary(wish: Wish) -> list[tuple[str, str]]:
    rows = [("時間", span_text(span)) for span in wish.spans]
    named: list[tuple[str, Any]] = [
        ("假別", wish.category or "、".join(wish.category_choices)), ("代理人", wish.agent), ("事由", wish.memo),
        ("事件發生日", wish.event_date), ("代理人", wish.agent_problem and f"不能用:{wish.agent_problem.values.get('name', '')}"),
    ]  # fmt: skip
    return rows + [(label, str(value)) for label, value in named if value]


def span_text(span: Span) -> str:
    """A stretch of time in words: what was said of it, and what is missing."""
    if span.problem:
        return f"不能確定({span.problem.reason})"
    days = f"{span.first}" if span.first == span.last else f"{span.first} ~ {span.last}"
    parts = [days] if span.first else ["(沒有說哪一天)"]
    if span.has_clock:
        parts.append("–".join("?" if minute is None else clock_text(minute) for minute in (span.start, span.end)))
    said = {"整天": span.whole, "半天(沒說上午或下午)": span.half}
    parts += [name for name, was in said.items() if was]
    parts += [f"{number(span.days)} 個工作天"] if span.days else []
    parts += [duration(span.minutes)] if span.minutes else []
    return " ".join(parts)

