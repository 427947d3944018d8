"""Disk space reserved for deletions: a deletion also writes, so on a full disk it would fail, and
nobody could free space.

The space is a file beside the database. A deletion that finds no room truncates it, and it is
allocated again afterwards. Uploads are refused until it is whole, or they would use it up.
"""

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from backend.store.disk_faults import FULL
from workbench.contract.errors import StorageFull

SIZE: Final = 16 * 2**20
"""Bytes: several times what a step of a deletion adds to the write-ahead log."""

_NEEDED = SIZE // 2
_LEAST = SIZE // 64


class Reserve:
    """The reserve in a file. Without a file or `prepare` there is none, and nothing is refused.

    Example: `with reserve.lent(): delete(...)`.
    """

    def __init__(self, file: Path | None) -> None:
        self._file = file
        self._lock = threading.Lock()
        self._borrowers = 0
        self._is_used = False

    def release(self) -> None:
        """Frees the space, so that a start on a full disk succeeds; `prepare` restores it."""
        if self._file is not None:
            with suppress(FileNotFoundError):
                os.truncate(self._file, 0)

    def prepare(self) -> None:
        """Allocates the reserve, or as much of it as there is room for."""
        with self._lock:
            self._is_used = self._file is not None
            self._fill()

    @contextmanager
    def lent(self) -> Iterator[None]:
        """Frees the space during the block if the disk has no other."""
        if not self._is_used:
            yield
            return
        with self._lock:
            self._borrowers += 1
            if not self._grown(SIZE + _NEEDED):
                self.release()
        try:
            yield
        finally:
            with self._lock:
                self._borrowers -= 1
                self._fill()

    def check(self) -> None:
        """StorageFull when the reserve is not whole and the disk has no room to restore it."""
        with self._lock:
            if self._is_used and not self._borrowers and not self._fill():
                raise StorageFull(
                    "The disk is full, except for some megabytes that are kept for deletions:"
                    " nothing was stored."
                )

    def _fill(self) -> bool:
        """Allocates the missing part; returns whether the reserve is complete."""
        if self._borrowers or not self._is_used:
            return False
        size = SIZE
        while size >= _LEAST and not self._grown(size):
            size //= 2
        return size == SIZE

    def _grown(self, size: int) -> bool:
        """Whether the disk has room for a file of that size; it grows to SIZE at most.

        Other errors do not count: the next write reports them.
        """
        assert self._file is not None
        with suppress(OSError), self._file.open("ab") as file:
            before = os.fstat(file.fileno()).st_size
            if before >= size:
                return True
            try:
                os.posix_fallocate(file.fileno(), before, size - before)
            except OSError as error:
                os.ftruncate(file.fileno(), before)
                return error.errno not in FULL
            if size > SIZE:
                os.ftruncate(file.fileno(), before)
        return True
