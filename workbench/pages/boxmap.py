"""A page without its picture: element boxes in plain characters, with their words inside."""

from collections.abc import Iterable
from dataclasses import dataclass

from workbench.pages.grid import Cell, Grid, MarkedBox, box_cells, draw_boxes
from workbench.pages.wrapping import wrapped


@dataclass(frozen=True)
class MapBox:
    """A box and its words."""

    marked: MarkedBox
    words: str = ""


def box_map(boxes: Iterable[MapBox], columns: int, rows: int) -> Grid:
    """Outlines on an empty page of `columns` x `rows` cells, each filled with its words."""
    placed = list(boxes)
    grid: Grid = [[Cell(" ") for _ in range(columns)] for _ in range(rows)]
    if not grid or not columns:
        return grid
    for box in placed:
        _write(grid, box)
    return draw_boxes(grid, [box.marked for box in placed])


def _write(grid: Grid, box: MapBox) -> None:
    """Writes as many words as fit inside the outline."""
    left, top, right, bottom = box_cells(box.marked.box, len(grid[0]), len(grid))
    low = bottom - top < 2  # otherwise its sides are drawn outside
    rows, start = (range(top, bottom + 1), left) if low else (range(top + 1, bottom), left + 1)
    room = right - left + (1 if low else -1)
    if room < 1:
        return
    for y, words in zip(rows, wrapped(box.words, room), strict=False):
        for x, sign in enumerate(words, start):
            grid[y][x] = Cell(sign)
