"""XLSX: one page per sheet; each connected block of cells is a table, then charts and pictures."""

import re
from collections.abc import Iterator
from datetime import datetime, timedelta

from lxml import etree

from backend.contract.elements import TableCell
from backend.partition.archive import Archive, opened, parse_xml, relation_id
from backend.partition.document import Document, Request
from backend.partition.flow import MAX_CELLS, Flow
from backend.partition.formats import charts
from backend.partition.selection import selected

_S = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
_A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_C = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"
_XDR = "{http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing}"
_MAIN = "xl/workbook.xml"
_REFERENCE = re.compile(r"^([A-Z]{1,3})(\d{1,7})$")
_DATE_CODES = frozenset([*range(14, 23), *range(27, 37), 45, 46, 47, *range(50, 59)])
_DATE_LETTERS = re.compile(r"[dmyhs]", re.I)

Place = tuple[int, int]
"""Row and column from 0."""


def read(request: Request) -> Document:
    flow = Flow(request.options)
    notes: list[str] = []
    with opened(request.source) as archive:
        root = archive.xml(_MAIN)
        relations = archive.relations(_MAIN)
        sheets = [
            (node.get("name") or "", relations.get(relation_id(node, "id"), ""))
            for node in root.iter(f"{_S}sheet")
            if node.get("state") not in ("hidden", "veryHidden")
        ]
        reader = _Reader(archive, _shared(archive), _date_styles(archive), _epoch(root))
        numbers = selected(request.options.selected_pages, max(1, len(sheets)))
        for done, number in enumerate(numbers, 1):
            flow.page = number
            if sheets:
                name, part = sheets[number - 1]
                flow.heading(name, 1)
                if part in archive:
                    _sheet(flow, reader, part, name, notes)
            request.progress(done, len(numbers))
    return Document(flow.elements, max(1, len(sheets)), notes)


def _sheet(flow: Flow, reader: "_Reader", part: str, name: str, notes: list[str]) -> None:
    data = reader.archive.read(part)
    root = parse_xml(data)
    if root.tag == f"{_S}worksheet":
        _cells(flow, reader, root, name, notes)
    for drawing in reader.archive.related(part, "drawing"):
        if drawing in reader.archive:
            _drawing(flow, reader.archive, drawing)


def _drawing(flow: Flow, archive: Archive, part: str) -> None:
    """Charts and pictures from top to bottom."""
    relations = archive.relations(part)
    anchors = sorted(archive.xml(part), key=_anchored_at)
    for node in (n for anchor in anchors for n in anchor.iter(f"{_C}chart", f"{_XDR}pic")):
        if node.tag == f"{_C}chart":
            charts.read_into(flow, archive, relations.get(relation_id(node, "id"), ""))
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
    return int(row) if row.isdecimal() else 0, int(col) if col.isdecimal() else 0


def _cells(
    flow: Flow, reader: "_Reader", root: etree._Element, name: str, notes: list[str]
) -> None:
    values: dict[Place, str] = {}
    for place, text in reader.cells(root):
        if len(values) >= MAX_CELLS:
            notes.append(f"sheet {name}: only the first {MAX_CELLS} cells were read")
            break
        values[place] = text
    merges = _merges(root)
    for block in _blocks(values, merges):
        _block(flow, block, values, merges)


class _Reader:
    def __init__(
        self, archive: Archive, shared: list[str], dates: set[int], epoch: datetime
    ) -> None:
        self.archive = archive
        self.shared = shared
        self.dates = dates
        self.epoch = epoch

    def cells(self, root: etree._Element) -> Iterator[tuple[Place, str]]:
        """Filled cells with what they show."""
        for cell in root.iter(f"{_S}c"):
            place = _place(cell.get("r") or "")
            text = self._text(cell) if place is not None else ""
            if place is not None and text.strip():
                yield place, " ".join(text.split())

    def _text(self, cell: etree._Element) -> str:
        kind = cell.get("t", "n")
        if kind == "inlineStr":
            return "".join(node.text or "" for node in cell.iter(f"{_S}t"))
        value = cell.findtext(f"{_S}v") or ""
        if kind == "s":
            index = int(value) if value.isdigit() else -1
            return self.shared[index] if 0 <= index < len(self.shared) else ""
        if kind == "b":
            return "TRUE" if value == "1" else "FALSE"
        if kind == "n" and value:
            style = cell.get("s") or "0"
            return self._number(value, style.isdigit() and int(style) in self.dates)
        return value

    def _number(self, value: str, is_date: bool) -> str:
        try:
            number = float(value)
        except ValueError:
            return value
        if is_date and 0 <= number < 2_958_466:
            moment = self.epoch + timedelta(days=number)
            whole = number == int(number)
            return moment.date().isoformat() if whole else moment.isoformat(" ", "seconds")
        # Sums of decimals are stored with noise in the last of 17 digits.
        return (
            str(int(number)) if number == int(number) and abs(number) < 1e15 else f"{number:.15g}"
        )


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


