"""What claiming a task reads, so that it costs the same however many tasks are queued."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "turns",
        sa.Column("account_id", sa.String(64), nullable=False),
        sa.Column("turn", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("account_id", name="pk_turns"),
    )
    op.drop_index("ix_tasks_status", "tasks")
    with op.batch_alter_table("tasks") as tasks:
        tasks.add_column(
            sa.Column("fetches", sa.Boolean(), nullable=False, server_default=sa.false())
        )
    filled = sa.table("tasks", sa.column("request", sa.JSON()), sa.column("fetches"))
    has_address = filled.c.request["file_url"].as_string().is_not(None)
    op.execute(filled.update().where(has_address).values(fetches=sa.true()))
    with op.batch_alter_table("tasks") as tasks:
        tasks.alter_column("fetches", server_default=None)
    op.create_index(
        "ix_tasks_queued", "tasks", ["status", "fetches", "listed", "account_id", "created_at"]
    )


def downgrade() -> None:
    raise RuntimeError("Older versions do not fill the new column.")
