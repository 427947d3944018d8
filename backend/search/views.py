"""Consistent views of DocSets: record, indexes and property table at the same operation.

Also maintains the indexes: builds, repairs, copies and removes them.
"""

import logging
import shutil
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, TypeVar

from sqlalchemy import Connection

from backend.inference.embeddings import ProviderMissing
from backend.inference.providers import Embedders
from backend.search.building import Builders
from backend.search.docset import (
    DocSet,
    count_documents,
    count_operations,
    docset_ids,
    read_docset,
)
from backend.search.docset_indexes import PATIENCE, Behind, IndexName, Part, adopt, publish
from backend.search.index_pool import IndexPool
from backend.search.operations import Mark
from backend.search.port import IndexDamaged, Passed, Reader
from backend.search.properties.following import Follower, PropertyTables
from backend.search.properties.table import TableView
from backend.search.published import Published
from backend.search.shards.fan_out import Shards
from backend.search.shards.placement import Placement
from backend.search.share import WHOLE, Share
from backend.store.database import Database
from backend.store.failpoints import reach
from backend.store.shared_files import SharedFiles
from workbench.contract.errors import NotFound, Unavailable
from workbench.contract.search import IndexState

_log = logging.getLogger(__name__)
_WORTH_PUBLISHING = 1_000
"""Documents of an index that other servers fetch; they build a smaller one in seconds."""
_GROWN_MUCH = 0.1
"""The share of documents that must have changed before an index is published again."""
_FOREVER = 86_400.0  # seconds, for callers that would build the index themselves
_MOST_FOR_FILTERS = 250_000
"""Documents up to which a filter alone loads the properties into memory. Larger DocSets load them
only for facets and completion, which need them.
"""

Answer = TypeVar("Answer")
TableFor = Literal["nothing", "filter", "counts"]
"""What the property columns are needed for; only counts cannot do without them."""


@dataclass(frozen=True)
class View:
    """One state of a DocSet: record, readers and table are at the same operation."""

    connection: Connection
    docset: DocSet
    readers: Mapping[IndexName, Reader[Any]]
    embedders: Embedders
    table: TableView | None


