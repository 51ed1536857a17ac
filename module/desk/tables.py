"""The desk's tables: matters for HR with every step they took, and questions without an answer."""

from sqlalchemy import Boolean, Column, DateTime, Index, Integer, String, Table

from module.database.append_only import append_only
from module.database.schema import METADATA

CASE = Table(
    "hr_case",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("number", String, nullable=False),
    Column("account", String, nullable=False),
    Column("kind", String, nullable=False),
    Column("state", String, nullable=False),
    Column("request", String, nullable=False),
    Column("excerpt", String),
    Column("answer", String, nullable=False),
    Column("answered_by", String, nullable=False),
    Column("told", Boolean, nullable=False),
    Column("created", DateTime, nullable=False),
    Column("updated", DateTime, nullable=False),
    Index("case_by_number", "number", unique=True),
    Index("cases_by_state", "state", "id"),
    Index("cases_to_tell", "told", "account"),
)
STEP = append_only(
    Table(
        "hr_case_step",
        METADATA,
        Column("id", Integer, primary_key=True),
        Column("number", String, nullable=False),
        Column("at", DateTime, nullable=False),
        Column("who", String, nullable=False),
        Column("state", String, nullable=False),
    )
)
QUESTION = Table(
    "open_question",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("text", String, nullable=False),
    Column("asked", DateTime, nullable=False),
)
