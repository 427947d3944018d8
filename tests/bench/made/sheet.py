"""A sheet that made documents are set on: elements with boxes, from top to bottom."""

from collections.abc import Sequence
from itertools import accumulate

from workbench.contract.elements import LINE_STARTS, CellBox, Element, Table, TableCell

_LINE = 0.016


class Sheet:
    """Collects elements; a new page begins where one is full."""

    def __init__(self, *, flowing: bool = False) -> None:
        self.elements: list[Element] = []
        self._top, self._page, self._flowing = 0.04, 1, flowing

    def text(
        self, kind: str, text: str, x1: float = 0.08, x2: float = 0.92, size: float = 10
    ) -> None:
        """A text over the width; it takes as many lines as it needs."""
        lines = 1 + int(len(text) / (110 * (x2 - x1)))
        self._place(kind, text, x1, x2, lines * _LINE * size / 10, size)

    def block(
        self, lines: Sequence[str], x1: float = 0.08, x2: float = 0.5, size: float = 10
    ) -> None:
        """Short lines below each other as one element."""
        written, starts = _set(lines)
        self._place("Text", written, x1, x2, len(lines) * _LINE * size / 10, size)
        if starts:
            self.elements[-1].properties[LINE_STARTS] = starts

    def beside(self, parts: list[tuple[str, float, float]], size: float = 10) -> None:
        """Texts next to each other on one line, as (text, left, right)."""
        top, page = self._top, self._page
        for text, x1, x2 in parts:
            self._top, self._page = top, page
            self._place("Text", text, x1, x2, _LINE * size / 10, size)

    def columns(self, parts: list[tuple[str, str]], size: float = 10) -> None:
        """Labels with their values right below, side by side."""
        width = 0.84 / len(parts)
        top = self._top
        low = top
        for at, texts in enumerate(parts):
            self._top = top
            for text in texts:
                left = 0.08 + at * width
                self._place("Text", text, left, left + 0.9 * width, _LINE * size / 10, size)
            low = max(low, self._top)
        self._top = low

    def table(
        self, rows: list[list[str]], *, header: bool = False, caption: str | None = None
    ) -> None:
        width = max(map(len, rows))
        if self._top + len(rows) * 0.02 > 0.95:
            self._turn()
        cells = [
            TableCell(
                content=_set(text.split("\n"))[0],
                properties={LINE_STARTS: starts} if (starts := _set(text.split("\n"))[1]) else {},
                rows=[row],
                cols=[col],
                is_header=header and row == 0,
                bbox=CellBox(
                    x1=0.08 + 0.84 * col / width, y1=min(0.98, self._top + row * 0.018),
                    x2=0.08 + 0.84 * (col + 1) / width, y2=min(0.99, self._top + (row + 1) * 0.018),
                ),
            )
            for row, texts in enumerate(rows)
            for col, text in enumerate(texts)
        ]  # fmt: skip
        table = Table(cells=cells, num_rows=len(rows), num_cols=width, caption=caption)
        self._place("table", None, 0.08, 0.92, 0.02 * len(rows), 10, table)

    def gap(self) -> None:
        self._top += 0.02

    def _turn(self) -> None:
        self._top, self._page = 0.05, self._page + 1

    def _place(
        self,
        kind: str,
        text: str | None,
        x1: float,
        x2: float,
        height: float,
        size: float,
        table: Table | None = None,
    ) -> None:
        if self._top + height > 0.96:
            self._turn()
        box = [x1, self._top, x2, min(0.99, self._top + height)]
        self.elements.append(
            Element(
                type=kind,
                bbox=[0.0, 0.0, 1.0, 1.0] if self._flowing else box,
                properties={
                    "score": 0.9, "page_number": 1 if self._flowing else self._page,
                    "font_size": size,
                },
                text_representation=text,
                table=table,
            )
        )  # fmt: skip
        self._top += height + 0.004


def _set(lines: Sequence[str]) -> tuple[str, list[int]]:
    """Lines as one text, and where each but the first begins in it."""
    return " ".join(lines), list(accumulate(len(line) + 1 for line in lines[:-1]))
