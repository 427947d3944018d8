"""XLSX: one page per sheet; each connected block of cells is a table, then charts and pictures."""

import math
import re
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from functools import cache, partial
from operator import itemgetter

from lxml import etree

from backend.partition.archive import Archive, opened, relation_id
from backend.partition.collecting import collection_paused
from backend.partition.document import Document, Request
from backend.partition.flow import MAX_CELLS, Flow
from backend.partition.formats import charts
from backend.partition.formats.number_formats import PLAIN, NumberFormat, number_format
from backend.partition.formats.numerals import whole
from backend.partition.formats.sheets import (
    Place,
    add_block,
    blocks_of,
    lacking_results,
    sane_merges,
)
from backend.partition.selection import selected

_S = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
_A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_C = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"
_XDR = "{http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing}"
_ROW, _CELL, _VALUE, _FORMULA = f"{_S}row", f"{_S}c", f"{_S}v", f"{_S}f"
_REFERENCE = re.compile(r"^([A-Z]{1,3})([1-9]\d{0,6})$")
_BELOW: Place = (10_000_000, 0)
"""Below every row that a reference can name."""
_DATE_CODES = frozenset([*range(14, 23), *range(27, 37), 45, 46, 47, *range(50, 59)])
_DATE_LETTERS = re.compile(r"[dmyhs]", re.I)


def read(request: Request) -> Document:
    flow = request.flow
    notes: list[str] = []
    with opened(request) as archive, collection_paused():
        main = archive.main("xl/workbook.xml")
        root = archive.xml(main)
        relations = archive.relations(main)
        sheets = [
            (node.get("name") or "", relations.get(relation_id(node, "id"), ""))
            for node in root.iter(f"{_S}sheet")
            if node.get("state") not in ("hidden", "veryHidden")
        ]
        reader = _Reader(archive, _shared(archive), _styles(archive), _epoch(root))
        numbers = selected(request.options.selected_pages, max(1, len(sheets)))
        for done, number in enumerate(numbers, 1):
            flow.page = number
            if sheets:
                name, part = sheets[number - 1]
                flow.heading(name, 1)
                if part in archive:
                    with flow.part(f"the sheet {name}"):
                        _sheet(flow, reader, part, name, notes)
            request.progress(done, len(numbers))
    return Document(flow.elements, max(1, len(sheets)), notes)


def _sheet(flow: Flow, reader: "_Reader", part: str, name: str, notes: list[str]) -> None:
    """Tables, charts and pictures from top to bottom, at one height from left to right."""
    items: list[tuple[Place, Callable[[], object]]] = []
    root = reader.archive.xml(part)
    if root.tag == f"{_S}worksheet":
        items += _cells(flow, reader, root, name, notes)
    for drawing in reader.archive.related(part, "drawing"):
        if drawing in reader.archive:
            items += _drawing(flow, reader.archive, drawing)
    for _, add in sorted(items, key=itemgetter(0)):
        with flow.part("a table or drawing"):
            add()


def _drawing(flow: Flow, archive: Archive, part: str) -> list[tuple[Place, Callable[[], object]]]:
    relations = archive.relations(part)
    return [
        (_anchored_at(anchor), partial(_anchored, flow, archive, relations, anchor))
        for anchor in archive.xml(part)
        if isinstance(anchor.tag, str)
    ]


def _anchored(
    flow: Flow, archive: Archive, relations: dict[str, str], anchor: etree._Element
) -> None:
    """The charts, pictures and text boxes of one anchor."""
    for node in anchor.iter(f"{_C}chart", f"{_XDR}pic", f"{_XDR}txBody"):
        if node.tag == f"{_C}chart":
            charts.read_into(flow, archive, relations.get(relation_id(node, "id"), ""))
            continue
        if node.tag == f"{_XDR}txBody":
            for paragraph in node.iter(f"{_A}p"):
                flow.text("".join(text.text or "" for text in paragraph.iter(f"{_A}t")))
            continue
        blip = next(node.iter(f"{_A}blip"), None)
        named = next(node.iter(f"{_XDR}cNvPr"), None)
        source = relations.get(relation_id(blip, "embed"), "") if blip is not None else ""
        flow.image(
            named.get("descr") if named is not None else None,
            archive.read(source) if source in archive else None,
        )


def _anchored_at(anchor: etree._Element) -> Place:
    """The cell at the top left of a drawing."""
    row, col = (anchor.findtext(f"{_XDR}from/{_XDR}{name}") or "" for name in ("row", "col"))
    return whole(row, 0), whole(col, 0)


def _cells(
    flow: Flow, reader: "_Reader", root: etree._Element, name: str, notes: list[str]
) -> list[tuple[Place, Callable[[], object]]]:
    values: dict[Place, str] = {}
    strays: list[str] = []
    for place, text in reader.cells(root):
        if len(values) + len(strays) >= MAX_CELLS:
            notes.append(f"sheet {name}: only the first {MAX_CELLS} cells were read")
            break
        if place is None or values.setdefault(place, text) != text:
            strays.append(text)
    if strays:
        notes.append(
            f"sheet {name}: cells whose reference cannot be read or occurs twice: {len(strays)};"
            " their words stand below the tables"
        )
    if pending := sum(map(_lacks_result, root.iter(_FORMULA))):
        notes.append(lacking_results(name, pending))
    merges = sane_merges(_merges(root))
    items: list[tuple[Place, Callable[[], object]]] = [
        (min(block), partial(add_block, flow, block, values, merges))
        for block in blocks_of(values, merges)
    ]
    return [*items, (_BELOW, partial(flow.text, "\n".join(strays)))]


