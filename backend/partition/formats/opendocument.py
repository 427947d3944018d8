"""What all OpenDocument files share: packages and flat XML, words, tables, frames and styles."""

import base64
import binascii
import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from lxml import etree

from backend.partition.archive import Archive, opened, parse_xml
from backend.partition.document import PartitionFailure, Request
from backend.partition.flow import MAX_CELLS, Flow
from backend.partition.formats import mathematics
from backend.partition.formats.heads import mark_heads
from backend.partition.formats.numerals import repeated, span, whole
from workbench.contract.elements import TableCell

_NAMES = "urn:oasis:names:tc:opendocument:xmlns:"
TEXT, TABLE, OFFICE, DRAW, STYLE, CHART, PRESENTATION = (
    f"{{{_NAMES}{name}:1.0}}"
    for name in ("text", "table", "office", "drawing", "style", "chart", "presentation")
)
FO, SVG = f"{{{_NAMES}xsl-fo-compatible:1.0}}", f"{{{_NAMES}svg-compatible:1.0}}"
_LINK = "{http://www.w3.org/1999/xlink}href"
_MATH = "{http://www.w3.org/1998/Math/MathML}math"
_LENGTH = re.compile(r"^(-?\d{1,6}(?:\.\d{1,9})?)(cm|mm|in|pt|pc|px)$")
_POINTS = {"cm": 28.3465, "mm": 2.83465, "in": 72.0, "pt": 1.0, "pc": 12.0, "px": 0.75}
_UNSPOKEN = frozenset(
    {f"{TEXT}note", f"{DRAW}frame", f"{OFFICE}annotation", f"{TEXT}ruby-text", f"{DRAW}g"}
)
_BLANK = 100
"""The longest run of blank rows or cells in a table; programs fill up a page with them."""


@dataclass(frozen=True)
class Source:
    """The content of a file, its styles if they are in a separate part, and its parts."""

    root: etree._Element
    styles: etree._Element | None
    archive: Archive | None

    def body(self, kind: str) -> etree._Element | None:
        return self.root.find(f".//{OFFICE}body/{OFFICE}{kind}")

    def all_styles(self, tag: str) -> Iterator[etree._Element]:
        for root in (self.styles, self.root):
            if root is not None:
                yield from root.iter(tag)

    def part(self, link: str) -> etree._Element | None:
        """The content of an object that is embedded under `link`."""
        name = f"{link.removeprefix('./')}/content.xml"
        if self.archive is None or name not in self.archive:
            return None
        return self.archive.xml(name)

    def picture(self, image: etree._Element) -> bytes | None:
        name = (image.get(_LINK) or "").removeprefix("./")
        if self.archive is not None and name in self.archive:
            return self.archive.read(name)
        inline = image.findtext(f"{OFFICE}binary-data") or ""
        try:
            return base64.b64decode(inline) or None
        except (binascii.Error, ValueError):
            return None


@contextmanager
def source_of(request: Request) -> Iterator[Source]:
    """The file, whether a package or flat XML. Raises `PartitionFailure` (422)."""
    with request.source.open("rb") as file:
        packed = file.read(2) == b"PK"
    if not packed:
        yield Source(parse_xml(request.source.read_bytes(), request.flow.notes), None, None)
        return
    with opened(request) as archive:
        if "content.xml" not in archive:
            raise PartitionFailure("The file is damaged: it has no content, or is encrypted.", 422)
        styles = archive.xml("styles.xml") if "styles.xml" in archive else None
        yield Source(archive.xml("content.xml"), styles, archive)


def words(node: etree._Element) -> str:
    """The text of a paragraph without notes, remarks and drawings."""
    parts = [node.text or ""]
    for child in node:
        if child.tag == f"{TEXT}s":
            parts.append(" " * min(100, whole(child.get(f"{TEXT}c"), 1)))
        elif child.tag in (f"{TEXT}tab", f"{TEXT}line-break"):
            parts.append("\t" if child.tag == f"{TEXT}tab" else "\n")
        elif isinstance(child.tag, str) and child.tag not in _UNSPOKEN:
            parts.append(words(child))
        parts.append(child.tail or "")
    return "".join(parts)