def _date_styles(archive: Archive) -> set[int]:
    """Indices of cell styles that show a number as a date or time."""
    if "xl/styles.xml" not in archive:
        return set()
    root = archive.xml("xl/styles.xml")
    codes = set(_DATE_CODES)
    for node in root.iter(f"{_S}numFmt"):
        code = re.sub(r'"[^"]*"|\[[^\]]*\]|\\.', "", node.get("formatCode") or "")
        if _DATE_LETTERS.search(code) and "0.0" not in code:
            codes.add(int(node.get("numFmtId") or 0))
    formats = root.find(f"{_S}cellXfs")
    nodes = list(formats) if formats is not None else []
    return {i for i, node in enumerate(nodes) if int(node.get("numFmtId") or 0) in codes}


def _epoch(root: etree._Element) -> datetime:
    properties = root.find(f"{_S}workbookPr")
    old_mac = properties is not None and properties.get("date1904") in ("1", "true")
    return datetime(1904, 1, 1) if old_mac else datetime(1899, 12, 30)


def _place(reference: str) -> Place | None:
    match = _REFERENCE.match(reference)
    if match is None:
        return None
    col = 0
    for letter in match[1]:
        col = col * 26 + ord(letter) - 64
    return int(match[2]) - 1, col - 1


def _merges(root: etree._Element) -> dict[Place, Place]:
    """First place to last place of each merged range."""
    out: dict[Place, Place] = {}
    for node in root.iter(f"{_S}mergeCell"):
        first, _, last = (node.get("ref") or "").partition(":")
        a, b = _place(first), _place(last)
        if a is not None and b is not None:
            out[a] = b
    return out


def _blocks(values: dict[Place, str], merges: dict[Place, Place]) -> list[set[Place]]:
    """Sets of filled places that touch, also at corners; merged ranges count as filled."""
    left = set(values)
    for (row, col), (row_end, col_end) in merges.items():
        if (row, col) in values and (row_end - row + 1) * (col_end - col + 1) <= 10_000:
            left.update((r, c) for r in range(row, row_end + 1) for c in range(col, col_end + 1))
    blocks: list[set[Place]] = []
    for start in sorted(left):
        if start not in left:
            continue
        left.discard(start)
        block, edge = {start}, [start]
        while edge:
            row, col = edge.pop()
            for near in [(row + i, col + j) for i in (-1, 0, 1) for j in (-1, 0, 1)]:
                if near in left:
                    left.discard(near)
                    block.add(near)
                    edge.append(near)
        blocks.append(block)
    return blocks


def _block(
    flow: Flow, block: set[Place], values: dict[Place, str], merges: dict[Place, Place]
) -> None:
    if len(block) == 1:
        flow.text(values[next(iter(block))])
        return
    top, left = min(r for r, _ in block), min(c for _, c in block)
    bottom, right = max(r for r, _ in block), max(c for _, c in block)
    hidden = {
        (r, c)
        for (row, col), (row_end, col_end) in merges.items()
        if (row, col) in block
        for r in range(row, row_end + 1)
        for c in range(col, col_end + 1)
    } - set(merges)
    cells: list[TableCell] = []
    for row in range(top, bottom + 1):
        for col in range(left, right + 1):
            if (row, col) in hidden:
                continue
            row_end, col_end = (
                merges.get((row, col), (row, col)) if (row, col) in block else (row, col)
            )
            cells.append(
                TableCell(
                    content=values.get((row, col), ""),
                    rows=list(range(row - top, row_end - top + 1)),
                    cols=list(range(col - left, col_end - left + 1)),
                    is_header=row == top and bottom > top,
                )
            )
    flow.table(cells)
