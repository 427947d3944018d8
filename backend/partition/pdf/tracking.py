"""Letter-spaced text: extra white space between all letters of a run.

PDFium reads such white space as spaces. Only if nearly all letters of a run are spaced is PDFium
asked which spaces it inserted.
"""

import numpy as np
from numpy.typing import NDArray

from backend.partition.pdf.characters import Characters

_SPACED_OUT = 0.05
"""In font sizes: a gap between letters that no font has by itself."""
_FIRST_LETTER = 0x41
_PAIRS, _SHARE, _USUAL = 4, 0.7, 0.3
"""The number and share of letter pairs that make a run letter-spaced, and the quantile that gives
the spacing: the run may contain words without spaces between them.
"""


def tracking_of(
    chars: Characters, visible: NDArray[np.intp], gap: NDArray[np.float64]
) -> NDArray[np.float64]:
    """For each visible character but the first, the spacing between the letters of its run; 0 for
    normal text. `gap` is the white space before it; all in font sizes.
    """
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
