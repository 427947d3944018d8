"""Labels that need the whole document: headings, running headers and footers, captions, notes.

Every rule compares with the document's own habits (the usual size, weight and colour, the same
position on other pages); there are no absolute sizes.
"""

import re

from backend.partition.layout.blocks import CAPTION, Block
from backend.partition.layout.depth import mark_depths
from backend.partition.layout.habits import Habits, habits_of
from backend.partition.layout.headings import mark_headings
from backend.partition.layout.lists import mark_numbered_lists
from backend.partition.layout.margins import mark_margins
from backend.partition.layout.regions import LaidPage, Region
from backend.partition.page import Picture, Rect, hull
from backend.partition.tables.grid import Grid
from backend.partition.text import bare

_RELATION = re.compile("[=<>≤≥≈≡∝∈⊂→⇒≠∼]")
_SIGN = re.compile("[-=<>≤≥≈≡∝∈⊂→⇒≠∼+−×·/^∑∏∫√∂∞±()\u0391-\u03c9]")
_WORD = re.compile(r"[^\W\d_]{4,}")
_EQUATION_NUMBER = re.compile(r"\(\d+(?:\.\d+)*[a-z]?\)\s*$")
_PIECE = 60
"""Letters of a piece of a formula."""
_FUNCTIONS = frozenset(("sinh", "cosh", "tanh", "sqrt", "argmax", "argmin", "softmax", "where"))
_LOUDER = 1.08
"""Of the usual size."""
_NARROW = 0.75
"""Relative to the width of the text: narrower blocks are centred on purpose."""
_NOTE = re.compile(r"^(?:\d{1,3}|[*†‡§¶])\s*\S")


def label(pages: list[LaidPage]) -> None:
    """Sets `kind` of every block of the document."""
    blocks = [block for page in pages for block in page.regions if isinstance(block, Block)]
    if not blocks:
        return
    tagged = _apply_roles(pages)
    doubtful = mark_margins(pages)
    tables = [table for page in pages for table in page.regions if isinstance(table, Grid)]
    text = [block for block in blocks if block.kind in ("Text", "List-item")] or blocks
    habits = habits_of(text, tables)
    for page in pages:
        _captions(page.regions, habits)
        _notes(page, habits)
    mark_headings(pages, habits, tagged)
    for block, kind in doubtful:
        block.kind = kind if block.kind == "Text" else block.kind
    for page in pages:
        _outlined(page)
        _formulas(page)
    mark_numbered_lists(pages)
    if not tagged:
        _title(pages)
    mark_depths(pages)


# -- outline and formulas -------------------------------------------------------------------------


def _outlined(page: LaidPage) -> None:
    """A block that the outline names on this page becomes a heading of that depth."""
    if not page.outline:
        return
    for region in page.regions:
        if not isinstance(region, Block) or region.kind not in ("Text", "Section-header", "Title"):
            continue
        level = page.outline.get(bare(region.text))
        if level is not None:
            region.kind = region.kind if region.kind == "Title" else "Section-header"
            region.level = level


def _formulas(page: LaidPage) -> None:
    """Short separate blocks with mathematical symbols and hardly any word, together with the pieces
    of fractions and sums above, below and beside them.
    """
    for region in page.regions:
        if isinstance(region, Block) and region.kind == "Text" and len(region.lines) <= 4:
            text = _EQUATION_NUMBER.sub("", region.text)
            signs = _RELATION.search(text) and len(_SIGN.findall(text)) >= 2
            if signs and len(_words_in(text)) <= 1 and not region.style.fixed:
                region.kind = "Formula"
    for formula in [r for r in page.regions if isinstance(r, Block) and r.kind == "Formula"]:
        _gather(page, formula)


def _words_in(text: str) -> list[str]:
    return [word for word in _WORD.findall(text) if word.lower() not in _FUNCTIONS]


def _gather(page: LaidPage, formula: Block) -> None:
    """Joins the pieces of a formula from left to right, in place of the first."""
    if formula not in page.regions:
        return
    parts, box = [formula], formula.box
    while True:
        near = [
            region
            for region in page.regions
            if isinstance(region, Block) and region not in parts and _is_piece(region, box)
        ]
        if not near:
            break
        parts += near
        box = hull([box, *(part.box for part in near)])
    if len(parts) == 1:
        return
    first = min(page.regions.index(part) for part in parts)
    lines = sorted((line for part in parts for line in part.lines), key=lambda line: line.box.x0)
    page.regions[first] = Block(lines, "Formula")
    page.regions = [region for region in page.regions if region not in parts]


def _is_piece(block: Block, box: Rect) -> bool:
    """A block without words at the height of a formula, inside or next to it; the number of an
    equation may be far away.
    """
    if block.kind not in ("Text", "Section-header", "Formula", "List-item"):
        return False
    text, size = block.text, block.style.size
    if _words_in(text) or len(text) > _PIECE or not block.upright:
        return False
    if block.box.overlap_y(box) <= -0.2 * size:
        return False
    reach = 20 if _EQUATION_NUMBER.match(text) else 1.5
    return block.box.overlap_x(box) > -reach * size


# -- tagged documents -----------------------------------------------------------------------------


