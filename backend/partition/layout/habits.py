"""The usual formatting of a document's text, against which headings stand out."""

from collections import Counter
from dataclasses import dataclass

from backend.partition.layout.blocks import Block
from backend.partition.page import Style
from backend.partition.tables.grid import Grid


@dataclass(frozen=True)
class Habits:
    """How most of the text of a document is set."""

    size: float
    bold: bool
    italic: bool
    color: int
    font: str
    fixed: bool
    width: float
    """The width of a usual full line, in points."""
    one_font: bool
    """All text is in one font, or the fonts are not known: headings can only be larger, bold or in
    capitals."""
    capitals: bool
    """Most of the text is in capitals."""


_MOSTLY = 2
"""Tables with more than this many times the text of all blocks set the usual size."""


def habits_of(blocks: list[Block], tables: list[Grid]) -> Habits:
    """Counts by letters, over a non-empty list of blocks. If nearly all text is in tables, their
    size is the usual one: the few lines around them are often set like headings.
    """
    styles: Counter[Style] = Counter()
    for block in blocks:
        for line in block.lines:
            for style, letters in line.letters.items():
                styles[style] += letters
    sizes: Counter[float] = Counter()
    for style, letters in styles.items():
        sizes[round(style.size * 2) / 2] += letters
    tabular = sum((table.sizes for table in tables), Counter[float]())
    if tabular.total() > _MOSTLY * styles.total():
        sizes = Counter()
        for size, letters in tabular.items():
            sizes[round(size * 2) / 2] += letters
    bold = sum(n for style, n in styles.items() if style.bold) > 0.5 * styles.total()
    main = styles.most_common(1)[0][0]
    widths = sorted(line.box.width for block in blocks for line in block.lines)
    return Habits(
        sizes.most_common(1)[0][0],
        bold,
        main.italic,
        main.color,
        main.font,
        main.fixed,
        widths[int(0.8 * (len(widths) - 1))],
        len({style.font for style in styles}) == 1,
        sum(sum(map(str.isupper, block.text)) for block in blocks) > 0.4 * styles.total(),
    )
