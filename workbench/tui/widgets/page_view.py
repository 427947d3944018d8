"""A page as a picture in cells with the boxes of its elements, or as text where there are no
pages.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from rich.color import Color
from rich.segment import Segment
from rich.style import Style
from textual import work
from textual.geometry import Size
from textual.scroll_view import ScrollView
from textual.strip import Strip

from workbench.tui.lines import Line, dim, line, plain, width_of, wrap
from workbench.tui.role_styles import role_style, theme_colour

if TYPE_CHECKING:
    from backend.contract.elements import StoredElement
    from workbench.pages.grid import Cell, Grid, MarkedBox

Boxes = Literal["all", "one", "none"]

# Pages are paper, mostly white, under every theme.
_INK = (107, 85, 201)
_CHOSEN_INK = (201, 72, 12)


@dataclass(frozen=True)
class Leaf:
    """What to show: a file's bytes (None while they are not here), a page from 1, its elements."""

    data: bytes | None
    page: int
    elements: Sequence["StoredElement"] = ()
    chosen: str | None = None


class PageView(ScrollView, can_focus=False):
    """Draws in a thread and keeps the last pictures; without colours it draws a map of boxes."""

    ALLOW_SELECT = False

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.leaf: Leaf | None = None
        self.boxes: Boxes = "all"
        self._grid: Grid = []
        self._words: Line = ()
        self._plain: dict[tuple[int, int, int, int], Grid] = {}

    def say(self, words: Line) -> None:
        """Words in place of a page."""
        self.leaf = None
        self._grid, self._words = [], words
        self.refresh()

    def show(self, leaf: Leaf) -> None:
        """Shows that page; the picture follows when it is drawn."""
        if self.leaf is not None and self.leaf.data is not leaf.data:
            self._plain.clear()
        self.leaf = leaf
        self._redraw()

    def on_resize(self) -> None:
        self._redraw()

    def set_boxes(self, boxes: Boxes) -> None:
        self.boxes = boxes
        self._redraw()

    @property
    def _draws_map(self) -> bool:
        """Whether the app wants plain boxes in place of pictures."""
        return bool(getattr(self.app, "draws_maps", False))

    # -- drawing --------------------------------------------------------------------------------

    @work(exclusive=True, group="page")
    async def _redraw(self) -> None:
        leaf, columns, rows = self.leaf, self.size.width, self.size.height
        if leaf is None or columns < 4 or rows < 2:
            return
        grid = None
        words: Line = ()
        if leaf.data is not None and not self._draws_map:
            key = (id(leaf.data), leaf.page, columns, rows)
            if key not in self._plain:
                drawn = await asyncio.to_thread(_picture, leaf.data, leaf.page, columns, rows)
                if isinstance(drawn, str):
                    words = line(dim(drawn))
                else:
                    if len(self._plain) > 24:
                        self._plain.clear()
                    self._plain[key] = drawn
            grid = self._plain.get(key)
        self._grid = self._drawn(leaf, grid, columns, rows)
        self._words = words or line(dim("Nothing to show."))
        self.virtual_size = Size(columns, len(self._grid))
        self.refresh()

    def _drawn(self, leaf: Leaf, grid: "Grid | None", columns: int, rows: int) -> "Grid":
        """The picture with boxes; without a picture the words, or a map of the boxes."""
        from workbench.pages.boxmap import MapBox, box_map
        from workbench.pages.grid import draw_boxes, page_cells
        from workbench.pages.textpage import Piece, text_page

        if grid is None and leaf.elements and not any(map(_placed, leaf.elements)):
            pieces = [
                Piece(e.type, e.text_representation or "", e.id == leaf.chosen)
                for e in leaf.elements
            ]
            colours = self.app.theme_variables
            heading, bar = (theme_colour(n, colours).rgb for n in ("primary", "secondary"))
            return text_page(pieces, columns, rows, heading=heading, chosen=bar)
        marked = self._marked(leaf, on_paper=grid is not None)
        if grid is not None:
            return draw_boxes(grid, [box for box, _ in marked])
        if not marked:
            return []
        across, down = page_cells(1, 1.414, columns, rows)
        return box_map([MapBox(box, text) for box, text in marked], across, down)

    def _marked(self, leaf: Leaf, *, on_paper: bool) -> list[tuple["MarkedBox", str]]:
        """The boxes to draw with the words in them."""
        from workbench.pages.grid import MarkedBox

        ink, chosen_ink = _INK, _CHOSEN_INK
        if not on_paper:
            colours = self.app.theme_variables
            ink, chosen_ink = (theme_colour(n, colours).rgb for n in ("dim", "secondary"))
        out: list[tuple[MarkedBox, str]] = []
        for element in leaf.elements:
            here = int(element.properties.get("page_number", 1)) == leaf.page
            strong = element.id == leaf.chosen
            if not here or self.boxes == "none" or (self.boxes == "one" and not strong):
                continue
            x1, y1, x2, y2 = element.bbox
            if not _placed(element):
                continue
            box = MarkedBox(
                (x1, y1, x2, y2),
                element.type if strong or self._draws_map else "",
                chosen_ink if strong else ink,
                strong,
            )
            out.append((box, element.text_representation or ""))
        return out

    def render_line(self, y: int) -> Strip:
        width = self.size.width
        base = self.rich_style
        if not self._grid:
            return self._word_strip(y, width, base)
        row = y + round(self.scroll_y)
        if row >= len(self._grid):
            return Strip.blank(width, base)
        cells = self._grid[row]
        left = max(0, (width - len(cells)) // 2)
        segments = [Segment(" " * left, base), *(_segment(cell, base) for cell in cells)]
        return Strip(segments).adjust_cell_length(width, base).simplify()

    def _word_strip(self, y: int, width: int, base: Style) -> Strip:
        style = base + role_style("dim", self.app.theme_variables)
        lines = wrap(self._words, max(8, width - 4))
        top = max(0, self.size.height // 2 - len(lines))
        if not top <= y < top + len(lines):
            return Strip.blank(width, base)
        shown = lines[y - top]
        pad = " " * max(0, (width - width_of(shown)) // 2)
        return Strip([Segment(pad + plain(shown), style)]).adjust_cell_length(width, base)


def _picture(data: bytes, page: int, columns: int, rows: int) -> "Grid | str":
    """The page in cells, or why it cannot be shown."""
    from workbench.pages.grid import page_cells
    from workbench.pages.halfblock import half_blocks
    from workbench.pages.raster import NoPage, page_picture

    try:
        picture = page_picture(data, page, columns * 4)
    except NoPage as reason:
        return str(reason)
    across, down = page_cells(picture.width, picture.height, columns, rows)
    return half_blocks(picture, across, down)


def _placed(element: "StoredElement") -> bool:
    """Whether the box says anything: files without pages have one box, the whole page."""
    return list(element.bbox) != [0, 0, 1, 1]


def _segment(cell: "Cell", base: Style) -> Segment:
    return Segment(
        cell.text,
        base
        + Style(
            color=Color.from_rgb(*cell.ink) if cell.ink else None,
            bgcolor=Color.from_rgb(*cell.ground) if cell.ground else None,
        ),
    )
