"""The text being read."""

from model.meaning import Found
from module.understand.normalise import fold


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

    def take(self, what: str, value: str, start: int, end: int, rule: str) -> None:
        """Remembers a value and masks its words."""
        self.found.append(Found(what, value, self.text[start:end], start, end, rule))
        self.mask(start, end)