class _Reader:
    def __init__(
        self,
        archive: Archive,
        shared: list[str],
        styles: list[NumberFormat | None],
        epoch: datetime,
    ) -> None:
        self.archive = archive
        self.shared = list(map(_single, shared))
        self.styles = styles
        """Of each style of cells how it shows numbers; None for dates and times."""
        self.epoch = epoch

    def cells(self, root: etree._Element) -> Iterator[tuple[Place | None, str]]:
        """Filled cells with what they show; None is a place that cannot be read."""
        for cell, place in _placed(root):
            text = self._text(cell)
            if text:
                yield place, text

    def _text(self, cell: etree._Element) -> str:
        """What a cell shows, with single blanks."""
        kind = cell.get("t", "n")
        if kind == "inlineStr":
            return _single("".join([node.text or "" for node in cell.iter(f"{_S}t")]))
        value = ""
        for node in cell:
            if node.tag == _VALUE:
                value = node.text or ""
                break
        if kind == "s":
            index = whole(value, -1)
            return self.shared[index] if 0 <= index < len(self.shared) else ""
        if kind == "b":
            return "TRUE" if value == "1" else "FALSE"
        if kind == "n" and value:
            style = whole(cell.get("s"), 0)
            return self._number(value, self.styles[style] if style < len(self.styles) else PLAIN)
        return _single(value)

    def _number(self, value: str, style: NumberFormat | None) -> str:
        try:
            number = float(value)
        except ValueError:
            return _single(value)
        if not math.isfinite(number):
            return _single(value)
        if style is None and 0 <= number < 2_958_466:
            moment = self.epoch + timedelta(days=number)
            whole = number == int(number)
            return moment.date().isoformat() if whole else moment.isoformat(" ", "seconds")
        return (style or PLAIN).of(number)


def _single(text: str) -> str:
    return " ".join(text.split())


def _shared(archive: Archive) -> list[str]:
    if "xl/sharedStrings.xml" not in archive:
        return []
    out: list[str] = []
    for item in archive.xml("xl/sharedStrings.xml").iter(f"{_S}si"):
        parts = [
            node.text or ""
            for node in item.iter(f"{_S}t")
            if next(node.iterancestors(f"{_S}rPh"), None) is None
        ]
        out.append("".join(parts))
    return out


def _styles(archive: Archive) -> list[NumberFormat | None]:
    """How each style of cells shows numbers; None where they are dates or times."""
    if "xl/styles.xml" not in archive:
        return []
    root = archive.xml("xl/styles.xml")
    codes = {
        whole(node.get("numFmtId"), 0): node.get("formatCode") or ""
        for node in root.iter(f"{_S}numFmt")
    }
    formats = root.find(f"{_S}cellXfs")
    keys = [whole(node.get("numFmtId"), 0) for node in (formats if formats is not None else ())]
    return [_style(key, codes.get(key)) for key in keys]


def _style(key: int, code: str | None) -> NumberFormat | None:
    bare = re.sub(r'"[^"]*"|\[[^\]]*\]|\\.', "", code or "")
    if key in _DATE_CODES or (_DATE_LETTERS.search(bare) and "0.0" not in bare):
        return None
    return number_format(code, key)


def _epoch(root: etree._Element) -> datetime:
    properties = root.find(f"{_S}workbookPr")
    old_mac = properties is not None and properties.get("date1904") in ("1", "true")
    return datetime(1904, 1, 1) if old_mac else datetime(1899, 12, 30)


def _placed(root: etree._Element) -> Iterator[tuple[etree._Element, Place | None]]:
    """The cells with their places. References are optional: without one, a row stands below the
    row before it, and a cell right of the cell before it."""
    row, col, digits = -1, 0, "0"
    for node in root.iter(_ROW, _CELL):
        if node.tag == _ROW:
            row, col = max(1, whole(node.get("r"), row + 2)) - 1, 0
            digits = str(row + 1)
            continue
        reference = node.get("r")
        # Nearly every cell stands right of the one before it; the others cost ten times more.
        if reference is None or reference == _letters(col) + digits:
            place: Place | None = (row, col)
        else:
            place = _place(reference)
        yield node, place
        row, col = place or (row, col)
        col += 1


@cache
def _letters(col: int) -> str:
    """The name of a column from 0: A, B, …, Z, AA."""
    before, last = divmod(col, 26)
    return (_letters(before - 1) if before else "") + chr(65 + last)


def _lacks_result(formula: etree._Element) -> bool:
    """Whether no program has computed the formula of a cell. A stored result may be empty text."""
    cell = formula.getparent()
    if cell is None or cell.tag != _CELL or cell.get("t") == "inlineStr":
        return False
    value = cell.find(_VALUE)
    return value is None or (not value.text and cell.get("t") != "str")


def _place(reference: str) -> Place | None:
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


def _merges(root: etree._Element) -> dict[Place, Place]:
    """First place to last place of each merged range."""
    out: dict[Place, Place] = {}
    for node in root.iter(f"{_S}mergeCell"):
        first, _, last = (node.get("ref") or "").partition(":")
        a, b = _place(first), _place(last)
        if a is not None and b is not None:
            out[a] = b
    return out
