"""A table that may be wider than its pane: the first column stays, the others scroll sideways, and
the cursor marks a cell.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeVar

from textual import events
from textual.reactive import reactive

from workbench.tui.keys import bindings
from workbench.tui.lines import Line, Part, Span, fit, line, spread, width_of
from workbench.tui.widgets.table_list import GAP, Column, TableList, share_out

Row = TypeVar("Row")

_ROOM_FOR_MORE = 9
"""Cells at the right end of the header for the number of further columns: `12 more ▸`."""


class Place(NamedTuple):
    """The position of a column: its index, its first cell, and its width in cells."""

    column: int
    start: int
    size: int


class CellTable(TableList[Row]):
    """Every column is there: those that do not fit are reached with left and right, and the header
    counts them. Columns with `decor` are never under the cursor and give way first.
    """

    BINDINGS = bindings("table")
    column: reactive[int] = reactive(0, repaint=False)
    """The index of the column under the cursor."""

    def __init__(
        self,
        columns: Sequence[Column[Row]],
        key: Callable[[Row], str],
        *,
        id: str | None = None,
        classes: str | None = None,
    ) -> None:
        super().__init__(columns, key, id=id, classes=classes)
        self._first = 0
        self._placed: tuple[object, list[Place]] = (None, [])

    def set_columns(self, columns: Sequence[Column[Row]]) -> None:
        """The cursor stays on the column with the same label, else goes to the first."""
        was = self.columns[self.column].label if self.column < len(self.columns) else ""
        super().set_columns(columns)
        self._placed = (None, [])
        cells = self._cells
        same = [index for index in cells if columns[index].label.rstrip(" ↑↓") == was.rstrip(" ↑↓")]
        self.column = (same or cells or [0])[0]
        self._bring_column_into_sight()

    # -- moving ---------------------------------------------------------------------------------

    @property
    def _cells(self) -> list[int]:
        """The columns that the cursor can move to."""
        return [index for index, column in enumerate(self.columns) if not column.decor]

    @property
    def current_column(self) -> Column[Row] | None:
        return self.columns[self.column] if self.column < len(self.columns) else None

    def action_right(self) -> None:
        self.column = next((index for index in self._cells if index > self.column), self.column)

    def action_left(self) -> None:
        before = [index for index in self._cells if index < self.column]
        self.column = before[-1] if before else self.column

    def watch_column(self) -> None:
        self._bring_column_into_sight()
        self.refresh()

    def on_resize(self) -> None:
        super().on_resize()
        self._bring_column_into_sight()

    def _bring_column_into_sight(self) -> None:
        """Scrolls by as few columns as possible to make the cursor's column visible. There is no
        empty space after the last column while others are hidden.
        """
        width = self._room
        frozen = self._frozen
        self._first = min(self._first, max(0, len(self.columns) - 1))
        if self.column < len(self.columns) and self.column >= frozen:
            self._first = max(frozen, min(self._first, self.column))
            while self._first < self.column and self.column not in self._whole(width):
                self._first += 1
        else:
            self._first = frozen
        while self._first > frozen:
            self._first -= 1
            if self._cells[-1] not in self._whole(width):
                self._first += 1
                break

    @property
    def _room(self) -> int:
        return max(0, self.scrollable_content_region.width - 1)

    @property
    def _frozen(self) -> int:
        """The number of fixed columns at the left: the first with content, and its decoration."""
        return next((index + 1 for index in self._cells), 0)

    def _whole(self, width: int) -> set[int]:
        """The columns that are shown in full."""
        return {
            place.column
            for place in self._places(width)
            if place.start + place.size <= width - _ROOM_FOR_MORE - 1
        }

    def _fits(self, width: int) -> bool:
        columns = [column for column in self.columns if not column.decor or column.width <= 1]
        return _needed(columns) <= width

    # -- positions of columns --------------------------------------------------------------------

    def _places(self, width: int) -> list[Place]:
        key = (width, self._first)
        if self._placed[0] != key:
            self._placed = (key, self._all(width) if self._fits(width) else self._window(width))
        return self._placed[1]

    def _all(self, width: int) -> list[Place]:
        """All columns side by side; decoration is dropped if there is no space."""
        shown = [column for column in self.columns if column.from_width <= width]
        while _needed(shown) > width and any(column.decor for column in shown):
            shown.remove(next(column for column in reversed(shown) if column.decor))
        sizes = {id(column): size for column, size in share_out(shown, width)}
        out: list[Place] = []
        start = 0
        for index, column in enumerate(self.columns):
            if (size := sizes.get(id(column))) is not None:
                out.append(Place(index, start, size))
                start += size + GAP
        return out

    def _window(self, width: int) -> list[Place]:
        """The columns that stay, then those from the first scrolled one on; the last may be cut."""
        out: list[Place] = []
        start = 0
        for index, column in enumerate(self.columns):
            if self._frozen <= index < self._first or (column.decor and index >= self._frozen):
                continue
            size = column.width or column.least
            if index < self._frozen:
                size = min(size, max(8, width // 2))
            if start >= width:
                break
            out.append(Place(index, start, min(size, width - start)))
            start += size + GAP
        return out

    def beyond(self, width: int) -> tuple[int, int]:
        """How many columns are out of sight to the left and to the right."""
        if self._fits(width):
            return 0, 0
        whole = self._whole(width)
        scrolled = [index for index in self._cells if index >= self._frozen]
        left = sum(index < self._first for index in scrolled)
        return left, sum(index >= self._first and index not in whole for index in scrolled)

    # -- the mouse ------------------------------------------------------------------------------

    def pointed_at(self, x: int) -> None:
        index = self._column_at(x)
        if index is not None and not self.columns[index].decor:
            self.column = index

    def header_clicked(self, x: int) -> None:
        index = self._column_at(x)
        if index is not None and self.columns[index].order:
            self.post_message(self.OrderChosen(self, self.columns[index].order))

    def _column_at(self, x: int) -> int | None:
        places = self._places(self._room)
        return next((p.column for p in places if p.start <= x < p.start + p.size + GAP), None)

    def on_mouse_scroll_right(self, event: events.MouseScrollRight) -> None:
        event.stop()
        self.action_right()

    def on_mouse_scroll_left(self, event: events.MouseScrollLeft) -> None:
        event.stop()
        self.action_left()

    # -- drawing --------------------------------------------------------------------------------

    def header(self, width: int) -> Line:
        left, right = self.beyond(width)
        words = [f"◂ {left}"] * bool(left) + [f"{right} more ▸"] * bool(right)
        mark = line(Span(" " + "  ".join(words), "accent")) if words else ()
        room = width - width_of(mark)
        starts = {id(self.columns[place.column]): place.start for place in self._places(width)}

        def name(column: Column[Row]) -> Part:
            fits = starts[id(column)] + len(column.label) <= room or not mark
            return Span(column.label if fits else "", "strong")

        return spread(_without_blanks(self._row_line(width, name)), mark, width)

    def draw(self, row: Row, index: int, width: int) -> Sequence[Line]:
        chosen = self.column if index == self.cursor and self.has_focus else None
        if chosen is not None and len(self._cells) < 2:
            chosen = None
        return (self._row_line(width, lambda column: column.cell(row), chosen),)

    def _row_line(
        self, width: int, cell: Callable[[Column[Any]], Part], chosen: int | None = None
    ) -> Line:
        spans: list[Span] = []
        at = 0
        for place in self._places(width):
            column = self.columns[place.column]
            part = cell(column)
            content = (Span(part),) if type(part) is str else line(part)
            words = fit(content, place.size, column.align)
            if place.column == chosen:
                words = tuple(Span(span.text, "cell") for span in words)
            if place.start > at:
                spans.append(Span(" " * (place.start - at)))
            spans.extend(words)
            at = place.start + place.size
        return tuple(spans)


def _without_blanks(spans: Line) -> Line:
    """The line without blanks at its end."""
    kept = list(spans)
    while kept and not kept[-1].text.strip():
        kept.pop()
    return tuple(kept)


def _needed(columns: Sequence[Column[Any]]) -> int:
    gaps = GAP * max(0, len(columns) - 1)
    return sum(column.width or column.least for column in columns) + gaps
