"""Headings: blocks that stand out from the usual text of the document.

A block is weighed by how its size, weight, colour and font differ from the document's habits, by
its wording (numbering, capitals, how it ends) and by the white space around it. The weights are the
rounded result of a logistic regression over typeset pages; no single sign decides.
"""

import math
import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import NamedTuple

from backend.partition.fitted import log_odds
from backend.partition.layout.blocks import Block
from backend.partition.layout.habits import Habits
from backend.partition.layout.letterheads import HEADS, OF_NAMES, surroundings_of_names
from backend.partition.layout.lists import counts_on
from backend.partition.layout.regions import LaidPage, Region
from backend.partition.layout.surroundings import MORE, Extent, surroundings
from backend.partition.page import Picture, Style
from backend.partition.tick_boxes import SIGNS

_NUMBER = re.compile(
    r"^(?:(?:chapter|section|part|appendix|annex|activity|step|kapitel|teil|chapitre)\s+\w{1,4}\b"
    r"|\d+(?:\.\d+)+\.?\s|\d{1,3}\.?\s+[^\W\d_]|[IVX]{1,5}\.\s|[A-Z]\.\s)",
    re.IGNORECASE,
)
_COUNTED = re.compile(r"^(\d{1,3})\.?\s+(?=[^\W\d])")
_NUMERAL = re.compile(r"^[\d.]+\s+")
_SENTENCE_END = re.compile(r"[.,;:]$|[.,;:!?][\"'”’»)\]]$")
_NAMED = re.compile(
    r"^(?:article|section|chapter|clause|schedule|annex|appendix|part|artikel|kapitel|abschnitt"
    r"|anlage|chapitre|annexe|artículo|capítulo|articolo|capitolo)\s+(?:\d{1,3}|[IVXLC]{1,6}|[A-Z])$",
    re.IGNORECASE,
)
"""A line that only announces a part of a contract or a law."""
_CLOSING = re.compile(
    r"^(?:yours (?:sincerely|faithfully|truly)|(?:very )?(?:sincerely|truly)(?: yours)?"
    r"|(?:with )?(?:kind|best|warm)(?:est)? (?:regards|wishes)"
    r"|respectfully(?: (?:yours|submitted))?"
    r"|mit (?:freundlichen|besten|herzlichen) gr(?:ü|ue)(?:ß|ss)en|hochachtungsvoll|cordialement"
    r"|(?:bien )?à vous|(?:muy )?atentamente|(?:cordiali|distinti) saluti"
    r"|met vriendelijke groet(?:en)?|com os melhores cumprimentos|atenciosamente)[,.!]?$",
    re.IGNORECASE,
)
"""The end of a letter; what follows is a signature."""
_MAX_CHARS, _MAX_LINES = 200, 4
_SERIES, _SIGNED = 3, 2
"""Minimum numbered lines that are headings together, and of those that are headings alone."""
_FEWEST, _MOST, _SHORT = 3, 0.6, 60
"""Lines in one style, the share of them that are headings from which all are, and the letters of
the longest."""
_AGREEMENT = 0.5
"""Of the mean weight of the other blocks in one style."""
_LOUDEST = 4.0
"""The maximum weight of one block's vote for others."""
_CENTRED, _NEAR = 0.5, 0.8
"""Of the font size: how far a line of a title is off the middle, and the white to the next."""
_FAR_LARGER = 1.25
"""Relative to all other lines: the size of a title."""
_SET_LARGER = 1.12
"""Of the usual size."""
SURE = 0.2
"""Log-odds."""


WEIGHTS = {
    "bias": -5.0,
    "larger": 1.8,
    "huge": 0.5,
    "bold": 2.3,
    "italic": 0.1,
    "color": 1.6,
    "font": 1.8,
    "capitals": 0.7,
    "numbered": 0.9,
    "sentence": -1.3,
    "lower": -0.8,
    "long": -2.1,
    "lines": -0.3,
    "above": 1.5,
    "below": 0.9,
    "before_text": 0.4,
    "centred": 0.4,
    "signs": -2.0,
}


