"""Blocks of vectors: full ones in immutable files, the last one in memory.

A block file is memory-mapped and may be shared by hard links. It contains, in this order: element
keys, vectors, and their scales, errors and codes (see quantised.py); codes come last because bytes
need no alignment.
"""

import mmap
import os
import secrets
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from backend.inference.embeddings import Matrix
from backend.search.ranking import Keys
from backend.search.vectors.quantised import Quantised, quantise


@dataclass(frozen=True)
class Block:
    """Some rows. `file` is the name of their file, None while they are only in memory."""

    keys: Keys
    quantised: Quantised
    vectors: Matrix
    file: str | None = None
    mapped: mmap.mmap | None = None

    def __len__(self) -> int:
        return len(self.keys)

    def release(self) -> None:
        """Drops the mapped pages of vectors from memory; the next reader loads them again."""
        if self.mapped is not None and hasattr(mmap, "MADV_DONTNEED"):
            start = -(-self.keys.nbytes // mmap.PAGESIZE) * mmap.PAGESIZE
            length = self.keys.nbytes + self.vectors.nbytes - start
            if length > 0:
                self.mapped.madvise(mmap.MADV_DONTNEED, start, length)

    def part(self, rows: slice) -> "Block":
        return Block(self.keys[rows], self.quantised.part(rows), self.vectors[rows])


class Growing:
    """A growable block in memory. Parts that were handed out never change."""

    def __init__(self, dimension: int) -> None:
        self.used = 0
        self._room = _empty(0, dimension)

    @property
    def nbytes(self) -> int:
        """Bytes of memory."""
        return self._room.keys.nbytes + self._room.quantised.nbytes + self._room.vectors.nbytes

    def view(self) -> Block:
        """The present rows."""
        return self._room.part(slice(self.used))

    def append(self, keys: Keys, vectors: Matrix) -> None:
        """Appends rows; `vectors` has one row of length one per key."""
        start, stop = self.used, self.used + len(keys)
        if stop > len(self._room):
            room = _empty(max(stop, 2 * len(self._room)), vectors.shape[1])
            _write(room, 0, self.view())
            self._room = room
        _write(self._room, start, Block(keys, quantise(vectors), vectors))
        self.used = stop


def save(block: Block, folder: Path) -> Block:
    """Writes the rows to a new file in the folder; they are on disk when this returns."""
    name = f"{secrets.token_hex(8)}.block"
    quantised = block.quantised
    with (folder / name).open("wb") as file:
        for array in (
            block.keys, block.vectors, quantised.scales, quantised.errors, quantised.codes,
        ):  # fmt: skip
            file.write(np.ascontiguousarray(array).data)
        file.flush()
        os.fsync(file.fileno())
    return load(folder, name, len(block), block.vectors.shape[1])


def load(folder: Path, name: str, rows: int, dimension: int) -> Block:
    """Maps the block in a file. ValueError when its size does not fit so many rows."""
    shapes: list[tuple[Any, tuple[int, ...]]] = [
        (np.int64, (rows,)),
        (np.float32, (rows, dimension)),
        (np.float32, (rows,)),
        (np.float32, (rows,)),
        (np.int8, (rows, dimension)),
    ]
    with (folder / name).open("rb") as file:
        mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    arrays: list[npt.NDArray[Any]] = []
    offset = 0
    for kind, shape in shapes:
        count = int(np.prod(shape))
        arrays.append(np.frombuffer(mapped, kind, count, offset).reshape(shape))
        offset += count * np.dtype(kind).itemsize
    if offset != len(mapped):
        raise ValueError(f"{name} has {len(mapped)} bytes, not {offset}")
    keys, vectors, scales, errors, codes = arrays
    return Block(keys, Quantised(codes, scales, errors), vectors, name, mapped)


def _empty(rows: int, dimension: int) -> Block:
    return Block(
        np.empty(rows, dtype=np.int64),
        Quantised(
            np.empty((rows, dimension), dtype=np.int8),
            np.empty(rows, dtype=np.float32),
            np.empty(rows, dtype=np.float32),
        ),
        np.empty((rows, dimension), dtype=np.float32),
    )


def _write(room: Block, start: int, rows: Block) -> None:
    place = slice(start, start + len(rows))
    room.keys[place] = rows.keys
    room.vectors[place] = rows.vectors
    room.quantised.codes[place] = rows.quantised.codes
    room.quantised.scales[place] = rows.quantised.scales
    room.quantised.errors[place] = rows.quantised.errors
