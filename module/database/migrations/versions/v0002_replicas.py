"""The order of confirmations as a number of its own, and which conversation is open."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Rows that are there already keep their order."""
    op.add_column("outbox", sa.Column("seq", sa.Integer, nullable=False, server_default="0"))
    if op.get_bind().dialect.name == "sqlite":
        op.execute("UPDATE outbox SET seq = rowid")
    op.create_index("outbox_in_order", "outbox", ["account", "seq"])
    op.create_table(
        "conversation",
        sa.Column("account", sa.String, primary_key=True),
        sa.Column("id", sa.String, nullable=False),
        sa.Column("used", sa.DateTime, nullable=False),
    )
    op.create_index("conversations_by_use", "conversation", ["used"])
