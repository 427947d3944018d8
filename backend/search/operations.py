"""Turns the operation log into the changes that an index must apply to catch up.

All operations after a mark form one set of changes: each document named there is removed, and added
back if it still exists. Applying that twice changes nothing, so a crash between an index commit and
its mark is harmless.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, islice
from operator import attrgetter

from sqlalchemy import Connection, Row, Select, func, select

from backend.store.chunks import chunks
from backend.store.tables import documents, elements, operations

_PIECE = 1_000
"""Elements read at a time; a document may have hundreds of thousands."""


@dataclass(frozen=True)
class Document:
    """A document as indexes see it; its DocSet never reuses its number."""

    number: int
    content_id: str


@dataclass(frozen=True)
class Mark:
    """The last operation in an index, with its document: after a restore a number may differ."""

    sequence: int
    doc_id: str


START = Mark(0, "")


@dataclass(frozen=True)
class Changes:
    """Changes that bring an index to `mark`: drop documents `gone`, then add those in `present`.

    Call `check` regularly; it raises when the index is no longer needed.
    """

    mark: Mark
    gone: Sequence[int]
    present: Sequence[Document]
    check: Callable[[], None] = lambda: None

    def __bool__(self) -> bool:
        return bool(self.gone or self.present)


@dataclass(frozen=True)
class Texts:
    """Elements of a document that have text: all of them, or one batch."""

    document: Document
    ordinals: Sequence[int]
    texts: Sequence[str]


def is_ours(connection: Connection, docset_id: str, mark: Mark) -> bool:
    """Whether the mark's operation is part of this database's history of the DocSet."""
    if mark == START:
        return True
    row = connection.execute(
        select(operations.c.doc_id).where(
            operations.c.docset_id == docset_id, operations.c.sequence == mark.sequence
        )
    ).first()
    return row is not None and row.doc_id == mark.doc_id


def changes_between(connection: Connection, docset_id: str, mark: Mark, newest: Mark) -> Changes:
    """All changes of a DocSet after `mark`, up to the operation `newest`.

    After START, which goes with the newest of all: all documents, and nothing to remove.
    """
    if mark == START:
        return Changes(newest, (), _documents(connection.execute(_of(docset_id))))
    touched = connection.scalars(
        select(operations.c.number)
        .where(
            operations.c.docset_id == docset_id,
            operations.c.sequence > mark.sequence,
            operations.c.sequence <= newest.sequence,
        )
        .group_by(operations.c.number)
        .order_by(func.min(operations.c.sequence))
    ).all()
    present = [
        document
        for chunk in chunks(touched)
        for document in _documents(
            connection.execute(_of(docset_id).where(documents.c.number.in_(chunk)))
        )
    ]
    return Changes(newest, touched, present)


def has_more_elements(connection: Connection, present: Sequence[Document], limit: int) -> bool:
    """Whether these documents have more than `limit` elements together; counts no further."""
    left = limit
    for chunk in chunks(present):
        some = (
            select(elements.c.ordinal)
            .where(elements.c.content_id.in_({document.content_id for document in chunk}))
            .limit(left + 1)
        )
        left -= connection.scalar(select(func.count()).select_from(some.subquery())) or 0
        if left < 0:
            return True
    return False


def texts_of(connection: Connection, present: Sequence[Document]) -> Iterator[Texts]:
    """The texts of documents, in batches, grouped by content."""
    for by_content in by_contents(present):
        rows = connection.execution_options(yield_per=_PIECE).execute(
            select(elements.c.content_id, elements.c.ordinal, elements.c.text)
            .where(elements.c.content_id.in_(by_content), elements.c.text.is_not(None))
            .order_by(elements.c.content_id, elements.c.ordinal)
        )
        for content, group in groupby(rows, key=attrgetter("content_id")):
            while batch := list(islice(group, _PIECE)):
                ordinals, texts = [row.ordinal for row in batch], [row.text for row in batch]
                yield Texts(by_content[content], ordinals, texts)


def by_contents(present: Sequence[Document]) -> Iterator[dict[str, Document]]:
    """Documents by content id, in chunks; documents that share a content come in separate ones."""
    for chunk in chunks(present):
        sets: list[dict[str, Document]] = []
        counts: Counter[str] = Counter()
        for document in chunk:
            if counts[document.content_id] == len(sets):
                sets.append({})
            sets[counts[document.content_id]][document.content_id] = document
            counts[document.content_id] += 1
        yield from sets


def _of(docset_id: str) -> Select[int, str]:
    return (
        select(documents.c.number, documents.c.content_id)
        .where(documents.c.docset_id == docset_id)
        .order_by(documents.c.number)
    )


def _documents(rows: Iterable[Row[int, str]]) -> list[Document]:
    return [Document(*row) for row in rows]
