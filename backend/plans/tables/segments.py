"""A table in files of some 250,000 documents each, so that a change rewrites only its own file.

On this machine a segment is an Arrow file that is mapped into memory: a plan reads the columns that
it names, and the rest takes no memory. For other servers, and any other program, it is Parquet,
which is much smaller. A segment is immutable: its successor has another name.
"""

import logging
import mmap
import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from threading import Lock
from typing import cast
from weakref import WeakSet

import polars as pl
from polars.exceptions import PolarsError

from workbench.contract.ids import new_id

_mappings: "WeakSet[mmap.mmap]" = WeakSet()
_adding = Lock()
_log = logging.getLogger(__name__)
_DOCUMENTS = 250_000
_WRITTEN = 2**24
"""Bytes of a table that are written at once."""
_BATCHES = 4
"""How many times as much of a table goes to one file of several."""
_GROWN = 1.5
"""The growth factor at which a segment is split."""


@dataclass(frozen=True)
class Segment:
    """The documents with a `sequence` from `first` on, up to the `first` of the next segment."""

    file: str
    first: int
    height: int


def written(
    folder: Path,
    stem: str,
    table: pl.DataFrame,
    before: Sequence[Segment],
    changed: frozenset[int] | None,
) -> list[Segment]:
    """Writes the segments of a table in order of `sequence`, and returns all of them.

    Those of `before` without a document in `changed` are kept; None keeps none. Raises OSError.
    """
    kept = {} if changed is None else _kept(before, changed)
    segments: list[Segment] = []
    try:
        for first, end, part in _cut(table, [segment.first for segment in before]):
            same = kept.get((first, end))
            if same is None or same.height != part.height or not (folder / same.file).exists():
                file = f"{stem}-{new_id('t').replace(':', '-')}.arrow"
                same = Segment(file, first, part.height)
                write_arrow(part, folder / file)
            segments.append(same)
    except BaseException:
        for segment in set(segments) - set(before):
            (folder / segment.file).unlink(missing_ok=True)
        raise
    return segments


def mapped(files: Sequence[Path]) -> pl.DataFrame:
    """The table of uncompressed Arrow files. Only the parts in use take memory, or everything if
    pyarrow is missing. Raises OSError for a missing or broken file.
    """
    try:
        # Takes 40 MB, which a server without large tables saves.
        import pyarrow as pa
    except ImportError:
        return _read(files)
    try:
        # Polars itself would read all of each file.
        tables = [pa.ipc.open_file(pa.py_buffer(_mapping(file))).read_all() for file in files]
    except (pa.ArrowException, ValueError) as problem:  # ValueError: the file is empty
        raise OSError(str(problem)) from problem
    return cast(pl.DataFrame, pl.from_arrow(pa.concat_tables(tables), rechunk=False))


def _mapping(file: Path) -> mmap.mmap:
    with file.open("rb") as stream:
        mapping = mmap.mmap(stream.fileno(), 0, access=mmap.ACCESS_READ)
    with _adding:
        _mappings.add(mapping)
    return mapping


def release_pages() -> None:
    """Drops the pages of mapped files from memory; the next reader loads them again."""
    if hasattr(mmap, "MADV_DONTNEED"):
        with _adding:
            mappings = list(_mappings)
        for mapping in mappings:
            mapping.madvise(mmap.MADV_DONTNEED)


def write_parts(table: pl.DataFrame, files: Iterator[Path]) -> int:
    """Writes a table to as many of the mappable files as it needs, and returns how many these are.
    Of a mapped table only the part that is being written takes memory.
    """
    lines = lines_at_once(table)
    starts = range(0, max(1, table.height), _BATCHES * lines)
    for start, file in zip(starts, files, strict=False):
        part = table[start : start + _BATCHES * lines]
        part.write_ipc(file, compression="uncompressed", record_batch_size=lines)
        if len(starts) > 1:
            release_pages()
    return len(starts)


def in_file(table: pl.DataFrame, folder: Path) -> pl.DataFrame:
    """The table in a file without a name, which is mapped; the table itself if the disk is full."""
    file = folder / f"{new_id('t').replace(':', '-')}.arrow"
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        write_arrow(table, file)
        return mapped([file])
    except OSError as problem:
        _log.warning("a table of %s documents stays in memory: %s", f"{table.height:,}", problem)
        return table
    finally:
        with suppress(OSError):  # some systems refuse to remove a mapped file; a sweep does later
            file.unlink(missing_ok=True)


def _read(files: Sequence[Path]) -> pl.DataFrame:
    try:
        table = pl.concat([pl.read_ipc(file) for file in files], rechunk=False)
    except PolarsError as problem:
        raise OSError(str(problem)) from problem
    if table.height > _DOCUMENTS:
        _log.info(
            "a table of %s documents is in memory as a whole; with pip install"
            " 'docset-workbench[large]' only the columns in use are",
            f"{table.height:,}",
        )
    return table


def write_arrow(part: pl.DataFrame, file: Path) -> None:
    """Writes a mappable file atomically."""
    draft = file.with_name(f"{file.name}.part")
    try:
        with draft.open("wb") as stream:
            part.write_ipc(stream, compression="uncompressed", record_batch_size=part.height)
            # Otherwise a power cut could leave a file with holes.
            stream.flush()
            os.fsync(stream.fileno())
        os.replace(draft, file)
    finally:
        with suppress(OSError):
            draft.unlink(missing_ok=True)


def lines_at_once(table: pl.DataFrame) -> int:
    """How many lines of a table to write at once: writing copies them."""
    return max(1, table.height * _WRITTEN // max(1, int(table.estimated_size())))


def _kept(
    before: Sequence[Segment], changed: frozenset[int]
) -> dict[tuple[int, int | None], Segment]:
    """The segments without a changed document, by their start and end."""
    ends: list[int | None] = [segment.first for segment in before[1:]]
    ranges = zip(before, [*ends, None], strict=True)
    sequences = pl.Series(sorted(changed), dtype=pl.Int64)
    kept = {}
    for segment, end in ranges:
        inside = sequences >= segment.first
        if not (inside if end is None else inside & (sequences < end)).any():
            kept[segment.first, end] = segment
    return kept


def _cut(
    table: pl.DataFrame, firsts: Sequence[int]
) -> Iterator[tuple[int, int | None, pl.DataFrame]]:
    """The parts of a table with their first and last sequences; large old ones are split."""
    sequences = table.get_column("sequence")
    places = [int(sequences.search_sorted(first)) for first in firsts[1:]]
    bounds = sorted({0, *places, table.height})
    cuts: list[int] = []
    for start, end in pairwise(bounds):
        large = end - start > _GROWN * _DOCUMENTS
        cuts += range(start, end, _DOCUMENTS if large else max(1, end - start))
    starts = dict(zip(places, firsts[1:], strict=True))
    if firsts:
        starts[0] = min(firsts[0], int(sequences[0]))
    begins = [starts.get(cut, int(sequences[cut])) for cut in cuts]
    for number, cut in enumerate(cuts):
        last = number + 1 == len(cuts)
        end = table.height if last else cuts[number + 1]
        yield begins[number], None if last else begins[number + 1], table[cut:end]
