"""Records of the old Office formats: a tree of kinds and lengths, with the pictures in it.

Presentations and the drawings of all old formats consist of them.
"""

import struct
from collections.abc import Iterator
from dataclasses import dataclass

PICTURE_ENTRY = 0xF007
_ENTRY_HEAD = 36
_PICTURE_KINDS = {0xF01D: (0x46B, 0x6E3), 0xF01E: (0x6E1,), 0xF01F: (0x7A9,)}
"""Pictures as files, and the variants that carry two fingerprints instead of one."""
_MAX_DEPTH = 60


@dataclass(frozen=True)
class Record:
    kind: int
    variant: int
    start: int
    end: int
    """Where the content ends in its stream."""
    is_container: bool
    stream: bytes

    @property
    def data(self) -> bytes:
        return self.stream[self.start : self.end]

    def children(self) -> Iterator["Record"]:
        yield from records(self.stream, self.start, self.end)

    def find(self, kind: int) -> "Record | None":
        return next((child for child in self.children() if child.kind == kind), None)

    def all(self, kind: int, depth: int = 0) -> Iterator["Record"]:
        """Records of a kind at any depth."""
        for child in self.children():
            if child.kind == kind:
                yield child
            elif child.is_container and depth < _MAX_DEPTH:
                yield from child.all(kind, depth + 1)


def records(stream: bytes, start: int, end: int) -> Iterator[Record]:
    at = start
    while at + 8 <= end:
        head, kind, length = struct.unpack_from("<HHI", stream, at)
        last = min(end, at + 8 + length)
        yield Record(kind, head >> 4, at + 8, last, head & 0xF == 0xF, stream)
        at += 8 + length


def picture_file(record: Record) -> bytes | None:
    """The file in a record of a picture; None for metafiles and other records."""
    variants = _PICTURE_KINDS.get(record.kind)
    if variants is None:
        return None
    prints = 2 if record.variant in variants else 1
    return record.data[16 * prints + 1 :]


def first_picture(stream: bytes, start: int, end: int) -> bytes | None:
    """The first picture file of a drawing, stored directly or in an entry."""
    for record in records(stream, start, end):
        if record.kind == PICTURE_ENTRY and len(record.data) > _ENTRY_HEAD:
            inside = record.start + _ENTRY_HEAD + record.data[33]
            inner = first_picture(stream, inside, record.end)
        else:
            inner = picture_file(record)
        if inner is not None:
            return inner
    return None
