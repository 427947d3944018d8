"""Glyphs of a PDF page whose text in the file is missing or unlikely.

A file stores text separately from the shapes, and the text of ligatures is often wrong: none at
all, a private code, one letter for two ("he" printed "The"), or an accented letter that happens to
have the ligature's code. The indications are checked once per font and code, and by width: one
letter has one width in one font. Such glyphs get a code of their own, from `FIRST` on, until their
shapes are read.
"""

import unicodedata
from collections import Counter
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from backend.partition.pdf.codes import SIGNS
from backend.partition.pdf.glyphs import GlyphNames

FIRST = 0x100000
"""The first of the private codes for unclear glyphs in the text of words."""
_CODE_BITS = 21
_SAME_WIDTH = 0.025
"""In font sizes: the tolerance for the width of one glyph."""
_OTHER_WIDTH, _OTHER_ACCENT = 1.3, 1.12
"""Width ratios below these can be one letter, or an accented letter and its base."""
_SMALL_CAPITALS = 8
"""More letters of one font with two widths are not ligatures but small capitals."""
_MAIN_SCRIPT = 0.8
"""Share of ASCII letters in a font from which letters of other scripts are doubted."""
_USUAL_LETTERS, _LIGATURE = "nuoea", 0.8
"""Letters of average width, and the minimum width of a ligature relative to them."""
_OF_LIGATURES = [ord(letter) for letter in "fijlbhktTscQu"]
"""First and last letters of ligatures: ff, fi, fl, fb, fh, fj, fk, ft, tt, ti, Th, st, ct, Qu."""
_MOSTLY = 0.5
_NO_CODES = (0x02, 0xFFFD, 0xFFFE)
"""PDFium's codes for glyphs that the file maps to nothing."""


@dataclass(slots=True)
class Glyph:
    """An unclear glyph of a document, or several with one code and width in the file."""

    shown: str
    """The text in the file; may be empty."""
    width: float
    """In font sizes."""
    several: bool
    """Whether the code may stand for several glyphs, so that each word must be read."""
    letters: str | None = None
    """The resolved letters; None while they are unknown or depend on the word."""
    votes: Counter[str] = field(default_factory=Counter)
    """Votes from the words that were read."""
    samples: int = 0
    """The number of those words."""


class UnclearGlyphs:
    """The unclear glyphs of one document; the code of the n-th is `FIRST` + n."""

    def __init__(self, names: GlyphNames) -> None:
        self.names = names
        self.words: dict[str, str] = {}
        """Words with unclear glyphs and their readings."""
        self._glyphs: list[Glyph] = []
        self._numbers: dict[tuple[str, int], list[int]] = {}

    def code(self, font: str, code: int, width: float, shown: str) -> int:
        """The private code of a glyph, by font, code and width; `shown` is its text in the file."""
        numbers = self._numbers.setdefault((font, code), [])
        for number in numbers:
            if abs(self._glyphs[number].width - width) < _SAME_WIDTH:
                return FIRST + number
        numbers.append(len(self._glyphs))
        several = code in _NO_CODES or (chr(code).isascii() and chr(code).isalpha())
        self._glyphs.append(Glyph(shown, width, several))
        return FIRST + numbers[-1]

    def of(self, char: str) -> Glyph:
        return self._glyphs[ord(char) - FIRST]

    def __bool__(self) -> bool:
        return bool(self._glyphs)


@dataclass(slots=True)
class Usage:
    """The distinct glyphs of a page: one row for each code of each font."""

    font: NDArray[np.intp]
    code: NDArray[np.intp]
    sample: NDArray[np.intp]
    """The first character of each."""
    count: NDArray[np.intp]
    narrow: NDArray[np.float64]
    wide: NDArray[np.float64]
    """Minimum and maximum width in font sizes."""
    row: NDArray[np.intp]
    """The row of each character."""

    @classmethod
    def of(
        cls, fonts: NDArray[np.intp], codes: NDArray[np.uint32], widths: NDArray[np.float64]
    ) -> "Usage":
        """Fonts (numbered from 0), codes and widths of all visible characters."""
        keys = (fonts.astype(np.int64) << _CODE_BITS) | codes
        order = np.argsort(keys, kind="stable")
        ranked = keys[order]
        starts = np.flatnonzero(np.concatenate(([True], ranked[1:] != ranked[:-1])))
        row = np.empty(len(keys), dtype=np.intp)
        count = np.diff(np.append(starts, len(keys)))
        row[order] = np.repeat(np.arange(len(starts)), count)
        different = ranked[starts]
        narrow = np.minimum.reduceat(widths[order], starts)
        wide = np.maximum.reduceat(widths[order], starts)
        code = different & ((1 << _CODE_BITS) - 1)
        return cls(different >> _CODE_BITS, code, order[starts], count, narrow, wide, row)

    def share(self, which: NDArray[np.bool_]) -> NDArray[np.float64]:
        """For each font, the share of its characters in these rows."""
        part = np.bincount(self.font, weights=self.count * which)
        return part / np.maximum(np.bincount(self.font, weights=self.count), 1)


