"""The open indexes of one DocSet, each with its own lock.

An index follows the operation log only under its lock, and exactly to the database state that the
lock holder reads from. So a caller gets index and database at the same operation: acknowledged
documents are searchable and deleted ones are not.
"""

import logging
import math
import shutil
import threading
import time
from collections import OrderedDict
from collections.abc import Collection, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Literal

from sqlalchemy import Connection

from backend.search.docset import DocSet
from backend.search.lexical.tantivy_index import TantivyIndex
from backend.search.literal import LiteralIndex
from backend.search.operations import (
    START,
    Changes,
    Mark,
    changes_between,
    has_more_elements,
    is_ours,
)
from backend.search.port import ElementIndex, Passed, Reader
from backend.search.published import Published
from backend.search.share import Share
from backend.search.vectors.index import VectorIndex
from backend.store.chunks import chunks
from backend.tasks.headroom import require_headroom
from workbench.contract.errors import Unavailable

_log = logging.getLogger(__name__)
IndexName = Literal["lexical", "keyword", "vector"]
Part = IndexName | Literal["table"]
PARTS: Final[tuple[Part, ...]] = ("lexical", "keyword", "vector", "table")
"""The lockable parts, in locking order: the indexes and the property table."""

PATIENCE = 15.0
"""Seconds that a search waits for a build: enough for all but the largest DocSets, and less than
the timeouts of clients and proxies.
"""

MOST_WAITING: Final = 8
"""Searches that may wait that long for the same build; more would starve other DocSets of threads.
"""
CROWDED_PATIENCE = 1.0
"""Seconds that further searches wait."""

_AT_ONCE = 2_000
"""Elements that an index adds while a search waits; more are left to a build thread."""

_WORDS, _VECTORS = "words", "vectors"
_FOLDERS: dict[IndexName, str] = {"lexical": _WORDS, "vector": _VECTORS}

_MOST_FORMER = 24
"""Readers of former states that a shard keeps, for searches that began before a change."""

_STEPS = 8
"""Steps of a build, or a power of it: tantivy merges that many equal segments into one, and a query
looks its words up in each segment.
"""
_LEAST_STEP, _LARGEST_STEP = 50, 2_000
"""Documents that an index adds per step; progress is reported after each."""


class Behind(Exception):
    """A part is too far behind for a search to wait."""

    def __init__(self, part: Part) -> None:
        super().__init__(part)
        self.part: Part = part


@dataclass(frozen=True)
class Progress:
    """Progress of an index build: documents done, documents in all, and seconds so far."""

    done: int
    total: int
    seconds: float = 0.0

    @property
    def rest(self) -> float:
        """Estimated seconds left, at least one."""
        return max(1.0, self.seconds * (self.total - self.done) / max(1, self.done))


