"""Classes of character codes: letters and symbols, white space, right-to-left scripts, no text."""

import numpy as np
from numpy.typing import NDArray

SIGNS = {
    0x02: "-",
    0xAD: "-",
    0xFFFE: "-",
    0xA0: " ",
    # bullets in the Symbol and Wingdings fonts
    0xF0B7: "•",
    0xF0A7: "▪",
    0xF0D8: "➢",
    0xF06C: "●",
    0xF06E: "■",
    0xF071: "❑",
    0xF075: "◆",
    0xF076: "❖",
    0xF0A8: "◻",
    0xF0FC: "✓",
    0xF0E0: "→",
}
SHOWN = np.arange(0x10000, dtype=np.uint32)
SHOWN[list(SIGNS)] = [ord(sign) for sign in SIGNS.values()]
"""Maps every code to the character it stands for."""
SEEN, SPACE, LEFTWARD, NO_TEXT = 0, 1, 2, 3
"""What `kinds_of` returns: a letter or symbol, white space, a right-to-left letter, no text."""


def _kind_table() -> NDArray[np.uint8]:
    table = np.zeros(0x10001, dtype=np.uint8)
    table[[*range(0x01, 0x09), *range(0x0E, 0x20), *range(0x7F, 0xA0), 0xFFFE, 0xFFFF]] = NO_TEXT
    table[[0x09, 0x0A, 0x0D, 0x20, 0xA0, 0x3000, 0x200B, *range(0x2000, 0x200A)]] = SPACE
    for first, last in ((0x590, 0x8FF), (0xFB1D, 0xFDFF), (0xFE70, 0xFEFC)):
        table[first : last + 1] = LEFTWARD
    # digits of these scripts run from left to right
    for first in (0x660, 0x6F0):
        table[first : first + 10] = SEEN
    return table


_KINDS = _kind_table()


def kinds_of(codes: NDArray[np.uint32]) -> NDArray[np.uint8]:
    kinds: NDArray[np.uint8] = _KINDS[np.minimum(codes, 0x10000)]
    return kinds
