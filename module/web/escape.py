"""Plain text that stays plain text in HTML and in Markdown, whatever it holds."""

import re

# Marks that can begin a tag, an entity, emphasis, code, a link, a table, a formula, an address.
_ALWAYS = re.compile(r"[&<>\"'\\`*_\[\]~$|@^{}]")
# Marks that mean something at the beginning of a line: headings, lists, rules, and numbers of a list.
_LINE = re.compile(r"^([ \t]*(?:\d+(?=[.)]))?)([#+\-=.):])", re.MULTILINE)
_ADDRESS = re.compile(r":(?=//)|(?<=www)\.", re.IGNORECASE)
_LEADING = re.compile(r"^[ \t]+", re.MULTILINE)


def _entity(mark: str) -> str:
    return f"&#{ord(mark)};"


def plain(text: str) -> str:
    """The text with every active mark as a numeric entity, line breaks kept.

    Neither an HTML parser nor a Markdown one finds a tag, link, address, formula, list or code fence in the answer.
    Dates and times stay as they are, because screen readers are given the text with its entities.
    """
    text = _ALWAYS.sub(lambda mark: _entity(mark[0]), text.replace("\r\n", "\n").replace("\r", "\n"))
    text = _LINE.sub(lambda line: line[1] + _entity(line[2]), text)
    text = _ADDRESS.sub(lambda mark: _entity(mark[0]), text)
    return _LEADING.sub(lambda blank: "&nbsp;" * len(blank[0]), text)


def one_line(text: str) -> str:
    """As `plain`, line breaks made into spaces."""
    return plain(" ".join(text.split()))