class DocSetIndexes:
    """The open indexes of one DocSet. `uses` and `weight` belong to IndexPool."""

    def __init__(
        self,
        docset_id: str,
        folder: Path,
        stopping: threading.Event,
        published: Published,
        share: Share,
    ) -> None:
        self.docset_id = docset_id
        self.uses = 0
        self.weight = 0
        self.progress: Progress | None = None
        self._folder = folder
        self._stopping = stopping
        self._published = published
        self._share = share
        self._former: OrderedDict[tuple[IndexName, Mark], Reader[Any]] = OrderedDict()
        self._abandoned = False
        self._locks = {part: threading.Lock() for part in PARTS}
        self._indexes: dict[IndexName, ElementIndex[Any]] = {}

    @property
    def size(self) -> int:
        """Bytes of memory."""
        return sum(index.size for index in list(self._indexes.values()))

    def abandon(self) -> None:
        """Stops builds soon, because the DocSet was deleted. Needs no lock."""
        self._abandoned = True

    @property
    def is_writing(self) -> bool:
        lexical = self._indexes.get("lexical")
        return isinstance(lexical, TantivyIndex) and lexical.is_writing

    @contextmanager
    def locked(
        self, wanted: Collection[str] = PARTS, *, patience: float = PATIENCE
    ) -> Iterator[None]:
        """Locks some parts. Unavailable after `patience` seconds, or earlier with many callers."""
        if self.progress is not None and self.uses > MOST_WAITING:
            patience = min(patience, CROWDED_PATIENCE)
        with ExitStack() as stack:
            for part in PARTS:
                if part in wanted:
                    if not self._locks[part].acquire(timeout=patience):
                        raise self.refusal()
                    stack.callback(self._locks[part].release)
            yield

    def refusal(self) -> Unavailable:
        """The error for a search that cannot wait, with progress and retry time."""
        progress = self.progress
        rest = progress.rest if progress else 1.0
        so_far = f": {progress.done} of {progress.total} documents so far" if progress else ""
        return Unavailable(
            f"The index of this DocSet is being built{so_far}. Try again in {rest:.0f} s.", rest
        )

    def check(self) -> None:
        """Unavailable when the build is no longer needed, or memory is short."""
        if self._stopping.is_set() or self._abandoned:
            raise Unavailable("The backend is stopping, or the DocSet was deleted.")
        require_headroom()

    def reader(
        self,
        name: IndexName,
        connection: Connection,
        docset: DocSet,
        *,
        patient: bool,
        at: Mark | None = None,
    ) -> Reader[Any]:
        """A reader of one index at the state of `connection`, or at the operation `at` before it.
        Needs its lock.

        An index that fails to follow is reopened, then rebuilt. Behind when there is much to add
        and the caller is not `patient`. Passed when it is long past `at`. Unavailable when it
        cannot follow, for example on a full disk; the record loses nothing.
        """
        if at is not None and (former := self.former(name, at)) is not None:
            return former
        for recover in (self._closed, self._deleted, None):
            try:
                return self._followed(name, connection, docset, at, patient=patient)
            except (ValueError, OSError) as error:
                if recover is None or "No space left" in str(error):
                    self._closed(name)
                    full = "No space left" in str(error)
                    # the traceback adds nothing about a full disk
                    _log.error("the %s index failed to follow the log", name, exc_info=not full)
                    why = "No space left" if full else "its files failed"
                    raise Unavailable(  # the original error would name folders of the server
                        f"The {name} index could not be updated ({why}). Nothing is lost;"
                        " free some disk space or try again."
                    ) from error
                recover(name)
        raise AssertionError("the last attempt returns or raises")

    def former(self, name: IndexName, at: Mark) -> Reader[Any] | None:
        """The reader at that operation, if it is kept. Needs no lock."""
        return self._former.get((name, at))

    def mark(self, connection: Connection, docset: DocSet) -> Mark:
        """The operation that the word index is up to, START if it must be built. Needs its lock."""
        return self._open("lexical", connection, docset).mark

    def copy(self, connection: Connection, docset: DocSet, folder: Path) -> Mark:
        """Hard-links the index files into a folder and returns their last operation, which is that
        of `connection`.

        Needs all locks. Behind as for `reader`; OSError when the files cannot be linked.
        """
        self.reader("lexical", connection, docset, patient=False)
        words = self._indexes["lexical"]
        assert isinstance(words, TantivyIndex)
        words.copy(folder / _WORDS)
        if "vector" in self._indexes or (self._folder / _VECTORS).exists():
            self.reader("vector", connection, docset, patient=False)
            vectors = self._indexes["vector"]
            assert isinstance(vectors, VectorIndex)
            vectors.copy(folder / _VECTORS)
        return words.mark

    def rest(self) -> None:
        """Closes the writer. Needs the lock of the word index."""
        lexical = self._indexes.get("lexical")
        if isinstance(lexical, TantivyIndex):
            lexical.rest()

    def close(self) -> None:
        """Frees memory and files. Needs all locks."""
        for name in list(self._indexes):
            self._closed(name)

    def remove(self) -> None:
        """Closes and deletes the files; the next reader rebuilds them. Needs all locks."""
        self.close()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _followed(
        self,
        name: IndexName,
        connection: Connection,
        docset: DocSet,
        at: Mark | None,
        *,
        patient: bool,
    ) -> Reader[Any]:
        index = self._open(name, connection, docset)
        # A new index begins with all documents, whatever their age.
        wanted = docset.newest if at is None or index.mark == START else at
        if index.mark.sequence > wanted.sequence:
            raise Passed
        if index.mark != wanted:
            changes = self._changes(connection, docset, index.mark, wanted)
            fetchable = self._published.enabled and index.mark == START and name in _FOLDERS
            if (fetchable or not patient) and has_more_elements(
                connection, changes.present, _AT_ONCE
            ):
                if not patient:
                    raise Behind(name)
                index = self._fetched(name, connection, docset)
                changes = self._changes(connection, docset, index.mark, wanted)
            self._take_up(name, index, connection, changes)
        return index.reader() if at is None else self._kept(name, index, at)

    def _changes(self, connection: Connection, docset: DocSet, mark: Mark, newest: Mark) -> Changes:
        return self._share.changes(changes_between(connection, docset.docset_id, mark, newest))

    def _kept(self, name: IndexName, index: ElementIndex[Any], at: Mark) -> Reader[Any]:
        """The reader of the present state, kept for others that ask for it; Passed for another."""
        if index.mark != at:
            raise Passed
        reader = self._former[name, at] = index.reader()
        while len(self._former) > _MOST_FORMER:
            self._former.popitem(last=False)
        return reader

    def _fetched(
        self, name: IndexName, connection: Connection, docset: DocSet
    ) -> ElementIndex[Any]:
        """The index that another server has published, or the empty one."""
        part = _FOLDERS[name]
        self._closed(name)
        self._published.fetch(self._folder.name, part, self._folder / part)
        return self._open(name, connection, docset)

    def _take_up(
        self, name: IndexName, index: ElementIndex[Any], connection: Connection, changes: Changes
    ) -> None:
        total, is_new = len(changes.present), index.mark == START
        size = _step(total)
        steps = list(chunks(changes.present, size)) or [()]
        self.progress, began = Progress(0, total), time.monotonic()
        try:
            for place, present in enumerate(steps, start=1):
                self.check()
                gone = changes.gone if place == 1 else ()
                mark = changes.mark if place == len(steps) else index.mark
                index.apply(connection, Changes(mark, gone, present, self.check))
                done = min(place * size, total)
                self.progress = Progress(done, total, time.monotonic() - began)
            if is_new and len(steps) > 1 and isinstance(index, TantivyIndex):
                index.settle()
        except BaseException:
            self._closed(name)  # discards additions without a mark
            raise
        finally:
            self.progress = None

    def _open(self, name: IndexName, connection: Connection, docset: DocSet) -> ElementIndex[Any]:
        index = self._indexes.get(name)
        if isinstance(index, VectorIndex) and index.identity != docset.identity:
            self._closed(name)  # the DocSet's vectors were recomputed with another model
            index = None
        if index is None:
            index = self._indexes[name] = self._opened(name, docset)
            if not is_ours(connection, docset.docset_id, index.mark):
                self._deleted(name)
                index = self._indexes[name] = self._opened(name, docset)
        return index

    def _opened(self, name: IndexName, docset: DocSet) -> ElementIndex[Any]:
        match name:
            case "lexical":
                return TantivyIndex(self._folder / _WORDS, docset.language)
            case "keyword":
                return LiteralIndex()
            case "vector":
                return VectorIndex(self._folder / _VECTORS, docset.identity)

    def _closed(self, name: IndexName) -> None:
        for key in [key for key in self._former if key[0] == name]:
            del self._former[key]
        index = self._indexes.pop(name, None)
        if index is not None:
            index.close()

    def _deleted(self, name: IndexName) -> None:
        self._closed(name)
        if name in _FOLDERS:
            shutil.rmtree(self._folder / _FOLDERS[name], ignore_errors=True)


def _step(total: int) -> int:
    """Documents per step of a build of so many."""
    size = math.ceil(total / _STEPS)
    while size > _LARGEST_STEP:
        size = math.ceil(size / _STEPS)
    return max(_LEAST_STEP, size)


def publish(published: Published, name: str, folder: Path, mark: Mark) -> None:
    """Publishes what `copy` linked into a folder and `adopt` marked, under the name of a DocSet."""
    for part in _FOLDERS.values():
        if (folder / part).is_dir():
            published.publish(name, part, folder / part, mark.sequence)


def adopt(folder: Path, mark: Mark) -> None:
    """Marks files that `copy` linked as up to this operation of another DocSet."""
    TantivyIndex.adopt(folder / _WORDS, mark)
    VectorIndex.adopt(folder / _VECTORS, mark)
