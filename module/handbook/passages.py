"""The handbook as numbered passages, read from Markdown: `## H01 title`, then its text."""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import as_file, files
from itertools import pairwise
from pathlib import Path

from model.errors import ConfigError

_HEAD = re.compile(r"##\s+(H\d{2,4})\s+(\S.*?)\s*$")
_ENDS = re.compile(r"(?<=[。！？])|\n+")
_HIDDEN = re.compile(r"<!--.*?(?:-->|$)|<(script|style)\b.*?(?:</\1>|$)|<[^<>]*>", re.DOTALL | re.IGNORECASE)
_LINK = re.compile(r"!?\[([^\[\]]*)\]\([^()]*\)")
_ADDRESS = re.compile(r"(?:\w+://|www\.)[^\s，。；、「」（）]*", re.IGNORECASE)
# A handbook speaks to people: a sentence that speaks to the assistant is never quoted.
_ORDER = re.compile(
    r"(?:AI|人工智慧|語言模型|機器人)\s*(?:助理|助手|小幫手|模型)|(?:忽略|無視|不要理會).{0,8}(?:條文|指示|規則|指令|內容)"
    r"|ignore .{0,30}(?:instruction|rule)|system prompt|回答時一律|\{[^{}]*\}",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Passage:
    """One numbered passage.

    Attributes:
        id: H01 …
        text: without markup and addresses, as it may be shown.
        sentences: those of the text that may be quoted: none that speaks to the assistant.
        file: the name of the file it stands in.
    """

    id: str
    title: str
    text: str
    sentences: tuple[str, ...]
    file: str


def shipped() -> Path:
    """The folder of the sample handbook."""
    with as_file(files("module.words").joinpath("handbook")) as folder:
        return folder


def load(folder: Path) -> tuple[Passage, ...]:
    """All passages of the folder's `*.md` files, in the files' order.

    Raises ConfigError naming file and line: unreadable, text outside a passage, a number twice, nothing at all.
    """
    found: dict[str, Passage] = {}
    for file in markdown(folder):
        for line, passage in _passages(file):
            if passage.id in found:
                raise ConfigError(f"{file} 第 {line} 行：{passage.id} 重複，{found[passage.id].file} 已經有這個編號")
            if not passage.text:
                raise ConfigError(f"{file} 第 {line} 行：{passage.id} 沒有內容")
            found[passage.id] = passage
    if not found:
        raise ConfigError(f"{folder}：找不到手冊條文，請放 .md 檔，每條以「## H01 標題」開頭")
    return tuple(found.values())


def markdown(folder: Path) -> list[Path]:
    """The handbook's files, by name. Raises ConfigError when there is no such folder."""
    if not folder.is_dir():
        raise ConfigError(f"{folder}：找不到手冊資料夾，請檢查 config.ini 的 [desk] handbook")
    return sorted(folder.glob("*.md"))


def _passages(file: Path) -> Iterator[tuple[int, Passage]]:
    try:
        lines = file.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{file}：讀不到，請存成 UTF-8（{error.__class__.__name__}）") from error
    heads = [number for number, line in enumerate(lines) if re.match(r"##(?!#)", line)]
    for number, line in enumerate(lines[: heads[0] if heads else len(lines)]):
        if line.strip() and not line.startswith("# "):
            raise ConfigError(f"{file} 第 {number + 1} 行：這段文字不屬於任何一條，請先寫「## H01 標題」")
    for number, end in pairwise([*heads, len(lines)]):
        head = _HEAD.match(lines[number])
        if not head:
            raise ConfigError(f"{file} 第 {number + 1} 行：標題要寫成「## H01 標題」，看到的是「{lines[number][:40]}」")
        body = "\n".join(line for line in lines[number + 1 : end] if not line.startswith("# "))
        yield number + 1, _passage(head[1], head[2], body, file.name)


def _passage(number: str, title: str, body: str, file: str) -> Passage:
    text = plain(body)
    sentences = (part.strip() for part in _ENDS.split(text))
    kept = tuple(part for part in sentences if part and not _ORDER.search(part))
    return Passage(number, plain(title), text, kept, file)


def plain(text: str) -> str:
    """The text in NFKC punctuation as it is, without hidden characters, markup, comments and addresses."""
    visible = "".join(char for char in text if char == "\n" or unicodedata.category(char)[0] != "C")
    bare = _ADDRESS.sub("", _LINK.sub(r"\1", _HIDDEN.sub("", visible)))
    return re.sub(r"[*_`~|<>]+|^\s*[#>+-]+\s*", "", bare, flags=re.MULTILINE).strip()