def cell_words(cell: etree._Element) -> str:
    """The text that a cell shows."""
    own = (p for p in cell.iter(f"{TEXT}p", f"{TEXT}h") if not _annotates(p))
    return " ".join(" ".join(words(p).split()) for p in own).strip()


def _annotates(node: etree._Element) -> bool:
    return next(node.iterancestors(f"{OFFICE}annotation"), None) is not None


def cells_of(table: etree._Element, notes: list[str]) -> list[TableCell]:
    """The cells of a table in a text or on a slide, with those that the file writes once for
    several rows or columns; `notes` receives a remark if there are more than `MAX_CELLS`.
    """
    cells: list[TableCell] = []
    number = covered = 0
    for row in table.iter(f"{TABLE}table-row"):
        if next(row.iterancestors(f"{TABLE}table")) is not table:
            continue
        above = next(row.iterancestors(f"{TABLE}table-header-rows", f"{TABLE}table"))
        shown = _row_of(row)
        covers = sum(down * across for _, _, down, across in shown)
        repeat = repeated(row.get(f"{TABLE}number-rows-repeated"))
        if not any(text for _, text, _, _ in shown):
            repeat = min(repeat, _BLANK)
        for place in range(number, number + repeat):
            covered += covers
            if covered > MAX_CELLS:
                notes.append(f"only the first {len(cells):,} cells of a table were read")
                break
            cells += [
                TableCell(
                    content=text,
                    rows=list(range(place, place + down)),
                    cols=list(range(col, col + across)),
                    is_header=above is not table,
                )
                for col, text, down, across in shown
            ]
        if covered > MAX_CELLS:
            break
        number += repeat
    if not any(cell.is_header for cell in cells):
        mark_heads(cells)
    return cells


def _row_of(row: etree._Element) -> list[tuple[int, str, int, int]]:
    """The cells of a row, at most `MAX_CELLS` + 1: column, text, covered rows and columns."""
    out: list[tuple[int, str, int, int]] = []
    col = 0
    for cell in row:
        repeat = repeated(cell.get(f"{TABLE}number-columns-repeated"))
        text = cell_words(cell) if cell.tag == f"{TABLE}table-cell" else ""
        repeat = min(repeat, MAX_CELLS + 1 - len(out) if text else _BLANK)
        if cell.tag == f"{TABLE}table-cell":
            down = span(cell.get(f"{TABLE}number-rows-spanned"))
            across = span(cell.get(f"{TABLE}number-columns-spanned"))
            out += [(place, text, down, across) for place in range(col, col + repeat)]
        col += repeat
    return out


def add_frame(flow: Flow, source: Source, frame: etree._Element) -> None:
    """The picture, formula or chart of a frame; text boxes are skipped."""
    described = frame.findtext(f"{SVG}desc") or frame.findtext(f"{SVG}title")
    inside = frame.find(f"{DRAW}object")
    if inside is not None and _add_object(flow, source, inside):
        return
    image = frame.find(f"{DRAW}image")
    if image is not None:
        flow.image(described, source.picture(image))


def _add_object(flow: Flow, source: Source, node: etree._Element) -> bool:
    root = source.part(node.get(_LINK) or "")
    root = node if root is None else root
    formula = next(root.iter(_MATH), None)
    if formula is not None:
        flow.formula(mathematics.of_mathml(formula))
        return True
    chart = next(root.iter(f"{CHART}chart"), None)
    if chart is None:
        return False
    title = chart.find(f"{CHART}title")
    if title is not None:
        flow.add("Caption", cell_words(title))
    flow.image("Chart")
    for table in chart.iterfind(f"{TABLE}table"):
        flow.table(cells_of(table, flow.notes))
    return True


def points(value: str | None) -> float | None:
    """A length with its unit in points; None if it is missing or malformed."""
    match = _LENGTH.match(value or "")
    return float(match[1]) * _POINTS[match[2]] if match else None