def _apply_roles(pages: list[LaidPage]) -> set[int]:
    """Applies types from sound structure trees; returns the pages whose headings are known.

    A tree without a heading in the whole document does not count for headings.
    """
    sound = [page for page in pages if _is_sound(page)]
    for page in sound:
        for region in page.regions:
            if isinstance(region, Block) and region.role is not None and region.role.kind != "Text":
                region.kind, region.level = region.role.kind, region.role.level
    trusted = any(
        isinstance(region, Block) and region.kind in ("Section-header", "Title")
        for page in sound
        for region in page.regions
    )
    return {page.number for page in sound} if trusted else set()


def _is_sound(page: LaidPage) -> bool:
    """Whether the tree covers most letters outside tables, and its headings are short."""
    blocks = [region for region in page.regions if isinstance(region, Block)]
    letters = sum(len(block.text) for block in blocks)
    known = sum(len(block.text) for block in blocks if block.role is not None)
    heads = [b for b in blocks if b.role is not None and b.role.kind in ("Section-header", "Title")]
    longest = max((len(block.text) for block in heads), default=0)
    return known > 0.7 * letters > 0 and longest < 300 and len(heads) < 0.7 * len(blocks) + 2


# -- captions and notes ---------------------------------------------------------------------------


def _captions(regions: list[Region], habits: Habits) -> None:
    for index, region in enumerate(regions):
        if not isinstance(region, Block) or region.kind not in ("Text", "List-item"):
            continue
        near = [regions[i] for i in (index - 1, index + 1) if 0 <= i < len(regions)]
        beside = any(isinstance(other, Picture | Grid) for other in near)
        set_apart = _punctuated(region.text) or region.style.size < habits.size - 0.4
        set_apart &= not _is_loud(region, habits)
        named = CAPTION.match(region.text) and (beside or (len(region.lines) <= 4 and set_apart))
        if named or _is_title_of_table(region, regions[index + 1 : index + 2], habits):
            region.kind = "Caption"


def _is_loud(block: Block, habits: Habits) -> bool:
    """Larger and heavier than the text: away from pictures and tables, a heading with a number."""
    return block.style.size > _LOUDER * habits.size and block.style.bold and not habits.bold


def _is_title_of_table(block: Block, below: list[Region], habits: Habits) -> bool:
    """A line directly above a table, smaller than the text or in italics."""
    return (
        len(block.lines) == 1
        and block.kind == "Text"
        and any(isinstance(region, Grid) for region in below)
        and -0.5 * habits.size < below[0].box.y0 - block.box.y1 < 1.5 * habits.size
        and below[0].box.overlap_x(block.box) > 0.8 * block.box.width
        and not block.style.bold
        and (block.style.italic or block.style.size < habits.size - 0.4)
    )


def _punctuated(text: str) -> bool:
    """`Figure 3.` or `Table 2:` rather than a sentence that begins `Figure 3 shows`."""
    return bool(re.match(r"^[^\s\d]++\s*+[A-Z]?\.?\d[\w.\-–]*?\s*[.:|–—-]\s", text))


def _notes(page: LaidPage, habits: Habits) -> None:
    """Smaller text that begins with a mark, in the lower half, without body text below it."""
    usual = 0.95 * habits.size
    bodies = [r.box for r in page.regions if isinstance(r, Block) and _is_body(r, usual)]
    for region in page.regions:
        if not isinstance(region, Block) or region.kind not in ("Text", "List-item"):
            continue
        small = region.style.size < usual and not region.style.bold
        low = region.box.y0 > 0.5 * page.height
        if small and low and _NOTE.match(region.text):
            last = all(
                box.mid_y < region.box.mid_y or box.overlap_x(region.box) <= 0 for box in bodies
            )
            region.kind = "Footnote" if last else region.kind


def _is_body(block: Block, usual: float) -> bool:
    return block.kind == "Text" and block.style.size >= usual


def _title(pages: list[LaidPage]) -> None:
    """The largest heading of the document is its title if it is on the first page with text."""
    pages = [page for page in pages if page.regions]
    heads = [
        (block.style.size, page is pages[0], block)
        for page in pages
        for block in page.regions
        if isinstance(block, Block) and block.kind == "Section-header"
    ]
    if not heads or (len(pages) < 2 and len(heads) < 2):
        return
    largest = max(size for size, _, _ in heads)
    top = [(first, block) for size, first, block in heads if size > 0.97 * largest]
    if len(top) == 1:
        if top[0][0]:
            top[0][1].kind = "Title"
        return
    # Where all headings are of one size, the title is centred above the text and they are not.
    opening = _opening(pages[0])
    below = [block for _, _, block in heads if block is not opening]
    centred = sum(_is_centred(pages[0], block) for block in below)
    if opening is not None and _is_centred(pages[0], opening) and centred < 0.5 * len(below):
        opening.kind = "Title"


def _opening(page: LaidPage) -> Block | None:
    """The heading at the top of a page, below running headers only."""
    for region in page.regions:
        if isinstance(region, Block) and region.kind == "Page-header":
            continue
        is_heading = isinstance(region, Block) and region.kind == "Section-header"
        return region if isinstance(region, Block) and is_heading else None
    return None


def _is_centred(page: LaidPage, block: Block) -> bool:
    """Whether a block narrower than the text is centred on it or on the page."""
    text = hull([region.box for region in page.regions])
    off = min(abs(middle - block.box.mid_x) for middle in (text.mid_x, page.width / 2))
    return off < block.style.size and block.box.width < _NARROW * text.width
