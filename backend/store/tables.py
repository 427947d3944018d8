"""The tables, for SQLite and PostgreSQL alike.

A `documents` row belongs to a DocSet and references a `contents` row, the result of parsing one
file with one set of options. A clone copies document rows and shares contents. Elements and vectors
belong to the content. Every change that a search index must follow adds a row to `operations` in
the same transaction. A task's end, its document and its operation are one transaction too.

Times are seconds since 1970 (float); JSON columns contain the JSON form of contract types.
"""

from typing import Final

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
    text,
)

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
        "pk": "pk_%(table_name)s",
    }
)

# SQLite only autoincrements INTEGER; PostgreSQL needs eight bytes.
_Sequence = BigInteger().with_variant(Integer, "sqlite")

tokens = Table(
    "tokens",
    metadata,
    Column("token_hash", String(64), primary_key=True, doc="SHA-256 of the token, hex"),
    Column("token_id", String(64), nullable=False, unique=True),
    Column("account_id", String(64), nullable=False),
    Column("name", String(200), nullable=False),
    Column("scope", String(10), nullable=False, doc="read, write or admin"),
    Column("created_at", Float, nullable=False),
    Column("expires_at", Float),
)

secrets = Table(
    "secrets",
    metadata,
    Column("name", String(40), primary_key=True),
    Column("value", LargeBinary, nullable=False, doc="random bytes made at the first start"),
)

docsets = Table(
    "docsets",
    metadata,
    Column("sequence", _Sequence, primary_key=True, autoincrement=True, doc="order of creation"),
    Column("docset_id", String(64), nullable=False, unique=True),
    Column("account_id", String(64), nullable=False, index=True),
    Column("name", String(500), nullable=False, index=True),
    Column("created_at", Float, nullable=False),
    Column("readonly", Boolean, nullable=False, default=False),
    Column("properties", JSON, nullable=False, default=dict),
    Column("schema", JSON, doc="workbench.contract.schema.Schema, null without one"),
    Column("prompts", JSON, nullable=False, default=dict),
    Column("embedding", JSON, nullable=False, doc="identity of the vectors: provider, model, dim…"),
    Column("language", String(20), nullable=False, default="english", doc="of word stems"),
)

contents = Table(
    "contents",
    metadata,
    Column("content_id", String(64), primary_key=True),
    Column("blob", String(64), nullable=False, index=True, doc="SHA-256 of the original file"),
    Column("created_at", Float, nullable=False),
    Column("page_count", Integer, nullable=False),
    Column("notes", JSON, nullable=False, default=list),
    Column("opening", Text, nullable=False, default="", doc="of its text, as results show it"),
    Column("original_elements", LargeBinary, doc="zlib of the JSON list before chunking, or null"),
)

elements = Table(
    "elements",
    metadata,
    Column(
        "content_id",
        ForeignKey("contents.content_id", ondelete="CASCADE"),
        primary_key=True,
    ),
    Column("ordinal", Integer, primary_key=True, doc="reading order from 0"),
    Column("kind", String(40), nullable=False, doc="the element's type on the wire"),
    Column("page_number", Integer, nullable=False),
    Column("bbox", JSON, nullable=False, doc="x1, y1, x2, y2 as page fractions"),
    Column("text", Text, doc="text_representation; tables as tab-separated lines"),
    Column("properties", JSON, nullable=False),
    Column("extra", JSON, doc="table and binary_representation, where there are any"),
)

vectors = Table(
    "vectors",
    metadata,
    Column(
        "content_id",
        ForeignKey("contents.content_id", ondelete="CASCADE"),
        primary_key=True,
    ),
    Column("identity", String(200), primary_key=True, doc="canonical text of the identity"),
    Column("part", Integer, primary_key=True, autoincrement=False, doc="from 0, in their order"),
    Column("dimension", Integer, nullable=False),
    Column("ordinals", LargeBinary, nullable=False, doc="int32 little-endian: element of each row"),
    Column("matrix", LargeBinary, nullable=False, doc="float32 little-endian, rows L2-normalised"),
)

