"""A document without pages, as text: its elements in order, the chosen one marked."""

from collections.abc import Sequence
from dataclasses import dataclass

from workbench.pages.grid import Cell, Colour, Grid
from workbench.pages.wrapping import wrapped

_HEADINGS = frozenset({"Title", "Section-header"})


@dataclass(frozen=True)
class Piece:
    """An element to show: its type, its words, and whether it is chosen."""

    kind: str
    words: str
    chosen: bool = False


def text_page(
    pieces: Sequence[Piece],
    columns: int,
    rows: int,
    *,
    heading: Colour | None = None,
    chosen: Colour | None = None,
) -> Grid:
    """As much as fits into `columns` x `rows` cells, around the chosen element.

    `heading` and `chosen` are the colours of headings and of the mark beside the chosen element.
    """
    lines: Grid = []
    focus = 0
    for piece in pieces:
        if lines:
            lines.append([])
        if piece.chosen:
            focus = len(lines)
        mark = Cell("▌", chosen) if piece.chosen else Cell(" ")
        ink = heading if piece.kind in _HEADINGS else None
        lines += [
            [mark, Cell(" "), *(Cell(sign, ink) for sign in words)]
            for words in wrapped(piece.words or "—", max(4, columns - 3))
        ]
    start = max(0, min(focus - rows // 4, len(lines) - rows))
    return [_filled(line, columns) for line in lines[start : start + rows]]


def _filled(line: list[Cell], columns: int) -> list[Cell]:
    return line[:columns] + [Cell(" ")] * (columns - len(line))
