"""Consistent views of DocSets: the record, its indexes and its property table at one operation.

Owns the upkeep of the indexes too: building, mending, copying and removing them.
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
from backend.search.docset import DocSet, count_documents, docset_ids, read_docset
from backend.search.holding import PATIENCE, Behind, IndexName, Part, adopt
from backend.search.holdings import Holdings
from backend.search.operations import Mark
from backend.search.port import IndexDamaged, Reader
from backend.search.properties.following import Follower, PropertyTables
from backend.search.properties.table import TableView
from backend.store.database import Database
from backend.store.failpoints import reach
from workbench.contract.errors import Unavailable
from workbench.contract.search import IndexState

_log = logging.getLogger(__name__)
_FOREVER = 86_400.0  # seconds, for those who would build the index themselves
_HELD_FOR_FILTERS = 250_000
"""Documents of a DocSet whose properties are taken into memory for a mere filter. Those of larger
ones are when someone counts or completes, who cannot do without.
"""

Answer = TypeVar("Answer")
TableFor = Literal["nothing", "filter", "counts"]
"""What the columns of the properties are wanted for; counts cannot do without."""


@dataclass(frozen=True)
class View:
    """One state of a DocSet: the record, the readers and the table are at the same operation."""

    connection: Connection
    docset: DocSet
    readers: Mapping[IndexName, Reader[Any]]
    embedders: Embedders
    table: TableView | None


class Views:
    """Views of the DocSets of a database; the indexes lie under `index_root`."""

    def __init__(self, database: Database, index_root: Path, embedders: Embedders) -> None:
        self._database = database
        self._embedders = embedders
        self._holdings = Holdings(index_root)
        self._tables = PropertyTables()
        self._builders = Builders(self._build)

    def answer(
        self,
        docset_id: str,
        names: Collection[IndexName],
        make: Callable[[View], Answer],
        table: TableFor = "nothing",
    ) -> Answer:
        """What `make` says of a view with readers of those indexes.

        A damaged index is built anew on the way. NotFound without the DocSet, ProviderMissing
        for vectors where it has none, Unavailable when an index takes longer than a search should
        wait or is damaged though it was just built.
        """
        try:
            return self._answer(docset_id, names, make, table)
        except IndexDamaged as damage:
            _log.warning("the index of %s is built anew: %s", docset_id, damage)
            self.forget(docset_id)
        try:
            return self._answer(docset_id, names, make, table)
        except IndexDamaged as damage:
            raise Unavailable(
                f"The index of this DocSet cannot be used ({damage}), though it was built anew: the"
                " database itself may be damaged. `workbench doctor --data` looks; `workbench"
                " restore` brings back the newest backup."
            ) from damage

    def follow(self, docset_id: str, name: IndexName = "lexical") -> None:
        """Brings an index up to date, however long it takes. Errors as for `answer`."""
        with self._view(docset_id, (name,), "nothing", patient=True):
            pass

    def forget(self, docset_id: str) -> None:
        """Throws the indexes away; they are built from the record when they are next needed."""
        with self._holdings.use(docset_id) as held, held.locked():
            held.remove()

    def rebuild(self, docset_id: str) -> IndexState:
        """Throws the indexes away and builds the word index; returns when that is done, or after
        a while, and then goes on by itself.
        """
        self.forget(docset_id)
        self._builders.is_done(docset_id, "lexical", PATIENCE)
        return self.state(docset_id)

    def state(self, docset_id: str) -> IndexState:
        """Whether the word index is up to date, or how far its building is."""
        with self._holdings.use(docset_id) as held:
            progress = held.progress
            if progress is not None:
                return IndexState(state="building", done=progress.done, total=progress.total)
            with held.locked(("lexical",)), self._database.reading() as connection:
                docset = read_docset(connection, docset_id)
                total = count_documents(connection, docset_id)
                if held.mark(connection, docset) == docset.newest:
                    return IndexState(state="ready", done=total, total=total)
                return IndexState(state="behind", done=0, total=total)

    def copy(self, docset_id: str, target: str) -> int | None:
        """Links the indexes of a DocSet for one that is about to be cloned from it.

        The last operation that they hold, for `log_clone`; None when they are not ready or cannot
        be linked: those of the clone are then built from the record.
        """
        folder = self._holdings.folder(target)
        try:
            with ExitStack() as stack:
                held = stack.enter_context(self._holdings.use(docset_id))
                stack.enter_context(held.locked())
                connection = stack.enter_context(self._database.reading())
                mark = held.copy(connection, read_docset(connection, docset_id), folder)
        except (Behind, Unavailable, OSError):
            shutil.rmtree(folder, ignore_errors=True)
            return None
        reach("clone.linked")
        return mark.sequence

    def adopt(self, target: str, sequence: int) -> None:
        """The clone exists, and its log begins with that operation: what was linked for it is up
        to there.
        """
        reach("clone.committed")
        with suppress(OSError):  # without a mark the indexes are built from the record
            adopt(self._holdings.folder(target), Mark(sequence, target))

    def sweep(self) -> None:
        """Removes the index files of DocSets that do not exist: leavings of a crash."""
        with self._database.reading() as connection:
            self._holdings.sweep(docset_ids(connection))

    def drop(self, docset_id: str) -> None:
        """The DocSet was deleted: removes what is kept of it."""
        self._holdings.remove(docset_id)
        self._tables.drop(docset_id)

    def close(self) -> None:
        """Lets go of all indexes; they stay on disk."""
        self._holdings.stop()
        self._builders.join()
        self._holdings.close()

    def _answer(
        self,
        docset_id: str,
        names: Collection[IndexName],
        make: Callable[[View], Answer],
        table: TableFor,
    ) -> Answer:
        deadline = time.monotonic() + PATIENCE
        while True:
            try:
                with self._view(docset_id, names, table, patient=False) as view:
                    return make(view)
            except Behind as behind:
                left = deadline - time.monotonic()
                if left <= 0 or not self._builders.is_done(docset_id, behind.part, left):
                    raise self._refusal(docset_id) from None

    @contextmanager
    def _view(
        self, docset_id: str, names: Collection[IndexName], table: TableFor, *, patient: bool
    ) -> Iterator[View]:
        """Index and database at the same operation.

        The database state is taken while they are locked, so an index cannot be ahead of it; the
        locks are free again while the answer is made.
        """
        with ExitStack() as stack:
            held = stack.enter_context(self._holdings.use(docset_id))
            parts = (*names, *(("table",) if table != "nothing" else ()))
            with held.locked(parts, patience=_FOREVER if patient else PATIENCE):
                connection = stack.enter_context(self._database.reading())
                docset = read_docset(connection, docset_id)
                if "vector" in names and not docset.identity.dimension:
                    raise ProviderMissing("this DocSet was created without embeddings")
                readers = {
                    name: held.reader(name, connection, docset, patient=patient) for name in names
                }
                columns = self._columns(connection, docset, table)
            yield View(connection, docset, readers, self._embedders, columns)

    def _build(self, docset_id: str, part: Part) -> None:
        if part != "table":
            self.follow(docset_id, part)
            return
        with self._holdings.use(docset_id) as held:
            table = Follower(docset_id, held.check)
            # Nobody needs to wait for this: searches read the properties from the database.
            with self._database.reading() as connection:
                table.follow(connection, read_docset(connection, docset_id))
            with held.locked(("table",), patience=_FOREVER):
                self._tables.keep(table)

    def _refusal(self, docset_id: str) -> Unavailable:
        with self._holdings.use(docset_id) as held:
            return held.refusal()

    def _columns(
        self, connection: Connection, docset: DocSet, wanted: TableFor
    ) -> TableView | None:
        if wanted == "nothing":
            return None
        table = self._tables.view(connection, docset)
        if table is None and wanted == "counts":
            raise Behind("table")
        if table is None and count_documents(connection, docset.docset_id) <= _HELD_FOR_FILTERS:
            self._builders.is_done(docset.docset_id, "table", 0.0)
        return table