class Views:
    """Views of the DocSets of a database; the indexes lie under `index_root`.

    Servers that share the database get built indexes from each other through `shared`. Large
    DocSets are searched in `shards`, if there are any. With a `share` the indexes have only those
    documents.
    """

    def __init__(
        self,
        database: Database,
        index_root: Path,
        embedders: Embedders,
        shared: SharedFiles | None = None,
        *,
        shards: Shards | None = None,
        share: Share = WHOLE,
    ) -> None:
        self._database = database
        self._embedders = embedders
        self._published = Published(shared or SharedFiles(), index_root)
        self._pool = IndexPool(index_root, self._published, share)
        self._placement = None if shards is None else Placement(database, self._pool, shards)
        self._tables = PropertyTables()
        self._builders = Builders(self._build)

    def answer(
        self,
        docset_id: str,
        names: Collection[IndexName],
        make: Callable[[View], Answer],
        table: TableFor = "nothing",
        at: Mark | None = None,
    ) -> Answer:
        """Calls `make` with a view that has readers of these indexes, at the operation `at` or at
        the newest.

        A damaged index is rebuilt on the way. NotFound without the DocSet; ProviderMissing for
        vectors of a DocSet without them; Unavailable when an index takes longer than a search
        should wait, or is damaged right after a rebuild. Passed when an index is past `at`.
        """
        try:
            return self._answer(docset_id, names, make, table, at)
        except IndexDamaged as damage:
            _log.warning("rebuilding the index of %s: %s", docset_id, damage)
            self.forget(docset_id)
        try:
            return self._answer(docset_id, names, make, table, at)
        except IndexDamaged as damage:
            raise Unavailable(
                f"The index of this DocSet is unusable even after a rebuild ({damage}); the"
                " database itself may be damaged. Check it with `workbench doctor --data`;"
                " `workbench restore` brings back the newest backup."
            ) from damage

    def former(self, docset_id: str, name: IndexName, at: Mark) -> Reader[Any] | None:
        """A reader that was asked for at that operation before. It needs no look at the record."""
        with self._pool.use(docset_id) as indexes:
            return indexes.former(name, at)

    def follow(self, docset_id: str, name: IndexName = "lexical") -> None:
        """Brings an index up to date, however long it takes. Errors as for `answer`."""
        if (placement := self._shards_with(docset_id)) is not None:
            placement.follow(docset_id, name)
            return
        with suppress(Passed), self._view(docset_id, (name,), "nothing", patient=True):
            pass  # when it has moved meanwhile, the shards have followed

    def forget(self, docset_id: str) -> None:
        """Deletes the indexes; they are rebuilt from the record when needed."""
        if (placement := self._shards_with(docset_id)) is not None:
            placement.forget(docset_id)
            return
        self._published.drop(self._pool.folder(docset_id).name)
        with self._pool.use(docset_id) as indexes, indexes.locked():
            indexes.remove()

    def rebuild(self, docset_id: str) -> IndexState:
        """Rebuilds all indexes; after a timeout the build continues in the background."""
        self.forget(docset_id)
        self._builders.is_done(docset_id, "lexical", PATIENCE)
        return self.state(docset_id)

    def state(self, docset_id: str) -> IndexState:
        """Whether the word index is up to date, or the progress of its build."""
        if (placement := self._shards_with(docset_id)) is not None:
            return placement.state(docset_id)
        with self._pool.use(docset_id) as indexes:
            progress = indexes.progress
            if progress is not None:
                return IndexState(state="building", done=progress.done, total=progress.total)
            with indexes.locked(("lexical",)), self._database.reading() as connection:
                docset = read_docset(connection, docset_id)
                total = count_documents(connection, docset_id)
                if indexes.mark(connection, docset) == docset.newest:
                    return IndexState(state="ready", done=total, total=total)
                return IndexState(state="behind", done=0, total=total)

    def copy(self, docset_id: str, target: str) -> int | None:
        """Hard-links the indexes of a DocSet for a clone that is about to be created.

        Returns their last operation, for `log_clone`; None when they are not ready or cannot be
        linked, and the clone's indexes are then built from the record.
        """
        mark = self._linked(docset_id, self._pool.folder(target))
        reach("clone.linked")
        return None if mark is None else mark.sequence

    def _linked(self, docset_id: str, folder: Path) -> Mark | None:
        """Hard-links the indexes into a folder; None when they are not ready, or in shards."""
        if self._shards_with(docset_id) is not None:
            return None
        try:
            with ExitStack() as stack:
                indexes = stack.enter_context(self._pool.use(docset_id))
                stack.enter_context(indexes.locked())
                connection = stack.enter_context(self._database.reading())
                return indexes.copy(connection, read_docset(connection, docset_id), folder)
        except (Behind, Unavailable, OSError, ValueError):  # ValueError: Tantivy's for its files
            shutil.rmtree(folder, ignore_errors=True)
            return None

    def publish(self) -> None:
        """Publishes open indexes that have grown much, and moves large ones to the shards."""
        if self._placement is not None:
            self._placement.move()
        if not self._published.enabled:
            return
        for docset_id in self._pool.docset_ids():
            with suppress(NotFound, Unavailable, OSError):  # the next turn tries again
                if self._shards_with(docset_id) is None and self._is_due(docset_id):
                    self._publish(docset_id)

    def _is_due(self, docset_id: str) -> bool:
        name = self._pool.folder(docset_id).name
        with self._database.reading() as connection:
            count = count_documents(connection, docset_id)
            if count < _WORTH_PUBLISHING:
                return False

            def has_grown_since(last: int) -> bool:
                return count_operations(connection, docset_id, last) > _GROWN_MUCH * count

            # The second check costs a request, so it is made only if the first succeeds.
            return has_grown_since(self._published.known(name)) and has_grown_since(
                self._published.newest(name, "words")
            )

    def _publish(self, docset_id: str) -> None:
        name = self._pool.folder(docset_id).name
        folder = self._pool.folder(docset_id).with_name(f"{name}.publishing")
        shutil.rmtree(folder, ignore_errors=True)
        try:
            mark = self._linked(docset_id, folder)
            if mark is not None:
                adopt(folder, mark)
                publish(self._published, name, folder, mark)
        finally:
            shutil.rmtree(folder, ignore_errors=True)

    def adopt(self, target: str, sequence: int) -> None:
        """Marks a clone's linked indexes as up to `sequence`, the first operation of its log."""
        reach("clone.committed")
        with suppress(OSError):  # without a mark the indexes are built from the record
            adopt(self._pool.folder(target), Mark(sequence, target))

    def sweep(self) -> None:
        """Removes index files of DocSets that no longer exist, as left behind by a crash."""
        with self._database.reading() as connection:
            self._pool.sweep(docset_ids(connection))

    def drop(self, docset_id: str) -> None:
        """Removes everything kept for a deleted DocSet."""
        if self._placement is not None:
            self._placement.drop(docset_id)
        self._pool.remove(docset_id)
        self._tables.drop(docset_id)
        self._published.drop(self._pool.folder(docset_id).name)

    def close(self) -> None:
        """Closes all indexes; their files stay."""
        self._pool.stop()
        self._builders.join()
        self._pool.close()

    def _answer(
        self,
        docset_id: str,
        names: Collection[IndexName],
        make: Callable[[View], Answer],
        table: TableFor,
        at: Mark | None,
    ) -> Answer:
        deadline = time.monotonic() + PATIENCE
        while True:
            try:
                with self._view(docset_id, names, table, patient=False, at=at) as view:
                    return make(view)
            except Passed:
                if at is not None:
                    raise
                if time.monotonic() > deadline:
                    raise self._refusal(docset_id) from None
            except Behind as behind:
                left = deadline - time.monotonic()
                if left <= 0 or not self._builders.is_done(docset_id, behind.part, left):
                    raise self._refusal(docset_id) from None

    @contextmanager
    def _view(
        self,
        docset_id: str,
        names: Collection[IndexName],
        table: TableFor,
        *,
        patient: bool,
        at: Mark | None = None,
    ) -> Iterator[View]:
        """Index and database at the same operation, or the index at `at`.

        The database snapshot is taken while the indexes are locked, so no index can be ahead of it;
        the locks are released before the answer is computed.
        """
        with ExitStack() as stack:
            indexes = stack.enter_context(self._pool.use(docset_id))
            placement = self._shards_with(docset_id)
            here = names if placement is None else ()
            parts = (*here, *(("table",) if table != "nothing" else ()))
            with indexes.locked(parts, patience=_FOREVER if patient else PATIENCE):
                connection = stack.enter_context(self._database.reading())
                docset = read_docset(connection, docset_id)
                if "vector" in names and not docset.identity.dimension:
                    raise ProviderMissing("this DocSet was created without embeddings")
                if placement is not self._shards_with(docset_id):
                    raise Passed  # it has moved to the shards while we waited
                readers = {
                    name: indexes.reader(name, connection, docset, patient=patient, at=at)
                    if placement is None
                    else placement.reader(name, docset)
                    for name in names
                }
                columns = self._columns(connection, docset, table)
            yield View(connection, docset, readers, self._embedders, columns)

    def _shards_with(self, docset_id: str) -> Placement | None:
        """The shards, if they have this DocSet."""
        placement = self._placement
        return placement if placement is not None and placement.in_shards(docset_id) else None

    def _build(self, docset_id: str, part: Part) -> None:
        if part != "table":
            self.follow(docset_id, part)
            return
        with self._pool.use(docset_id) as indexes:
            table = Follower(docset_id, indexes.check)
            # No lock while reading: meanwhile searches read properties from the database.
            with self._database.reading() as connection:
                table.follow(connection, read_docset(connection, docset_id))
            with indexes.locked(("table",), patience=_FOREVER):
                self._tables.keep(table)

    def _refusal(self, docset_id: str) -> Unavailable:
        with self._pool.use(docset_id) as indexes:
            return indexes.refusal()

    def _columns(
        self, connection: Connection, docset: DocSet, wanted: TableFor
    ) -> TableView | None:
        if wanted == "nothing":
            return None
        table = self._tables.view(connection, docset)
        if table is None and wanted == "counts":
            raise Behind("table")
        if table is None and count_documents(connection, docset.docset_id) <= _MOST_FOR_FILTERS:
            self._builders.is_done(docset.docset_id, "table", 0.0)
        return table
