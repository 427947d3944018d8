"""Documents reread with people's corrections, and the changes this proposes."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

_SEQUENCE = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "rereadings",
        sa.Column("sequence", _SEQUENCE, autoincrement=True, nullable=False),
        sa.Column("rereading_id", sa.String(length=64), nullable=False),
        sa.Column("docset_id", sa.String(length=64), nullable=False),
        sa.Column("created_at", sa.Float(), nullable=False),
        sa.Column("finished_at", sa.Float(), nullable=True),
        sa.Column("fields", sa.JSON(), nullable=False),
        sa.Column("documents", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["docset_id"],
            ["docsets.docset_id"],
            name=op.f("fk_rereadings_docset_id_docsets"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("sequence", name=op.f("pk_rereadings")),
        sa.UniqueConstraint("rereading_id", name=op.f("uq_rereadings_rereading_id")),
        sqlite_autoincrement=True,
    )
    op.create_index(op.f("ix_rereadings_docset_id"), "rereadings", ["docset_id"], unique=False)
    op.create_table(
        "proposed_changes",
        sa.Column("sequence", _SEQUENCE, autoincrement=True, nullable=False),
        sa.Column("rereading_id", sa.String(length=64), nullable=False),
        sa.Column("doc_id", sa.String(length=64), nullable=False),
        sa.Column("field", sa.String(length=200), nullable=False),
        sa.Column("before", sa.JSON(), nullable=False),
        sa.Column("after", sa.JSON(), nullable=False),
        sa.Column("written", sa.JSON(), nullable=True),
        sa.Column("state", sa.String(length=10), nullable=False),
        sa.ForeignKeyConstraint(
            ["rereading_id"],
            ["rereadings.rereading_id"],
            name=op.f("fk_proposed_changes_rereading_id_rereadings"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("sequence", name=op.f("pk_proposed_changes")),
        sqlite_autoincrement=True,
    )
    op.create_index(
        "ix_proposed_changes_rereading_state",
        "proposed_changes",
        ["rereading_id", "state", "sequence"],
        unique=False,
    )


def downgrade() -> None:
    raise RuntimeError("Older versions cannot undo the changes that were accepted.")
