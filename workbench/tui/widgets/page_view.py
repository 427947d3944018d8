"""A page as a picture with the boxes of its elements, or as text for files without pages.

Pictures are cells of half blocks everywhere; kitty's graphics take their place in the cells. Sixel
graphics cannot live in cells: they are drawn over the half blocks whenever these were painted, and
not while anything lies over them.
"""

import asyncio
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from typing import TYPE_CHECKING, Literal, cast

from rich.color import Color
from rich.segment import Segment
from rich.style import Style
from textual import events, work
from textual.geometry import Region, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from workbench.tui.lines import Line, dim, line, plain, width_of, wrap
from workbench.tui.role_styles import role_style, theme_colour

if TYPE_CHECKING:
    from PIL.Image import Image

    from workbench.contract.elements import StoredElement
    from workbench.pages.drawing import Drawn
    from workbench.pages.grid import Cell, Grid, MarkedBox
    from workbench.tui.app import WorkbenchApp

Boxes = Literal["all", "one", "none"]

# Pages are paper, mostly white, under every theme.
_INK = (107, 85, 201)
_CHOSEN_INK = (201, 72, 12)
_KEPT = 24
_NUMBERS = count(1)
"""Of the pictures that were sent to the terminal."""


@dataclass(frozen=True)
class Mark:
    """The place of a value: its box on a page, as fractions, and its text."""

    page: int
    box: tuple[float, float, float, float]
    label: str


@dataclass(frozen=True)
class Leaf:
    """The content to show: a file's bytes (None until they are loaded), a page from 1, its
    elements; `part` of the page, as fractions, or all of it. A `mark` is highlighted instead of the
    chosen element.
    """

    data: bytes | None
    page: int
    elements: Sequence["StoredElement"] = ()
    chosen: str | None = None
    part: tuple[float, float, float, float] = (0, 0, 1, 1)
    mark: Mark | None = None


