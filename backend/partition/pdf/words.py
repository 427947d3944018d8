"""Characters -> words with box, style and baseline.

Whole lines may be shuffled in the content stream, so words are built from neighbours in the stream
and everything larger is left to the layout. Spaces come from the file if it has them and from gaps
otherwise; the ones PDFium guesses are ignored, since they depend on the stream order. PDFium
returns letters of right-to-left scripts in reading order or in the opposite one, depending on the
authoring program, so their order follows from their positions.
"""

from collections import Counter
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from backend.partition.page import Rect, Role, Word, rects
from backend.partition.pdf import calls
from backend.partition.pdf.characters import Characters, read_characters
from backend.partition.pdf.codes import LEFTWARD, SPACE, kinds_of
from backend.partition.pdf.frame import Frame
from backend.partition.pdf.tracking import tracking_of
from backend.partition.pdf.unclear import UnclearGlyphs

_WORD_GAP = 0.1
"""In font sizes: wider than any kerning, narrower than the tightest justified space."""
_SURE_GAP, _TIGHT_GAP = 0.3, 0.17
"""The same where PDFium saw no space, to allow for letter-spacing and tight pages."""
_TIGHT, _MOSTLY = 0.05, 0.9
"""In font sizes: the white space between letters that are set tight; and their minimum share."""
_ALEFS, _LAM = (0x622, 0x623, 0x625, 0x627), 0x644
"""The letters of the ligatures that every Arabic font has."""


class PageWords(NamedTuple):
    level: list[Word]
    """Words that run from left to right, with boxes in the rotated frame."""
    angled: list[Word]
    """Whole angled strings."""
    turn: int
    """The clockwise rotation (0, 90, 180, 270) after which most text runs from left to right."""
    unmapped: float
    """Share of characters in fonts that have no text for most of theirs."""


def read_words(
    text_page: calls.Handle, frame: Frame, glyphs: UnclearGlyphs, roles: dict[int, Role]
) -> PageWords:
    """The words of a page; unclear glyphs have codes of `glyphs` in their text."""
    count = calls.char_count(text_page)
    if count <= 0:
        return PageWords([], [], 0, 0.0)
    chars = read_characters(text_page, frame, count, glyphs, roles)
    turn = _dominant_turn(chars)
    if turn:
        chars = read_characters(text_page, frame.turned(turn), count, glyphs, roles)
    headings = np.array([run.heading for run in chars.runs] + [-2])[chars.run]
    angled = (headings != 0) & (headings != -2)
    level = _words(chars, headings == 0)
    return PageWords(level, _angled(chars, angled) if angled.any() else [], turn, chars.unmapped)


def _dominant_turn(chars: Characters) -> int:
    lengths = np.bincount(chars.run[chars.run >= 0], minlength=len(chars.runs))
    votes: Counter[int] = Counter()
    for run, length in zip(chars.runs, lengths.tolist(), strict=True):
        votes[run.heading] += length
    total = sum(votes.values())
    if not total:
        return 0
    heading, most = votes.most_common(1)[0]
    return (360 - heading) % 360 if heading > 0 and most > 0.6 * total else 0


def _words(chars: Characters, wanted: NDArray[np.bool_]) -> list[Word]:
    kinds = kinds_of(chars.codes)
    white = kinds == SPACE
    visible = np.flatnonzero(wanted & (chars.codes > 0) & ~white)
    if not len(visible):
        return []
    boxes, run = chars.boxes[visible], chars.run[visible]
    leftward = kinds[visible] == LEFTWARD
    cut = _cuts(chars, visible, wanted & white, leftward)
    starts = np.concatenate(([0], np.flatnonzero(cut) + 1))
    ends = np.concatenate((starts[1:], [len(visible)])).tolist()
    low = np.minimum.reduceat(boxes[:, :2], starts)
    high = np.maximum.reduceat(boxes[:, 2:], starts)
    edges = rects(np.concatenate((low, high), axis=1).tolist())
    begins = starts.tolist()
    if leftward.any():
        _from_the_right(visible, begins, ends, boxes, leftward, chars.codes)
    text = chars.text(visible)
    words: list[Word] = []
    # Most words have one style; otherwise the largest part decides, the first among equals.
    first, last = run[starts].tolist(), run[np.array(ends) - 1].tolist()
    for start, end, box, main, other in zip(begins, ends, edges, first, last, strict=True):
        word = text[start:end].strip()
        if word:
            if main != other:
                main = Counter(run[start:end].tolist()).most_common(1)[0][0]
            run_of = chars.runs[main]
            words.append(
                Word(word, box, run_of.style, 1.0, run_of.baseline, 0, run_of.role, run_of.hidden)
            )
    if chars.spelled:
        for each in words:
            each.text = chars.spell(each.text)
    return words


