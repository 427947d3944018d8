"""The indexes of one DocSet, held open together: one lock, one way of catching up.

Only a holder of the lock may follow the log, and it follows to the very state of the database
that it reads from. So whoever gets readers here has index and database at the same operation:
what was acknowledged is found, and what was deleted is not.
"""

import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal

from sqlalchemy import Connection

from backend.contract.errors import Unavailable
from backend.search.docset import DocSet
from backend.search.lexical.tantivy_index import TantivyIndex
from backend.search.literal import LiteralIndex
from backend.search.operations import changes_between, is_ours, last_mark
from backend.search.port import ElementIndex, Reader
from backend.search.vectors import VectorIndex

IndexName = Literal["lexical", "keyword", "vector"]

_PATIENCE = 30.0
"""Seconds that a search waits for an index being built before it is refused."""


class Holding:
    """What the process holds of one DocSet. `uses` is kept by the engine."""

    def __init__(self, docset_id: str, folder: Path) -> None:
        self.docset_id = docset_id
        self.uses = 0
        self._folder = folder
        self._lock = threading.Lock()
        self._indexes: dict[IndexName, ElementIndex[Any]] = {}

    @property
    def size(self) -> int:
        """Bytes of memory."""
        return sum(index.size for index in list(self._indexes.values()))

    @property
    def is_writing(self) -> bool:
        lexical = self._indexes.get("lexical")
        return isinstance(lexical, TantivyIndex) and lexical.is_writing

    @contextmanager
    def locked(self, patience: float = _PATIENCE) -> Iterator[None]:
        """Exclusive use. Unavailable when somebody else keeps it for `patience` seconds."""
        if not self._lock.acquire(timeout=patience):
            raise Unavailable("The index of this DocSet is being built; try again in a moment.")
        try:
            yield
        finally:
            self._lock.release()

    def reader(self, name: IndexName, connection: Connection, docset: DocSet) -> Reader[Any]:
        """A reader of one index at the state of `connection`. Needs the lock.

        An index that cannot follow is opened again, then built anew. Unavailable when that fails
        too, or when the disk is full; nothing of the record is lost then.
        """
        for recover in (self._closed, self._deleted, None):
            try:
                return self._followed(name, connection, docset)
            except (ValueError, OSError) as error:
                if recover is None or "No space left" in str(error):
                    self._closed(name)
                    raise Unavailable(
                        f"The {name} index cannot follow the documents ({error}). Nothing is lost;"
                        " free some disk space or try again."
                    ) from error
                recover(name)
        raise AssertionError("the last attempt returns or raises")

    def rest(self) -> None:
        """Let go of the writer. Needs the lock."""
        lexical = self._indexes.get("lexical")
        if isinstance(lexical, TantivyIndex):
            lexical.rest()

    def close(self) -> None:
        """Let go of memory and files. Needs the lock."""
        for name in list(self._indexes):
            self._indexes.pop(name).close()

    def remove(self) -> None:
        """Close and delete the files; the next reader builds them anew. Needs the lock."""
        self.close()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _followed(self, name: IndexName, connection: Connection, docset: DocSet) -> Reader[Any]:
        index = self._indexes.get(name)
        if index is None:
            index = self._indexes[name] = self._opened(name, docset)
            if not is_ours(connection, docset.docset_id, index.mark):
                self._deleted(name)
                index = self._indexes[name] = self._opened(name, docset)
        newest = last_mark(connection, docset.docset_id)
        if index.mark != newest:
            changes = changes_between(connection, docset.docset_id, index.mark, newest)
            index.apply(connection, changes)
        return index.reader()

    def _opened(self, name: IndexName, docset: DocSet) -> ElementIndex[Any]:
        match name:
            case "lexical":
                return TantivyIndex(self._folder, docset.language)
            case "keyword":
                return LiteralIndex()
            case "vector":
                return VectorIndex(docset.identity)

    def _closed(self, name: IndexName) -> None:
        held = self._indexes.pop(name, None)
        if held is not None:
            held.close()

    def _deleted(self, name: IndexName) -> None:
        self._closed(name)
        if name == "lexical":
            shutil.rmtree(self._folder, ignore_errors=True)