NAMES = (
    "agreed", "score", "others", "group",
    *(name for name in WEIGHTS if name != "bias"), *MORE, *OF_NAMES,
)  # fmt: skip
"""The features of a block for the fitted trees, in this order."""
_OFF, _INDENT = NAMES.index("page_centred"), NAMES.index("indent")
_ALIKE, _OVER = NAMES.index("next_alike"), NAMES.index("next_over_rest")
_ADDRESS = NAMES.index("address")


def mark_headings(pages: list[LaidPage], habits: Habits, tagged: set[int]) -> None:
    """Turns blocks into section headers if their weight suffices, alone and together with others of
    the same style. On pages whose structure tree has headings only blocks outside the tree are
    weighed, and those larger than all these headings: programs that print web pages know `h2` but
    not a bold line in a box, and writers mark sections but not the title that they only enlarge.
    """
    weighed: dict[Style, list[_Weighed]] = defaultdict(list)
    largest = max((head.style.size for page in pages for head in _marked(page)), default=math.inf)
    for page in pages:
        for one in _weighed(page, habits):
            style = one.block.style
            in_tree = one.block.role is not None and page.number in tagged
            if in_tree and style.size < _SET_LARGER * largest:
                continue
            if style.fixed and not habits.fixed and style.size < _SET_LARGER * habits.size:
                continue  # source code
            if one.block.text.lstrip()[:1] in SIGNS:
                continue  # an option of a form
            weighed[style].append(one)
    blocks: list[Block] = []
    rows: list[list[float]] = []
    before: list[bool] = []
    by_page: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for group in weighed.values():
        total = sum(_bounded(one.score) for one in group)
        for one in group:
            score = one.score
            others = (total - _bounded(score)) / max(1, len(group) - 1)
            together = score + _AGREEMENT * max(0.0, others)
            by_page[one.page].append((one.at, len(blocks)))
            blocks.append(one.block)
            # The author of a tree chose not to mark it.
            unmarked = one.block.role is not None and one.page in tagged
            before.append(together > 0 and not unmarked)
            rows.append([together, score, others, min(len(group), 20), *one.measures])
    for page in pages:
        own = by_page[page.number]
        named = surroundings_of_names(page, {at: before[number] for at, number in own})
        for at, number in own:
            rows[number] += named[at]
    headings = decided(blocks, rows, before)
    for block, is_heading in zip(blocks, agreed(blocks, rows, headings, habits), strict=True):
        if is_heading:
            block.kind = "Section-header"
    for page in pages:
        for series in numbered_series(page):
            if sum(block.kind == "Section-header" for block in series) >= _SIGNED:
                for block in series:
                    block.kind = "Section-header"


def _marked(page: LaidPage) -> list[Block]:
    """The headings that the structure tree of a page names."""
    return [region for region in page.regions if isinstance(region, Block) and region.kind in HEADS]


def numbered_series(page: LaidPage) -> list[list[Block]]:
    """Numbered lines of one size that count on, each with something else below it."""
    series: list[list[Block]] = []
    last: dict[float, tuple[int, int]] = {}
    for index, region in enumerate(page.regions):
        if not isinstance(region, Block) or region.kind not in ("Text", "Section-header"):
            continue
        match = _COUNTED.match(region.text.strip())
        if match is None or not _is_title(region):
            continue
        number, size = int(match[1]), region.style.size
        before = last.get(size)
        if before is not None and series[before[1]][-1] is page.regions[index - 1]:
            continue  # items of a list
        last[size] = number, len(series)
        if before is not None and before[0] == number - 1:
            last[size] = number, before[1]
            series[before[1]].append(region)
        else:
            series.append([region])
    return [one for one in series if len(one) >= _SERIES]


