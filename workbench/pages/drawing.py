"""A page brought to the size of a pane: as cells, and as pixels for terminals that show them."""

from typing import NamedTuple

from PIL import Image

from workbench.pages.grid import Grid, page_cells
from workbench.pages.halfblock import half_blocks
from workbench.pages.raster import page_picture

_WIDEST = 1_600


class Drawn(NamedTuple):
    """`picture` has the size of the cells of `grid`; None where no pixels are wanted."""

    grid: Grid
    picture: Image.Image | None = None


def draw_page(
    data: bytes, page: int, columns: int, rows: int, cell: tuple[int, int] | None = None
) -> Drawn:
    """Page `page` (from 1) in at most `columns` x `rows` cells; `cell` is the size of one in pixels
    where pixels are wanted. Raises NoPage.
    """
    wide, high = cell or (4, 8)
    picture = page_picture(data, page, min(_WIDEST, columns * wide))
    across, down = page_cells(picture.width, picture.height * 2 * wide / high, columns, rows)
    grid = half_blocks(picture, across, down)
    if cell is None:
        return Drawn(grid)
    size = across * wide, down * high
    return Drawn(grid, picture.resize(size, Image.Resampling.LANCZOS))
