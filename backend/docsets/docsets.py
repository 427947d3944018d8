"""DocSets: create, list, read, change, lock, clone and delete.

A clone copies only document rows: parsed content, vectors and files are shared and immutable, so
nothing is parsed or embedded again, and both sides are independent from then on.
"""

import logging
import time
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from functools import partial
from typing import Any

from sqlalchemy import (
    Connection,
    Select,
    delete,
    exists,
    func,
    insert,
    select,
    union,
    update,
)
from sqlalchemy.engine import RowMapping

from backend.docsets.cloning import clone
from backend.docsets.contents import drop_unused
from backend.docsets.paging import FEW_ROWS, Pager
from backend.extraction.schema_faults import schema_faults
from backend.inference.embeddings import Identity, ProviderMissing
from backend.inference.providers import Embedders
from backend.search.engine import SearchEngine
from backend.search.lexical.analysis import LANGUAGES
from backend.store.blobs import BlobStore
from backend.store.database import Database
from backend.store.failpoints import reach
from backend.store.tables import IS_OPEN, docsets, documents, operations, tasks
from workbench.contract.docsets import DocSetCreate, DocSetMetadata, DocSetUpdate, Page
from workbench.contract.errors import Invalid, NotFound, Refused, Unavailable
from workbench.contract.ids import new_id
from workbench.contract.schema import Schema

_REMEMBERED = 100_000

_log = logging.getLogger(__name__)


