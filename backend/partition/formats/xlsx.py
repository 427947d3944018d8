"""XLSX: one page per sheet; each connected block of cells is a table, then charts and pictures."""

import math
import re
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime, timedelta
from functools import partial
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
    left_out,
    sane_merges,
)
from backend.partition.formats.xlsx_cells import (
    Cell,
    S,
    place_of,
    read_sheet,
    shared_strings,
    unescaped,
)
from backend.partition.selection import selected

_A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_C = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"
_XDR = "{http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing}"
_CELL, _VALUE, _FORMULA = f"{S}c", f"{S}v", f"{S}f"
_BELOW: Place = (10_000_000, 0)
"""Below every row that a reference can name."""
_AS_SHOWN = re.compile(r"-?(?=.{1,15}$)[1-9]\d*(?:\.\d*[1-9])?$")
"""Numbers of so few digits that they are stored as people write them."""
_DATE_CODES = frozenset([*range(14, 23), *range(27, 37), 45, 46, 47, *range(50, 59)])
_DATE_LETTERS = re.compile(r"[dmyhs]", re.I)


def read(request: Request) -> Document:
    flow = request.flow
    notes: list[str] = []
    with opened(request) as archive, collection_paused():
        main = archive.main("xl/workbook.xml")
        root = archive.xml(main)
        relations = archive.relations(main)
        shown, hidden = _sheets_of(root)
        # Each once: a name for the same part again would multiply the file.
        parts = {relations.get(relation_id(n, "id"), ""): n.get("name") or "" for n in shown[::-1]}
        sheets = [(name, part) for part, name in reversed(parts.items())]
        notes += left_out([node.get("name") or "" for node in hidden])
        reader = _Reader(
            archive, shared_strings(archive, "xl/sharedStrings.xml"), _styles(archive), _epoch(root)
        )
        numbers = selected(request.options.selected_pages, max(1, len(sheets)))
        for done, number in enumerate(numbers, 1):
            flow.page = number
            if sheets:
                name, part = sheets[number - 1]
                flow.heading(name, 1)
                if part in archive:
                    with flow.part(f"the sheet {name}"):
                        _sheet(flow, reader, part, name, notes)
                else:
                    notes.append(f"sheet {name}: its cells are missing from the file")
            request.progress(done, len(numbers))
    return Document(flow.elements, max(1, len(sheets)), notes)


def _sheets_of(root: etree._Element) -> tuple[list[etree._Element], list[etree._Element]]:
    """The sheets that a workbook shows, and those it hides."""
    shown: list[etree._Element] = []
    hidden: list[etree._Element] = []
    for node in root.iter(f"{S}sheet"):
        (hidden if node.get("state") in ("hidden", "veryHidden") else shown).append(node)
    return shown, hidden


def _sheet(flow: Flow, reader: "_Reader", part: str, name: str, notes: list[str]) -> None:
    """Tables, charts and pictures from top to bottom, at one height from left to right."""
    items: list[tuple[Place, Callable[[], object]]] = []
    root, cells = read_sheet(reader.archive, part)
    reader.lacking = 0
    if root.tag == f"{S}worksheet":
        items += _tables(flow, root, reader.shown(cells), name, notes)
    if reader.lacking:
        notes.append(f"sheet {name}: cells whose text is missing from the file: {reader.lacking}")
    for drawing in reader.archive.related(part, "drawing"):
        if drawing in reader.archive:
            items += _drawing(flow, reader.archive, drawing)
    for comments in reader.archive.related(part, "comments"):
        if comments in reader.archive:
            items += _comments(flow, reader.archive.xml(comments))
    for _, add in sorted(items, key=itemgetter(0)):
        with flow.part("a table or drawing"):
            add()


def _comments(flow: Flow, root: etree._Element) -> Iterator[tuple[Place, Callable[[], object]]]:
    """The remarks on cells, each behind what begins at or before its cell."""
    authors = ["".join(node.itertext()) for node in root.iter(f"{S}author")]
    for node in root.iter(f"{S}comment"):
        cell, number = node.get("ref") or "", whole(node.get("authorId"), -1)
        author = authors[number] if 0 <= number < len(authors) else ""
        text = unescaped("".join(part.text or "" for part in node.iter(f"{S}t")))
        yield place_of(cell) or _BELOW, partial(flow.comment, cell, author, text)


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


