"""Running headers, footers and page numbers.

They are lines at the same height of several pages; on a single page only the outermost part counts.
Large text is left to the headings: slides have their titles at the same position.
"""

import re
from collections import Counter, defaultdict

from backend.partition.layout.blocks import Block
from backend.partition.layout.regions import LaidPage

_PAGE_NUMBER = re.compile(
    r"^\W*+(?:(?:page|seite|p\.)\s*+)?(?:\d{1,4}|[ivxlc]{1,7})\W*+(?:of\s*\d+)?$", re.I
)
_REACH, _OUTER = 0.18, 0.1
"""Relative to the page height, from its edges: the range in which repeated lines are searched, and
the range that can be margin at all.
"""
_HEIGHTS = 0.012
"""Of the page height, by which the places of one running header differ."""
_LARGE = 1.25
"""Relative to the usual size: larger text is not a running header."""


Doubtful = list[tuple[Block, str]]
"""Blocks that may be headings, and their labels if they are not."""


def mark_margins(pages: list[LaidPage]) -> Doubtful:
    """Sets the kind of the running headers and footers of a document.

    Returns the lines at the top that no other page repeats and that look like headings: a page may
    begin with its title.
    """
    doubtful: Doubtful = []
    outermost = [_outermost(page) for page in pages]
    usual = _usual_size(pages)
    texts, places = _repeated(pages, outermost, usual)
    for page, outer in zip(pages, outermost, strict=True):
        for block, place in outer:
            if block.kind not in ("Text", "List-item"):
                continue
            if block.style.size > _LARGE * usual:
                continue
            inner = _OUTER * page.height < _margin(page, block, place)
            again = texts[_key(block)] >= 2
            again &= not inner or _gap_inwards(page, block, place) > 0
            kept = (place, _height(page, block)) in places and _is_plain(block, usual)
            alone = _alone_at_edge(page, block, place) and not _is_part_of_text(page, block, usual)
            if again or kept or (alone and (place == "Page-footer" or _is_plain(block, usual))):
                block.kind = place
            elif alone:
                doubtful.append((block, place))
    return doubtful


def _usual_size(pages: list[LaidPage]) -> float:
    sizes: Counter[float] = Counter()
    for page in pages:
        for region in page.regions:
            if isinstance(region, Block):
                sizes[region.style.size] += len(region.text)
    return sizes.most_common(1)[0][0] if sizes else 1.0


def _outermost(page: LaidPage) -> list[tuple[Block, str]]:
    """The short blocks near the edges of a page that have nothing but such blocks outside."""
    blocks = [region for region in page.regions if isinstance(region, Block)]
    out: list[tuple[Block, str]] = []
    for block in blocks:
        if len(block.lines) > 3 or not block.upright:
            continue
        box = block.box
        if box.y1 < _REACH * page.height:
            outside = [r for r in page.regions if r.box.mid_y < box.y0]
            place = "Page-header"
        elif box.y0 > (1 - _REACH) * page.height:
            outside = [r for r in page.regions if r.box.mid_y > box.y1]
            place = "Page-footer"
        else:
            continue
        if len(outside) <= 3 and all(isinstance(r, Block) and len(r.lines) <= 3 for r in outside):
            out.append((block, place))
    return out


def _margin(page: LaidPage, block: Block, place: str) -> float:
    """From the edge of the page to the inner side of a block."""
    return block.box.y1 if place == "Page-header" else page.height - block.box.y0


def _key(block: Block) -> str:
    return re.sub(r"\d+|\b[ivxlc]+\b", "#", " ".join(block.text.split()).lower())


def _height(page: LaidPage, block: Block) -> int:
    return round(block.box.mid_y / page.height / _HEIGHTS)


def _repeated(
    pages: list[LaidPage], outermost: list[list[tuple[Block, str]]], usual: float
) -> tuple[Counter[str], set[tuple[str, int]]]:
    """The number of pages on which a text, numbers aside, appears at about one height; and the
    heights at which most pages have a separate line, whatever its text.
    """
    heights: defaultdict[str, defaultdict[int, set[int]]] = defaultdict(lambda: defaultdict(set))
    apart: Counter[tuple[str, int]] = Counter()
    for page, outer in zip(pages, outermost, strict=True):
        for block, place in outer:
            heights[_key(block)][_height(page, block)].add(page.number)
            if _is_apart(page, block, place, usual):
                apart[place, _height(page, block)] += 1
    texts: Counter[str] = Counter()
    for key, seen in heights.items():
        both = [numbers | seen.get(at + 1, set()) for at, numbers in seen.items()]
        texts[key] = max(map(len, both)) if key else 0
    places = {at for at, count in apart.items() if count >= 3 and count > 0.5 * len(pages)}
    return texts, places


def _is_apart(page: LaidPage, block: Block, place: str, usual: float) -> bool:
    gap = _gap_inwards(page, block, place)
    short = len(block.lines) == 1 and len(block.text) < 120
    return short and _is_plain(block, usual) and gap > 1.2 * usual


def _is_plain(block: Block, usual: float) -> bool:
    """Not set like a heading: many pages may begin with one."""
    return block.style.size <= 1.08 * usual and not block.style.bold


def _is_part_of_text(page: LaidPage, block: Block, usual: float) -> bool:
    """Whether a line at the edge is formatted like headings further in, or is below the title."""
    twins = below_title = False
    for other in page.regions:
        if isinstance(other, Block) and other is not block:
            twins |= (
                other.style == block.style
                and len(other.lines) == 1
                and _REACH * page.height < other.box.mid_y < (1 - _REACH) * page.height
            )
            larger = other.style.size > _LARGE * max(usual, block.style.size)
            below_title |= larger and other.box.y1 < block.box.mid_y
    heading = block.style.bold and block.style.size > usual
    return (heading and twins) or (below_title and block.box.mid_y < 0.5 * page.height)


def _gap_inwards(page: LaidPage, block: Block, place: str) -> float:
    """White space between a block and its inner neighbour; 0 if there is none."""
    others = [r.box for r in page.regions if r is not block]
    if place == "Page-header":
        gaps = [box.y0 - block.box.y1 for box in others if box.mid_y > block.box.y1]
    else:
        gaps = [block.box.y0 - box.y1 for box in others if box.mid_y < block.box.y0]
    return min((gap for gap in gaps if gap > -0.5 * block.style.size), default=0.0)


def _alone_at_edge(page: LaidPage, block: Block, place: str) -> bool:
    """A page number, or a short line set apart from the text in the outermost part of the page."""
    text, size = " ".join(block.text.split()), block.style.size
    gap = _gap_inwards(page, block, place)
    header, margin = place == "Page-header", _margin(page, block, place)
    if _PAGE_NUMBER.match(text):
        return margin < _OUTER * page.height or (not header and gap > 1.5 * size)
    outer = margin < (0.085 if header else 0.08) * page.height
    beside = [
        region
        for region in page.regions
        if region is not block
        and region.box.overlap_y(block.box) > 0.5 * block.box.height
        and region.box.height < 2.5 * block.box.height
    ]
    apart = gap > 0.8 * size or bool(beside)
    return outer and apart and len(text) < 120 and len(block.lines) <= 2
