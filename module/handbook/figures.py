"""The figures of a text as values, in Arabic or Chinese digits."""

import re

_ARABIC = re.compile(r"\d+(?:,\d{3})*(?:\.\d+)?|\d+")
_CHINESE = re.compile(r"[零〇一二兩三四五六七八九十百千萬半]+")
_DIGITS = {digit: value for value, digit in enumerate("零一二三四五六七八九")} | {"〇": 0, "兩": 2}
_TENS = {"十": 10, "百": 100, "千": 1000}
# Chinese digits that count nothing: 一律, 第一次 …, 統一, 一起, 週一
_WORDS = re.compile(
    r"一(?:律|樣|起|旦|些|般|直|定|邊|併|同|致|切|經)|(?:統|唯|同|萬|逐|進)一|[週周]?[五六日一二三四]{0,1}[週周][一二三四五六日]|三節|十分(?!鐘|之)|千萬|百分之"
)


def figures(text: str) -> frozenset[float]:
    """Every figure: 14日 → 14, 三個 → 3, 5萬 → 50000, 三分之一 → 1 and 3. What only looks like one is left out."""
    text = _WORDS.sub(" ", text)
    found: set[float] = set()
    for match in re.finditer(rf"(?:{_ARABIC.pattern})(?P<unit>[百千萬]?)", text):
        scale = {"": 1, "百": 100, "千": 1000, "萬": 10000}[match["unit"]]
        found.add(float(match[0].removesuffix(match["unit"]).replace(",", "")) * scale)
    for run in _CHINESE.findall(re.sub(r"\d+[百千萬]?", " ", text)):
        found |= _chinese(run)
    return frozenset(found)


def _chinese(run: str) -> set[float]:
    if run == "半":
        return {0.5}
    total = current = 0
    for char in run.strip("半"):
        if char in _DIGITS:
            current = current * 10 + _DIGITS[char]
        elif char in _TENS:
            total, current = total + max(current, 1) * _TENS[char], 0
        else:
            total, current = max(total + current, 1) * 10_000, 0
    return {float(total + current)} if run.strip("半") else set()
