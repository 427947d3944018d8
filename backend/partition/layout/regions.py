"""A page after layout: blocks, tables and pictures in reading order."""

from dataclasses import dataclass, field
from itertools import chain, repeat

from backend.partition.direction import is_leftward
from backend.partition.layout.blocks import Block, blocks_of
from backend.partition.layout.bullets import with_bullets
from backend.partition.layout.figures import find_figures
from backend.partition.layout.pairs import with_pairs
from backend.partition.layout.zones import zones_of
from backend.partition.lines import segments
from backend.partition.page import Line, PageContent, Picture, Rect, Rule, Word, hull
from backend.partition.tables.find import find_tables
from backend.partition.tables.grid import Grid, rows_in_order
from backend.partition.tables.typed import without_typed_rules
from backend.tasks.guarding import guarded

Region = Block | Grid | Picture
_MOST_RULES = 300
"""Of one page that are kept for headings."""


@dataclass(slots=True)
class LaidPage:
    """`regions` in reading order; sizes in the units of its content."""

    number: int
    width: float
    height: float
    turn: int
    regions: list[Region]
    outline: dict[str, int] = field(default_factory=dict)
    """Levels of the headings that the file's outline names on this page, by `bare` title."""
    remarks: list[str] = field(default_factory=list)
    """Parts of the page that could not be read."""
    rules: list[Rule] = field(default_factory=list)
    """Level ones outside of tables, the first hundreds."""


def lay_out(content: PageContent, *, keep_words: bool = False) -> LaidPage:
    """Reading order, paragraphs, tables and pictures of one page, without types. Regions keep their
    words only on request: documents have millions.
    """
    page = _laid_out_or_in_lines(content)
    if not keep_words:
        for region in page.regions:
            if not isinstance(region, Picture):
                region.settle()
    return page


def _laid_out_or_in_lines(content: PageContent) -> LaidPage:
    remarks: list[str] = []
    kept = "its words are kept line by line"
    with guarded(remarks, f"page {content.number}: the layout", kept):
        return _laid_out(content, remarks)
    words = rows_in_order([*content.words, *content.angled])
    regions: list[Region] = [Block([Line.of(row)]) for row in words]
    return _page_of(content, regions, remarks)


def _laid_out(content: PageContent, remarks: list[str]) -> LaidPage:
    whole = Rect(0, 0, content.width, content.height)
    content.words, typed = without_typed_rules(_visible(content.words, whole))
    content.rules += typed
    figures = find_figures(content, whole)
    missed: list[str] = []
    grids, fields, rest = find_tables(content.words, content.rules, content.fills, whole, missed)
    remarks += [f"page {content.number}: {remark}" for remark in missed]
    content.angled = _outside_cells(content.angled, grids)
    lines = with_bullets(segments(with_pairs(rest.rows), content.rules), content)
    lines += fields
    pictures = _worthwhile(content.pictures, whole)
    unit = _usual_height(lines)
    beside = _beside_text(pictures, lines)
    items: list[Line | Grid | Picture] = [*lines, *grids, *figures, *beside]
    regions: list[Region] = []
    leftward = is_leftward("".join(line.text for line in lines))
    for zone in zones_of(items, content, unit, leftward=leftward):
        regions.extend(_regions([items[index] for index in zone]))
    shown = {id(region) for region in regions}
    regions.extend(picture for picture in pictures if id(picture) not in shown)
    regions.extend(Block([Line.of([word])]) for word in content.angled)
    return _page_of(content, regions, remarks)


def _page_of(content: PageContent, regions: list[Region], remarks: list[str]) -> LaidPage:
    tables = [region.box for region in regions if isinstance(region, Grid)]
    flat = [rule for rule in content.rules if rule.horizontal][:_MOST_RULES]
    rules = [r for r in flat if not any(t.y0 - 2 < r.at < t.y1 + 2 for t in tables)]
    shape = content.width, content.height, content.turn
    return LaidPage(content.number, *shape, regions, remarks=remarks, rules=rules)


def _visible(words: list[Word], whole: Rect) -> list[Word]:
    """Words whose middle is on the page."""
    if not words or whole.covers(hull([word.box for word in words])):
        return words
    wide, high = 2 * whole.x1, 2 * whole.y1
    return [
        word
        for word in words
        if 0 <= word.box[0] + word.box[2] <= wide and 0 <= word.box[1] + word.box[3] <= high
    ]


def _outside_cells(angled: list[Word], grids: list[Grid]) -> list[Word]:
    """The angled strings outside tables; the others become words of their cells, since narrow
    columns have rotated headers.
    """
    rest: list[Word] = []
    for word in angled:
        middle = word.box.mid_x, word.box.mid_y
        cells = [c for grid in grids if grid.box.holds(*middle) for c in grid.cells]
        home = next((cell for cell in cells if cell.box.holds(*middle)), None)
        if home is None:
            rest.append(word)
        else:
            home.add(word)
    return rest


def _regions(items: list[Line | Grid | Picture]) -> list[Region]:
    out: list[Region] = []
    run: list[Line] = []
    for item in items:
        if isinstance(item, Line):
            run.append(item)
            continue
        out.extend(blocks_of(run))
        run = []
        out.append(item)
    return [*out, *blocks_of(run)]


def _usual_height(lines: list[Line]) -> float:
    sizes = sorted(chain(*(repeat(line.style[0], len(line.words)) for line in lines)))
    return max(sizes[len(sizes) // 2], 1.0) if sizes else 10.0


def _worthwhile(pictures: list[Picture], whole: Rect) -> list[Picture]:
    """Pictures large enough to matter, those that touch being one, without page backgrounds."""
    large = [
        Picture(_clipped(picture.box, whole))
        for picture in pictures
        if picture.box.shared(whole) > 0
    ]
    return [
        picture
        for picture in large
        if min(picture.box.width, picture.box.height) > 0.03 * min(whole.width, whole.height)
    ]


def _clipped(box: Rect, whole: Rect) -> Rect:
    return Rect(
        max(box.x0, whole.x0), max(box.y0, whole.y0), min(box.x1, whole.x1), min(box.y1, whole.y1)
    )


def _beside_text(pictures: list[Picture], lines: list[Line]) -> list[Picture]:
    """Pictures that take part in the reading order: those without text printed on them."""
    return [
        picture
        for picture in pictures
        if sum(picture.box.shared(line.box) for line in lines) < 0.05 * picture.box.area
        and not any(picture.box.holds(line.box.mid_x, line.box.mid_y) for line in lines)
    ]
