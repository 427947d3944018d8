"""Pictures for terminals with kitty's graphics protocol, placed by Unicode placeholders.

The picture is sent once under a number. Cells that show it contain U+10EEEE with two diacritics for
row and column of the picture, and the number as colour. To everything that draws the screen these
are ordinary letters, so dialogs, scrolling and boxes just work. Direct placement was rejected: it
covers letters and outlives them.
"""

import base64
from collections.abc import Iterable

from workbench.pages.grid import Cell, Colour, Grid, ground_of

_CHUNK = 4096
_PLACEHOLDER = "\U0010eeee"

# The protocol numbers rows and columns by these diacritics, in this order.
_RANGES = (
    "0305 030D-030E 0310 0312 033D-033F 0346 034A-034C 0350-0352 0357 035B 0363-036F 0483-0487 "
    "0592-0595 0597-0599 059C-05A1 05A8-05A9 05AB-05AC 05AF 05C4 0610-0617 0657-065B 065D-065E "
    "06D6-06DC 06DF-06E2 06E4 06E7-06E8 06EB-06EC 0730 0732-0733 0735-0736 073A 073D 073F-0741 "
    "0743 0745 0747 0749-074A 07EB-07F1 07F3 0816-0819 081B-0823 0825-0827 0829-082D 0951 "
    "0953-0954 0F82-0F83 0F86-0F87 135D-135F 17DD 193A 1A17 1A75-1A7C 1B6B 1B6D-1B73 1CD0-1CD2 "
    "1CDA-1CDB 1CE0 1DC0-1DC1 1DC3-1DC9 1DCB-1DCC 1DD1-1DE6 1DFE 20D0-20D1 20D4-20D7 20DB-20DC "
    "20E1 20E7 20E9 20F0 2CEF-2CF1 2DE0-2DFF"
)


def _letters(ranges: str) -> Iterable[str]:
    for part in ranges.split():
        first, _, last = part.partition("-")
        yield from map(chr, range(int(first, 16), int(last or first, 16) + 1))


DIACRITICS = tuple(_letters(_RANGES))
"""The number of addressable rows and columns."""


def sent(png: bytes, number: int, columns: int, rows: int) -> str:
    """The sequence that sends a PNG file to the terminal as picture `number` (1 to 2^24 - 1), to be
    shown in `columns` x `rows` cells. The terminal sends no reply.
    """
    data = base64.standard_b64encode(png).decode("ascii")
    pieces = [data[start : start + _CHUNK] for start in range(0, len(data), _CHUNK)]
    head = f"a=T,U=1,f=100,q=2,i={number},c={columns},r={rows},"
    last = len(pieces) - 1
    return "".join(
        f"\x1b_G{head if place == 0 else ''}m={int(place < last)};{piece}\x1b\\"
        for place, piece in enumerate(pieces)
    )


def freed(number: int) -> str:
    """The sequence that frees picture `number` in the terminal."""
    return f"\x1b_Ga=d,d=I,q=2,i={number}\x1b\\"


def placed(shape: Grid, number: int) -> Grid:
    """Cells that show picture `number` where `shape` has cells. A letter written over one of them
    gets the picture's colour as background.
    """
    ink: Colour = (number >> 16 & 255, number >> 8 & 255, number & 255)
    return [
        [
            Cell(_PLACEHOLDER + DIACRITICS[y] + DIACRITICS[x], ink, ground_of(cell))
            for x, cell in enumerate(row)
        ]
        for y, row in enumerate(shape)
    ]
