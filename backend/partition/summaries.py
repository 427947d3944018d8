"""Summarises a picture without a model: its caption, the words in it, and facts about it.

The same picture always gets the same summary. Words come from the document if it has them (a figure
drawn with text, an alternative text), else from OCR.
"""

import colorsys

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from backend.partition import ocr_models
from backend.partition.lines import rows
from backend.partition.ocr import read_words

_Shares = list[tuple[str, float]]
_Pixels = NDArray[np.uint8]
"""n x 3, red, green, blue."""

MAX_READ = 50
"""The number of pictures per document that are read by OCR, each of which takes up to a second."""
_LEAST_SIDE = 24
"""Pixels; smaller pictures contain no words."""
_MAX_TEXT = 1000
_LOOK = 128
"""Side of the reduced picture on which colours are counted."""


def summary(
    image: Image.Image | None, caption: str | None, words: str | None, *, read: bool
) -> str:
    """Sentences; with `read` a picture without known words is read by OCR."""
    if not words and read and image is not None:
        words = _read(image)
    parts = [
        sentence(caption),
        f"Text in the picture: {sentence(_shortened(words))}" if words else "",
        _facts(image) if image is not None else "Picture.",
    ]
    return " ".join(part for part in parts if part)


def sentence(text: str | None) -> str:
    """The text with a full stop; empty without one."""
    text = " ".join((text or "").split())
    return text if not text or text[-1] in ".!?…:" else text + "."


def _shortened(text: str) -> str:
    return text if len(text) <= _MAX_TEXT else text[:_MAX_TEXT].rsplit(" ", 1)[0] + " …"


def _read(image: Image.Image) -> str:
    if min(image.size) < _LEAST_SIDE or not ocr_models.installed():
        return ""
    return " ".join(word.text for row in rows(read_words(image)) for word in row)


def _facts(image: Image.Image) -> str:
    small = image.convert("RGB")
    small.thumbnail((_LOOK, _LOOK))
    pixels = np.asarray(small, dtype=np.uint8).reshape(-1, 3)
    shares = _colours(pixels)
    shown = [f"{name} ({share:.0%})" for name, share in shares[:3] if share >= 0.05]
    size = f"{image.width} x {image.height} pixels"
    return f"{_kind(pixels, shares)}, {size}, mainly {', '.join(shown) or 'of many colours'}."


def _kind(pixels: _Pixels, shares: _Shares) -> str:
    """Drawings have few colours, mostly background; photographs have many."""
    if shares[0][1] > 0.995:
        return "Picture of one colour"
    coarse = np.unique(pixels >> 4, axis=0, return_counts=True)[1]
    common = float(np.sort(coarse)[::-1][:4].sum()) / len(pixels)
    grey = sum(share for name, share in shares if name in ("white", "grey", "black")) > 0.98
    kind = "drawing or diagram" if common > 0.7 else "photograph or painting"
    return f"{'Grey' if grey else 'Coloured'} {kind}"


def _colours(pixels: _Pixels) -> _Shares:
    """Names of colours with the part of the picture they cover, the largest first."""
    coarse, counts = np.unique(pixels >> 5, axis=0, return_counts=True)
    totals: dict[str, int] = {}
    for (red, green, blue), count in zip(coarse.tolist(), counts.tolist(), strict=True):
        name = _named((red + 0.5) / 8, (green + 0.5) / 8, (blue + 0.5) / 8)
        totals[name] = totals.get(name, 0) + count
    ordered = sorted(totals.items(), key=lambda item: (-item[1], item[0]))
    return [(name, count / len(pixels)) for name, count in ordered]


def _named(red: float, green: float, blue: float) -> str:
    hue, saturation, value = colorsys.rgb_to_hsv(red, green, blue)
    if value < 0.2:
        return "black"
    if saturation < 0.15:
        return "white" if value > 0.85 else "grey"
    degrees = 360 * hue
    if 15 <= degrees < 45:
        return "orange" if value > 0.6 else "brown"
    bounds = ((15, "red"), (70, "yellow"), (165, "green"), (195, "cyan"), (255, "blue"))
    for bound, name in bounds:
        if degrees < bound:
            return name
    return "violet" if degrees < 320 else "red"
