"""The cells of a sheet in XLSX: place, kind, style and value of each.

Programs write cells in few ways. If a sheet contains nothing else it is split as text, which takes
a third of the time of building and walking a tree. If anything but row tags is between two cells,
the tree is built.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import cache
from html import unescape

from lxml import etree

from backend.partition.archive import Archive
from backend.partition.flow import MAX_CELLS
from backend.partition.formats.numerals import whole
from backend.partition.formats.sheets import Place

_NAMESPACE = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
S = f"{{{_NAMESPACE}}}"
_ROW, _CELL, _VALUE = f"{S}row", f"{S}c", f"{S}v"
_REFERENCE = re.compile(r"^([A-Z]{1,3})([1-9]\d{0,6})$")

Cell = tuple[Place | None, str, str, str]
"""Its place, None where its reference cannot be read, then kind, style and value as stored."""

_OTHER_ENCODING = re.compile(rb"""encoding\s*=\s*["'](?!utf-8["'])""", re.IGNORECASE)
_TEXT = r"([^<&]*(?:&(?:amp|lt|gt|quot|apos|#\d{1,7}|#x[0-9a-fA-F]{1,6});[^<&]*)*)"
_FORMULA = r"(?:<f(?: [^<>]*)?(?:/>|>[^<]*</f>))?"
_WRITTEN = re.compile(
    r'<c r="([A-Z]{1,3})([1-9]\d{0,6})"(?: s="(\d{1,9})")?(?:/>'
    rf'|(?: t="(n|s|b|e|str)")?>{_FORMULA}<v>{_TEXT}</v></c>'
    rf'| t="(inlineStr)"><is><t(?: xml:space="preserve")?>{_TEXT}</t></is></c>)'
)
_EMPTY = re.compile(r"(?:<row [^<>]*/>)*")
_OPENED = re.compile(rf'{_EMPTY.pattern}<row r="([1-9]\d{{0,6}})"(?: [^<>]*[^<>/])?>')
_ESCAPED = re.compile(r"_x([0-9A-Fa-f]{4})_")
_STRING = re.compile(rf'<si><t(?: xml:space="preserve")?>{_TEXT}</t></si>')


def read_sheet(archive: Archive, part: str) -> tuple[etree._Element, Iterable[Cell]]:
    """The tree of a sheet, which may lack its cells, and its cells."""
    data = archive.read(part)
    if cut := _section(data, b"<sheetData>", b"</sheetData>"):
        before, text, after = cut
        cells = _cells_of_text(text)
        if cells is not None:
            return archive.parsed(before + after), cells
    root = archive.parsed(data)
    return root, _cells_of_tree(root)


def shared_strings(archive: Archive, part: str) -> list[str]:
    """The texts that cells refer to by their number."""
    if part not in archive:
        return []
    data = archive.read(part)
    if cut := _section(data, b"<si>", b"</sst>"):
        pieces = _STRING.split("<si>" + cut[1])
        if not any(pieces[::2]):
            return list(map(_plain, pieces[1::2]))
    return [
        "".join(
            node.text or ""
            for node in item.iter(f"{S}t")
            if next(node.iterancestors(f"{S}rPh"), None) is None
        )
        for item in archive.parsed(data).iter(f"{S}si")
    ]


def unescaped(text: str) -> str:
    """A stored text as its author wrote it: `_x000D_` stands for one character (ECMA-376, part 1,
    22.9.2.19). Characters that no text contains are left out.
    """
    return _ESCAPED.sub(_character, text) if "_x" in text else text


def _character(escape: re.Match[str]) -> str:
    letter = chr(int(escape[1], 16))
    return letter if letter.isspace() or unicodedata.category(letter)[0] != "C" else ""


def _section(data: bytes, first: bytes, last: bytes) -> tuple[bytes, str, bytes] | None:
    """A part of an XML text between two tags, with the text before and after it; None if something
    before it changes the meaning of tags or letters.
    """
    start, end = data.find(first) + len(first), data.rfind(last)
    head = data[:start]
    if not len(first) <= start <= end or f' xmlns="{_NAMESPACE}"'.encode() not in head:
        return None
    if b"<!" in head or _OTHER_ENCODING.search(head):
        return None
    try:
        return head, data[start:end].decode(), data[end:]
    except UnicodeDecodeError:
        return None


def _cells_of_text(text: str) -> list[Cell] | None:
    """The cells in the data of a sheet; None if it contains anything else."""
    *rows, end = text.split("</row>")
    cells: list[Cell] = []
    for written in rows:
        # Row by row, because the pieces of a whole sheet would take longer to lay out than to read.
        bound, *pieces = _WRITTEN.split(written)
        opened = _OPENED.fullmatch(bound)
        if opened is None or any(pieces[7::8]) or len(cells) > MAX_CELLS:
            return None
        number, escaped = int(opened[1]) - 1, "&" in written
        one = iter(pieces)
        for letters, digits, style, kind, value, inline, text, _ in zip(*[one] * 8, strict=True):
            if digits != opened[1] or (value == "" and kind != "str"):
                # The second may be a formula without a result, which a remark counts.
                return None
            if stored := value or text:
                stored = unescape(stored) if escaped else stored
                cells.append(
                    ((number, _column(letters)), kind or inline or "n", style or "", stored)
                )
    return cells if _EMPTY.fullmatch(end) else None


def _plain(text: str) -> str:
    return unescape(text) if "&" in text else text


def _cells_of_tree(root: etree._Element) -> Iterator[Cell]:
    for node, place in _placed(root):
        kind = node.get("t", "n")
        if kind == "inlineStr":
            value = "".join([text.text or "" for text in node.iter(f"{S}t")])
        else:
            value = next((child.text or "" for child in node if child.tag == _VALUE), "")
        yield place, kind, node.get("s", ""), value


def _placed(root: etree._Element) -> Iterator[tuple[etree._Element, Place | None]]:
    """The cells with their positions; one without a reference follows the previous one."""
    row, col, digits = -1, 0, "0"
    for node in root.iter(_ROW, _CELL):
        if node.tag == _ROW:
            row, col = max(1, whole(node.get("r"), row + 2)) - 1, 0
            digits = str(row + 1)
            continue
        reference = node.get("r")
        # Nearly every cell is right of the previous one; the others take ten times as long.
        if reference is None or reference == _letters(col) + digits:
            place: Place | None = (row, col)
        else:
            place = place_of(reference)
        yield node, place
        row, col = place or (row, col)
        col += 1


@cache
def _letters(col: int) -> str:
    """The name of a column from 0: A, B, …, Z, AA."""
    before, last = divmod(col, 26)
    return (_letters(before - 1) if before else "") + chr(65 + last)


def place_of(reference: str) -> Place | None:
    """Row and column, from 0, that a reference such as B7 names."""
    match = _REFERENCE.match(reference)
    if match is None:
        return None
    return int(match[2]) - 1, _column(match[1])


@cache
def _column(letters: str) -> int:
    col = 0
    for letter in letters:
        col = col * 26 + ord(letter) - 64
    return col - 1