vector_cache = Table(
    "vector_cache",
    metadata,
    Column("sequence", _Sequence, primary_key=True, autoincrement=True, doc="order of last use"),
    Column("key", LargeBinary, nullable=False, unique=True, doc="SHA-256 of identity and text"),
    Column("vector", LargeBinary, nullable=False, doc="float32 little-endian, L2-normalised"),
    sqlite_autoincrement=True,
)

documents = Table(
    "documents",
    metadata,
    Column("sequence", _Sequence, primary_key=True, autoincrement=True, doc="order of arrival"),
    Column(
        "number",
        BigInteger,
        nullable=False,
        default=text("(SELECT coalesce(max(sequence), 0) + 1 FROM documents)"),
        doc="the id in indexes: grows in a DocSet; a clone's document keeps its original's",
    ),
    Column("doc_id", String(64), nullable=False, unique=True),
    Column(
        "docset_id",
        ForeignKey("docsets.docset_id", ondelete="CASCADE"),
        nullable=False,
    ),
    Column("account_id", String(64), nullable=False),
    Column("content_id", ForeignKey("contents.content_id"), nullable=False, index=True),
    Column("blob", String(64), nullable=False, index=True),
    Column("task_id", String(64), unique=True, doc="the task that added it: at most one document"),
    Column("created_at", Float, nullable=False),
    Column("name", String(1000), nullable=False),
    Column("size", BigInteger, nullable=False, doc="bytes of the original file"),
    Column("content_type", String(200), nullable=False),
    Column("properties", JSON, nullable=False, doc="with `entity` and `path`, as on the wire"),
    Column("evidence", JSON, nullable=False, default=dict, doc="the source of each entity value"),
    Index("ix_documents_docset_sequence", "docset_id", "sequence"),
    UniqueConstraint("docset_id", "number"),
)

operations = Table(
    "operations",
    metadata,
    Column("sequence", _Sequence, primary_key=True, autoincrement=True),
    Column("docset_id", String(64), nullable=False),
    Column("doc_id", String(64), nullable=False),
    Column("number", BigInteger, nullable=False, doc="the document's; 0 for none"),
    Column("kind", String(10), nullable=False, doc="add, delete or clone"),
    Index("ix_operations_docset_sequence", "docset_id", "sequence"),
    sqlite_autoincrement=True,
)

property_changes = Table(
    "property_changes",
    metadata,
    Column("sequence", _Sequence, primary_key=True, autoincrement=True),
    Column("docset_id", ForeignKey("docsets.docset_id", ondelete="CASCADE"), nullable=False),
    Column("doc_id", String(64), nullable=False, doc="a document that got other properties"),
    Index("ix_property_changes_docset_sequence", "docset_id", "sequence"),
    sqlite_autoincrement=True,
)

