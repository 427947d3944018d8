"""A list with columns that share the available width and appear only if they fit."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Literal, TypeVar

from workbench.tui.lines import Line, Part, Span, fit, line
from workbench.tui.widgets.line_list import LineList

Row = TypeVar("Row")

GAP = 2
_BLANK = Span(" " * GAP)


@dataclass(frozen=True)
class Column(Generic[Row]):
    """A column. `width` 0 shares the remaining width, with the minimum `least`.

    `from_width` hides it in narrower tables. A click on a column with an `order` requests the rows
    in that order. A column of `decor` repeats another one's content: a bar, a mark. `most` limits
    the width of a sharing column, unless it is 0.
    """

    label: str
    cell: Callable[[Row], Part]
    width: int = 0
    align: Literal["left", "right"] = "left"
    from_width: int = 0
    weight: int = 1
    least: int = 8
    order: str = ""
    decor: bool = False
    most: int = 0


def share_out(columns: Sequence[Column[Row]], width: int) -> list[tuple[Column[Row], int]]:
    """The columns that fit into `width` cells, each with its width; the last ones give way."""
    shown = [column for column in columns if column.from_width <= width]
    while len(shown) > 1 and _needed(shown) > width:
        shown.pop()
    weights = sum(column.weight for column in shown if not column.width)
    left = max(0, width - sum(column.width for column in shown) - GAP * (len(shown) - 1))
    out: list[tuple[Column[Row], int]] = []
    for column in shown:
        size = column.width
        if not size:
            size = left * column.weight // weights
            weights -= column.weight
            size = min(size, column.most or size)
            left -= size
        out.append((column, size))
    return out


def _needed(columns: Sequence[Column[Row]]) -> int:
    return sum(column.width or column.least for column in columns) + GAP * (len(columns) - 1)


class TableList(LineList[Row]):
    """A list whose rows are drawn by columns; `key` names a row."""

    has_header = True
    roomy = True

    class OrderChosen(LineList.RowMessage):
        """The header of a column with an `order` was clicked."""

        def __init__(self, sender: LineList[Any], order: str) -> None:
            super().__init__(sender, sender.cursor)
            self.order = order

    def __init__(
        self,
        columns: Sequence[Column[Row]],
        key: Callable[[Row], str],
        *,
        id: str | None = None,
        classes: str | None = None,
    ) -> None:
        super().__init__(id=id, classes=classes)
        self.columns = list(columns)
        self._key = key
        self._shared: tuple[int, list[tuple[Column[Row], int]]] = (-1, [])

    def set_columns(self, columns: Sequence[Column[Row]]) -> None:
        self.columns = list(columns)
        self._shared = (-1, [])
        self.refresh()

    def key_of(self, row: Row) -> str:
        return self._key(row)

    def header(self, width: int) -> Line:
        return self._join(width, lambda column: Span(column.label, "strong"))

    def header_clicked(self, x: int) -> None:
        start = 0
        for column, size in self._shared[1]:
            if start <= x < start + size + GAP and column.order:
                self.post_message(self.OrderChosen(self, column.order))
            start += size + GAP

    def draw(self, row: Row, index: int, width: int) -> Sequence[Line]:
        return (self._join(width, lambda column: column.cell(row)),)

    def _join(self, width: int, cell: Callable[[Column[Row]], Part]) -> Line:
        if self._shared[0] != width:
            self._shared = (width, share_out(self.columns, width))
        spans: list[Span] = []
        for column, size in self._shared[1]:
            if spans:
                spans.append(_BLANK)
            content = cell(column)
            spans.extend(
                fit((Span(content),) if type(content) is str else line(content), size, column.align)
            )
        return tuple(spans)
