"""The text being read."""

from collections.abc import Iterable

from model.meaning import Found
from module.understand.normalise import fold
from module.understand.rule import Token


class Message:
    """The text being read: what is already understood is masked, and remembered with its rule."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.folded = fold(text)
        self.masked = self.folded
        self.found: list[Found] = []

    def mask(self, start: int, end: int) -> None:
        """Takes these characters away from later readers."""
        self.masked = self.masked[:start] + "\0" * (end - start) + self.masked[end:]

    def mask_all(self, spans: Iterable[tuple[int, int]]) -> None:
        """Takes many pieces away at once: the text is put together one time."""
        letters = list(self.masked)
        for start, end in spans:
            letters[start:end] = "\0" * (end - start)
        self.masked = "".join(letters)

    def note(self, what: str, tokens: Iterable[Token]) -> None:
        """Remembers where values come from; masks nothing."""
        self.found += [Found(what, "", self.text[one.start : one.end], one.start, one.end, one.rule) for one in tokens]

    def take(self, what: str, value: str, start: int, end: int, rule: str) -> None:
        """Remembers a value and masks its words."""
        self.found.append(Found(what, value, self.text[start:end], start, end, rule))
        self.mask(start, end)
