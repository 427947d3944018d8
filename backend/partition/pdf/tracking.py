"""Letters set apart for looks: the white that a run has between all of its letters.

PDFium takes such white for spaces. Only where nearly all letters of a run stand apart is it asked
which of the spaces it made up.
"""

import numpy as np
from numpy.typing import NDArray

from backend.partition.pdf.characters import Characters

_SPACED_OUT = 0.05
"""Of the font size: a gap between letters that no font has by itself."""
_FIRST_LETTER = 0x41
_PAIRS, _SHARE, _USUAL = 4, 0.7, 0.3
"""Pairs of letters, and their share, that make a run spaced out; the quantile that says how far:
words may stand in it without spaces between them."""


def tracking_of(
    chars: Characters, visible: NDArray[np.intp], gap: NDArray[np.float64]
) -> NDArray[np.float64]:
    """For each visible character but the first, the white that its run has between all letters;
    0 where text is not spaced out. `gap` is the white before it; all in font sizes."""
    tracking = np.zeros(len(gap))
    run = chars.run[visible]
    letter = chars.codes[visible] >= _FIRST_LETTER
    inside = letter[1:] & letter[:-1] & (run[1:] == run[:-1]) & (np.abs(gap) < 1)
    wide = inside & (gap > _SPACED_OUT)
    wides = np.bincount(run[1:][wide])
    often = np.flatnonzero(wides >= _PAIRS)
    if not len(often):
        return tracking
    pairs = np.bincount(run[1:][inside])
    for number in often[wides[often] > _SHARE * pairs[often]].tolist():
        mine = run[1:] == number
        apart = [
            at for at in np.flatnonzero(mine & wide).tolist() if not _spaced(chars, visible, at)
        ]
        if len(apart) >= _PAIRS and len(apart) > _SHARE * pairs[number]:
            tracking[mine] = np.quantile(gap[apart], _USUAL)
    return tracking


def _spaced(chars: Characters, visible: NDArray[np.intp], at: int) -> bool:
    """Whether the file has a space between a visible character and the next."""
    return any(
        not chars.made_up(index) for index in range(int(visible[at]) + 1, int(visible[at + 1]))
    )
