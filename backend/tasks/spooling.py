"""Spools the blobs of a large result to a file without a name, instead of to memory."""

import tempfile
import weakref
from collections.abc import Sequence
from itertools import accumulate
from typing import BinaryIO, overload

from backend.store.disk_faults import translate_disk_faults
from backend.tasks.messages import Readable, exactly

IN_MEMORY = 4 * 2**20
"""Results up to this many bytes stay in memory."""
_PIECE = 2**20


class _File:
    """A temporary file without a name, closed with its last reader."""

    def __init__(self) -> None:
        self.bytes: BinaryIO = tempfile.TemporaryFile()  # noqa: SIM115
        weakref.finalize(self, self.bytes.close)


class Spooled(Sequence[bytes]):
    """Blobs one after the other in a file. Unavailable when it cannot be read."""

    def __init__(self, file: _File, places: Sequence[tuple[int, int]]) -> None:
        """`places` has the offset and the size of each blob."""
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
            return Spooled(self._file, self._places[place])
        start, size = self._places[place]
        with translate_disk_faults():
            self._file.bytes.seek(start)
            return self._file.bytes.read(size)


def spooled(stream: Readable, sizes: Sequence[int]) -> Sequence[bytes]:
    """Reads blobs of these sizes, large ones into a file. StorageFull or Unavailable."""
    starts = list(accumulate(sizes, initial=0))
    left = starts[-1]
    if left <= IN_MEMORY:
        return [exactly(stream, size) for size in sizes]
    with translate_disk_faults():
        file = _File()
        while left:
            piece = exactly(stream, min(left, _PIECE))
            file.bytes.write(piece)
            left -= len(piece)
        file.bytes.flush()
    return Spooled(file, list(zip(starts, sizes, strict=False)))