def without_text(usage: Usage, unmapped: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Rows for which the file has no text; `unmapped` are those that PDFium reports.

    A font without any text mostly has ASCII codes: as a whole it must be compared with the print.
    """
    code = usage.code
    missing = unmapped & ~(lacking_fonts(usage, unmapped)[usage.font] & _ascii(code))
    private = (code >= 0xE000) & (code < 0xF900)
    if private.any():
        private &= ~np.isin(code, list(SIGNS))
    missing |= (code == 0xFFFD) | private
    return missing


def lacking_fonts(usage: Usage, unmapped: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Which fonts have no text for most of their characters."""
    return usage.share(unmapped) > _MOSTLY


def unlikely(usage: Usage, missing: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Rows whose text is unlikely for the glyph: an accented letter without the width of its base,
    a letter of another script in an otherwise Latin font. If a font has one of those or a glyph
    without text (`missing`), all its accented letters are in doubt.
    """
    code = usage.code
    letters = _ascii_letters(code)
    latin = usage.share(letters) > _MAIN_SCRIPT
    foreign = ((code >= 0x590) & (code < 0x1D00)) | ((code >= 0xA000) & (code < 0xAC00))
    doubted = latin[usage.font] & foreign
    keys = (usage.font.astype(np.int64) << _CODE_BITS) | code
    for row in np.flatnonzero((code >= 0xC0) & (code < 0x180)).tolist():
        base = _BASES.get(int(code[row]), 0)
        key = (int(usage.font[row]) << _CODE_BITS) | base
        at = int(np.searchsorted(keys, key))
        if base and at < len(keys) and keys[at] == key:
            wider = usage.narrow[row] > _OTHER_ACCENT * usage.wide[at]
            doubted[row] = wider or usage.wide[row] * _OTHER_ACCENT < usage.narrow[at]
    bad = np.bincount(usage.font, weights=doubted | missing) > 0
    return doubted | (bad[usage.font] & (code >= 0xC0) & (code < 0x180))


def oddly_wide(usage: Usage, widths: NDArray[np.float64]) -> NDArray[np.bool_]:
    """Characters that are letters, wider than others of the same font and code, and as wide as a
    ligature: some fonts have one letter in two widths.
    """
    varying = _ascii_letters(usage.code) & (usage.wide > _OTHER_WIDTH * usage.narrow)
    if not varying.any():
        return np.zeros(len(widths), dtype=np.bool_)
    fonts = int(usage.font.max()) + 1
    per_font = np.bincount(usage.font[varying], minlength=fonts)
    varying &= (per_font <= _SMALL_CAPITALS)[usage.font] & np.isin(usage.code, _OF_LIGATURES)
    usual = np.full(fonts, np.inf)
    for letter in reversed(_USUAL_LETTERS):
        rows = usage.code == ord(letter)
        usual[usage.font[rows]] = usage.narrow[rows]
    least = np.maximum(_OTHER_WIDTH * usage.narrow, _LIGATURE * usual[usage.font])
    odd: NDArray[np.bool_] = varying[usage.row] & (widths > least[usage.row])
    return odd


def _ascii(code: NDArray[np.intp]) -> NDArray[np.bool_]:
    return (code >= 0x20) & (code < 0x7F)


def _ascii_letters(code: NDArray[np.intp]) -> NDArray[np.bool_]:
    upper = code & ~0x20
    return (code < 0x80) & (upper >= 0x41) & (upper <= 0x5A)


def _bases() -> dict[int, int]:
    """The base letters of accented ones, which have the same width."""
    bases = {0xFE: ord("p"), 0xF0: ord("o"), 0xF8: ord("o"), 0xD8: ord("O")}
    for code in range(0xC0, 0x180):
        parts = unicodedata.normalize("NFD", chr(code))
        if len(parts) > 1 and parts[0].isascii():
            bases[code] = ord(parts[0])
    return bases


_BASES = _bases()
