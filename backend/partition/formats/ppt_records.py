"""The records of a PPT: a tree, and the directory that says where its newest versions lie.

Codes are those of the published description of the format (MS-PPT). Damaged files raise
`struct.error`, IndexError and the like; whoever opens the file turns them into a
`PartitionFailure`.
"""

import struct
from collections.abc import Iterator
from dataclasses import dataclass

from backend.partition.compound import Compound
from backend.partition.document import PartitionFailure

DOCUMENT_SIZE, SLIDE, SLIDE_ATOM, SLIDE_PERSIST, SLIDE_LIST = 0x3E9, 0x3EE, 0x3EF, 0x3F3, 0xFF0
DRAWING, GROUP, SHAPE, GROUP_FRAME = 0x40C, 0xF003, 0xF004, 0xF009
ANCHOR, CHILD_ANCHOR, LOOKS, MORE_LOOKS, TEXT_BOX = 0xF010, 0xF00F, 0xF00B, 0xF122, 0xF00D
TEXT_KIND, TEXT_WIDE, TEXT_NARROW, TEXT_OUTLINE = 0xF9F, 0xFA0, 0xFA8, 0xF9E
_PICTURE_STORE, _PICTURE_ENTRY = 0xF001, 0xF007
_EDIT, _DIRECTORY = 0xFF5, 0x1772
_ENCRYPTED = 0xF3D1C4DF
_PICTURE_KINDS = {0xF01D: (0x46B, 0x6E3), 0xF01E: (0x6E1,), 0xF01F: (0x7A9,)}
"""Pictures as files, and the variants that carry two fingerprints instead of one."""
_MAX_EDITS = 10_000
_MAX_DEPTH = 60


@dataclass(frozen=True)
class Record:
    kind: int
    variant: int
    start: int
    end: int
    """Of the content in its stream."""
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


class Show:
    """The newest versions of the parts of a presentation."""

    def __init__(self, compound: Compound) -> None:
        self.stream = compound.read("PowerPoint Document")
        user = compound.read("Current User")
        token, edit = struct.unpack_from("<II", user, 12)
        if token == _ENCRYPTED or "EncryptedSummary" in compound:
            raise PartitionFailure(
                "The PPT file is encrypted with a password. Save it without one.", 422
            )
        self._places: dict[int, int] = {}
        root = self._read_edits(edit)
        document = self.part(root)
        if document is None:
            raise ValueError("no document")
        self.document = document
        self._pictures = compound.read("Pictures") if "Pictures" in compound else b""

    def _read_edits(self, edit: int) -> int:
        """The directory of the newest edit wins over that of the one before it."""
        root = 0
        for _ in range(_MAX_EDITS):
            record = next(records(self.stream, edit, len(self.stream)), None)
            if record is None or record.kind != _EDIT:
                break
            before, directory, number = struct.unpack_from("<III", record.data, 8)
            root = root or number
            self._read_directory(directory)
            if not 0 < before < edit:
                break
            edit = before
        return root

    def _read_directory(self, place: int) -> None:
        record = next(records(self.stream, place, len(self.stream)), None)
        if record is None or record.kind != _DIRECTORY:
            return
        data, at = record.data, 0
        while at + 4 <= len(data):
            head = struct.unpack_from("<I", data, at)[0]
            first, count = head & 0xFFFFF, head >> 20
            for index, offset in enumerate(struct.unpack_from(f"<{count}I", data, at + 4)):
                self._places.setdefault(first + index, offset)
            at += 4 + 4 * count

    def part(self, number: int) -> Record | None:
        place = self._places.get(number)
        if place is None:
            return None
        return next(records(self.stream, place, len(self.stream)), None)

    def pictures(self) -> list[bytes | None]:
        """Picture files in the order in which shapes count them; None for other kinds."""
        store = next(self.document.all(_PICTURE_STORE), None)
        entries = [] if store is None else list(store.children())
        return [self._picture(entry) for entry in entries if entry.kind == _PICTURE_ENTRY]

    def _picture(self, entry: Record) -> bytes | None:
        if len(entry.data) < 32:
            return None
        place = struct.unpack_from("<I", entry.data, 28)[0]
        picture = next(records(self._pictures, place, len(self._pictures)), None)
        if picture is None or picture.kind not in _PICTURE_KINDS:
            return None
        prints = 2 if picture.variant in _PICTURE_KINDS[picture.kind] else 1
        return picture.data[16 * prints + 1 :]


def looks(shape: Record, kind: int) -> dict[int, int]:
    """Codes and values of the looks of a shape."""
    record = shape.find(kind)
    if record is None:
        return {}
    count = min(record.variant, len(record.data) // 6)
    pairs = (struct.unpack_from("<HI", record.data, 6 * index) for index in range(count))
    return {code & 0x3FFF: value for code, value in pairs}
