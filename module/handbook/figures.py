"""The figures of a text as values, in Arabic or Chinese digits."""

import re

_FIGURE = re.compile(r"(\d+(?:,\d{3})+|\d+(?:\.\d+)?)([百千萬]?)|([零〇一二兩三四五六七八九十百千萬]+)")
_DIGITS = {digit: value for value, digit in enumerate("零一二三四五六七八九")} | {"〇": 0, "兩": 2}
_TENS = {"十": 10, "百": 100, "千": 1000}
_SCALE = {"": 1, "百": 100, "千": 1000, "萬": 10_000}
# Words that hold a digit and count nothing; 半天, 半薪 and 半年 are names, only 半小時 is a length.
_WORDS = re.compile(
    r"一(?:律|樣|起|旦|些|般|直|定|邊|併|同|致|切|經|下)|(?:統|唯|同|萬|逐|進|任)一|(?:週|星期|禮拜)[一二三四五六日]|千萬別|萬一"
)
_HALF_HOUR = re.compile(r"(?<![個時天日])半個?小時|半個?鐘頭")


def figures(text: str) -> frozenset[float]:
    """Every figure: 14日 → 14, 三個 → 3, 5萬 → 50000, 三分之一 → 3 and 1, 半小時 → 30. What only looks like one is not."""
    text = _HALF_HOUR.sub("30分鐘", _WORDS.sub(" ", text))
    found = {0.5} if re.search(r"(?:小時|鐘頭|天|日|年)半", text) else set()
    for plain, scale, chinese in _FIGURE.findall(text):
        found.add(float(plain.replace(",", "")) * _SCALE[scale] if plain else _chinese(chinese))
    return frozenset(found)


def _chinese(run: str) -> float:
    total = current = 0
    for char in run:
        if char in _DIGITS:
            current = current * 10 + _DIGITS[char]
        elif char in _TENS:
            total, current = total + max(current, 1) * _TENS[char], 0
        else:
            total, current = max(total + current, 1) * 10_000, 0
    return float(total + current)