class DocSets:
    """The DocSets of all accounts; every call is bound to one account."""

    def __init__(
        self,
        database: Database,
        blobs: BlobStore,
        search: SearchEngine,
        pager: Pager,
        embedders: Embedders,
        *,
        embedding: str,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._database = database
        self._blobs = blobs
        self._search = search
        self._pager = pager
        self._embedders = embedders
        self._embedding = embedding
        self._clock = clock
        self._known: set[tuple[str, str]] = set()

    def create(self, account_id: str, request: DocSetCreate) -> DocSetMetadata:
        """Creates an empty DocSet. Invalid for a malformed validator in the schema, a language
        without word stems, or a missing embedding provider.
        """
        _check(request.schema_)
        language = _language(request.language)
        docset_id = new_id("ds")
        identity = self.identity(request.embedding or self._embedding, "embedding")
        with self._database.writing() as connection:
            connection.execute(
                insert(docsets).values(
                    docset_id=docset_id,
                    account_id=account_id,
                    name=request.name,
                    created_at=self._clock(),
                    readonly=False,
                    properties=request.properties or {},
                    schema=None if request.schema_ is None else request.schema_.model_dump(),
                    prompts=request.prompts or {},
                    embedding=identity.wire(),
                    language=language,
                )
            )
            return metadata(connection, account_id, docset_id)

    def identity(self, provider: str, field: str) -> Identity:
        """The current identity of a provider; Invalid at the body's `field` without it."""
        try:
            return self._embedders.current(provider).identity
        except ProviderMissing as error:
            raise Invalid.at(("body", field), str(error)) from error

    def list(
        self, account_id: str, *, name_eq: str | None, page_size: int, page_token: str | None
    ) -> Page[DocSetMetadata]:
        """One page of the account's DocSets, in order of creation; large ones make it short."""
        scope = f"docsets:{account_id}:{name_eq}"
        after = self._pager.after(scope, page_token)
        statement = (
            _with_size()
            .where(docsets.c.account_id == account_id, docsets.c.sequence > after)
            .order_by(docsets.c.sequence)
            .limit(page_size + 1)
        )
        if name_eq is not None:
            statement = statement.where(docsets.c.name == name_eq)
        with self._database.reading() as connection:
            rows = connection.execute(statement, execution_options=FEW_ROWS).mappings()
            return self._pager.page(scope, rows, _metadata, page_size)

    def get(self, account_id: str, docset_id: str) -> DocSetMetadata:
        with self._database.reading() as connection:
            return metadata(connection, account_id, docset_id)

    def check(self, account_id: str, docset_id: str) -> None:
        """NotFound when the account never had such a DocSet.

        The owner of a DocSet never changes, so the result is cached. Callers that go on to read the
        DocSet find out whether it still exists.
        """
        if (account_id, docset_id) in self._known:
            return
        mine = docsets.c.docset_id == docset_id, docsets.c.account_id == account_id
        with self._database.reading() as connection:
            if connection.execute(select(docsets.c.sequence).where(*mine)).first() is None:
                raise NotFound(f"No such DocSet: {docset_id}")
        if len(self._known) >= _REMEMBERED:
            self._known.clear()
        self._known.add((account_id, docset_id))

    def update(self, account_id: str, docset_id: str, request: DocSetUpdate) -> DocSetMetadata:
        """Replaces the given fields. Refused when the DocSet is read-only."""
        _check(request.schema_)
        changes: dict[str, Any] = {
            "name": request.name,
            "properties": request.properties,
            "schema": None if request.schema_ is None else request.schema_.model_dump(),
            "prompts": request.prompts,
        }
        changes = {name: value for name, value in changes.items() if value is not None}
        with self._database.writing() as connection:
            writable(connection, account_id, docset_id)
            if changes:
                connection.execute(
                    update(docsets).where(docsets.c.docset_id == docset_id).values(**changes)
                )
            return metadata(connection, account_id, docset_id)

    def set_readonly(self, account_id: str, docset_id: str, readonly: bool) -> DocSetMetadata:
        with self._database.writing() as connection:
            docset_row(connection, account_id, docset_id)
            connection.execute(
                update(docsets).where(docsets.c.docset_id == docset_id).values(readonly=readonly)
            )
            return metadata(connection, account_id, docset_id)

    def clone(self, account_id: str, docset_id: str) -> DocSetMetadata:
        """An independent copy, writable even when the original is read-only."""
        self.get(account_id, docset_id)
        copy = clone(self._database, self._search, docset_id, self._clock())
        return self.get(account_id, copy)

    def delete(self, account_id: str, docset_id: str) -> DocSetMetadata:
        """Deletes the DocSet with its documents. Refused when it is read-only."""
        with self._database.writing() as connection:
            writable(connection, account_id, docset_id)
            last = metadata(connection, account_id, docset_id)
            rows = connection.execute(
                select(documents.c.content_id, documents.c.blob).where(
                    documents.c.docset_id == docset_id
                )
            ).all()
            connection.execute(delete(documents).where(documents.c.docset_id == docset_id))
            connection.execute(delete(operations).where(operations.c.docset_id == docset_id))
            connection.execute(delete(docsets).where(docsets.c.docset_id == docset_id))
        reach("docset.deleted")
        drop_unused(self._database, {row.content_id for row in rows})
        self._search.drop(docset_id)
        drop_blobs(self._database, self._blobs, {row.blob for row in rows})
        return last


def follow(search: SearchEngine, docset_id: str) -> None:
    """Updates the index with the latest commit.

    Every search does so first, so a failure here only costs the next search some time.
    """
    try:
        search.follow(docset_id, patient=False)
    except Unavailable as error:
        _log.warning("the index of %s is behind: %s", docset_id, error.detail)


def docset_row(connection: Connection, account_id: str, docset_id: str) -> RowMapping:
    """The row of a DocSet; NotFound when this account has none with that id."""
    row = (
        connection.execute(
            select(docsets).where(
                docsets.c.docset_id == docset_id, docsets.c.account_id == account_id
            )
        )
        .mappings()
        .first()
    )
    if row is None:
        raise NotFound(f"No such DocSet: {docset_id}")
    return row


def writable(connection: Connection, account_id: str, docset_id: str) -> RowMapping:
    """The row of a DocSet that may be changed; Refused when it is read-only."""
    row = docset_row(connection, account_id, docset_id)
    if row["readonly"]:
        raise Refused(
            f"The DocSet {row['name']!r} ({docset_id}) is read-only: nothing was changed."
        )
    return row


def metadata(connection: Connection, account_id: str, docset_id: str) -> DocSetMetadata:
    """A DocSet as the API describes it; NotFound when this account has none with that id."""
    row = (
        connection.execute(
            _with_size().where(docsets.c.docset_id == docset_id, docsets.c.account_id == account_id)
        )
        .mappings()
        .first()
    )
    if row is None:
        raise NotFound(f"No such DocSet: {docset_id}")
    return _metadata(row)


def drop_blobs(database: Database, blobs: BlobStore, digests: Iterable[str]) -> None:
    """Deletes files that no document and no open task references any more."""
    for digest in digests:
        blobs.discard(digest, partial(blob_in_use, database, digest))


def blob_in_use(database: Database, digest: str) -> bool:
    """Whether a document or an open task references the file."""
    with database.reading() as connection:
        return any(
            connection.execute(select(statement)).scalar_one()
            for statement in (
                exists().where(documents.c.blob == digest),
                exists().where(tasks.c.blob == digest, IS_OPEN),
            )
        )


def blobs_in_use(connection: Connection) -> set[str]:
    """The files that documents and open tasks reference."""
    referenced = union(
        select(documents.c.blob),
        select(tasks.c.blob).where(tasks.c.blob.is_not(None), IS_OPEN),
    )
    return set(connection.scalars(referenced))


def sweep_blobs(database: Database, blobs: BlobStore) -> None:
    """Deletes files that a crash left without a document or a task."""
    present = set(blobs.digests())
    with database.reading() as connection:
        present -= blobs_in_use(connection)
    drop_blobs(database, blobs, present)


def created_at(row: RowMapping) -> datetime:
    """When a row was made; at most the last second of year 9999, whatever the clock was."""
    return datetime.fromtimestamp(min(row["created_at"], _LAST_SECOND), UTC)


_LAST_SECOND = datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC).timestamp()


def schema_of(row: RowMapping) -> Schema | None:
    """The schema in a DocSet's row."""
    return None if row["schema"] is None else Schema.model_validate(row["schema"])


def _check(schema: Schema | None) -> None:
    if schema is not None and (faults := schema_faults(schema)):
        raise Invalid(faults)


def _language(named: str | None) -> str:
    """The language of word stems; Invalid for one without a stemmer."""
    language = "english" if named is None else named.casefold()
    if language != "none" and language not in LANGUAGES:
        known = ", ".join(sorted(LANGUAGES))
        fault = f"{named!r} has no stemmer; use one of {known}, or none to disable stemming"
        raise Invalid.at(("body", "language"), fault)
    return language


def _with_size() -> Select[Any]:
    size = (
        select(func.count())
        .select_from(documents)
        .where(documents.c.docset_id == docsets.c.docset_id)
        .scalar_subquery()
    )
    return select(docsets, size.label("size"))


def _metadata(row: RowMapping) -> DocSetMetadata:
    return DocSetMetadata(
        account_id=row["account_id"],
        docset_id=row["docset_id"],
        name=row["name"],
        created_at=created_at(row),
        readonly=row["readonly"],
        properties=row["properties"],
        size=row["size"],
        schema=schema_of(row),
        prompts=row["prompts"],
    )
