"""The one place that opens what is kept: a SQLite file, a PostgreSQL, or memory."""

from pathlib import Path
from typing import NamedTuple

from model.settings import Store
from module.database.schema import METADATA
from module.database.sqlite import open_sqlite
from module.database.transactions import Database

WAIT_S = 15.0


class Stores(NamedTuple):
    """The same tables twice: `safe` waits for the disk, `fast` does not and may lose its last second with the power."""

    safe: Database
    fast: Database

    def close(self) -> None:
        """Gives the connections back."""
        self.safe.close()
        self.fast.close()


def place_of(store: Store) -> Path | str:
    """Where [store] keeps what must not be lost."""
    return store.url if store.kind == "postgres" else Path(store.data_dir) / "outbox.db"


def open_stores(place: Path | str | None, wait_s: float = WAIT_S) -> Stores:
    """Opens a SQLite file or a PostgreSQL address (None: in memory), with newest tables. Raises ConfigError.

    `wait_s` is how long a transaction waits for another one's end.
    """
    if isinstance(place, str):
        from module.database.postgres import open_postgres

        return Stores(*open_postgres(place, METADATA, wait_s))
    safe = open_sqlite(place, METADATA, wait_s)
    return Stores(safe, open_sqlite(place, METADATA, wait_s, "NORMAL") if place else safe)
