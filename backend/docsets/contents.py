"""Writes a worker's result to the database in bounded steps, invisible until a document
references them.

A large content in one transaction would block all other writers. So anything beyond one batch is
written ahead, one batch per transaction, and the transaction of the document has little left to do.
The next start removes the leftovers of a crash.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import Any

from sqlalchemy import JSON, Connection, Text, bindparam, cast, delete, exists, insert, select

from backend.docsets.element_batches import unpacked_rows
from backend.inference.embeddings import Identity
from backend.store.database import Database
from backend.store.failpoints import reach
from backend.store.tables import contents, documents, elements, vectors
from backend.tasks.messages import Message
from workbench.contract.ids import new_id

Step = Callable[[Connection], None]
_JSON = ("bbox", "properties", "extra")
_DROPPED = 2_000
"""Elements removed per transaction."""


class Lost(Exception):
    """Content written ahead is missing: another server removed it as leftovers of a crash."""


@dataclass(frozen=True)
class Prepared:
    """The result of `prepare_document`; `batches` are decoded on demand."""

    data: dict[str, Any]
    originals: bytes
    vectors: Sequence[bytes]
    batches: Sequence[bytes]

    @classmethod
    def of(cls, message: Message, first: int = 0) -> "Prepared":
        """From a message whose blobs before `first` belong to another result."""
        behind = first + 1 + 2 * message.data["vectors"]
        return cls(
            message.data,
            message.blobs[first],
            message.blobs[first + 1 : behind],
            message.blobs[behind:],
        )

    def texts(self) -> Iterator[str]:
        """The texts of all elements, "" for those without."""
        for batch in self.batches:
            yield from (row.text or "" for row in unpacked_rows(batch))


@contextmanager
def written_ahead(
    database: Database, digest: str, prepared: Prepared, identity: Identity, now: float
) -> Iterator[Callable[[Connection], str]]:
    """Writes all but the last step. Inside the block, call the yielded function once in the
    transaction of the document: it writes the rest and returns the content's id, or raises Lost.

    When the block raises, everything written is removed.
    """
    content_id = new_id("c")
    steps = _steps(content_id, digest, prepared, identity, now)
    step, ahead = next(steps), False
    try:
        for following in steps:
            ahead = True
            with database.writing_on() as connection:
                step(connection)
            reach("content.ahead")
            step = following

        def finish(connection: Connection) -> str:
            if ahead and not connection.scalar(select(_is_there(content_id))):
                raise Lost
            step(connection)
            return content_id

        yield finish
    except BaseException:
        if ahead:
            drop_unused(database, [content_id])
        raise


def drop_unused(database: Database, content_ids: Iterable[str]) -> None:
    """Removes contents that no document references, in transactions of bounded size."""
    left = deque(content_ids)
    while left:
        with database.writing() as connection:
            room = _DROPPED
            while left and room > 0:
                removed, is_done = _drop(connection, left[0], room)
                room -= removed + 1
                if is_done:
                    left.popleft()
        reach("content.dropped")


def _drop(connection: Connection, content_id: str, limit: int) -> tuple[int, bool]:
    """Removes up to `limit` elements of a content, or the content itself when it has no more.

    Returns the number of elements removed, and whether nothing is left to do.
    """
    unused = contents.c.content_id == content_id, ~_is_used()
    if not connection.scalar(select(exists().where(*unused))):
        return 0, True
    some = (
        select(elements.c.ordinal)
        .where(elements.c.content_id == content_id)
        .order_by(elements.c.ordinal.desc())
        .limit(limit)
    )
    removed = connection.execute(
        delete(elements).where(elements.c.content_id == content_id, elements.c.ordinal.in_(some))
    ).rowcount
    if removed == limit:
        return removed, False
    connection.execute(delete(contents).where(*unused))
    return removed, True


def sweep_contents(database: Database, *, before: float) -> None:
    """Removes contents left by crashes that were begun before that time."""
    with database.reading() as connection:
        left = connection.scalars(
            select(contents.c.content_id).where(contents.c.created_at < before, ~_is_used())
        ).all()
    drop_unused(database, left)


def _is_used() -> Any:
    return exists().where(documents.c.content_id == contents.c.content_id)


def _is_there(content_id: str) -> Any:
    return exists().where(contents.c.content_id == content_id)


def _steps(
    content_id: str, digest: str, prepared: Prepared, identity: Identity, now: float
) -> Iterator[Step]:
    """Small content is one step. Everything possible is done before a batch's transaction."""
    parts = range(len(prepared.vectors) // 2)
    steps: list[Iterator[Step]] = [
        iter([partial(_write_content, _content(content_id, digest, prepared, now))]),
        _element_steps(content_id, prepared.batches),
        (partial(_write_vectors, _part(content_id, identity, prepared, part)) for part in parts),
    ]
    every = chain.from_iterable(steps)
    if len(prepared.batches) <= 1 and len(parts) <= 1:
        yield partial(_write_all, list(every))
    else:
        yield from every


def _write_all(steps: Sequence[Step], connection: Connection) -> None:
    for step in steps:
        step(connection)


def _content(content_id: str, digest: str, prepared: Prepared, now: float) -> dict[str, Any]:
    return {
        "content_id": content_id,
        "blob": digest,
        "created_at": now,
        "page_count": prepared.data["page_count"],
        "notes": prepared.data["notes"],
        "opening": prepared.data["opening"],
        "original_elements": prepared.originals or None,
    }


def _write_content(row: dict[str, Any], connection: Connection) -> None:
    connection.execute(insert(contents), row)


def _element_steps(content_id: str, batches: Sequence[bytes]) -> Iterator[Step]:
    first = 0
    for batch in batches:
        rows = [
            {
                "content_id": content_id,
                "ordinal": ordinal,
                "kind": row.kind,
                "page_number": row.page,
                "text": row.text,
                **{f"{name}_json": getattr(row, name) for name in _JSON},
            }
            for ordinal, row in enumerate(unpacked_rows(batch), start=first)
        ]
        first += len(rows)
        yield partial(_write_elements, rows)


def _write_elements(rows: list[dict[str, Any]], connection: Connection) -> None:
    sent: dict[str, Any] = {name: bindparam(name) for name in rows[0] if name in elements.c}
    for name in _JSON:
        text = bindparam(f"{name}_json", type_=Text)
        sent[name] = text if connection.dialect.name == "sqlite" else cast(text, JSON)
    connection.execute(insert(elements).values(sent), rows)


def _part(content_id: str, identity: Identity, prepared: Prepared, part: int) -> dict[str, Any]:
    return {
        "content_id": content_id,
        "identity": identity.text,
        "part": part,
        "dimension": identity.dimension,
        "ordinals": prepared.vectors[2 * part],
        "matrix": prepared.vectors[2 * part + 1],
    }


def _write_vectors(row: dict[str, Any], connection: Connection) -> None:
    if row["ordinals"]:
        connection.execute(insert(vectors), row)
