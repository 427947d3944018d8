"""The smallest files of the old binary Office formats, written record by record."""

import struct
from collections.abc import Sequence
from itertools import accumulate

_END, _FREE, _FAT = 0xFFFFFFFE, 0xFFFFFFFF, 0xFFFFFFFD
_SECTOR, _SMALL = 512, 4096


def compound(streams: dict[str, bytes]) -> bytes:
    """A compound file; a slash in a name means a storage. Streams are filled up to full size."""
    tree: dict[str, dict[str, bytes] | bytes] = {}
    for name, data in streams.items():
        folder, _, leaf = name.rpartition("/")
        padded = data.ljust(max(_SMALL, -(-len(data) // _SECTOR) * _SECTOR), b"\x00")
        if folder:
            inside = tree.setdefault(folder, {})
            assert isinstance(inside, dict)
            inside[leaf] = padded
        else:
            tree[leaf] = padded
    entries: list[list[int | str | bytes]] = [["Root Entry", 5, _FREE, _FREE, b""]]
    _add(entries, 0, tree)
    count = len(entries) + -len(entries) % 4
    sectors = [len(bytes(entry[4])) // _SECTOR for entry in entries]  # type: ignore[arg-type]
    total = 1 + count // 4 + sum(sectors)
    assert total < 128, "one table of sectors is enough for tests"
    table = [_FAT, *range(2, 1 + count // 4), _END]
    starts = list(accumulate(sectors, initial=1 + count // 4))
    for start, size in zip(starts, sectors, strict=False):
        table += [*range(start + 1, start + size), _END] if size else []
    directory = b"".join(
        _entry(*entry, start=start if entry[4] else _END)  # type: ignore[arg-type]
        for entry, start in zip(entries, starts, strict=False)
    )
    head = struct.pack("<8s16x5H6x", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", 0x3E, 3, 0xFFFE, 9, 6)
    head += struct.pack("<IIIIIIIII", 0, 1, 1, 0, _SMALL, _END, 0, _END, 0)
    head += struct.pack("<109I", 0, *[_FREE] * 108)
    fat = struct.pack("<128I", *table, *[_FREE] * (128 - len(table)))
    body = b"".join(bytes(entry[4]) for entry in entries)  # type: ignore[arg-type]
    return head + fat + directory.ljust(count * 128, b"\x00") + body


def _add(entries: list[list[int | str | bytes]], parent: int, tree: object) -> None:
    """Siblings hang in a chain to the right, in the order that the format asks for."""
    assert isinstance(tree, dict)
    before = None
    for name in sorted(tree, key=lambda name: (len(name), name.upper())):
        data = tree[name]
        is_stream = isinstance(data, bytes)
        entries.append([name, 2 if is_stream else 1, _FREE, _FREE, data if is_stream else b""])
        place = len(entries) - 1
        if before is None:
            entries[parent][3] = place
        else:
            entries[before][2] = place
        before = place
        if not is_stream:
            _add(entries, place, data)


def _entry(name: str, kind: int, right: int, child: int, data: bytes, *, start: int) -> bytes:
    wide = name.encode("utf-16-le")
    return struct.pack(
        "<64sHBBIII36xIQ", wide, len(wide) + 2, kind, 1, _FREE, right, child, start, len(data)
    )


# -- DOC ------------------------------------------------------------------------------------------

IN_TABLE, ROW_END = struct.pack("<HB", 0x2416, 1), struct.pack("<HB", 0x2417, 1)
PAGE_BEFORE = struct.pack("<HB", 0x2407, 1)
ITEM = struct.pack("<HB", 0x260A, 0) + struct.pack("<Hh", 0x460B, 1)


ELSEWHERE = 4096


def doc(
    paragraphs: list[tuple[str, int, bytes]],
    picture: bytes = b"",
    lists: list[list[tuple[int, int]]] | None = None,
    listed_style: int = 0,
    elsewhere: bytes = b"",
) -> bytes:
    """A DOC of paragraphs: text with its end mark, style (0 body, 1 heading, 2 title), looks.

    `lists` have levels, each with its first number and the kind of its numbers; paragraphs of style
    3 are in the one numbered `listed_style`.
    A sign of number 1 in the text stands for the picture, a PNG file; `elsewhere` are looks that
    stand at `ELSEWHERE` in the data."""
    text = "".join(part for part, _, _ in paragraphs).encode("utf-16-le")
    start = 2048
    ends = list(accumulate((2 * len(part) for part, _, _ in paragraphs), initial=start))
    formats = [struct.pack("<H", style) + more for _, style, more in paragraphs]
    page = bytearray(512)
    struct.pack_into(f"<{len(ends)}I", page, 0, *ends)
    at = 510
    for index, look in enumerate(formats):
        odd = look if len(look) % 2 else look + b"\x00"
        at = (at - len(odd) - 1) // 2 * 2
        page[at] = (len(odd) + 1) // 2
        page[at + 1 : at + 1 + len(odd)] = odd
        page[4 * len(ends) + 13 * index] = at // 2
    page[511] = len(formats)
    page_at = -(-(start + len(text)) // 512) * 512
    styles = [(0, 0xFFF), (1, 0), (62, 0)]
    sheet = struct.pack("<H18s", 18, struct.pack("<HH", len(styles), 10))
    for kind, base in styles:
        sheet += struct.pack("<HHH6x", 10, kind, base << 4)
    if listed_style:
        listed = struct.pack("<HHh", 3, 0x460B, listed_style)
        sheet = struct.pack("<H18s", 18, struct.pack("<HH", 4, 10)) + sheet[20:]
        named = struct.pack("<HHH4xH2s2x", 0xFFE, 1 | 0xFFF0, 0, 1, "L".encode("utf-16-le"))
        named += struct.pack("<H", len(listed)) + listed
        sheet += struct.pack("<H", len(named)) + named
    pieces = struct.pack("<BI", 2, 16) + struct.pack("<II", 0, len(text) // 2)
    pieces += struct.pack("<HIH", 0, start, 0)
    index = struct.pack("<III", ends[0], ends[-1], page_at // 512)
    sign = start + text.find("\x01".encode("utf-16-le"))
    runs = bytearray(512)
    struct.pack_into("<4I3B", runs, 0, start, sign, sign + 2, ends[-1], 0, 250, 0)
    struct.pack_into("<BHI", runs, 500, 6, 0x6A03, 0)
    runs[511] = 3
    run_index = struct.pack("<III", ends[0], ends[-1], page_at // 512 + 1)
    drawing = _record(0xF01E, bytes(17) + picture, False)
    data = struct.pack("<IHh60x", 68 + len(drawing), 68, 0x64) + drawing
    if elsewhere:
        data = data.ljust(ELSEWHERE, b"\x00") + struct.pack("<H", len(elsewhere)) + elsewhere
    head = bytearray(start)
    struct.pack_into("<HH", head, 0, 0xA5EC, 0xC1)
    struct.pack_into("<H", head, 0x0A, 0x0200)
    struct.pack_into("<I", head, 0x4C, len(text) // 2)
    table = b""
    for place, part in ((0xA2, sheet), (0xFA, run_index), (0x102, index), (0x1A2, pieces)):
        struct.pack_into("<II", head, place, len(table), len(part))
        table += part
    if lists:
        uses = struct.pack("<I", len(lists))
        known = struct.pack("<H", len(lists))
        levels = b""
        for key, ones in enumerate(lists, 1):
            uses += struct.pack("<I12x", key)
            known += struct.pack("<I22xBx", key, len(ones) == 1)
            for first, kind in ones + [(1, 23)] * (9 - len(ones) if len(ones) > 1 else 0):
                levels += struct.pack("<IB19xBBxx", first, kind, 0, 0) + struct.pack("<H2x", 1)
        struct.pack_into("<II", head, 0x2EA, len(table), len(uses))
        struct.pack_into("<II", head, 0x2E2, len(table) + len(uses), len(known))
        table += uses + known + levels
    main = (bytes(head) + text).ljust(page_at, b"\x00") + bytes(page) + bytes(runs)
    return compound({"WordDocument": main, "1Table": table, "Data": data})


# -- PPT ------------------------------------------------------------------------------------------


def ppt(shapes: list[tuple[int, str, tuple[int, int, int, int]]]) -> bytes:
    """A PPT of one slide of 1000 x 1000: kind of text, words, and top, left, right, bottom."""
    drawn = b"".join(
        _record(
            0xF004,
            _record(0xF010, struct.pack("<4h", *place), False)
            + _record(
                0xF00D,
                _record(0xF9F, struct.pack("<I", kind), False)
                + _record(0xFA0, words.encode("utf-16-le"), False),
            ),
        )
        for kind, words, place in shapes
    )
    group = _record(0xF003, _record(0xF004, b"") + drawn)
    slide = _record(0x3EE, _record(0x40C, _record(0xF002, group)))
    listed = _record(0x3F3, struct.pack("<IIIII", 2, 0, 0, 256, 0), False)
    document = _record(
        0x3E8, _record(0x3E9, struct.pack("<ii32x", 1000, 1000), False) + _record(0xFF0, listed)
    )
    directory_at = len(document) + len(slide)
    directory = _record(0x1772, struct.pack("<III", 1 | 2 << 20, 0, len(document)), False)
    edit = _record(
        0xFF5, struct.pack("<IHBBIIIIHH", 0, 0, 0, 3, 0, directory_at, 1, 3, 0, 0), False
    )
    user = struct.pack("<HHIIII", 0, 0xFF6, 20, 20, 0xE391C05F, directory_at + len(directory))
    return compound(
        {"PowerPoint Document": document + slide + directory + edit, "Current User": user}
    )


def _record(kind: int, data: bytes, container: bool = True) -> bytes:
    return struct.pack("<HHI", 0xF if container else 0, kind, len(data)) + data


# -- XLS ------------------------------------------------------------------------------------------


def xls(
    name: str, rows: list[list[str | float]], notes: Sequence[tuple[int, int, str, str]] = ()
) -> bytes:
    """An XLS of one sheet; its last row is one merged cell over two columns. `notes` are row,
    column, author and text of remarks on cells."""
    cells = b""
    for row, values in enumerate(rows):
        for col, value in enumerate(values):
            place = struct.pack("<HHH", row, col, 0)
            if isinstance(value, str):
                words = struct.pack("<HB", len(value), 0) + value.encode("latin-1")
                cells += _biff(0x204, place + words)
            else:
                cells += _biff(0x203, place + struct.pack("<d", value))
    last = len(rows) - 1
    cells += _biff(0xE5, struct.pack("<5H", 1, last, last, 0, 1))
    cells += b"".join(_note(number, *note) for number, note in enumerate(notes, 1))
    sheet = _biff(0x809, struct.pack("<HHHHII", 0x600, 0x10, 0, 0, 0, 0)) + cells + _biff(0x0A, b"")
    opening = _biff(0x809, struct.pack("<HHHHII", 0x600, 5, 0, 0, 0, 0))
    label = struct.pack("<BB", len(name), 0) + name.encode("latin-1")
    at = len(opening) + 4 + 6 + len(label) + 4
    book = opening + _biff(0x85, struct.pack("<IBB", at, 0, 0) + label) + _biff(0x0A, b"")
    return compound({"Workbook": book + sheet})


def _note(number: int, row: int, col: int, author: str, text: str) -> bytes:
    """The object, its text, and the record that puts it on a cell."""
    shape = _biff(0x5D, struct.pack("<HHHHH12xI", 0x15, 18, 0x19, number, 0x4011, 0))
    words = _biff(0x1B6, struct.pack("<HH6xHHI", 0x212, 0, len(text), 0, 0))
    words += _biff(0x3C, b"\0" + text.encode("latin-1"))
    who = struct.pack("<HB", len(author), 0) + author.encode("latin-1") + b"\0"
    return shape + words + _biff(0x1C, struct.pack("<4H", row, col, 0, number) + who)


def _biff(kind: int, data: bytes) -> bytes:
    return struct.pack("<HH", kind, len(data)) + data


# -- MSG ------------------------------------------------------------------------------------------


def msg(subject: str, sender: str, markup: str, attachment: str) -> bytes:
    """An Outlook message that was sent at noon on 2 January 2024."""
    sent = 133486704000000000
    texts = {0x0037: subject, 0x0C1A: sender}
    streams = {
        f"__substg1.0_{code:04X}001F": text.encode("utf-16-le") for code, text in texts.items()
    }
    streams["__substg1.0_10130102"] = markup.encode()
    streams["__properties_version1.0"] = bytes(32) + struct.pack("<IIQ", 0x00390040, 6, sent)
    streams["__attach_version1.0_#00000000/__substg1.0_3707001F"] = attachment.encode("utf-16-le")
    return compound(streams)
