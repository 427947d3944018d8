"""Blobs that wait in a file until they are asked for.

What a large document became would otherwise be held by the server as long as by the worker. The
file has no name, so a crash leaves nothing of it.
"""

import tempfile
import weakref
from collections.abc import Sequence
from itertools import accumulate
from typing import BinaryIO, overload

from backend.store.disk_faults import disk_faults_are_told
from backend.tasks.messages import exactly

HELD = 4 * 2**20
"""Bytes of blobs that are held in memory."""
_PIECE = 2**20


class _File:
    """A file without a name, which is closed with its last reader."""

    def __init__(self) -> None:
        self.bytes: BinaryIO = tempfile.TemporaryFile()  # noqa: SIM115
        weakref.finalize(self, self.bytes.close)


class Waiting(Sequence[bytes]):
    """Blobs that lie one after the other in a file. Unavailable when it cannot be read."""

    def __init__(self, file: _File, places: Sequence[tuple[int, int]]) -> None:
        """`places` holds where each blob begins, and its size."""
        self._file = file
        self._places = places

    def __len__(self) -> int:
        return len(self._places)

    @overload
    def __getitem__(self, place: int) -> bytes: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[bytes]: ...
    def __getitem__(self, place: int | slice) -> bytes | Sequence[bytes]:
        if isinstance(place, slice):
            return Waiting(self._file, self._places[place])
        start, size = self._places[place]
        with disk_faults_are_told():
            self._file.bytes.seek(start)
            return self._file.bytes.read(size)


def few_held(stream: BinaryIO, sizes: Sequence[int]) -> Sequence[bytes]:
    """Reads blobs of these sizes, many bytes of them into a file.

    StorageFull and Unavailable when they have no room there.
    """
    starts = list(accumulate(sizes, initial=0))
    left = starts[-1]
    if left <= HELD:
        return [exactly(stream, size) for size in sizes]
    with disk_faults_are_told():
        file = _File()
        while left:
            piece = exactly(stream, min(left, _PIECE))
            file.bytes.write(piece)
            left -= len(piece)
        file.bytes.flush()
    return Waiting(file, list(zip(starts, sizes, strict=False)))
