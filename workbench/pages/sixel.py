"""Pictures as sixel graphics: six rows of pixels per line of letters, one pass per colour."""

import re

import numpy as np
from PIL import Image

_COLOURS = 32
_RUN = re.compile(rb"(.)\1{3,}", re.DOTALL)


def sixel(picture: Image.Image) -> str:
    """The sequence that draws an RGB picture at the cursor."""
    few = picture.convert("RGB").quantize(_COLOURS, dither=Image.Dither.NONE)
    palette = few.getpalette() or []
    pixels = np.asarray(few)
    used = np.unique(pixels)
    colours = "".join(
        f"#{n};2;" + ";".join(str(round(part * 100 / 255)) for part in palette[3 * n : 3 * n + 3])
        for n in used
    )
    height, width = pixels.shape
    bands = [_band(pixels[top : top + 6]) for top in range(0, height, 6)]
    return f'\x1bP0;1q"1;1;{width};{height}{colours}{"-".join(bands)}\x1b\\'


def _band(rows: np.ndarray) -> str:
    """Up to six rows of pixels; `$` returns to the left edge for the next colour."""
    weights = (1 << np.arange(len(rows), dtype=np.uint8))[:, None]
    passes = []
    for colour in np.unique(rows):
        letters = ((rows == colour) * weights).sum(axis=0, dtype=np.uint8) + 63
        row = letters.astype(np.uint8).tobytes().rstrip(b"?")
        passes.append(f"#{colour}" + _RUN.sub(_shortened, row).decode("ascii"))
    return "$".join(passes)


def _shortened(run: re.Match[bytes]) -> bytes:
    return b"!%d%c" % (len(run[0]), run[0][0])
