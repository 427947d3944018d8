"""A document as short texts with their surroundings: lines, sentences and cells.

Each segment carries the heading above it, the text to its left and above it, and in a table the
names of its row and column and the caption. Nothing here depends on properties.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import accumulate, zip_longest
from statistics import median
from typing import NamedTuple

from backend.extraction.lines import lined, lines
from backend.extraction.pairs import is_label
from backend.extraction.periods import Other, other_periods
from backend.extraction.reading import MAX_TEXT, sentences
from backend.extraction.set_phrases import phrases
from backend.extraction.words import stem
from workbench.contract.elements import Element, Table

_WORD = re.compile(r"[^\W\d_]+|#|№")
_WHOLE = 320
"""Longer texts are cut into sentences."""
_SHORT = 160
_LINE = 160
"""Lines are kept as such if none is longer than this."""
_NEAR = 0.04
"""The maximum distance of a line above, as a share of the page."""
_PART_OF_ADDRESS = re.compile(r"\b\d{4,6}\b|\b[A-Z]{1,2}\d{1,2}[A-Z]? \d[A-Z]{2}\b")
_MAX_CELLS = 3_000
_MOST_JOINED = 4
_MAX_AROUND = 100


@dataclass(frozen=True)
class Segment:
    """One short text. `whole` means that it is all of its element or cell."""

    text: str
    element: int
    page: int
    bbox: tuple[float, ...]
    order: int
    kind: str
    whole: bool
    size: float = 1.0
    heading: str = ""
    left: str = ""
    above: str = ""
    row: str = ""
    column: str = ""
    caption: str = ""
    right: str = ""
    below: str = ""
    joined: bool = False
    """Several consecutive lines joined, in case an address or a name continues below."""
    breaks: tuple[int, ...] = ()
    """The offsets at which the lines of a joined segment begin, except the first."""
    parts: tuple[int, ...] = ()
    """The `order` of each of these lines."""
    grid: tuple[int, ...] = ()
    """The row and the column of a cell, from 0."""
    period: Other = ""
    """For a cell, how the period of its column differs from the current one."""

    @cached_property
    def words(self) -> list[tuple[int, int, str]]:
        """Start, end and stem of each word; set phrases also yield the word they stand for."""
        result = [(*match.span(), stem(match[0])) for match in _WORD.finditer(self.text)]
        meant = [(start, end, stem(word)) for start, end, word in phrases(self.text)]
        return sorted(result + meant) if meant else result

    @cached_property
    def stems(self) -> frozenset[str]:
        """The stems of its words."""
        return frozenset(word for _, _, word in self.words)


class Place(NamedTuple):
    """A range of characters in a segment."""

    segment: Segment
    start: int
    end: int


def segments(elements: Sequence[Element]) -> list[Segment]:
    """The segments of a document in reading order, at most `MAX_TEXT` characters."""
    out: list[Segment] = []
    sizes = [s for e in elements if isinstance(s := e.properties.get("font_size"), int | float)]
    usual = median(sizes) if sizes else 0.0
    around = _around(elements)
    heading, left_over = "", MAX_TEXT
    short: list[Segment] = []
    for index, element in enumerate(elements):
        if left_over <= 0:
            break
        page, box = element.page_number, tuple(element.bbox)
        if element.table is not None:
            for cell in _cells(element.table, index, page, box, heading, len(out)):
                out.append(cell)
                left_over -= len(cell.text)
            short = []
            continue
        written = lined(element, left_over)
        text = " ".join(written.split())
        if not text or element.type == "Image":
            continue
        left_over -= len(text)
        size = element.properties.get("font_size")
        ratio = size / usual if usual and isinstance(size, int | float) else 1.0
        left, above, right, below = around.get(index, ("", "", "", ""))
        pieces = _pieces(written, text)
        lined_up = len(pieces) > 1 and "\n" in written and not written.isspace()
        lined_up = lined_up and pieces[0] == " ".join(written.split("\n")[0].split())
        whole = len(text) <= _WHOLE or lined_up
        for piece, following in zip_longest(pieces, pieces[1:], fillvalue=""):
            under = following if lined_up and following else below if not following else ""
            out.append(
                Segment(
                    piece, index, page, box, len(out), element.type, whole, ratio, heading,
                    left, above, right="" if following else right, below=under[:_SHORT],
                )
            )  # fmt: skip
            left, above = "", piece if lined_up else ""
        if lined_up:
            out += _windows(out[-len(pieces) :], len(out))
        short = [*short[-2:], out[-1]] if len(pieces) == 1 and len(text) <= _SHORT else []
        for count in (2, 3):
            if len(short) >= count and short[-count].page == page:
                joined = _joined(short[-count:], len(out))
                if _PART_OF_ADDRESS.search(joined.text):
                    out.append(joined)
        if element.type in ("Title", "Section-header") and len(text) <= _SHORT:
            heading = text
    return out


def _pieces(written: str, text: str) -> list[str]:
    """The original lines of a text if all are short; otherwise the whole text or its sentences."""
    lines = [" ".join(line.split()) for line in written.split("\n") if line.strip()]
    if len(lines) > 1 and all(len(line) <= _LINE for line in lines):
        return lines
    return [text] if len(text) <= _WHOLE else list(sentences(text))


def _windows(parts: Sequence[Segment], order: int) -> Iterator[Segment]:
    """Two to four consecutive lines of one element or cell, joined."""
    for first in range(len(parts)):
        for count in range(2, min(_MOST_JOINED, len(parts) - first) + 1):
            yield _joined(parts[first : first + count], order)
            order += 1


def _joined(parts: Sequence[Segment], order: int) -> Segment:
    texts = [part.text for part in parts]
    starts = accumulate((len(text) + 1 for text in texts[:-1]), initial=0)
    return replace(
        parts[0], text=" ".join(texts), order=order, whole=False, joined=True,
        breaks=tuple(starts)[1:], parts=tuple(part.order for part in parts),
    )  # fmt: skip


def _around(elements: Sequence[Element]) -> dict[int, tuple[str, str, str, str]]:
    """The short texts to the left of an element on the same line, right above it, to its right and
    right below it.
    """
    pages: dict[int, list[int]] = {}
    for index, element in enumerate(elements):
        if element.table is None and element.text_representation and element.type != "Image":
            pages.setdefault(element.page_number, []).append(index)
    result: dict[int, tuple[str, str, str, str]] = {}
    for members in pages.values():
        shown = members[:_MAX_AROUND]
        boxes = [elements[index].bbox for index in shown]
        placed = len({tuple(box) for box in boxes}) > 1
        for at, index in enumerate(shown):
            if not placed:
                near = [None, shown[at - 1] if at else None, None, None]
                near[3] = shown[at + 1] if at + 1 < len(shown) else None
            else:
                near = _neighbours(at, shown, boxes)
            left, above, right, below = (_short(elements, one) for one in near)
            result[index] = (left, above, right, below)
    return result


def _neighbours(
    at: int, shown: Sequence[int], boxes: Sequence[Sequence[float]]
) -> list[int | None]:
    """The nearest elements to the left, above, to the right and below."""
    result: list[int | None] = [None, None, None, None]
    gaps = [1.0, _NEAR, 1.0, _NEAR]
    distances: tuple[float | None, ...]
    x1, y1, x2, y2 = boxes[at]
    for number, (other, (a1, b1, a2, b2)) in enumerate(zip(shown, boxes, strict=True)):
        if number == at:
            continue
        if min(y2, b2) - max(y1, b1) >= 0.5 * min(y2 - y1, b2 - b1):
            distances = (x1 - a2, None, a1 - x2, None)
            least = -0.01
        elif min(x2, a2) - max(x1, a1) > 0.3 * min(x2 - x1, a2 - a1):
            distances = (None, y1 - b2, None, b1 - y2)
            least = -0.005
        else:
            continue
        for side, distance in enumerate(distances):
            if distance is not None and least <= distance < gaps[side]:
                result[side], gaps[side] = other, distance
    return result


def _short(elements: Sequence[Element], index: int | None) -> str:
    text = elements[index].text_representation if index is not None else None
    return " ".join(text.split()) if text and len(text) <= _SHORT else ""


def _cells(
    table: Table, index: int, page: int, box: tuple[float, ...], heading: str, order: int
) -> Iterator[Segment]:
    if not table.cells:
        return
    texts = {id(cell): " ".join(cell.content.split()) for cell in table.cells}
    grid: dict[tuple[int, int], str] = {}
    for cell in table.cells:
        for row in cell.rows:
            for col in cell.cols:
                grid[row, col] = texts[id(cell)]
    rows, cols = table.num_rows, table.num_cols
    groups = _group_rows(grid, rows, cols)
    periods = other_periods(table)
    heads = {col: grid.get((0, col), "") for col in range(cols)}
    caption = (table.caption or "")[:_SHORT]
    for cell in table.cells[:_MAX_CELLS]:
        text = texts[id(cell)]
        if not text or not cell.rows or not cell.cols:
            continue
        row, col = cell.rows[0], cell.cols[0]
        left = next((grid[row, c] for c in range(col - 1, -1, -1) if grid.get((row, c))), "")
        first = next((grid[row, c] for c in range(col) if grid.get((row, c))), "")
        above = next((grid[r, col] for r in range(row - 1, -1, -1) if grid.get((r, col))), "")
        right = next(
            (grid[row, c] for c in range(cell.cols[-1] + 1, cols) if grid.get((row, c))), ""
        )
        below = next(
            (grid[r, col] for r in range(cell.rows[-1] + 1, rows) if grid.get((r, col))), ""
        )
        place = box
        if cell.bbox is not None:
            place = (cell.bbox.x1, cell.bbox.y1, cell.bbox.x2, cell.bbox.y2)
        column = heads[col] if row > 0 and heads[col] != left else ""
        whole = Segment(
            text[:_WHOLE * 3], index, page, place, order, "cell", True, 1.0, heading,
            left[:_SHORT], above[:_SHORT], first[:_SHORT], column[:_SHORT],
            groups.get(row) or caption, right[:_SHORT], below[:_SHORT],
            grid=(row, col), period=periods.get(col, ""),
        )  # fmt: skip
        for part in _parts(whole, lines(cell.content, cell.properties)):
            yield part
            order += 1


def _parts(whole: Segment, several: Sequence[str]) -> Iterator[Segment]:
    """A cell; if it has several lines, also each of them below its label, and some joined."""
    if len(several) < 2:
        yield whole
        return
    label = several[0] if is_label(several[0].rstrip(" :")) else ""
    parts = []
    for at, line in enumerate(several):
        above = several[at - 1] if at else whole.above
        below = several[at + 1] if at + 1 < len(several) else whole.below
        title = label if at > 1 and label else whole.caption
        parts.append(replace(whole, text=line, order=whole.order + at, above=above[:_SHORT],
                             caption=title[:_SHORT], below=below[:_SHORT]))  # fmt: skip
    yield from parts
    yield from _windows(parts, whole.order + len(parts))


def _group_rows(grid: dict[tuple[int, int], str], rows: int, cols: int) -> dict[int, str]:
    """For each row the title of its group: a row in which only the first cell is filled."""
    result: dict[int, str] = {}
    title = ""
    for row in range(rows):
        filled = {grid[row, col] for col in range(cols) if grid.get((row, col))}
        if cols > 1 and len(filled) == 1 and grid.get((row, 0)) and len(grid[row, 0]) <= 60:
            title = grid[row, 0]
        elif title:
            result[row] = title
    return result
