"""Which version the tables have, and how they come to the newest: by the steps in `migrations`, each run once."""

from importlib.resources import files

from sqlalchemy import Connection, MetaData, Table, inspect, select, text

METADATA = MetaData()  # every table that is kept apart from the embedded EIP and the checkpoints
FIRST, HEAD = "0001", "0003"
VERSION = Table("alembic_version", MetaData())


def bring_up_to_date(tx: Connection, metadata: MetaData, migrate: bool) -> None:
    """Makes or migrates the tables within the transaction, which the caller holds alone.

    In memory, and for the embedded EIP's own file, the tables are made as they are now.
    """
    if not migrate or metadata is not METADATA:
        metadata.create_all(tx)
    elif version(tx) != HEAD:
        _upgrade(tx)


def version(tx: Connection) -> str | None:
    """The version of the tables; None where there are none, FIRST where they are older than versions."""
    known = inspect(tx).get_table_names()
    if "alembic_version" not in known:
        return FIRST if "preview" in known else None
    return str(tx.scalar(select(text("version_num")).select_from(VERSION)))


def _upgrade(tx: Connection) -> None:
    from alembic import command
    from alembic.config import Config

    config = Config(attributes={"connection": tx})
    config.set_main_option("script_location", str(files("module.database") / "migrations"))
    if version(tx) == FIRST and "alembic_version" not in inspect(tx).get_table_names():
        command.stamp(config, FIRST)
    command.upgrade(config, HEAD)
