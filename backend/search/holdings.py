"""Which DocSets the process holds open: the most recently used, within a bound of number and
memory.
"""

import hashlib
import shutil
import threading
from collections import OrderedDict
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from backend.search.holding import Holding

_MOST_OPEN = 256
_MOST_BYTES = 2 * 2**30
_MOST_WRITERS = 4


class Holdings:
    """Opens, keeps and lets go of what searches need. A DocSet in use is never let go."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._stopping = threading.Event()
        self._lock = threading.Lock()
        self._open: OrderedDict[str, Holding] = OrderedDict()
        self._writing: OrderedDict[str, Holding] = OrderedDict()
        self._bytes = 0

    @contextmanager
    def use(self, docset_id: str) -> Iterator[Holding]:
        """The holding of a DocSet, kept open for the length of the block."""
        with self._lock:
            held = self._open.get(docset_id)
            if held is None:
                held = self._open[docset_id] = self._holding(docset_id)
            self._open.move_to_end(docset_id)
            held.uses += 1
        try:
            yield held
        finally:
            with self._lock:
                held.uses -= 1
                self._weigh(held)
            self._tidy()

    def folder(self, docset_id: str) -> Path:
        """Where a DocSet's files are; ids of any form give a safe name."""
        return self._root / hashlib.sha256(docset_id.encode()).hexdigest()[:32]

    def remove(self, docset_id: str) -> None:
        """Forget a DocSet and its files; searches of it that are under way end with what they
        hold.
        """
        with self._lock:
            held = self._open.pop(docset_id, None) or self._holding(docset_id)
        held.abandon()
        with held.locked():
            held.remove()
        with self._lock:
            self._weigh(held)

    def sweep(self, docset_ids: Iterable[str]) -> None:
        """Remove the folders that belong to none of these DocSets."""
        known = {self.folder(docset_id).name for docset_id in docset_ids}
        for folder in list(self._root.iterdir()) if self._root.is_dir() else []:
            if folder.name not in known:
                shutil.rmtree(folder, ignore_errors=True)

    def stop(self) -> None:
        """End the building of indexes soon; what they have no mark for is not kept."""
        self._stopping.set()

    def close(self) -> None:
        """Let go of everything."""
        with self._lock:
            open_ones = list(self._open.values())
            self._open.clear()
        for held in open_ones:
            with held.locked():
                held.close()

    def _holding(self, docset_id: str) -> Holding:
        return Holding(docset_id, self.folder(docset_id), self._stopping)

    def _weigh(self, held: Holding) -> None:
        """Takes down what a holding holds after a use. Needs the lock."""
        size = held.size
        self._bytes += size - held.weight
        held.weight = size
        if held.is_writing:
            self._writing[held.docset_id] = held
            self._writing.move_to_end(held.docset_id)
        else:
            self._writing.pop(held.docset_id, None)

    def _tidy(self) -> None:
        """Close the longest unused, and let writers rest beyond the few that may wait for more."""
        with self._lock:
            leaving = self._superfluous()
            writing = list(self._writing.values())
            resting = [held for held in writing[:-_MOST_WRITERS] if not held.uses]
            for held in (*leaving, *resting):
                # Stays in the list meanwhile: a second holding would fight it for the files.
                held.uses += 1
        for held in leaving:
            with held.locked():
                held.close()
        for held in resting:
            with held.locked(("lexical",)):
                held.rest()
        with self._lock:
            for held in (*leaving, *resting):
                held.uses -= 1
                self._weigh(held)
            for held in leaving:
                if not held.uses and self._open.get(held.docset_id) is held:
                    del self._open[held.docset_id]

    def _superfluous(self) -> list[Holding]:
        """The longest unused, beyond the bounds. Needs the lock."""
        leaving: list[Holding] = []
        count, size = len(self._open), self._bytes
        if count > _MOST_OPEN or size > _MOST_BYTES:
            for held in self._open.values():
                if count <= _MOST_OPEN and size <= _MOST_BYTES:
                    break
                if not held.uses:
                    count, size = count - 1, size - held.weight
                    leaving.append(held)
        return leaving
