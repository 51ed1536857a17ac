"""The steps that the tables took: an old file comes to the newest ones with its rows, and nothing was forgotten."""

import importlib
import sqlite3
from collections.abc import Callable, Iterator
from datetime import datetime
from pathlib import Path

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError

from module.database.schema import FIRST, HEAD, METADATA, version
from module.database.stores import Stores, open_stores
from tests.eip_office import Office

ROOT = Path(__file__).parents[1]
SCRIPTS = ROOT / "module" / "database" / "migrations"
for file in (ROOT / "module").rglob("*.py"):
    if "METADATA" in file.read_text(encoding="utf-8") and "migrations" not in file.parts:
        importlib.import_module(".".join(file.relative_to(ROOT).with_suffix("").parts))


def config(connection: object = None) -> Config:
    made = Config(attributes={"connection": connection})
    made.set_main_option("script_location", str(SCRIPTS))
    return made


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.slow)])
def stores(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Stores]:
    opened = open_stores(tmp_path / "outbox.db" if request.param == "sqlite" else request.getfixturevalue("postgres_url"))
    yield opened
    opened.close()


def test_the_newest_step_is_the_one_that_the_code_expects() -> None:
    assert ScriptDirectory.from_config(config()).get_heads() == [HEAD]


def test_the_steps_lead_to_the_tables_of_the_code(stores: Stores) -> None:
    with stores.safe.read() as tx:
        assert version(tx) == HEAD
        assert compare_metadata(MigrationContext.configure(tx), METADATA) == []


def test_what_was_audited_stays(stores: Stores) -> None:
    with stores.safe.write() as tx:
        tx.execute(text("INSERT INTO audit (at, account, what, digest, outcome) VALUES ('2026-11-30', 'a', 'b', 'c', 'd')"))
    for change in ("UPDATE audit SET account = 'x'", "DELETE FROM audit"):
        with pytest.raises(IntegrityError, match="append-only"), stores.safe.write() as tx:
            tx.execute(text(change))


def first_tables(path: Path, rows: Callable[[sqlite3.Connection], None]) -> None:
    """A file as it was before there were versions."""
    stores = open_stores(path)
    with stores.safe.engine.begin() as tx:
        for table in ("preview", "outbox", "audit", "alembic_version", *METADATA.tables):
            tx.execute(text(f"DROP TABLE IF EXISTS {table}"))
        command.upgrade(config(tx), FIRST)
        tx.execute(text("DROP TABLE alembic_version"))
    stores.close()
    file = sqlite3.connect(path)
    with file:
        rows(file)
    file.close()


async def test_a_file_from_before_versions_keeps_its_rows_and_their_order(tmp_path: Path) -> None:
    from module.eip.filing import packed
    from module.eip.outbox import Outbox

    office, moment = Office(), "2026-11-30 09:00:00.000000"
    requests = [office.request(f"2026-12-{day} 09:00", f"2026-12-{day} 18:00") for day in (10, 11)]

    def rows(file: sqlite3.Connection) -> None:
        for name, request in zip(("second by name", "first by name"), requests, strict=True):
            values = (name, request.account, packed(request), request.digest(), moment, moment)
            file.execute(
                "INSERT INTO outbox (id, account, request, digest, state, attempts, doubts, due, wf_no, minutes, text, created)"
                " VALUES (?, ?, ?, ?, 'READY', 0, 0, ?, '', 0, '', ?)", values,
            )  # fmt: skip

    first_tables(tmp_path / "outbox.db", rows)
    outbox = Outbox.open(tmp_path / "outbox.db", office.clock)
    waiting = await outbox.pending(requests[0].account)
    assert [filing.request for filing in waiting] == requests
    eip = office.eip()
    settled = await outbox.reconcile(eip)
    assert [(filing.token, filing.state) for filing in settled] == [("second by name", "done"), ("first by name", "done")]
    leaves = await eip.leaves(requests[0].account, datetime(2026, 12, 10), datetime(2026, 12, 12))
    assert len(leaves) == 2
    outbox.close()
    eip.close()
