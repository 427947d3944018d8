"""The pool of open DocSet indexes: the most recently used, bounded in number and memory."""

import hashlib
import shutil
import threading
from collections import OrderedDict
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from backend.search.docset_indexes import DocSetIndexes
from backend.search.published import Published
from backend.search.share import WHOLE, Share

_MOST_OPEN = 256
_MOST_BYTES = 2 * 2**30
_MOST_WRITERS = 4


class IndexPool:
    """Opens, caches and closes indexes. A DocSet in use is never closed."""

    def __init__(self, root: Path, published: Published, share: Share = WHOLE) -> None:
        self._root = root
        self._share = share
        self._published = published
        self._stopping = threading.Event()
        self._lock = threading.Lock()
        self._open: OrderedDict[str, DocSetIndexes] = OrderedDict()
        self._writing: OrderedDict[str, DocSetIndexes] = OrderedDict()
        self._bytes = 0

    @contextmanager
    def use(self, docset_id: str) -> Iterator[DocSetIndexes]:
        """The indexes of a DocSet, which stay open during the block."""
        with self._lock:
            indexes = self._open.get(docset_id)
            if indexes is None:
                indexes = self._open[docset_id] = self._new(docset_id)
            self._open.move_to_end(docset_id)
            indexes.uses += 1
        try:
            yield indexes
        finally:
            with self._lock:
                indexes.uses -= 1
                self._weigh(indexes)
            self._tidy()

    def folder(self, docset_id: str) -> Path:
        """The folder of a DocSet's files; any id gives a safe name."""
        name = hashlib.sha256(docset_id.encode()).hexdigest()[:32]
        return self._root / f"{name}{self._share.suffix}"

    def docset_ids(self) -> list[str]:
        """The DocSets with open indexes."""
        with self._lock:
            return list(self._open)

    def remove(self, docset_id: str) -> None:
        """Deletes the indexes of a DocSet; running searches finish with their open files."""
        with self._lock:
            indexes = self._open.pop(docset_id, None) or self._new(docset_id)
        indexes.abandon()
        with indexes.locked():
            indexes.remove()
        with self._lock:
            self._weigh(indexes)

    def sweep(self, docset_ids: Iterable[str]) -> None:
        """Removes the folders that belong to none of these DocSets."""
        known = {self.folder(docset_id).name for docset_id in docset_ids}
        for folder in list(self._root.iterdir()) if self._root.is_dir() else []:
            if folder.name not in known:
                shutil.rmtree(folder, ignore_errors=True)

    def stop(self) -> None:
        """Stops index builds; a build without a mark is discarded."""
        self._stopping.set()

    def close(self) -> None:
        """Closes everything."""
        with self._lock:
            open_ones = list(self._open.values())
            self._open.clear()
        for indexes in open_ones:
            with indexes.locked():
                indexes.close()

    def _new(self, docset_id: str) -> DocSetIndexes:
        folder = self.folder(docset_id)
        return DocSetIndexes(docset_id, folder, self._stopping, self._published, self._share)

    def _weigh(self, indexes: DocSetIndexes) -> None:
        """Updates the totals after a use. Needs the lock."""
        size = indexes.size
        self._bytes += size - indexes.weight
        indexes.weight = size
        if indexes.is_writing:
            self._writing[indexes.docset_id] = indexes
            self._writing.move_to_end(indexes.docset_id)
        else:
            self._writing.pop(indexes.docset_id, None)

    def _tidy(self) -> None:
        """Closes the least recently used indexes, and all writers but the latest few."""
        with self._lock:
            leaving = self._superfluous()
            writing = list(self._writing.values())
            resting = [one for one in writing[:-_MOST_WRITERS] if not one.uses]
            for indexes in (*leaving, *resting):
                # It stays in the pool meanwhile: a second instance would compete for its files.
                indexes.uses += 1
        for indexes in leaving:
            with indexes.locked():
                indexes.close()
        for indexes in resting:
            with indexes.locked(("lexical",)):
                indexes.rest()
        with self._lock:
            for indexes in (*leaving, *resting):
                indexes.uses -= 1
                self._weigh(indexes)
            for indexes in leaving:
                if not indexes.uses and self._open.get(indexes.docset_id) is indexes:
                    del self._open[indexes.docset_id]

    def _superfluous(self) -> list[DocSetIndexes]:
        """The least recently used beyond the bounds, but not the last one: alone beyond them, it
        would be read again for every search. Needs the lock.
        """
        leaving: list[DocSetIndexes] = []
        count, size = len(self._open), self._bytes
        if count > _MOST_OPEN or size > _MOST_BYTES:
            for indexes in list(self._open.values())[:-1]:
                if count <= _MOST_OPEN and size <= _MOST_BYTES:
                    break
                if not indexes.uses:
                    count, size = count - 1, size - indexes.weight
                    leaving.append(indexes)
        return leaving
