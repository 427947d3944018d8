"""The first layout."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "contents",
        sa.Column("content_id", sa.String(length=64), nullable=False),
        sa.Column("blob", sa.String(length=64), nullable=False),
        sa.Column("created_at", sa.Float(), nullable=False),
        sa.Column("page_count", sa.Integer(), nullable=False),
        sa.Column("notes", sa.JSON(), nullable=False),
        sa.Column("opening", sa.Text(), nullable=False),
        sa.Column("original_elements", sa.LargeBinary(), nullable=True),
        sa.PrimaryKeyConstraint("content_id", name=op.f("pk_contents")),
    )
    op.create_index(op.f("ix_contents_blob"), "contents", ["blob"], unique=False)
    op.create_table(
        "docsets",
        sa.Column(
            "sequence",
            sa.BigInteger().with_variant(sa.Integer(), "sqlite"),
            autoincrement=True,
            nullable=False,
        ),
        sa.Column("docset_id", sa.String(length=64), nullable=False),
        sa.Column("account_id", sa.String(length=64), nullable=False),
        sa.Column("name", sa.String(length=500), nullable=False),
        sa.Column("created_at", sa.Float(), nullable=False),
        sa.Column("readonly", sa.Boolean(), nullable=False),
        sa.Column("properties", sa.JSON(), nullable=False),
        sa.Column("schema", sa.JSON(), nullable=True),
        sa.Column("prompts", sa.JSON(), nullable=False),
        sa.Column("embedding", sa.JSON(), nullable=False),
        sa.Column("language", sa.String(length=20), nullable=False),
        sa.PrimaryKeyConstraint("sequence", name=op.f("pk_docsets")),
        sa.UniqueConstraint("docset_id", name=op.f("uq_docsets_docset_id")),
    )
    op.create_index(op.f("ix_docsets_account_id"), "docsets", ["account_id"], unique=False)
    op.create_index(op.f("ix_docsets_name"), "docsets", ["name"], unique=False)
    op.create_table(
        "operations",
        sa.Column(
            "sequence",
            sa.BigInteger().with_variant(sa.Integer(), "sqlite"),
            autoincrement=True,
            nullable=False,
        ),
        sa.Column("docset_id", sa.String(length=64), nullable=False),
        sa.Column("doc_id", sa.String(length=64), nullable=False),
        sa.Column("number", sa.BigInteger(), nullable=False),
        sa.Column("kind", sa.String(length=10), nullable=False),
        sa.PrimaryKeyConstraint("sequence", name=op.f("pk_operations")),
        sqlite_autoincrement=True,
    )
    op.create_index(
        "ix_operations_docset_sequence", "operations", ["docset_id", "sequence"], unique=False
    )
    op.create_table(
        "plan_journal",
        sa.Column(
            "sequence",
            sa.BigInteger().with_variant(sa.Integer(), "sqlite"),
            autoincrement=True,
            nullable=False,
        ),
        sa.Column("docset_id", sa.String(length=64), nullable=False),
        sa.Column("plan_hash", sa.String(length=64), nullable=False),
        sa.Column("parent_hash", sa.String(length=64), nullable=True),
        sa.Column("feedback", sa.Text(), nullable=True),
        sa.Column("plan", sa.JSON(), nullable=False),
        sa.Column("created_at", sa.Float(), nullable=False),
        sa.PrimaryKeyConstraint("sequence", name=op.f("pk_plan_journal")),
        sa.UniqueConstraint(
            "docset_id",
            "plan_hash",
            "parent_hash",
            name=op.f("uq_plan_journal_docset_id_plan_hash_parent_hash"),
        ),
    )
    op.create_table(
        "query_runs",
        sa.Column("query_id", sa.String(length=64), nullable=False),
        sa.Column("docset_id", sa.String(length=64), nullable=False),
        sa.Column("account_id", sa.String(length=64), nullable=False),
        sa.Column("created_at", sa.Float(), nullable=False),
        sa.Column("finished_at", sa.Float(), nullable=True),
        sa.Column("status", sa.String(length=12), nullable=False),
        sa.Column("plan", sa.JSON(), nullable=False),
        sa.Column("trace", sa.JSON(), nullable=False),
        sa.PrimaryKeyConstraint("query_id", name=op.f("pk_query_runs")),
    )
    op.create_index(op.f("ix_query_runs_docset_id"), "query_runs", ["docset_id"], unique=False)
    op.create_table(
        "secrets",
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("value", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_secrets")),
    )
    op.create_table(
        "tasks",
        sa.Column("task_id", sa.String(length=64), nullable=False),
        sa.Column("account_id", sa.String(length=64), nullable=False),
        sa.Column("action", sa.String(length=300), nullable=False),
        sa.Column("kind", sa.String(length=40), nullable=False),
        sa.Column("method", sa.String(length=10), nullable=False),
        sa.Column("status", sa.String(length=12), nullable=False),
        sa.Column("request", sa.JSON(), nullable=False),
        sa.Column("blob", sa.String(length=64), nullable=True),
        sa.Column("userdata", sa.Text(), nullable=True),
        sa.Column("webhook", sa.Text(), nullable=True),
        sa.Column("created_at", sa.Float(), nullable=False),
        sa.Column("started_at", sa.Float(), nullable=True),
        sa.Column("finished_at", sa.Float(), nullable=True),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("crashes", sa.Integer(), nullable=False),
        sa.Column("executor", sa.String(length=64), nullable=True),
        sa.Column("lease_until", sa.Float(), nullable=True),
        sa.Column("listed", sa.Boolean(), nullable=False),
        sa.Column("name", sa.Text(), nullable=True),
        sa.Column("checkpoint", sa.BigInteger(), nullable=True),
        sa.Column("done", sa.Integer(), nullable=True),
        sa.Column("total", sa.Integer(), nullable=True),
        sa.Column("unit", sa.String(length=20), nullable=True),
        sa.Column("message", sa.Text(), nullable=True),
        sa.Column("outcome", sa.Integer(), nullable=True),
        sa.Column("result", sa.LargeBinary(), nullable=True),
        sa.Column("changed", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("task_id", name=op.f("pk_tasks")),
    )
    op.create_index("ix_tasks_account_status", "tasks", ["account_id", "status"], unique=False)
    op.create_index(op.f("ix_tasks_blob"), "tasks", ["blob"], unique=False)
    op.create_index("ix_tasks_changed", "tasks", ["changed"], unique=False)
    op.create_index("ix_tasks_finished_at", "tasks", ["finished_at"], unique=False)
    op.create_index(
        "ix_tasks_status", "tasks", ["status", "listed", "account_id", "created_at"], unique=False
    )
    op.create_table(
        "tokens",
        sa.Column("token_hash", sa.String(length=64), nullable=False),
        sa.Column("token_id", sa.String(length=64), nullable=False),
        sa.Column("account_id", sa.String(length=64), nullable=False),
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("scope", sa.String(length=10), nullable=False),
        sa.Column("created_at", sa.Float(), nullable=False),
        sa.Column("expires_at", sa.Float(), nullable=True),
        sa.PrimaryKeyConstraint("token_hash", name=op.f("pk_tokens")),
        sa.UniqueConstraint("token_id", name=op.f("uq_tokens_token_id")),
    )
    op.create_table(
        "vector_cache",
        sa.Column(
            "sequence",
            sa.BigInteger().with_variant(sa.Integer(), "sqlite"),
            autoincrement=True,
            nullable=False,
        ),
        sa.Column("key", sa.LargeBinary(), nullable=False),
        sa.Column("vector", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("sequence", name=op.f("pk_vector_cache")),
        sa.UniqueConstraint("key", name=op.f("uq_vector_cache_key")),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "documents",
        sa.Column(
            "sequence",
            sa.BigInteger().with_variant(sa.Integer(), "sqlite"),
            autoincrement=True,
            nullable=False,
        ),
        sa.Column("number", sa.BigInteger(), nullable=False),
        sa.Column("doc_id", sa.String(length=64), nullable=False),
        sa.Column("docset_id", sa.String(length=64), nullable=False),
        sa.Column("account_id", sa.String(length=64), nullable=False),
        sa.Column("content_id", sa.String(length=64), nullable=False),
        sa.Column("blob", sa.String(length=64), nullable=False),
        sa.Column("task_id", sa.String(length=64), nullable=True),
        sa.Column("created_at", sa.Float(), nullable=False),
        sa.Column("name", sa.String(length=1000), nullable=False),
        sa.Column("size", sa.BigInteger(), nullable=False),
        sa.Column("content_type", sa.String(length=200), nullable=False),
        sa.Column("properties", sa.JSON(), nullable=False),
        sa.Column("evidence", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(
            ["content_id"], ["contents.content_id"], name=op.f("fk_documents_content_id_contents")
        ),
        sa.ForeignKeyConstraint(
            ["docset_id"],
            ["docsets.docset_id"],
            name=op.f("fk_documents_docset_id_docsets"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("sequence", name=op.f("pk_documents")),
        sa.UniqueConstraint("doc_id", name=op.f("uq_documents_doc_id")),
        sa.UniqueConstraint("docset_id", "number", name=op.f("uq_documents_docset_id_number")),
        sa.UniqueConstraint("task_id", name=op.f("uq_documents_task_id")),
    )
    op.create_index(op.f("ix_documents_blob"), "documents", ["blob"], unique=False)
    op.create_index(op.f("ix_documents_content_id"), "documents", ["content_id"], unique=False)
    op.create_index(
        "ix_documents_docset_sequence", "documents", ["docset_id", "sequence"], unique=False
    )
    op.create_table(
        "elements",
        sa.Column("content_id", sa.String(length=64), nullable=False),
        sa.Column("ordinal", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=40), nullable=False),
        sa.Column("page_number", sa.Integer(), nullable=False),
        sa.Column("bbox", sa.JSON(), nullable=False),
        sa.Column("text", sa.Text(), nullable=True),
        sa.Column("properties", sa.JSON(), nullable=False),
        sa.Column("extra", sa.JSON(), nullable=True),
        sa.ForeignKeyConstraint(
            ["content_id"],
            ["contents.content_id"],
            name=op.f("fk_elements_content_id_contents"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("content_id", "ordinal", name=op.f("pk_elements")),
    )
    op.create_table(
        "property_changes",
        sa.Column(
            "sequence",
            sa.BigInteger().with_variant(sa.Integer(), "sqlite"),
            autoincrement=True,
            nullable=False,
        ),
        sa.Column("docset_id", sa.String(length=64), nullable=False),
        sa.Column("doc_id", sa.String(length=64), nullable=False),
        sa.ForeignKeyConstraint(
            ["docset_id"],
            ["docsets.docset_id"],
            name=op.f("fk_property_changes_docset_id_docsets"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("sequence", name=op.f("pk_property_changes")),
        sqlite_autoincrement=True,
    )
    op.create_index(
        "ix_property_changes_docset_sequence",
        "property_changes",
        ["docset_id", "sequence"],
        unique=False,
    )
    op.create_table(
        "vectors",
        sa.Column("content_id", sa.String(length=64), nullable=False),
        sa.Column("identity", sa.String(length=200), nullable=False),
        sa.Column("dimension", sa.Integer(), nullable=False),
        sa.Column("ordinals", sa.LargeBinary(), nullable=False),
        sa.Column("matrix", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["content_id"],
            ["contents.content_id"],
            name=op.f("fk_vectors_content_id_contents"),
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("content_id", "identity", name=op.f("pk_vectors")),
    )


def downgrade() -> None:
    raise RuntimeError("There is no layout before the first.")
