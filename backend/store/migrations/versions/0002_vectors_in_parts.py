"""Vectors of a content in parts, so that nobody needs all those of a large document in memory."""

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
    raise RuntimeError("Older versions know one part only, and may not have the memory for it.")
