"""The indexes of one DocSet, held open together: a lock for each, one way of catching up.

Only a holder of its lock may have an index follow the log, and it follows to the very state of
the database that it reads from. So whoever gets readers here has index and database at the same
operation: what was acknowledged is found, and what was deleted is not.
"""

import logging
import shutil
import threading
import time
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
    Changes,
    Mark,
    changes_between,
    chunks,
    has_more_elements,
    is_ours,
)
from backend.search.port import ElementIndex, Reader
from backend.search.vectors.index import VectorIndex
from backend.tasks.headroom import require_headroom
from workbench.contract.errors import Unavailable

_log = logging.getLogger(__name__)
IndexName = Literal["lexical", "keyword", "vector"]
Part = IndexName | Literal["table"]
PARTS: Final[tuple[Part, ...]] = ("lexical", "keyword", "vector", "table")
"""What has a lock of its own, in the order of taking them: the indexes and the property table."""

PATIENCE = 15.0
"""Seconds that a search waits for what is being built before it is refused: enough for all but the
largest DocSets, and less than clients and proxies wait.
"""

MOST_WAITING: Final = 8
"""Searches that wait so long for the same; others would take the threads that other DocSets need.
"""
CROWDED_PATIENCE = 1.0
"""Seconds that the others wait."""

_AT_ONCE = 2_000
"""Elements that an index takes up while a search waits; more are left to a thread of their own."""

_WORDS, _VECTORS = "words", "vectors"
_FOLDERS: dict[IndexName, str] = {"lexical": _WORDS, "vector": _VECTORS}

_STEPS = 20
_LEAST_STEP, _LARGEST_STEP = 50, 1_000
"""Documents that an index takes up in one go, so that memory is bounded and progress is told."""


class Behind(Exception):
    """A part has more to take up than a search should wait for."""

    def __init__(self, part: Part) -> None:
        super().__init__(part)
        self.part: Part = part


@dataclass(frozen=True)
class Progress:
    """How many of the documents that an index has to take up it has taken up, and in how long."""

    done: int
    total: int
    seconds: float = 0.0

    @property
    def rest(self) -> float:
        """Seconds that the others will take, at the same pace; at least one."""
        return max(1.0, self.seconds * (self.total - self.done) / max(1, self.done))


class Holding:
    """What the process holds of one DocSet. `uses` and `weight` are kept by Holdings."""

    def __init__(self, docset_id: str, folder: Path, stopping: threading.Event) -> None:
        self.docset_id = docset_id
        self.uses = 0
        self.weight = 0
        self.progress: Progress | None = None
        self._folder = folder
        self._stopping = stopping
        self._abandoned = False
        self._locks = {part: threading.Lock() for part in PARTS}
        self._indexes: dict[IndexName, ElementIndex[Any]] = {}

    @property
    def size(self) -> int:
        """Bytes of memory."""
        return sum(index.size for index in list(self._indexes.values()))

    def abandon(self) -> None:
        """The DocSet was deleted: what is being built ends soon. Needs no lock."""
        self._abandoned = True

    @property
    def is_writing(self) -> bool:
        lexical = self._indexes.get("lexical")
        return isinstance(lexical, TantivyIndex) and lexical.is_writing

    @contextmanager
    def locked(
        self, wanted: Collection[str] = PARTS, *, patience: float = PATIENCE
    ) -> Iterator[None]:
        """Exclusive use of some parts. Unavailable when somebody else keeps one of them for
        `patience` seconds, or for less where many wait already.
        """
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
        """What a search is told that cannot wait for what it needs, and when to try again."""
        progress = self.progress
        rest = progress.rest if progress else 1.0
        so_far = f": {progress.done} of {progress.total} documents so far" if progress else ""
        return Unavailable(
            f"The index of this DocSet is being built{so_far}. Try again in {rest:.0f} s.", rest
        )

    def check(self) -> None:
        """Unavailable when what is being built will not be needed any more, or memory is short."""
        if self._stopping.is_set() or self._abandoned:
            raise Unavailable("The backend is stopping, or the DocSet was deleted.")
        require_headroom()

    def reader(
        self, name: IndexName, connection: Connection, docset: DocSet, *, patient: bool
    ) -> Reader[Any]:
        """A reader of one index at the state of `connection`. Needs its lock.

        An index that cannot follow is opened again, then built anew. Behind when there is much to
        take up and the caller is not `patient`. Unavailable when it is impossible, as with a full
        disk; nothing of the record is lost then.
        """
        for recover in (self._closed, self._deleted, None):
            try:
                return self._followed(name, connection, docset, patient=patient)
            except (ValueError, OSError) as error:
                if recover is None or "No space left" in str(error):
                    self._closed(name)
                    _log.exception("the %s index cannot follow", name)
                    why = "No space left" if "No space left" in str(error) else "its files failed"
                    raise Unavailable(  # the error itself would name folders of the server
                        f"The {name} index cannot follow the documents ({why}). Nothing is lost;"
                        " free some disk space or try again."
                    ) from error
                recover(name)
        raise AssertionError("the last attempt returns or raises")

    def mark(self, connection: Connection, docset: DocSet) -> Mark:
        """The operation that the word index is up to, START for one to be built. Needs its
        lock.
        """
        return self._open("lexical", connection, docset).mark

    def copy(self, connection: Connection, docset: DocSet, folder: Path) -> Mark:
        """Links the files of the indexes into a folder; the operation that they are up to, which
        is that of `connection`. Needs all locks. Behind as for `reader`; OSError where the files
        cannot be linked.
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
        """Let go of the writer. Needs the lock of the word index."""
        lexical = self._indexes.get("lexical")
        if isinstance(lexical, TantivyIndex):
            lexical.rest()

    def close(self) -> None:
        """Let go of memory and files. Needs all locks."""
        for name in list(self._indexes):
            self._indexes.pop(name).close()

    def remove(self) -> None:
        """Close and delete the files; the next reader builds them anew. Needs all locks."""
        self.close()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _followed(
        self, name: IndexName, connection: Connection, docset: DocSet, *, patient: bool
    ) -> Reader[Any]:
        index = self._open(name, connection, docset)
        if index.mark != docset.newest:
            changes = changes_between(connection, docset.docset_id, index.mark, docset.newest)
            if not patient and has_more_elements(connection, changes.present, _AT_ONCE):
                raise Behind(name)
            self._take_up(name, index, connection, changes)
        return index.reader()

    def _take_up(
        self, name: IndexName, index: ElementIndex[Any], connection: Connection, changes: Changes
    ) -> None:
        total = len(changes.present)
        size = min(_LARGEST_STEP, max(_LEAST_STEP, total // _STEPS))
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
        except BaseException:
            self._closed(name)  # what it took up without a mark is not to be kept
            raise
        finally:
            self.progress = None

    def _open(self, name: IndexName, connection: Connection, docset: DocSet) -> ElementIndex[Any]:
        index = self._indexes.get(name)
        if isinstance(index, VectorIndex) and index.identity != docset.identity:
            self._closed(name)  # the vectors of the DocSet were made anew by another model
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
        held = self._indexes.pop(name, None)
        if held is not None:
            held.close()

    def _deleted(self, name: IndexName) -> None:
        self._closed(name)
        if name in _FOLDERS:
            shutil.rmtree(self._folder / _FOLDERS[name], ignore_errors=True)


def adopt(folder: Path, mark: Mark) -> None:
    """Files that `copy` linked into a folder are up to this operation of another DocSet."""
    TantivyIndex.adopt(folder / _WORDS, mark)
    VectorIndex.adopt(folder / _VECTORS, mark)
