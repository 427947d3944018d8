"""A grid of coloured character cells, and boxes drawn on it.

Boxes are fractions of the page. They are drawn at the page's final size, so that outlines stay one
cell thin and labels readable; scaled afterwards they would blur into pale bands.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

Colour = tuple[int, int, int]


class Cell(NamedTuple):
    """One character; None means the terminal's own colour."""

    text: str
    ink: Colour | None = None
    ground: Colour | None = None


Grid = list[list[Cell]]


@dataclass(frozen=True)
class MarkedBox:
    """A box `[x1, y1, x2, y2]` in fractions with label and colour; `strong` ones lie on top."""

    box: tuple[float, float, float, float]
    label: str = ""
    ink: Colour | None = None
    strong: bool = False


def page_cells(across: float, down: float, columns: int, rows: int) -> tuple[int, int]:
    """The most cells (columns, rows) for a page; a cell is twice as high as wide."""
    if across <= 0 or down <= 0 or columns < 1 or rows < 1:
        return (max(1, columns), max(1, rows))
    wanted = round(columns * down / across / 2)
    if wanted <= rows:
        return columns, max(1, wanted)
    return max(1, min(columns, round(rows * 2 * across / down))), rows


def box_cells(
    box: tuple[float, float, float, float], columns: int, rows: int
) -> tuple[int, int, int, int]:
    """The first and last column and row of a box (left, top, right, bottom, all inclusive)."""
    x1, x2 = sorted((box[0], box[2]))
    y1, y2 = sorted((box[1], box[3]))
    left = _clamp(int(x1 * columns), columns)
    top = _clamp(int(y1 * rows), rows)
    right = _clamp(max(left, round(x2 * columns) - 1), columns)
    bottom = _clamp(max(top, round(y2 * rows) - 1), rows)
    return left, top, right, bottom


def draw_boxes(grid: Grid, boxes: Iterable[MarkedBox]) -> Grid:
    """A copy of the grid with the boxes on it, strong ones on top."""
    out = [list(row) for row in grid]
    if not out or not out[0]:
        return out
    for marked in sorted(boxes, key=lambda box: box.strong):
        _outline(out, marked)
    return out


_LIGHT = "┌─┐│└┘╶╴"
_HEAVY = "┏━┓┃┗┛╺╸"


def _outline(grid: Grid, marked: MarkedBox) -> None:
    columns, rows = len(grid[0]), len(grid)
    left, top, right, bottom = box_cells(marked.box, columns, rows)
    if bottom - top < 2:  # around the words, not through them
        left, right = _clamp(left - 1, columns), _clamp(right + 1, columns)
        if not marked.strong:
            _brackets(grid, marked, (left, top, right, bottom))
            return
        top, bottom = _clamp(top - 1, rows), _clamp(bottom + 1, rows)
    signs = _HEAVY if marked.strong else _LIGHT
    for x in range(left, right + 1):
        _put(grid, x, top, signs[1], marked)
        _put(grid, x, bottom, signs[1], marked)
    if bottom > top:
        for y in range(top, bottom + 1):
            _put(grid, left, y, signs[3], marked)
            _put(grid, right, y, signs[3], marked)
        for x, y, sign in (
            (left, top, signs[0]),
            (right, top, signs[2]),
            (left, bottom, signs[4]),
            (right, bottom, signs[5]),
        ):
            _put(grid, x, y, sign, marked)
    room = right - left - 1
    if marked.label and room >= 3:
        for place, sign in enumerate(f" {marked.label[: room - 2]} "[:room], left + 1):
            _put(grid, place, top, sign, marked)


def _brackets(grid: Grid, marked: MarkedBox, cells: tuple[int, int, int, int]) -> None:
    """Only the sides: lines above and below would cross neighbouring words."""
    left, top, right, bottom = cells
    for y in range(top, bottom + 1):
        _put(grid, left, y, _LIGHT[3], marked)
        _put(grid, right, y, _LIGHT[3], marked)


def _put(grid: Grid, x: int, y: int, sign: str, marked: MarkedBox) -> None:
    grid[y][x] = Cell(sign, marked.ink, ground_of(grid[y][x]))


def ground_of(cell: Cell) -> Colour | None:
    """The background for a letter over the cell: the mean of its two pixels."""
    ink, ground = cell.ink, cell.ground
    if cell.text != "▀" or ink is None or ground is None:
        return ground
    red, green, blue = ((a + b) // 2 for a, b in zip(ink, ground, strict=True))
    return (red, green, blue)


def _clamp(value: int, size: int) -> int:
    return max(0, min(size - 1, value))
