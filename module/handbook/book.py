"""The handbook as it stands now: read again, without a restart, when a file has changed."""

import time
from collections.abc import Callable
from pathlib import Path

import structlog

from model.errors import ConfigError
from module.handbook.passages import Passage, load, markdown, shipped
from module.handbook.sayings import read
from module.handbook.search import Index

LOOK_EVERY = 3.0  # seconds
Stamp = tuple[tuple[str, int, int], ...]


class Handbook:
    """A folder of Markdown files and what was read from it."""

    def __init__(self, folder: Path, clock: Callable[[], float]) -> None:
        """Use `open`."""
        self.folder, self._clock = folder, clock
        self._looked, self._seen, self._index = self._read()

    @classmethod
    def open(cls, folder: Path | None = None, clock: Callable[[], float] = time.monotonic) -> "Handbook":
        """Reads the folder, the shipped sample by default. Raises ConfigError naming file and line."""
        return cls(folder or shipped(), clock)

    @property
    def index(self) -> Index:
        """The passages to search, looked after at most every few seconds.

        A change that cannot be read is logged, and the last good reading stays.
        """
        if self._clock() - self._looked >= LOOK_EVERY:
            self._looked = self._clock()
            try:
                if self._stamp() != self._seen:
                    self._looked, self._seen, self._index = self._read()
            except (ConfigError, OSError) as error:
                structlog.get_logger().warning("handbook_unreadable", error=str(error))
        return self._index

    @property
    def passages(self) -> tuple[Passage, ...]:
        """All passages now."""
        return self.index.passages

    def passage(self, number: str) -> Passage | None:
        """The passage with this number, for reading a citation."""
        return next((passage for passage in self.passages if passage.id == number), None)

    def _read(self) -> tuple[float, Stamp, Index]:
        return self._clock(), self._stamp(), Index(load(self.folder), read(self.folder))

    def _stamp(self) -> Stamp:
        files = [*markdown(self.folder), self.folder / "sayings.toml"]
        stats = ((file.name, file.stat()) for file in files if file.is_file())
        return tuple((name, stat.st_mtime_ns, stat.st_size) for name, stat in stats)
