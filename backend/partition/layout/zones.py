"""The contents of a page in reading order: the order of boxes combined with the lines drawn around
and between them, from the right for right-to-left text.
"""

from collections import Counter

from backend.partition.layout.frames import FrameRow, frame_rows
from backend.partition.layout.order import reading_order
from backend.partition.page import Line, PageContent, Picture, Rect, Rule, Style, hull
from backend.partition.tables.grid import Grid

Item = Line | Grid | Picture
_DIVIDER = 0.85
"""Relative to the width of the page's content: rules this long separate the content above and below
them.
"""
_BAR = 4.0
"""Of the height of the letters in it."""
_LARGER = 1.08
"""Relative to the usual size: larger text stands out."""


def zones_of(
    items: list[Item], content: PageContent, unit: float, *, leftward: bool
) -> list[list[int]]:
    """Indices of the items by zone, in reading order. A row of frames is read as one item of the
    page, frame by frame."""
    cores = _barred([_core(item) for item in items], content.fills)
    styles = _styles(items)
    rows = frame_rows(content, cores)
    dividers = _dividers(content.rules, cores, items)
    if leftward:
        # Columns are read from the right: the page in the mirror is read as usual.
        cores, dividers = list(map(_mirrored, cores)), list(map(_mirrored, dividers))
        rows = [FrameRow(_mirrored(row.box), row.members[::-1]) for row in rows]
    framed = {index for row in rows for part in row.members for index in part}
    free = [index for index in range(len(items)) if index not in framed]
    boxes = [cores[index] for index in free] + [row.box for row in rows]
    shown = [styles[index] for index in free]
    zones: list[list[int]] = []
    for zone in reading_order(boxes, unit, shown, dividers):
        run: list[int] = []
        for place in zone:
            if place < len(free):
                run.append(free[place])
                continue
            zones.append(run)
            run = []
            for part in rows[place - len(free)].members:
                inner = reading_order([cores[i] for i in part], unit, [styles[i] for i in part])
                zones.extend([part[i] for i in item] for item in inner)
        zones.append(run)
    return [zone for zone in zones if zone]


def _mirrored(box: Rect) -> Rect:
    return Rect(-box.x1, box.y0, -box.x0, box.y1)


def _dividers(rules: list[Rule], cores: list[Rect], items: list[Item]) -> list[Rect]:
    """The rules that run between parts of the page below one another: they are as wide as nearly
    all of them, and no table has them."""
    if not cores:
        return []
    least = _DIVIDER * hull(cores).width
    wide = [rule for rule in rules if rule.horizontal and rule.end - rule.start >= least]
    tables = [item.box for item in items if isinstance(item, Grid)]
    return [
        Rect(rule.start, rule.at, rule.end, rule.at)
        for rule in wide
        if not any(box.y0 - 3 <= rule.at <= box.y1 + 3 for box in tables)
    ]


def _styles(items: list[Item]) -> list[int]:
    """Numbers the looks of lines that are larger or heavier than most of the text; 0 for others."""
    letters: Counter[Style] = Counter()
    for item in items:
        if isinstance(item, Line):
            letters.update(item.letters)
    sizes: Counter[float] = Counter()
    for style, count in letters.items():
        sizes[style.size] += count
    usual = max(sizes, key=sizes.__getitem__, default=0.0)
    bold = sum(n for style, n in letters.items() if style.bold) > 0.5 * letters.total()
    seen: dict[tuple[float, bool], int] = {}
    out: list[int] = []
    for item in items:
        number = 0
        if isinstance(item, Line) and item.style.size >= usual:
            size, heavy = item.style.size, item.style.bold and not bold
            if heavy or size > _LARGER * usual:
                number = seen.setdefault((size, heavy), len(seen) + 1)
        out.append(number)
    return out


def _barred(cores: list[Rect], fills: list[Rect]) -> list[Rect]:
    """Extends boxes that are alone in a coloured bar across the page to the width of the bar: it
    heads everything below it.
    """
    if not cores or not fills:
        return cores
    whole = hull(cores)
    for fill in fills:
        if fill.width < _DIVIDER * whole.width:
            continue
        inside = [at for at, box in enumerate(cores) if fill.holds(box.mid_x, box.mid_y)]
        if len(inside) == 1 and fill.height < _BAR * cores[inside[0]].height:
            box = cores[inside[0]]
            cores[inside[0]] = Rect(min(fill.x0, box.x0), box.y0, max(fill.x1, box.x1), box.y1)
    return cores


def _core(item: Item) -> Rect:
    """The box without the air that fonts reserve above and below the letters."""
    box = item.box
    if isinstance(item, Picture):
        return item.core or box
    if not isinstance(item, Line):
        return box
    air = min(0.2 * box.height, 0.5 * max(0.0, box.height - 0.5 * item.style.size))
    return Rect(box.x0, box.y0 + air, box.x1, box.y1 - air)
