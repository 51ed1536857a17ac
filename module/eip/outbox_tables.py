"""The outbox file's three tables: previews with their tokens, what was confirmed, and who confirmed what."""

from sqlalchemy import DDL, Column, DateTime, Index, Integer, MetaData, String, Table, event, text

OPEN = ("READY", "SENDING", "UNKNOWN")
STANDING = (
    *OPEN,
    "DONE",
    "HANDOFF",
)  # while one of these, the same request is not filed again; also in the index below

METADATA = MetaData()
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
    Index(
        "one_standing_row_for_a_request",
        "account",
        "digest",
        unique=True,
        sqlite_where=text("state IN ('READY', 'SENDING', 'UNKNOWN', 'DONE', 'HANDOFF')"),
    ),
    Index("outbox_by_due", "state", "due"),
)
AUDIT = Table(
    "audit",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("at", DateTime, nullable=False),
    Column("account", String, nullable=False),
    Column("what", String, nullable=False),
    Column("digest", String, nullable=False),
    Column("outcome", String, nullable=False),
)
for verb in ("UPDATE", "DELETE"):
    guard = (
        f"CREATE TRIGGER audit_no_{verb.lower()} BEFORE {verb} ON audit BEGIN SELECT RAISE(ABORT, 'append-only'); END"
    )
    event.listen(AUDIT, "after_create", DDL(guard))  # type: ignore[no-untyped-call]  # not typed in SQLAlchemy
