"""Numbers as people write them: 3, 三, 兩, 十二, 二十三, 卅一."""

import re

DIGITS = {char: value for value, chars in enumerate(["〇零", "一", "二兩", "三", "四", "五", "六", "七", "八", "九"]) for char in chars}
TENS = {"十": 10, "廿": 20, "卅": 30}
NUMBER = r"(?:\d{1,4}|[〇零一二兩三四五六七八九十廿卅]{1,4})"
_YEAR = re.compile(r"[〇零一二三四五六七八九]{4}")


def number(text: str | None) -> int | None:
    """The number, or None when there is none."""
    if not text:
        return None
    if text.isdigit():
        return int(text)
    if _YEAR.fullmatch(text):
        return int("".join(str(DIGITS[char]) for char in text))
    total, seen = 0, 0
    for char in text:
        if char == "百":
            total += (seen or 1) * 100
            seen = 0
        elif char == "十":
            total += (seen or 1) * 10
            seen = 0
        elif char in TENS:
            total += TENS[char]
        elif char in DIGITS:
            seen = seen * 10 + DIGITS[char] if seen else DIGITS[char]
        else:
            return None
    return total + seen
