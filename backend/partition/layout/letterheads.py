"""What sets the name of an issuer in a letterhead apart from a title.

Both are at the top, in large or bold letters. Above a title of its own the name is no heading;
where nothing below it is set like a title it is the title itself. An address or a telephone number
below it, the same name elsewhere on the page, and its words count as well.
"""

import re
from functools import cache, cached_property

from backend.partition.layout.blocks import Block
from backend.partition.layout.regions import LaidPage
from backend.partition.text import bare

HEADS = ("Section-header", "Title")
OF_NAMES = (
    "heads_above", "next_size", "next_over_rest", "next_alike", "address", "own_address", "again",
    "body",
)  # fmt: skip
"""The features of a block for the fitted trees, in this order."""
_BELOW = 3
"""Blocks below a name that may be its address."""
_TOP = 0.4
"""Of the height of a page: names further down are no letterheads."""
_FEWEST = 6
"""Letters of a name that is looked for elsewhere."""
_MOST = 5.0
_WIRED = re.compile(
    r"@|\bwww\.|(?<!\d)\+\d|\b(?:tel|telephone|telefon|téléphone|teléfono|phone|fax)\b[ .:]*[\d(+]"
    r"|(?<![\d.,/-])(?:\d{2,4}[ -]){2,4}\d{2,4}(?![\d.,/])",
    re.IGNORECASE,
)
"""A telephone number or an address in the net."""
_STREET = re.compile(
    r"\bp\.? ?o\.? box\b|\bpostfach\b|\bapartado\b"
    r"|^\d{1,5},? .{0,30}\b(?:street|st|road|rd|avenue|ave|lane|way|quay|square|drive|place"
    r"|boulevard|blvd|rue|terrace|court|close)\b"
    r"|(?:stra(?:ß|ss)e|str\.|weg|platz|gasse|gata|gate|vej) \d"
    r"|\b(?:rua|calle|avenida|via|viale|piazza|ul\.|rue) .{2,30} \d|\b[A-Z]{2} \d{5}\b"
    r"|(?:^|, )(?:[A-Z]{1,2}-)?(?!(?:19|20)\d\d )"
    r"(?:\d{4,5}|\d{2}[ -]\d{3}|\d{3} \d{2}|\d{4}-\d{3}) [^\W\d]{2}"
    r"|\b[A-Z]{1,2}\d{1,2}[A-Z]? \d[A-Z]{2}\b",
    re.IGNORECASE,
)
"""A street with its number, a box, or a town with its code."""
_BODY = re.compile(
    r"\b(?:ltd|limited|inc|llc|llp|plc|corp|gmbh|ag|kg|e\.v|s\.?a\.?r?\.?l?|s\.c|sp\. z o\.o"
    r"|b\.?v|n\.?v|oy|a/s|ab)\b|\b(?:hospital|clinic|minist|council|court|bank|credit union"
    r"|soci[eé]t|associa|laborat|universi|department|authorit|office|agenc|school|escuela|[eé]cole"
    r"|schule|institut|gemeinde|stadt|verein|gericht|tribunal|mairie|ayuntamiento|comune|municip"
    r"|county|borough|compan|cooperat|trust|union|factory|works|fabri|museum|mus[eé]e|museo"
    r"|systems|services|group|board|club|church|parish)",
    re.IGNORECASE,
)
"""A legal form, or a word for a body of people."""


def surroundings_of_names(page: LaidPage, likely: dict[int, bool]) -> dict[int, list[float]]:
    """Measures of the blocks of a page that may be headings, in the order of `OF_NAMES`, by their
    index among the regions; `likely` has what their signs alone say.
    """
    heads = [
        (at, region)
        for at, region in enumerate(page.regions)
        if isinstance(region, Block) and likely.get(at, region.kind in HEADS)
    ]
    rows: dict[int, list[float]] = {}
    texts = _Texts(page)
    for at in likely:
        block = page.regions[at]
        if not isinstance(block, Block):
            raise TypeError("only blocks may be headings")
        later = [(place, head) for place, head in heads if place > at]
        above = sum(place < at for place, _ in heads)
        row = [float(min(above, 3)), 0.0, 0.0, 0.0]
        end = len(page.regions)
        if later:
            (end, after), rest = later[0], [head for _, head in later[1:]]
            largest = max((head.style.size for head in rest), default=0.0)
            alike = sum(_look(head) == _look(after) for head in rest)
            over = after.style.size / largest if largest else 2.0
            size = max(block.style.size, 1.0)
            row[1:] = [after.style.size / size, min(over, 2.0), min(float(alike), _MOST)]
        rows[at] = row + _named(page, texts, at, end)
    return rows


def _look(block: Block) -> tuple[int, bool, bool, bool]:
    text = block.text.strip()
    return round(block.style.size), block.style.bold, text[:1].isdigit(), text.isupper()


class _Texts:
    """The blocks of a page, for several names."""

    def __init__(self, page: LaidPage) -> None:
        self.blocks = {at: r for at, r in enumerate(page.regions) if isinstance(r, Block)}
        self.addressed = cache(lambda at: _addressed(self.blocks[at].text))

    @cached_property
    def bare(self) -> dict[int, str]:
        return {at: bare(block.text) for at, block in self.blocks.items()}


def _named(page: LaidPage, texts: _Texts, at: int, end: int) -> list[float]:
    block = texts.blocks[at]
    if block.box.mid_y > _TOP * page.height:
        return [0.0, 0.0, 0.0, 0.0]
    below = [other for other in range(at + 1, end) if other in texts.blocks]
    name = bare(block.lines[0].text)
    again = len(name) >= _FEWEST and any(
        other != at and name in text for other, text in texts.bare.items()
    )
    return [
        max(map(texts.addressed, below[:_BELOW]), default=0.0),
        texts.addressed(at),
        float(again),
        float(bool(_BODY.search(block.text))),
    ]


def _addressed(text: str) -> float:
    """Whether a text has a telephone number (2) or a street (1)."""
    if _WIRED.search(text):
        return 2.0
    return float(any(map(_STREET.search, text.splitlines())))
