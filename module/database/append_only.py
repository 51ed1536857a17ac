"""A table whose rows can be added and neither changed nor taken away."""

from collections.abc import Iterator

from sqlalchemy import Connection, Table, event

_SQLITE = "CREATE TRIGGER {table}_no_{verb} BEFORE {verb} ON {table} BEGIN SELECT RAISE(ABORT, 'append-only'); END"
_FUNCTION = """CREATE OR REPLACE FUNCTION append_only() RETURNS trigger LANGUAGE plpgsql AS
'BEGIN RAISE integrity_constraint_violation USING MESSAGE = ''append-only''; END'"""
_POSTGRES = "CREATE TRIGGER {table}_no_{verb} BEFORE {verb} ON {table} EXECUTE FUNCTION append_only()"


def guards(table: str, dialect: str) -> Iterator[str]:
    """The statements that guard the table."""
    if dialect == "postgresql":
        yield _FUNCTION
    trigger = _POSTGRES if dialect == "postgresql" else _SQLITE
    for verb in ("update", "delete"):
        yield trigger.format(table=table, verb=verb)


def append_only(table: Table) -> Table:
    """Guards the table wherever it is made."""

    def guard(made: Table, connection: Connection, **_: object) -> None:
        for statement in guards(made.name, connection.dialect.name):
            connection.exec_driver_sql(statement)

    event.listen(table, "after_create", guard)
    return table