def _tables(
    flow: Flow,
    root: etree._Element,
    cells: Iterator[tuple[Place | None, str]],
    name: str,
    notes: list[str],
) -> list[tuple[Place, Callable[[], object]]]:
    texts: dict[int, dict[int, str]] = {}
    strays: list[str] = []
    row, line = -1, {-1: ""}
    for number, (place, text) in enumerate(cells):
        if number >= MAX_CELLS:
            notes.append(f"sheet {name}: only the first {MAX_CELLS} cells were read")
            break
        if place is not None and place[0] != row:
            row = place[0]
            line = texts.setdefault(row, {})
        if place is None or line.setdefault(place[1], text) != text:
            strays.append(text)
    if strays:
        notes.append(
            f"sheet {name}: cells whose reference cannot be read or occurs twice: {len(strays)};"
            " their text follows the tables"
        )
    if pending := sum(map(_lacks_result, root.iter(_FORMULA))):
        notes.append(lacking_results(name, pending))
    merges = sane_merges(_merges(root))
    items: list[tuple[Place, Callable[[], object]]] = [
        (block.first, partial(add_block, flow, block, texts, merges))
        for block in blocks_of(texts, merges)
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
        self.formats: dict[str, NumberFormat | None] = {}
        self.epoch = epoch
        self.lacking = 0
        """Cells whose text is missing from the file."""
        self.moments: dict[str, str] = {}
        """Dates that have occurred, by the number that is stored for them."""

    def shown(self, cells: Iterable[Cell]) -> Iterator[tuple[Place | None, str]]:
        """Filled cells with their displayed text, with single blanks."""
        shared, formats, moments = self.shared, self.formats, self.moments
        for place, kind, style, value in cells:
            if kind == "s":
                index = whole(value, -1)
                if not 0 <= index < len(shared):
                    self.lacking += value != ""
                    continue
                text = shared[index]
            elif kind == "n" and value:
                if style not in formats:
                    formats[style] = self._format(style)
                form = formats[style]
                if form is PLAIN and _AS_SHOWN.match(value):
                    text = value
                elif form is None:
                    text = moments[value] = moments.get(value) or self._number(value, None)
                else:
                    text = self._number(value, form)
            elif kind == "b":
                text = "TRUE" if value == "1" else "FALSE"
            else:
                text = _single(value)
            if text:
                yield place, text

    def _format(self, style: str) -> NumberFormat | None:
        number = whole(style, 0)
        return self.styles[number] if 0 <= number < len(self.styles) else PLAIN

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
    """A stored text in one line."""
    return " ".join(unescaped(text).split())


def _styles(archive: Archive) -> list[NumberFormat | None]:
    """The number format of each cell style; None for dates and times."""
    if "xl/styles.xml" not in archive:
        return []
    root = archive.xml("xl/styles.xml")
    codes = {
        whole(node.get("numFmtId"), 0): node.get("formatCode") or ""
        for node in root.iter(f"{S}numFmt")
    }
    formats = root.find(f"{S}cellXfs")
    keys = [whole(node.get("numFmtId"), 0) for node in (formats if formats is not None else ())]
    return [_style(key, codes.get(key)) for key in keys]


def _style(key: int, code: str | None) -> NumberFormat | None:
    bare = re.sub(r'"[^"]*"|\[[^\]]{0,255}\]|\\.', "", code or "")
    if key in _DATE_CODES or (_DATE_LETTERS.search(bare) and "0.0" not in bare):
        return None
    return number_format(code, key)


def _epoch(root: etree._Element) -> datetime:
    properties = root.find(f"{S}workbookPr")
    old_mac = properties is not None and properties.get("date1904") in ("1", "true")
    return datetime(1904, 1, 1) if old_mac else datetime(1899, 12, 30)


def _lacks_result(formula: etree._Element) -> bool:
    """Whether no program has computed the formula of a cell. A stored result may be empty text."""
    cell = formula.getparent()
    if cell is None or cell.tag != _CELL or cell.get("t") == "inlineStr":
        return False
    value = cell.find(_VALUE)
    return value is None or (not value.text and cell.get("t") != "str")


def _merges(root: etree._Element) -> dict[Place, Place]:
    """First place to last place of each merged range."""
    out: dict[Place, Place] = {}
    for node in root.iter(f"{S}mergeCell"):
        first, _, last = (node.get("ref") or "").partition(":")
        a, b = place_of(first), place_of(last)
        if a is not None and b is not None:
            out[a] = b
    return out
