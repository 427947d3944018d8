"""A document without pages, as text: its elements below each other, the chosen one marked."""

from collections.abc import Sequence
from dataclasses import dataclass

from workbench.pages.grid import Cell, Colour, Grid

_HEADINGS = frozenset({"Title", "Section-header"})


@dataclass(frozen=True)
class Piece:
    """An element to read: what it is, its words, whether it is the chosen one."""

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

    `heading` and `chosen` are the inks of headings and of the mark beside the chosen element.
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
            for words in _broken(piece.words or "—", max(4, columns - 3))
        ]
    start = max(0, min(focus - rows // 4, len(lines) - rows))
    return [_filled(line, columns) for line in lines[start : start + rows]]


def _broken(words: str, width: int) -> list[str]:
    """Lines of at most `width` characters, broken at blanks where there are any."""
    lines: list[str] = []
    for paragraph in words.splitlines() or [""]:
        rest = " ".join(paragraph.split())
        while len(rest) > width:
            cut = rest.rfind(" ", 0, width + 1)
            cut = cut if cut > 0 else width
            lines.append(rest[:cut])
            rest = rest[cut:].lstrip()
        if rest or not lines:
            lines.append(rest)
    return lines


def _filled(line: list[Cell], columns: int) -> list[Cell]:
    return line[:columns] + [Cell(" ")] * (columns - len(line))
