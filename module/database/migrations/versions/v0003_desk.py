"""Matters for HR with their steps, and questions that the handbook could not answer."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Makes the three tables."""
    op.create_table(
        "hr_case",
        sa.Column("id", sa.Integer, primary_key=True),
        *(sa.Column(name, sa.String, nullable=False) for name in ("number", "account", "kind", "state", "request")),
        sa.Column("excerpt", sa.String),
        *(sa.Column(name, sa.String, nullable=False) for name in ("answer", "answered_by")),
        sa.Column("told", sa.Boolean, nullable=False),
        *(sa.Column(name, sa.DateTime, nullable=False) for name in ("created", "updated")),
    )
    op.create_index("case_by_number", "hr_case", ["number"], unique=True)
    op.create_index("cases_by_state", "hr_case", ["state", "id"])
    op.create_index("cases_to_tell", "hr_case", ["told", "account"])
    op.create_table(
        "hr_case_step",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("number", sa.String, nullable=False),
        sa.Column("at", sa.DateTime, nullable=False),
        *(sa.Column(name, sa.String, nullable=False) for name in ("who", "state")),
    )
    op.create_table(
        "open_question",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("text", sa.String, nullable=False),
        sa.Column("asked", sa.DateTime, nullable=False),
    )
    from module.database.append_only import guards

    for statement in guards("hr_case_step", op.get_bind().dialect.name):
        op.execute(statement)
