"""A picture of a page -> its content: orientation, then lines, then their text.

Lines are detected once, and the orientation follows from them: on a page lying on its side they are
taller than wide, and the line direction model detects upside-down lines. Each line is cut out along
its own slope; the picture itself is never resampled. Boxes refer to the page levelled by the usual
slope of its lines, off by about one percent of the page per degree at its edges, which still marks
the right lines.
"""

import re
from bisect import bisect_left, bisect_right
from dataclasses import replace

import numpy as np
from PIL import Image

from backend.partition import ocr, ocr_models
from backend.partition.bars import bars_in, with_bars
from backend.partition.line_finder import Quads, find_lines
from backend.partition.page import PageContent, Rect, Rule, Word
from backend.partition.printed_boxes import boxes_in, erased
from backend.partition.resampling import Pixels, moved, rotation
from backend.partition.strokes import rules_in
from backend.partition.tick_boxes import TickBox, put_in_rows, signs_of

_SAMPLE = 12
_PRINT = 10.0
"""Points: the usual size of letters."""
_OVER, _OFF = 0.4, 0.05
"""In font sizes: the most that a word may seem to cross a rule, and the white space before it."""
_BESIDE, _TALL, _TALLEST = 3.0, 0.48, 2.5
"""How far the label of a box to tick may be, in widths of the box; and the sizes of a box, relative
to the height of that line: letters are smaller.
"""
_SQUARES = re.compile(r"(?![口囗日曰回田])[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
"""Scripts with letters like boxes to tick, and not such a letter, as which a box is read."""
_MIN_SLOPE, _MAX_SLOPE = 0.15, 15.0
"""Degrees: smaller slopes are not worth correcting, larger ones are not faults of a scan."""


def read_scan(image: Image.Image, number: int) -> PageContent:
    """Words and rules of the upright page; `turn` is the applied rotation.

    Units are chosen so that typical letters have their printed size, since the physical size of the
    picture is unknown.
    """
    pixels, turn = ocr.pixels_of(image), 0
    quads = find_lines(pixels)
    if _sideways(quads):
        turn, pixels = 90, _turned(pixels, 90)
        quads = find_lines(pixels)
    lines = [ocr.cut_out(pixels, quad) for quad in quads]
    if _upside_down(lines, quads):
        turn, pixels = turn + 180, _turned(pixels, 180)
        lines = [_turned(line, 180) for line in reversed(lines)]
        quads = np.array(pixels.shape[1::-1]) - quads[::-1, [2, 3, 0, 1]]
    level = _levelling(quads, *pixels.shape[1::-1])
    boxes = _boxes(pixels, quads, lines)
    words = ocr.words_of(_moved(quads, level), lines)
    signs = signs_of([_levelled(one, level) for one in boxes], words)
    words += signs
    put_in_rows(words, signs)
    height, width = pixels.shape[:2]
    upright = moved(pixels, level)
    rules = with_bars(rules_in(upright, [w.box for w in words]), bars_in(upright), words)
    words = _beside_rules(words, rules)
    unit = _PRINT / _usual_size(words)
    return PageContent(
        number,
        width * unit,
        height * unit,
        [_in_print(word, unit) for word in words],
        [Rule(rule.horizontal, *(unit * place for place in rule[1:])) for rule in rules],
        turn=turn,
    )


def _boxes(pixels: Pixels, quads: Quads, lines: list[Pixels]) -> list[TickBox]:
    """The boxes to tick of a page; lines with boxes are cut out again without them."""
    boxes = boxes_in(pixels)
    if not boxes or not len(quads):
        return []
    lows, highs = quads.min(axis=1), quads.max(axis=1)
    middles = np.array([(one.box.mid_x, one.box.mid_y) for one in boxes])
    widths = np.array([one.box.width for one in boxes])
    reach = np.column_stack([_BESIDE * widths, np.zeros(len(boxes))])[:, None]
    near = ((lows - reach <= middles[:, None]) & (middles[:, None] <= highs)).all(axis=2)
    sizes = widths[:, None] / (highs - lows)[:, 1]
    kept = ((sizes >= _TALL) & (sizes <= _TALLEST) | ~near).all(axis=1)
    more = near & (2 * widths[:, None] < (highs - lows)[:, 0])  # than the box itself
    for line in np.flatnonzero(more[kept].any(axis=0)).tolist():
        ((text, _),) = ocr.recognized([lines[line]])
        if _SQUARES.search(text):
            kept &= ~near[:, line]
    boxes = [one for one, keep in zip(boxes, kept.tolist(), strict=True) if keep]
    clean = erased(pixels, boxes)
    for line in np.flatnonzero(near[kept].any(axis=0)).tolist():
        lines[line] = ocr.cut_out(clean, quads[line])
    return boxes


def _levelled(one: TickBox, level: Quads) -> TickBox:
    """A box on the level page; its sides stay upright."""
    x, y = level[:, :2] @ (one.box.mid_x, one.box.mid_y) + level[:, 2]
    wide, high = one.box.width / 2, one.box.height / 2
    return TickBox(Rect(x - wide, y - high, x + wide, y + high), one.ticked)


def _beside_rules(words: list[Word], rules: list[Rule]) -> list[Word]:
    """Cuts words that slightly cross an upright rule: their width in a picture is imprecise."""
    tall = sorted((rule for rule in rules if not rule.horizontal), key=lambda rule: rule.at)
    places = [rule.at for rule in tall]
    out: list[Word] = []
    for word in words:
        x0, y0, x1, y1 = word.box
        reach = min(_OVER * word.style.size, 0.4 * (x1 - x0))
        white = _OFF * word.style.size
        for rule in tall[bisect_right(places, x0) : bisect_left(places, x1)]:
            if rule.start <= (y0 + y1) / 2 <= rule.end:
                x0 = rule.at + white if rule.at - x0 < reach else x0
                x1 = rule.at - white if x1 - rule.at < reach else x1
        out.append(replace(word, box=Rect(x0, y0, x1, y1)))
    return out


def _usual_size(words: list[Word]) -> float:
    sizes = sorted(word.style.size for word in words for _ in word.text)
    return max(1.0, sizes[len(sizes) // 2]) if sizes else _PRINT


def _in_print(word: Word, unit: float) -> Word:
    box = Rect(*(unit * place for place in word.box))
    style = word.style._replace(size=round(unit * word.style.size, 1))
    return replace(word, box=box, style=style, baseline=unit * word.baseline)


def _turned(pixels: Pixels, clockwise: int) -> Pixels:
    return np.ascontiguousarray(np.rot90(pixels, -clockwise // 90))


def _extents(quads: Quads) -> tuple[Quads, Quads]:
    """Widths and heights of the boxes around the lines."""
    sizes = quads.max(axis=1) - quads.min(axis=1)
    return sizes[:, 0], sizes[:, 1]


def _sideways(quads: Quads) -> bool:
    if not len(quads):
        return False
    widths, heights = _extents(quads)
    long = np.maximum(widths, heights) > 3 * np.minimum(widths, heights)
    tall = heights > widths
    return bool(heights[long & tall].sum() > widths[long & ~tall].sum())


def _upside_down(lines: list[Pixels], quads: Quads) -> bool:
    """The vote of the widest lines, weighted by the model's confidence."""
    if not lines:
        return False
    widths, _ = _extents(quads)
    votes = [
        ocr_models.upside_down(_middle(lines[i])) for i in np.argsort(-widths)[:_SAMPLE].tolist()
    ]
    return float(np.mean(votes)) > 0.5


def _middle(line: Pixels) -> Pixels:
    """The middle of a line, in the proportions of the direction model's input."""
    height, width = line.shape[:2]
    half, centre = max(1, min(width, 4 * height) // 2), width // 2
    return line[:, max(0, centre - half) : centre + half]


def _levelling(quads: Quads, width: int, height: int) -> Quads:
    """The 2 x 3 matrix that rotates the page about its middle until its lines are level."""
    slope = _slope(quads)
    if not _MIN_SLOPE < abs(slope) < _MAX_SLOPE:
        slope = 0.0
    return rotation((width / 2, height / 2), slope)


def _moved(quads: Quads, matrix: Quads) -> Quads:
    moved: Quads = quads @ matrix[:, :2].T + matrix[:, 2]
    return moved


def _slope(quads: Quads) -> float:
    """The usual slope of long lines in degrees, positive if they fall to the right."""
    if not len(quads):
        return 0.0
    run, rise = (quads[:, 1] + quads[:, 2] - quads[:, 0] - quads[:, 3]).T / 2
    long = run > 0.5 * run.max()
    return float(np.median(np.degrees(np.arctan2(rise[long], run[long]))))