def _from_the_right(
    visible: NDArray[np.intp],
    starts: list[int],
    ends: list[int],
    boxes: NDArray[np.float64],
    leftward: NDArray[np.bool_],
    codes: NDArray[np.uint32],
) -> None:
    """Orders the characters of words in right-to-left scripts from right to left; those at one
    position, such as letters and their marks, keep their order. Words with digits are unchanged.
    """
    middles = boxes[:, 0] + boxes[:, 2]
    for start, end in zip(starts, ends, strict=True):
        part = slice(start, end)
        digits = (codes[visible[part]] >= 0x30) & (codes[visible[part]] <= 0x39)
        if end - start > 1 and leftward[part].any() and not digits.any():
            order = np.argsort(-middles[part], kind="stable")
            visible[part] = visible[part][order]
            _part_ligatures(visible[part], boxes[part][order], codes)


def _part_ligatures(
    word: NDArray[np.intp], boxes: NDArray[np.float64], codes: NDArray[np.uint32]
) -> None:
    """Lam before alef for their ligature, which PDFium returns reversed with the rest."""
    letters = codes[word]
    alefs = np.isin(letters[:-1], _ALEFS) & (letters[1:] == _LAM)
    for at in np.flatnonzero(alefs & (boxes[1:] == boxes[:-1]).all(axis=1)).tolist():
        word[at : at + 2] = word[at : at + 2][::-1]


def _cuts(
    chars: Characters,
    visible: NDArray[np.intp],
    white: NDArray[np.bool_],
    leftward: NDArray[np.bool_],
) -> NDArray[np.bool_]:
    """Whether a word ends between each visible character and the next."""
    boxes, run = chars.boxes[visible], chars.run[visible]
    sizes = np.array([r.style.size for r in chars.runs])[run]
    base = np.array([r.baseline for r in chars.runs])[run]
    size = np.maximum(np.maximum(sizes[1:], sizes[:-1]), 1.0)
    gap = boxes[1:, 0] - boxes[:-1, 2]
    if leftward.any():
        apart = np.maximum(gap, boxes[:-1, 0] - boxes[1:, 2])
        gap = np.where(leftward[1:] | leftward[:-1], apart, gap)
    tracking = tracking_of(chars, visible, gap / size)
    gap -= tracking * size
    spaced = tracking > 0
    touching = (np.diff(visible) == 1) & ~spaced
    # the letters of a ligature all have the box of the whole
    one_glyph = np.abs(np.diff(boxes[:, 0])) < 0.05 * size
    tight = np.mean(gap[touching] < _TIGHT * size[touching]) > _MOSTLY if touching.any() else False
    sure = _TIGHT_GAP if tight else _SURE_GAP
    cuts: NDArray[np.bool_] = (
        ((np.diff(np.cumsum(white)[visible]) > 0) & ~spaced)
        | (gap > np.where(touching, sure, _WORD_GAP) * size)
        | ((gap < -0.6 * size) & ~one_glyph)
        | (np.abs(np.diff(base)) > 0.6 * size)
    )
    return cuts


def _angled(chars: Characters, wanted: NDArray[np.bool_]) -> list[Word]:
    """Whole angled strings, in content order, without analysis of their layout."""
    indices = np.flatnonzero(wanted & (chars.codes > 0))
    words: list[Word] = []
    if not len(indices):
        return words
    run = chars.run[indices]
    headings = np.array([r.heading for r in chars.runs])[run]
    boxes = chars.boxes[indices]
    size = np.array([r.style.size for r in chars.runs])[run]
    dx, dy = np.abs(np.diff(boxes[:, 0])), np.abs(np.diff(boxes[:, 1]))
    # the next line of a vertical string is beside it
    aside = np.where(headings[1:] % 180 == 90, dx, 0.0) > 0.5 * size[1:]
    cut = (np.diff(headings) != 0) | aside | (np.maximum(dx, dy) > 4 * np.maximum(size[1:], 1))
    starts = [0, *(np.flatnonzero(cut) + 1).tolist(), len(indices)]
    for start, end in pairwise(starts):
        part = indices[start:end]
        text = chars.spell(" ".join(chars.text(part).split()))
        if text:
            box = Rect(*boxes[start:end, :2].min(0).tolist(), *boxes[start:end, 2:].max(0).tolist())
            style = chars.runs[int(run[start])].style
            words.append(Word(text, box, style, 1.0, box.y1))
    return words
