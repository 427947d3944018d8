"""Fits a page to a pane: as cells, and as pixels for terminals that can show them."""

from typing import NamedTuple

from PIL import Image

from workbench.pages.grid import Grid, page_cells
from workbench.pages.halfblock import half_blocks
from workbench.pages.raster import page_picture

_WIDEST = 1_600


class Drawn(NamedTuple):
    """`picture` has the size of the cells of `grid`; None when no pixels are requested."""

    grid: Grid
    picture: Image.Image | None = None


Part = tuple[float, float, float, float]
"""A rectangle of a page, `(x1, y1, x2, y2)` as fractions."""


def draw_page(
    data: bytes,
    page: int,
    columns: int,
    rows: int,
    cell: tuple[int, int] | None = None,
    part: Part = (0, 0, 1, 1),
) -> Drawn:
    """Page `page` (from 1), or a part of it, in at most `columns` x `rows` cells. `cell` is the
    size of a cell in pixels, if pixels are requested. Raises NoPage.
    """
    wide, high = cell or (4, 8)
    x1, x2 = sorted((part[0], part[2]))
    y1, y2 = sorted((part[1], part[3]))
    whole = page_picture(data, page, min(_WIDEST, round(columns * wide / max(x2 - x1, 0.05))))
    left, top = int(x1 * whole.width), int(y1 * whole.height)
    right, bottom = round(x2 * whole.width), round(y2 * whole.height)
    picture = whole.crop((left, top, max(left + 1, right), max(top + 1, bottom)))
    across, down = page_cells(picture.width, picture.height * 2 * wide / high, columns, rows)
    grid = half_blocks(picture, across, down)
    if cell is None:
        return Drawn(grid)
    size = across * wide, down * high
    return Drawn(grid, picture.resize(size, Image.Resampling.LANCZOS))