def agreed(
    blocks: list[Block], rows: list[list[float]], headings: list[bool], habits: Habits
) -> list[bool]:
    """Makes the decisions on short lines in one distinctive style, those with and without numbers
    apart, uniform if most of them are headings or they are lines of one title; lines that only name
    the following article are headings.
    """
    alike: dict[tuple[Style, bool], list[int]] = defaultdict(list)
    articles = [at for at, block in enumerate(blocks) if _NAMED.match(block.text.strip())]
    for at, block in enumerate(blocks):
        numbered = _COUNTED.match(block.text.strip()) is not None
        if _stands_out(block.style, habits) and _is_short(block):
            alike[block.style, numbered].append(at)
    titles = _titles(blocks, rows, habits)
    out = [heading or at in titles for at, heading in enumerate(headings)]
    firms = [at for at, heading in enumerate(out) if heading and _is_centred(rows[at])]
    for at, block in enumerate(blocks):
        if _is_centred(rows[at]) and any(_is_statement(blocks[upper], block) for upper in firms):
            out[at] = True
    for group in alike.values():
        share = sum(headings[at] for at in group) / len(group)
        if len(group) >= _FEWEST and share >= _MOST:
            for at in group:
                out[at] = True
        for upper, lower in pairwise(group):
            centred = all(_is_centred(rows[at]) for at in (upper, lower))
            if centred and _is_tight(blocks[upper], blocks[lower]) and out[upper] != out[lower]:
                out[upper] = out[lower] = True
    if len(articles) > 1:
        for at in articles:
            out[at] = True
    return out


def _titles(blocks: list[Block], rows: list[list[float]], habits: Habits) -> set[int]:
    """The line that is by far the largest and bold, above headings of one rank: the title. Above a
    title of its own, or an address, it may be a letterhead.
    """
    sizes = [block.style.size for block in blocks]
    first = max(range(len(sizes)), key=sizes.__getitem__, default=0)
    others = max((size for at, size in enumerate(sizes) if at != first), default=habits.size)
    block = blocks[first] if blocks else None
    if block is None or len(block.lines) > 1 or not block.style.bold:
        return set()
    row = rows[first]
    ranked = row[_ALIKE] > 0 and row[_OVER] < _SET_LARGER and not row[_ADDRESS]
    larger = block.style.size > _FAR_LARGER * max(others, habits.size)
    return {first} if ranked and larger else set()


def _is_statement(above: Block, below: Block) -> bool:
    """Whether a bold line in capitals is right below a larger one, both centred: the name of a
    statement below that of its firm.
    """
    capitals = all(block.text.upper() == block.text for block in (above, below))
    larger = above.style.size > below.style.size
    return below.style.bold and capitals and larger and _is_tight(above, below)


def _is_centred(row: list[float]) -> bool:
    """Whether a block is centred on its page, and not at its margin."""
    return row[_OFF] < _CENTRED and row[_INDENT] > 1


def _is_tight(upper: Block, lower: Block) -> bool:
    """Whether two lines are directly below each other, like the name of a firm and that of its
    statement.
    """
    return abs(lower.box.y0 - upper.box.y1) < _NEAR * upper.style.size


def _stands_out(style: Style, habits: Habits) -> bool:
    heavier = style.bold and not habits.bold
    return heavier or style.size > _SET_LARGER * habits.size


def _is_short(block: Block) -> bool:
    return len(block.text.strip()) <= _SHORT and _is_title(block)


def _is_title(block: Block) -> bool:
    """Whether a block is a single line that begins in upper case and ends no sentence."""
    text = _COUNTED.sub("", block.text.strip())
    return len(block.lines) == 1 and text[:1].isupper() and not _SENTENCE_END.search(text)


class _Weighed(NamedTuple):
    """A block that may be a heading, with the weight of its signs alone and all its measures."""

    block: Block
    score: float
    measures: list[float]
    page: int
    at: int
    """Among the regions of its page."""


def decided(blocks: list[Block], rows: list[list[float]], before: list[bool]) -> list[bool]:
    """Which blocks are headings by their features; `before` is the decision by signs alone.

    The trees must be sure to overrule it: on 30 pages by other hands that they were not fitted on
    they are right on 95 of 100 blocks and the signs on 93."""
    if not blocks:
        return []
    scored = zip(before, log_odds("headings", rows).tolist(), strict=True)
    return [odds > (-SURE if signed else SURE) for signed, odds in scored]


def _bounded(score: float) -> float:
    return max(-_LOUDEST, min(_LOUDEST, score))


