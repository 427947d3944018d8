"""Decides whether the text layer of a page matches what is visible on it.

OCR reads a page without text, and one with meaningless letters: no letters behind the glyphs, or
wrong ones. Wrong letters cannot be recognised by themselves, so on a suspicious page (hardly any
vowels, words hidden behind a picture) a few lines are read from the picture and compared. The same
applies to pages with fonts for which the file has no text at all.
"""

import re
import string
from collections.abc import Callable
from difflib import SequenceMatcher

import numpy as np
from PIL import Image

from backend.partition import ocr
from backend.partition.lines import rows, segments
from backend.partition.page import Line, PageContent, Rect
from backend.partition.printed import shows_print
from backend.partition.resampling import Pixels

_BROKEN = re.compile("[\ufffd\ue000-\uf8ff\U00100000-\U0010ffff]")
"""Lost letters, private codes, or unclear glyphs."""
_VOWELS = b"AEIOUYaeiouy"
_LATIN = string.ascii_letters.encode()
_MIN_LETTERS = 60
_USUAL = (0.22, 0.65)
"""The possible share of vowels among the letters of a language in Latin script, with a margin."""
_SCAN, _CLIPPING = 0.2, 0.05
"""The share of a page under pictures: from the first value it may be a scan; from the second it may
be a clipping, which is read if the page has no other text.
"""
_STAMP = 200
"""The maximum number of letters in a stamp or a running header."""
_SAMPLE = 6
_ALIKE = 0.5
"""Lines less similar than this to the OCR result differ from what is printed."""
_UNMAPPED = 0.3
"""The share of letters in fonts without text from which a page is compared with its picture."""
_AGREEING = 2
"""After this many matching pages the rest of a document is trusted."""


class TextChecks:
    """Judges the pages of one document."""

    def __init__(self) -> None:
        self._agreeing = 0

    def wants_ocr(
        self, content: PageContent, text_mode: str, shown: Callable[[], Image.Image]
    ) -> bool:
        """Whether to read the picture of a page, `shown` if needed, rather than its text."""
        if text_mode in ("ocr_standard", "ocr_vision"):
            return True
        text = "".join([word.text for word in content.words])
        if len(text) < 20:
            return _wants_pictures_read(_covered(content), text, shown)
        if len(_BROKEN.findall(text)) > 0.3 * len(text) or _stamped(content, text):
            return True
        if _suspicious(content, text):
            return _differs(content, shown())
        return self._unmapped_differs(content, shown)

    def _unmapped_differs(self, content: PageContent, shown: Callable[[], Image.Image]) -> bool:
        """Whether codes without a mapping to text differ from the printed letters."""
        if content.unmapped < _UNMAPPED or self._agreeing >= _AGREEING:
            return False
        differs = _differs(content, shown())
        self._agreeing += not differs
        return differs


def _wants_pictures_read(covered: float, text: str, shown: Callable[[], Image.Image]) -> bool:
    """For a page with very little text: a stamp on a scan, a title on a map or photograph."""
    if not text and covered > _SCAN:
        return True
    return covered > (_SCAN if text else _CLIPPING) and shows_print(shown())


def _covered(content: PageContent) -> float:
    """The share of the page under pictures."""
    whole = Rect(0, 0, content.width, content.height)
    return sum(picture.box.shared(whole) for picture in content.pictures) / max(whole.area, 1.0)


def _stamped(content: PageContent, text: str) -> bool:
    """A scan on which a program has printed only a line or two beside the picture."""
    large = [p.box for p in content.pictures if p.box.area > 0.6 * content.width * content.height]
    if not large or len(text) >= _STAMP:
        return False
    inside = [w for w in content.words if any(b.holds(w.box.mid_x, w.box.mid_y) for b in large)]
    return len(inside) <= 0.1 * len(content.words)


def _suspicious(content: PageContent, text: str) -> bool:
    hidden = sum([len(word.text) for word in content.words if word.hidden])
    if hidden > 0.5 * len(text) and _covered(content) > 0.5:
        return True
    letters = _count(text, _LATIN)
    if letters < _MIN_LETTERS:
        return False
    low, high = _USUAL
    return not low < _count(text, _VOWELS) / letters < high


def _count(text: str, letters: bytes) -> int:
    plain = text.encode("ascii", "ignore")
    return len(plain) - len(plain.translate(None, letters))


def _differs(content: PageContent, picture: Image.Image) -> bool:
    """Whether OCR reads other words with confidence where the text layer has words."""
    lines = sorted(segments(rows(content.words), []), key=lambda line: -len(line.text))[:_SAMPLE]
    picture = picture.rotate(-content.turn, expand=True) if content.turn else picture
    pixels = ocr.pixels_of(picture)
    scale = pixels.shape[1] / content.width
    read = ocr.recognized([_cut(pixels, line, scale) for line in lines])
    alike = [_likeness(line.text, text) for line, (text, _) in zip(lines, read, strict=True)]
    return bool(np.median(alike) < _ALIKE)


def _cut(pixels: Pixels, line: Line, scale: float) -> Pixels:
    x0, y0, x1, y1 = (round(scale * side) for side in line.box)
    height, width = pixels.shape[:2]
    x0, y0 = min(max(0, x0 - 2), width - 1), min(max(0, y0), height - 1)
    return pixels[y0 : max(y0 + 1, y1), x0 : max(x0 + 1, x1 + 2)]


def _likeness(text: str, read: str) -> float:
    a, b = ("".join(part.split()).lower() for part in (text, read))
    return SequenceMatcher(None, a, b, autojunk=False).ratio()
