"""The records of a PPT file: a tree, and a directory of their newest versions.

Codes follow the published description of the format (MS-PPT). Damaged files raise `struct.error`,
IndexError and the like, which the caller turns into a `PartitionFailure`.
"""

import struct

from backend.partition.compound import Compound
from backend.partition.document import PartitionFailure
from backend.partition.formats.office_records import PICTURE_ENTRY, Record, picture_file, records

DOCUMENT_SIZE, SLIDE_ATOM, SLIDE_PERSIST, SLIDE_LIST = 0x3E9, 0x3EF, 0x3F3, 0xFF0
DRAWING, GROUP, SHAPE, GROUP_FRAME = 0x40C, 0xF003, 0xF004, 0xF009
ANCHOR, CHILD_ANCHOR, SHAPE_OPTIONS, MORE_SHAPE_OPTIONS, TEXT_BOX = (
    0xF010,
    0xF00F,
    0xF00B,
    0xF122,
    0xF00D,
)
TEXT_KIND, TEXT_WIDE, TEXT_NARROW, TEXT_OUTLINE = 0xF9F, 0xFA0, 0xFA8, 0xF9E
_PICTURE_STORE = 0xF001
_EDIT, _DIRECTORY = 0xFF5, 0x1772
_ENCRYPTED = 0xF3D1C4DF
_MAX_EDITS = 10_000


class Show:
    """The newest version of each part of a presentation."""

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
        """Merges the directories of all edits; a newer edit wins."""
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
        """Picture files in the order in which shapes refer to them; None for unsupported kinds."""
        store = next(self.document.all(_PICTURE_STORE), None)
        entries = [] if store is None else list(store.children())
        return [self._picture(entry) for entry in entries if entry.kind == PICTURE_ENTRY]

    def _picture(self, entry: Record) -> bytes | None:
        if len(entry.data) < 32:
            return None
        place = struct.unpack_from("<I", entry.data, 28)[0]
        picture = next(records(self._pictures, place, len(self._pictures)), None)
        return None if picture is None else picture_file(picture)


def shape_options(shape: Record, kind: int) -> dict[int, int]:
    """Codes and values of the formatting of a shape."""
    record = shape.find(kind)
    if record is None:
        return {}
    count = min(record.variant, len(record.data) // 6)
    pairs = (struct.unpack_from("<HI", record.data, 6 * index) for index in range(count))
    return {code & 0x3FFF: value for code, value in pairs}
