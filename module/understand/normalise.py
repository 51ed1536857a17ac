"""Cleaning a message, and folding it for matching (SEMANTICS §2)."""

import re
import unicodedata
from functools import lru_cache

# Template tokens of common chat models: they end or begin a role, so they are dropped whole, content kept.
_TEMPLATE = re.compile(
    r"<\|[^|<>]{0,40}\|>|</?s>|\[/?INST\]|<</?SYS>>|</?(?:think|start_of_turn|end_of_turn)>", re.IGNORECASE
)
_BLANKS = re.compile(r"[^\S\n]+")
_JOINER, _VARIATION = "\u200d", "\ufe0f"


def clean(text: str) -> str:
    """The message as it is shown and stored: NFKC, control and hidden characters and template tokens dropped."""
    text = unicodedata.normalize("NFKC", text)
    previous = None
    while previous != text:  # dropping one token may join the halves of another
        previous, text = text, _TEMPLATE.sub(" ", text)
    kept = (char for index, char in enumerate(text) if _visible(char, text[index - 1] if index else ""))
    return _BLANKS.sub(" ", "".join(kept)).strip()


def _visible(char: str, before: str) -> bool:
    if char in "\n\t":
        return True
    if char in (_JOINER, _VARIATION):  # they belong to an emoji
        return unicodedata.category(before or " ") in ("So", "Sk", "Mn")
    return unicodedata.category(char) not in ("Cc", "Cf", "Cs", "Co", "Cn")


@lru_cache(maxsize=1)
def _converter() -> object:
    from opencc import OpenCC  # its tables take a moment to load: only when something is read

    return OpenCC("s2t")


@lru_cache(maxsize=8192)
def _traditional(char: str) -> str:
    if _is_traditional(char):  # 岳, 余, 里 are words of their own; s2t would make 嶽, 餘, 裏 of them
        return char
    folded = _converter().convert(char)  # type: ignore[attr-defined]  # opencc has no types
    return str(folded) if len(folded) == 1 else char


def _is_traditional(char: str) -> bool:
    try:
        char.encode("big5")
    except UnicodeEncodeError:
        return False
    return True


# One word, one spelling: what OpenCC leaves as it is because both are Traditional somewhere.
_SAME = str.maketrans(
    "周臺后里几余号么于裏礼体鍾〜～–—−：﹑",
    "週台後裡幾餘號麼於裡禮體鐘~~---:、",
)


def fold(text: str) -> str:
    """The cleaned text for matching, character by character the same length: Traditional, lower case."""
    if not text.isascii():
        text = "".join(char if char < "\u3400" else _traditional(char) for char in text)
    lower = text.lower()
    return (lower if len(lower) == len(text) else text).translate(_SAME)