def _weighed(page: LaidPage, habits: Habits) -> Iterator[_Weighed]:
    """The blocks of a page that may be headings."""
    regions = page.regions
    pictures = [region.box for region in regions if isinstance(region, Picture)]
    extent: Extent | None = None
    for index, region in enumerate(regions):
        if not isinstance(region, Block) or region.kind != "Text" or not _possible(region):
            continue
        middle = (region.box.mid_x, region.box.mid_y)
        if any(picture.holds(*middle) for picture in pictures):
            continue
        before = regions[index - 1] if index else None
        after = regions[index + 1] if index + 1 < len(regions) else None
        if _counted(before, region) or _counted(region, after) or _ends_letter(before, region):
            continue
        values = signs(region, before, after, habits)
        score = WEIGHTS["bias"] + sum(WEIGHTS[name] * value for name, value in values.items())
        extent = extent or Extent.of(page)
        more = surroundings(page, index, extent, habits)
        yield _Weighed(region, score, [*values.values(), *more], page.number, index)


def _counted(above: Region | None, below: Region | None) -> bool:
    """Whether two neighbours are items of a list: headings have text between them."""
    return isinstance(above, Block) and isinstance(below, Block) and counts_on(above, below)


def _ends_letter(*regions: Region | None) -> bool:
    """Whether any of these is the end of a letter."""
    return any(
        isinstance(region, Block) and _CLOSING.match(" ".join(region.text.split()))
        for region in regions
    )


def _possible(block: Block) -> bool:
    if len(block.lines) > _MAX_LINES or not block.upright:
        return False
    if block.lines[0].single:
        return False  # a label with its value
    text = " ".join(block.text.split())
    return len(text) <= _MAX_CHARS and sum(map(str.isalpha, text)) >= 2


def signs(
    block: Block, before: Region | None, after: Region | None, habits: Habits
) -> dict[str, float]:
    """Evidence for and against a heading, each between about -1 and 2."""
    text = " ".join(block.text.split())
    letters = sum(map(str.isalpha, text))
    styles = block.letters()
    worded = _NUMERAL.sub("", text).replace(" ", "")
    size = max(block.style.size, 1.0)
    above = (block.box.y0 - before.box.y1) / size if before is not None else 2.0
    below = (after.box.y0 - block.box.y1) / size if after is not None else 0.0
    follows = (
        isinstance(after, Block)
        and after.kind in ("Text", "List-item")
        and after.style.size < 1.02 * size
    )
    larger = math.log2(size / habits.size) / 0.5
    capitals = text.upper() == text != text.lower() and letters > 3
    heavy = not habits.bold and _mostly(styles, lambda style: style.bold)
    # A typewriter has nothing else to set a heading apart with.
    heavy = heavy or (habits.one_font and capitals and not habits.capitals)
    alone = habits.one_font and (heavy or size > _SET_LARGER * habits.size)
    return {
        "larger": max(-1.0, min(1.0, larger)),
        "huge": max(0.0, min(1.0, larger - 1)),
        "bold": float(heavy),
        "italic": float(not habits.italic and _mostly(styles, lambda style: style.italic)),
        "color": float(_mostly(styles, lambda style: style.color != habits.color)),
        "font": float(_mostly(styles, lambda style: style.font != habits.font) or alone),
        "capitals": float(capitals),
        "numbered": float(bool(_NUMBER.match(text)) and not worded[:1].islower()),
        "sentence": float(bool(_SENTENCE_END.search(text))),
        "lower": float(text[0].islower()),
        "long": min(1.5, len(text) / 80),
        "lines": float(len(block.lines) - 1),
        "above": max(0.0, min(2.0, above)) if above > -0.5 else 1.0,
        "below": max(0.0, min(2.0, below)),
        "before_text": float(follows),
        "centred": float(any(_centred(block, region) for region in (before, after))),
        "signs": max(0.0, 1 - letters / max(1, len(worded))),
    }


def _centred(block: Block, other: Region | None) -> bool:
    """Whether a block is centred above or below a wider one."""
    if other is None:
        return False
    wider = other.box.width > 1.3 * block.box.width
    return wider and abs(other.box.mid_x - block.box.mid_x) < 0.5 * block.style.size


def _mostly(letters: dict[Style, int], holds: Callable[[Style], bool]) -> bool:
    matching = sum([count for style, count in letters.items() if holds(style)])
    return matching > 0.9 * sum(letters.values())
