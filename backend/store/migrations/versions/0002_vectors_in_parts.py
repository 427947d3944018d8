"""Stores vectors of a content in parts, so that a large document is never in memory as a whole."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("vectors") as vectors:
        vectors.drop_constraint("pk_vectors", type_="primary")
        vectors.add_column(sa.Column("part", sa.Integer(), nullable=False, server_default="0"))
        vectors.create_primary_key("pk_vectors", ["content_id", "identity", "part"])
    with op.batch_alter_table("vectors") as vectors:
        vectors.alter_column("part", server_default=None)


def downgrade() -> None:
    raise RuntimeError("Older versions store vectors in one part and may run out of memory.")
