"""Text in pictures on a page with its own text: a scanned page with a typed header, a clipping in a
report.

Reading a picture takes a second or more, so it is only tried with likely scans: large, fine, gray
pictures without text on them. Colour pictures were tried as well and turned out to be charts. Those
and photographs stay pictures, since words cover little of them.
"""

from collections.abc import Callable
from dataclasses import replace

from PIL import Image

from backend.partition.page import PageContent, Picture, Rect, Rule, Word
from backend.partition.pdf.drawing import SCAN_DOTS, SCAN_SHARE
from backend.partition.printed import shows_print
from backend.partition.scan import read_scan

_COVERED = 0.12
"""The minimum share of a text picture that its words cover."""
_MISSES = 4
"""Consecutive pages with likely pictures but no text."""
_MOST = 12
"""Pictures of a page that are read: as many as do not cover each other."""
_FEW = 15
"""A picture with fewer words has labels and no text."""


class Clippings:
    """Reads the text pictures of one document. After several failures in a row it stops, so that a
    book of photographs is not searched page by page.
    """

    def __init__(self) -> None:
        self._misses = 0

    def read(self, content: PageContent, shown: Callable[[], Image.Image]) -> int:
        """Inserts the words of text pictures into the page `shown`; returns how many were read."""
        if content.turn or self._misses >= _MISSES:
            return 0
        likely = [picture for picture in content.pictures if _likely(picture, content)]
        if not likely:
            return 0
        page = shown()
        read = sum(_read(picture, content, page) for picture in likely[:_MOST])
        self._misses = 0 if read else self._misses + 1
        return read


def _likely(picture: Picture, content: PageContent) -> bool:
    whole = Rect(0, 0, content.width, content.height)
    share = picture.box.shared(whole) / max(whole.area, 1.0)
    if not picture.gray or share < SCAN_SHARE or picture.dots < SCAN_DOTS:
        return False
    return not any(picture.box.holds(word.box.mid_x, word.box.mid_y) for word in content.words)


def _read(picture: Picture, content: PageContent, page: Image.Image) -> bool:
    scale = page.width / content.width
    left, top, right, bottom = (round(scale * side) for side in picture.box)
    corner = max(0, left), max(0, top)
    part = page.crop((*corner, min(page.width, right), min(page.height, bottom)))
    if min(part.size) < 20 or not shows_print(part):
        return False
    scan = read_scan(part, content.number)
    covered = sum(word.box.area for word in scan.words)
    if scan.turn or len(scan.words) < _FEW or covered < _COVERED * scan.width * scan.height:
        return False
    unit = part.width / scan.width / scale
    x, y = corner[0] / scale, corner[1] / scale
    first = 1 + max((word.line for word in content.words), default=0)
    content.words += [_moved(word, unit, x, y, first) for word in scan.words]
    content.rules += [_moved_rule(rule, unit, x, y) for rule in scan.rules]
    content.pictures.remove(picture)
    return True


def _moved(word: Word, unit: float, x: float, y: float, line: int) -> Word:
    x0, y0, x1, y1 = word.box
    box = Rect(x + unit * x0, y + unit * y0, x + unit * x1, y + unit * y1)
    style = word.style._replace(size=round(unit * word.style.size, 1))
    baseline = y + unit * word.baseline
    return replace(word, box=box, style=style, baseline=baseline, line=word.line + line)


def _moved_rule(rule: Rule, unit: float, x: float, y: float) -> Rule:
    across, along = (y, x) if rule.horizontal else (x, y)
    start, end = along + unit * rule.start, along + unit * rule.end
    return Rule(rule.horizontal, across + unit * rule.at, start, end)