tasks = Table(
    "tasks",
    metadata,
    Column("task_id", String(64), primary_key=True),
    Column("account_id", String(64), nullable=False),
    Column("action", String(300), nullable=False, doc="the path that was submitted"),
    Column("kind", String(40), nullable=False, doc="which task body runs"),
    Column("method", String(10), nullable=False),
    Column("status", String(12), nullable=False, doc="queued, running, done, cancelled"),
    Column("request", JSON, nullable=False, doc="everything the body needs; files as blob hashes"),
    Column("blob", String(64), index=True, doc="the uploaded file, kept while the task is open"),
    Column("userdata", Text),
    Column("webhook", Text),
    Column("created_at", Float, nullable=False),
    Column("started_at", Float),
    Column("finished_at", Float),
    Column("attempts", Integer, nullable=False, default=0, doc="claims so far; fences old ones"),
    Column("crashes", Integer, nullable=False, default=0, doc="workers that died of it"),
    Column("executor", String(64), doc="the process that runs it"),
    Column("lease_until", Float, doc="when another process may take it over"),
    Column("listed", Boolean, nullable=False, doc="false for synchronous calls"),
    Column("fetches", Boolean, nullable=False, doc="whether its file is fetched first"),
    Column("name", Text, doc="what it works on, for people"),
    Column("checkpoint", BigInteger, doc="how far a walk is committed; it resumes after this"),
    Column("done", Integer),
    Column("total", Integer),
    Column("unit", String(20)),
    Column("message", Text),
    Column("outcome", Integer, doc="HTTP status of the finished call"),
    Column("result", LargeBinary, doc="body of the finished call"),
    Column("changed", BigInteger, nullable=False, doc="grows with every change of any task"),
    Index("ix_tasks_account_status", "account_id", "status"),
    # Finds the oldest queued task of each account in constant time.
    Index("ix_tasks_queued", "status", "fetches", "listed", "account_id", "created_at"),
    Index("ix_tasks_finished_at", "finished_at"),
    Index("ix_tasks_changed", "changed"),
)

turns = Table(
    "turns",
    metadata,
    Column("account_id", String(64), primary_key=True),
    Column("turn", BigInteger, nullable=False, doc="grows; the lowest has waited longest"),
)

IS_OPEN: Final = tasks.c.status.in_(("queued", "running"))
"""Whether a task is unfinished."""

rereadings = Table(
    "rereadings",
    metadata,
    Column("sequence", _Sequence, primary_key=True, autoincrement=True, doc="order of start"),
    Column("rereading_id", String(64), nullable=False, unique=True, doc="its task's id"),
    Column(
        "docset_id",
        ForeignKey("docsets.docset_id", ondelete="CASCADE"),
        nullable=False,
        index=True,
    ),
    Column("created_at", Float, nullable=False),
    Column("finished_at", Float),
    Column("fields", JSON, nullable=False, doc="the properties that were reread"),
    Column("documents", Integer, nullable=False, doc="how many were reread"),
    sqlite_autoincrement=True,
)

proposed_changes = Table(
    "proposed_changes",
    metadata,
    Column("sequence", _Sequence, primary_key=True, autoincrement=True),
    Column(
        "rereading_id",
        ForeignKey("rereadings.rereading_id", ondelete="CASCADE"),
        nullable=False,
    ),
    Column("doc_id", String(64), nullable=False),
    Column("field", String(200), nullable=False),
    Column("before", JSON, nullable=False, doc="value and evidence"),
    Column("after", JSON, nullable=False, doc="value and evidence after rereading"),
    Column("written", JSON, doc="the evidence written on acceptance"),
    Column("state", String(10), nullable=False, doc="open, accepted or refused"),
    Index("ix_proposed_changes_rereading_state", "rereading_id", "state", "sequence"),
    sqlite_autoincrement=True,
)

plan_journal = Table(
    "plan_journal",
    metadata,
    Column("sequence", _Sequence, primary_key=True, autoincrement=True),
    Column("docset_id", String(64), nullable=False),
    Column("plan_hash", String(64), nullable=False),
    Column("parent_hash", String(64)),
    Column("feedback", Text),
    Column("plan", JSON, nullable=False),
    Column("created_at", Float, nullable=False),
    UniqueConstraint("docset_id", "plan_hash", "parent_hash"),
)

query_runs = Table(
    "query_runs",
    metadata,
    Column("query_id", String(64), primary_key=True),
    Column("docset_id", String(64), nullable=False, index=True),
    Column("account_id", String(64), nullable=False),
    Column("created_at", Float, nullable=False),
    Column("finished_at", Float),
    Column("status", String(12), nullable=False),
    Column("plan", JSON, nullable=False),
    Column("trace", JSON, nullable=False, doc="per node: rows, time, dropped, samples, warnings"),
)
