"""Previews with their tokens, what was confirmed, and who confirmed what."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
STANDING = sa.text("state IN ('READY', 'SENDING', 'UNKNOWN', 'DONE', 'HANDOFF')")


def upgrade() -> None:
    """Makes the first three tables."""
    op.create_table(
        "preview",
        sa.Column("token", sa.String, primary_key=True),
        sa.Column("account", sa.String, nullable=False),
        sa.Column("conversation", sa.String, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("request", sa.String, nullable=False),
        sa.Column("digest", sa.String, nullable=False),
        sa.Column("expires", sa.DateTime, nullable=False),
        sa.Column("used", sa.DateTime),
        sa.Column("earlier", sa.String),
    )
    op.create_index("previews_of_conversation", "preview", ["conversation", "version"])
    op.create_index("previews_by_expiry", "preview", ["expires"])
    op.create_table(
        "outbox",
        sa.Column("id", sa.String, primary_key=True),
        sa.Column("account", sa.String, nullable=False),
        sa.Column("request", sa.String, nullable=False),
        sa.Column("digest", sa.String, nullable=False),
        sa.Column("state", sa.String, nullable=False),
        sa.Column("attempts", sa.Integer, nullable=False),
        sa.Column("doubts", sa.Integer, nullable=False),
        sa.Column("due", sa.DateTime, nullable=False),
        sa.Column("lease", sa.DateTime),
        sa.Column("owner", sa.String),
        sa.Column("wf_no", sa.String, nullable=False),
        sa.Column("minutes", sa.Integer, nullable=False),
        sa.Column("text", sa.String, nullable=False),
        sa.Column("created", sa.DateTime, nullable=False),
    )
    op.create_index(
        "one_standing_row_for_a_request",
        "outbox",
        ["account", "digest"],
        unique=True,
        sqlite_where=STANDING,
        postgresql_where=STANDING,
    )
    op.create_index("outbox_by_due", "outbox", ["state", "due"])
    op.create_table(
        "audit",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("at", sa.DateTime, nullable=False),
        sa.Column("account", sa.String, nullable=False),
        sa.Column("what", sa.String, nullable=False),
        sa.Column("digest", sa.String, nullable=False),
        sa.Column("outcome", sa.String, nullable=False),
    )
    from module.database.append_only import guards

    for statement in guards("audit", op.get_bind().dialect.name):
        op.execute(statement)
