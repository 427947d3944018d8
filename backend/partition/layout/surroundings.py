"""The position of a block and its surroundings, which identify headings without a
distinctive font.
"""

import re
from typing import NamedTuple

from backend.partition.layout.blocks import Block
from backend.partition.layout.habits import Habits
from backend.partition.layout.regions import LaidPage, Region
from backend.partition.page import hull
from backend.partition.tables.grid import Grid

MORE = (
    "words", "digits", "colon", "title_case", "underlined", "ruled", "page_centred", "indent",
    "height", "first", "page_share", "width", "text_after", "length_after", "table_after",
    "text_before", "length_before", "ended_before", "gap_ratio", "roman", "article", "quoted",
    "same_after", "same_before", "alone", "columns",
)  # fmt: skip
_ARTICLE = re.compile(r"^(?:article|section|schedule|exhibit|annex|part|chapter|title)\b", re.I)
_ROMAN = re.compile(r"^(?:[IVX]{1,5}|[A-Z]|\d{1,2}(?:\.\d{1,2})*)[.)]?\s")
_ENDED = re.compile(r"[.!?:;][\"'”’)\]]*$")
_SMALL = frozenset(
    ("a", "an", "and", "as", "at", "by", "for", "from", "in", "of", "on", "the", "to")
)
_BELOW = 0.45
"""In font sizes: the greatest distance of an underline below the letters."""


class Extent(NamedTuple):
    """The sides of everything on a page."""

    left: float
    top: float
    right: float

    @classmethod
    def of(cls, page: LaidPage) -> "Extent":
        box = hull([region.box for region in page.regions])
        return cls(box.x0, box.y0, box.x1)


def surroundings(page: LaidPage, index: int, extent: Extent, habits: Habits) -> list[float]:
    """Measures of a block of a page with that `extent`, in the order of `MORE`."""
    block = page.regions[index]
    if not isinstance(block, Block):
        raise TypeError("only blocks may be headings")
    before = page.regions[index - 1] if index else None
    after = page.regions[index + 1] if index + 1 < len(page.regions) else None
    return [
        *_worded(" ".join(block.text.split())),
        *_drawn(page, block, extent, habits),
        *_neighbours(block, before, after),
        *_beside(page, block),
    ]


def _worded(text: str) -> list[float]:
    words = text.split()
    long = [word for word in words if word[:1].isalpha() and word.lower() not in _SMALL]
    capital = sum(word[:1].isupper() for word in long) / max(1, len(long))
    digits = sum(map(str.isdigit, text)) / max(1, len(text))
    return [float(len(words)), digits, float(text.endswith(":")), capital]


def _drawn(page: LaidPage, block: Block, extent: Extent, habits: Habits) -> list[float]:
    box, size = block.box, max(block.style.size, 1.0)
    near = [rule for rule in page.rules if -0.3 * size < rule.at - box.y1 < _BELOW * size]
    near = [r for r in near if min(r.end, box.x1) - max(r.start, box.x0) > 0.8 * box.width]
    ruled = max((rule.end - rule.start for rule in near), default=0.0) / max(box.width, 1.0)
    centred = abs((extent.left + extent.right) / 2 - box.mid_x) / size
    return [
        float(0 < ruled < 1.15),
        float(ruled >= 1.15),
        min(centred, 30.0),
        min((box.x0 - extent.left) / size, 30.0),
        box.mid_y / max(page.height, 1.0),
        float(extent.top >= box.y0),
        float(page.number == 1),
        box.width / max(habits.width, 1.0),
    ]


def _neighbours(block: Block, before: Region | None, after: Region | None) -> list[float]:
    size = max(block.style.size, 1.0)
    above = (block.box.y0 - before.box.y1) / size if before is not None else 3.0
    below = (after.box.y0 - block.box.y1) / size if after is not None else 3.0
    text = " ".join(block.text.split())
    return [
        float(isinstance(after, Block)),
        min(_length(after), 400.0),
        float(isinstance(after, Grid)),
        float(isinstance(before, Block)),
        min(_length(before), 400.0),
        float(isinstance(before, Block) and bool(_ENDED.search(before.text))),
        max(-3.0, min(4.0, above - below)),
        float(bool(_ROMAN.match(text))),
        float(bool(_ARTICLE.match(text))),
        float(text[:1] in "\"“'‘("),
        float(isinstance(after, Block) and after.style == block.style),
        float(isinstance(before, Block) and before.style == block.style),
    ]


def _length(region: Region | None) -> float:
    return float(len(region.text)) if isinstance(region, Block) else 0.0


def _beside(page: LaidPage, block: Block) -> list[float]:
    """Whether nothing is beside the block, and how wide it could be."""
    _, top, _, bottom = block.box
    least = 0.3 * (bottom - top)
    level = 0
    for region in page.regions:
        _, y0, _, y1 = region.box
        if min(y1, bottom) - max(y0, top) > least and region is not block:
            level += 1
    return [float(level == 0), float(min(level, 5))]