class PageView(ScrollView, can_focus=False):
    """Draws in a thread and keeps the last pictures; without colours it draws a map of boxes."""

    ALLOW_SELECT = False

    class Clicked(Message):
        """Somebody clicked on the box of an element."""

        def __init__(self, element_id: str) -> None:
            super().__init__()
            self.element_id = element_id

    class Appeared(Message):
        """The picture has got room to be seen: the terminal became wider, or a pane opened."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.leaf: Leaf | None = None
        self.boxes: Boxes = "all"
        self._grid: Grid = []
        self._words: Line = ()
        self._drawn_pages: dict[tuple[object, ...], Drawn] = {}
        self._sent: dict[int, tuple[Drawn, Grid]] = {}
        self._sixel = ""
        self._sixel_due = False

    def say(self, words: Line) -> None:
        """Words in place of a page."""
        self.leaf = None
        self._grid, self._words, self._sixel = [], words, ""
        self.refresh()

    def show(self, leaf: Leaf) -> None:
        """Shows that page; the picture follows when it is drawn."""
        if self.leaf is not None and self.leaf.data is not leaf.data:
            self._forget()
        self.leaf = leaf
        self._redraw()

    def on_resize(self) -> None:
        self._redraw()

    def on_show(self) -> None:
        self.post_message(self.Appeared())

    def set_boxes(self, boxes: Boxes) -> None:
        self.boxes = boxes
        self._redraw()

    def on_unmount(self) -> None:
        self._forget()

    def on_click(self, event: events.Click) -> None:
        if self.leaf is None or not self._grid:
            return
        across, down = len(self._grid[0]), len(self._grid)
        column = event.x - max(0, (self.size.width - across) // 2)
        row = event.y + round(self.scroll_y)
        result = _element_at(self.leaf, (column + 0.5) / across, (row + 0.5) / down)
        if result is not None:
            self.post_message(self.Clicked(result))

    def _forget(self) -> None:
        """Frees the drawn pictures, here and in the terminal."""
        from workbench.pages.kitty import freed

        for number in self._sent:
            self.workbench.send_to_terminal(freed(number))
        self._sent.clear()
        self._drawn_pages.clear()

    @property
    def workbench(self) -> "WorkbenchApp":
        return cast("WorkbenchApp", self.app)

    # -- drawing --------------------------------------------------------------------------------

    @work(exclusive=True, group="page")
    async def _redraw(self) -> None:
        leaf, columns, rows = self.leaf, self.size.width, self.size.height
        if leaf is None or columns < 4 or rows < 2:
            return
        drawn: Drawn | None = None
        words: Line = ()
        if leaf.data is not None and not self.workbench.draws_maps:
            level, cell = self.workbench.picture_level, self.workbench.cell_pixels
            pixels = None if level == "halfblock" else cell
            key = (id(leaf.data), leaf.page, leaf.part, columns, rows, pixels)
            if key not in self._drawn_pages:
                result = await asyncio.to_thread(_picture, leaf, columns, rows, pixels)
                if isinstance(result, str):
                    words = line(dim(result))
                else:
                    if len(self._drawn_pages) > _KEPT:
                        self._forget()
                    self._drawn_pages[key] = result
            drawn = self._drawn_pages.get(key)
        grid = await self._shown(leaf, drawn) if drawn is not None else None
        self._grid = self._drawn(leaf, grid, columns, rows)
        self._words = words or line(dim("Nothing to show."))
        self.virtual_size = Size(columns, len(self._grid))
        self.refresh()

    async def _shown(self, leaf: Leaf, drawn: "Drawn") -> "Grid":
        """The cells of the page without its boxes, after the terminal has its pixels."""
        from workbench.pages.kitty import DIACRITICS

        self._sixel = ""
        across = len(drawn.grid[0])
        if drawn.picture is None:
            return drawn.grid
        if self.workbench.picture_level == "sixel":
            boxes = [box for box, _ in self._marked(leaf, on_paper=True)]
            letter = self.workbench.cell_pixels[1]
            self._sixel = await asyncio.to_thread(_sixel, drawn.picture, boxes, letter)
        elif max(across, len(drawn.grid)) <= len(DIACRITICS):
            return self._sent_to_kitty(drawn, across)
        return drawn.grid

    def _sent_to_kitty(self, drawn: "Drawn", across: int) -> "Grid":
        """The placeholder cells for the picture, which is sent the first time."""
        from workbench.pages.kitty import placed, sent

        for known, grid in self._sent.values():
            if known is drawn:
                return grid
        assert drawn.picture is not None
        file = io.BytesIO()
        drawn.picture.save(file, "PNG")
        number = next(_NUMBERS)
        self.workbench.send_to_terminal(sent(file.getvalue(), number, across, len(drawn.grid)))
        self._sent[number] = drawn, placed(drawn.grid, number)
        return self._sent[number][1]

    def render_lines(self, crop: Region) -> list[Strip]:
        if self._sixel and not self._sixel_due:
            self._sixel_due = True
            self.call_later(self._draw_sixel)  # the frame that these lines are for comes first
        return super().render_lines(crop)

    def _draw_sixel(self) -> None:
        """Draws the pixels over the painted cells where nothing covers them."""
        self._sixel_due = False
        room = self.content_region
        over = [w for w in self.screen.query("Toast, Tooltip") if w.display]
        if not (self._sixel and self._grid and self.app.screen is self.screen):
            return  # nothing to draw, or a dialog covers it
        if len(self._grid) > room.height or any(w.region.overlaps(room) for w in over):
            return
        left = room.x + max(0, (room.width - len(self._grid[0])) // 2)
        self.workbench.send_to_terminal(f"\x1b7\x1b[{room.y + 1};{left + 1}H{self._sixel}\x1b8")

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
        mark = leaf.mark if leaf.mark and leaf.mark.page == leaf.page else None
        out: list[tuple[MarkedBox, str]] = []
        if mark is not None:
            out.append((MarkedBox(mark.box, mark.label, chosen_ink, strong=True), ""))
        for element in _on_page(leaf):
            strong = element.id == leaf.chosen and mark is None
            if self.boxes == "none" or (self.boxes == "one" and not strong):
                continue
            x1, y1, x2, y2 = element.bbox
            box = MarkedBox(
                (x1, y1, x2, y2),
                element.type if strong or self.workbench.draws_maps else "",
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


def _picture(leaf: Leaf, columns: int, rows: int, cell: tuple[int, int] | None) -> "Drawn | str":
    """The page in cells and pixels, or why it cannot be shown."""
    from workbench.pages.drawing import draw_page
    from workbench.pages.raster import NoPage

    try:
        return draw_page(leaf.data or b"", leaf.page, columns, rows, cell, leaf.part)
    except NoPage as reason:
        return str(reason)


def _sixel(picture: "Image", boxes: Sequence["MarkedBox"], letter: int) -> str:
    from workbench.pages.outlines import outlined
    from workbench.pages.sixel import sixel

    return sixel(outlined(picture, boxes, letter))


def _element_at(leaf: Leaf, x: float, y: float) -> str | None:
    """The id of the smallest element of the page around a point, given in fractions of the page."""
    around: list[tuple[float, str]] = []
    for element in _on_page(leaf):
        x1, y1, x2, y2 = element.bbox
        if x1 <= x <= x2 and y1 <= y <= y2:
            around.append(((x2 - x1) * (y2 - y1), element.id))
    return min(around)[1] if around else None


def _on_page(leaf: Leaf) -> "Iterator[StoredElement]":
    """The elements with a box on the page that is shown."""
    for element in leaf.elements:
        if int(element.properties.get("page_number", 1)) == leaf.page and _placed(element):
            yield element


def _placed(element: "StoredElement") -> bool:
    """Whether the box is meaningful: files without pages have one box, the whole page."""
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
