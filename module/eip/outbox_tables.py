"""The outbox's three tables: previews with their tokens, what was confirmed, and who confirmed what."""

from sqlalchemy import Column, DateTime, Index, Integer, String, Table, text

from module.database.append_only import append_only
from module.database.schema import METADATA

OPEN = ("READY", "SENDING", "UNKNOWN")
STANDING = (
    *OPEN,
    "DONE",
    "HANDOFF",
)  # while one of these, the same request is not filed again; also in the index below

_STANDING = text("state IN ('READY', 'SENDING', 'UNKNOWN', 'DONE', 'HANDOFF')")
PREVIEW = Table(
    "preview",
    METADATA,
    Column("token", String, primary_key=True),
    Column("account", String, nullable=False),
    Column("conversation", String, nullable=False),
    Column("version", Integer, nullable=False),
    Column("request", String, nullable=False),
    Column("digest", String, nullable=False),
    Column("expires", DateTime, nullable=False),
    Column("used", DateTime),
    Column("earlier", String),
    Index("previews_of_conversation", "conversation", "version"),
    Index("previews_by_expiry", "expires"),
)
OUTBOX = Table(
    "outbox",
    METADATA,
    Column("id", String, primary_key=True),
    Column("account", String, nullable=False),
    Column("request", String, nullable=False),
    Column("digest", String, nullable=False),
    Column("state", String, nullable=False),
    Column("attempts", Integer, nullable=False, default=0),
    Column("doubts", Integer, nullable=False, default=0),
    Column("due", DateTime, nullable=False),
    Column("lease", DateTime),
    Column("owner", String),
    Column("wf_no", String, nullable=False, default=""),
    Column("minutes", Integer, nullable=False, default=0),
    Column("text", String, nullable=False, default=""),
    Column("created", DateTime, nullable=False),
    Column("seq", Integer, nullable=False, server_default="0"),
    Index("outbox_in_order", "account", "seq"),
    Index(
        "one_standing_row_for_a_request",
        "account",
        "digest",
        unique=True,
        sqlite_where=_STANDING,
        postgresql_where=_STANDING,
    ),
    Index("outbox_by_due", "state", "due"),
)
AUDIT = append_only(
    Table(
        "audit",
        METADATA,
        Column("id", Integer, primary_key=True),
        Column("at", DateTime, nullable=False),
        Column("account", String, nullable=False),
        Column("what", String, nullable=False),
        Column("digest", String, nullable=False),
        Column("outcome", String, nullable=False),
    )
)
