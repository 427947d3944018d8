"""Tables without a full grid: columns by gutters, rows by lines of text and horizontal rules."""

import re
from functools import reduce
from itertools import pairwise

from backend.partition.page import Rect, Rule, Word, hull
from backend.partition.tables.columns import Columns, find_columns, stretches
from backend.partition.tables.continued import Row, with_continued
from backend.partition.tables.grid import Grid, GridCell, is_value, is_year, rows_in_order
from backend.partition.tables.spanning import Drawn, head_cells
from backend.partition.tables.wrapped import Measured, in_rows, joined

_NUMBERING = re.compile(r"^[\d.()]+ +")
"""The number of a row before its label."""
_ROWS_OF_TEXT = 3
"""This many lines above the first value are rows of text and no header."""
_TIGHTER = 0.25
"""In font sizes: how much less white space is between the lines of one label than between rows."""
_CENTRED = 1.0
"""In font sizes: the tolerance for centred text."""


def open_grid(
    words: list[Word], rules: list[Rule], score: float, fills: list[Rect] | None = None
) -> Grid | None:
    """The table formed by `words`, with the horizontal `rules` and shaded `fills` around it."""
    if len(words) < 4:
        return None
    size = sorted(word.style.size for word in words)[len(words) // 2]
    lines = in_rows(rows_in_order(words), size)
    columns = find_columns([joined(row, size).words for row in lines], size)
    if columns is None:
        return None
    region = hull([word.box for word in words])
    rows = [_row_of(row, columns, rules, size) for row in lines]
    _find_whole(rows, columns, size)
    bands = _bands(rules, region)
    head = _without_sections(rows, _head_length(rows, bands))
    body = with_continued(rows[head:], bands)
    cells = _head_cells(rows[:head], columns, body, Drawn(rules, fills or []))
    tiers = max((cell.row_end + 1 for cell in cells), default=0)
    if tiers + len(body) < 2:
        return None
    grid = _grid(body, columns, region, score)
    for cell in grid.cells:
        cell.row, cell.row_end = cell.row + tiers, cell.row_end + tiers
    return Grid(region, grid.rows + tiers, grid.cols, cells + grid.cells, score)


def _row_of(lines: list[Measured], columns: Columns, rules: list[Rule], size: float) -> Row:
    return reduce(Row.joined, (_row(line.words, columns, rules, size) for line in lines))


def _find_whole(rows: list[Row], columns: Columns, size: float) -> None:
    """Marks single lines centred over all columns that are not as tight as lines of a
    wrapped cell.
    """
    whites = sorted(below.box.y0 - above.box.y1 for above, below in pairwise(rows))
    usual = whites[len(whites) // 2] if whites else 0.0
    middle = (columns.left + columns.right) / 2
    for above, row in pairwise(rows):
        first, _, words = row.spans[0]
        centred = abs(row.box.mid_x - middle) < _CENTRED * size and first > 0
        loose = row.box.y0 - above.box.y1 > usual - _TIGHTER * size
        if len(row.spans) > 1 or not (centred and loose) or columns.count < 3:
            continue
        text = row.text_in(first)
        if not is_value(text) and not text[:1].islower():
            row.spans, row.whole = [(0, columns.count - 1, words)], True


def _head_cells(head: list[Row], columns: Columns, body: list[Row], drawn: Drawn) -> list[GridCell]:
    if not head:
        return []
    edges = columns.extents()
    words: dict[int, list[Word]] = {}
    for row in body:
        for first, last, cells_read in row.spans:
            if first == last:
                words.setdefault(first, []).extend(cells_read)
    for column, cells_read in words.items():
        box = hull([word.box for word in cells_read])
        edges[column] = box.x0, box.x1
    lines = [line for row in head for line in row.lines]
    cells = head_cells(lines, columns, edges, drawn)
    if cells is None:
        whole = head[0]
        for row in head[1:]:
            whole = whole.joined(row)
        cells = _grid([whole], columns, whole.box, 1.0).cells
    return cells


def table_rows(
    words: list[Word], columns: Columns, *, drawn: bool = False
) -> list[list[tuple[int, int, list[Word]]]]:
    """Rows of a table with known columns, as (first, last column, words); `drawn` if the words are
    between two rules, which often enclose a single row.
    """
    size = sorted(word.style.size for word in words)[len(words) // 2]
    lines = [_row(line, columns, [], size) for line in rows_in_order(words)]
    return [row.spans for row in with_continued(lines, drawn=drawn)]


def _row(line: list[Word], columns: Columns, rules: list[Rule], size: float) -> Row:
    row = Row([line], hull([word.box for word in line]))
    pieces = columns.pieces(line, size)
    boxes = [hull([word.box for word in words]) for words in pieces]
    for words, box in zip(pieces, boxes, strict=True):
        near = [rule for rule in rules if -0.4 * size < rule.at - box.y1 < 0.9 * size]
        others = [other for other in boxes if other is not box]
        span = columns.of(words[0].box.x0, words[-1].box.x1)
        first, last = _over_rule(box, others, span, columns, near)
        if row.spans and first <= row.spans[-1][1]:
            before_first, before_last, before = row.spans[-1]
            row.spans[-1] = (before_first, max(last, before_last), before + words)
        else:
            row.spans.append((first, last, words))
    return row


def _over_rule(
    box: Rect, others: list[Rect], span: tuple[int, int], columns: Columns, rules: list[Rule]
) -> tuple[int, int]:
    """The columns of the short rule right below a header label, if nothing else is above it."""
    first, last = span
    for rule in rules:
        whole = rule.end - rule.start > 0.9 * (columns.right - columns.left)
        if whole or not (rule.start - 2 <= box.x0 and box.x1 <= rule.end + 2):
            continue
        if not any(rule.start < other.mid_x < rule.end for other in others):
            ruled = columns.of(rule.start + 2, rule.end - 2)
            return min(first, ruled[0]), max(last, ruled[1])
    return first, last


def _bands(rules: list[Rule], region: Rect) -> list[float]:
    """Heights of the rules that cross the whole table."""
    return sorted(
        rule.at
        for rule in rules
        if min(rule.end, region.x1) - max(rule.start, region.x0) >= 0.85 * region.width
        and region.y0 < rule.at < region.y1
    )


def _head_length(rows: list[Row], bands: list[float]) -> int:
    """The lines above the first rule if they contain no values, else the lines before the first
    value; a form with colons after its labels has no header.
    """
    if sum(row.text_in(0).endswith(":") for row in rows) > 0.6 * len(rows):
        return 0
    if bands:
        above = [row for row in rows if row.box.mid_y < bands[0]]
        labelled = [at for at, row in enumerate(above) if _is_labelled(row)]
        if len(labelled) > 1:
            # the first rule is above a total
            return labelled[0]
        if 0 < len(above) <= 6 and len(above) < len(rows):
            return len(above)
    for index, row in enumerate(rows[:7]):
        texts = [row.text_in(first) for first, _, _ in row.spans if first > 0]
        if any(is_value(text) and not is_year(text) for text in texts):
            return 1 if _are_rows(rows[:index]) else index
    return 1


def _without_sections(rows: list[Row], head: int) -> int:
    """The length of the header without final lines in the first column only: these name the rows
    below, such as `Assets:` under the years. A wrapped label stays in the header.
    """
    whites = sorted(below.box.y0 - above.box.y1 for above, below in pairwise(rows[head:]))
    usual = whites[len(whites) // 2] if whites else 0.0
    while head > 1 and (rows[head - 1].whole or rows[head - 1].filled() == {0}):
        above, line = rows[head - 2], rows[head - 1]
        if line.whole:
            head -= 1
            continue
        text, size = line.text_in(0), line.lines[0][0].style.size
        labelled = 0 in above.filled() and not text.endswith(":")
        tight = line.box.y0 - above.box.y1 < usual - _TIGHTER * size
        others = any(row.filled() - {0} for row in rows[: head - 1])
        if not (others and text[:1].isupper()) or (labelled and tight):
            break
        head -= 1
    return head


def _are_rows(lines: list[Row]) -> bool:
    """Whether lines without values are still rows: several begin with a label and have a
    text beside it, such as `Contact  Ada Lane`. Lines of a wrapped header continue in lower case.
    """
    labelled = [line for line in lines if 0 in line.filled() and len(line.filled()) > 1]
    return len(labelled) >= _ROWS_OF_TEXT and all(
        _NUMBERING.sub("", line.text_in(0))[:1].isupper() for line in labelled
    )


def _is_labelled(row: Row) -> bool:
    """Whether a row has a label and only values beside it."""
    texts = [row.text_in(first) for first, _, _ in row.spans if first > 0]
    values = [is_value(text) and not is_year(text) for text in texts]
    return 0 in row.filled() and bool(values) and all(values)


def _grid(rows: list[Row], columns: Columns, region: Rect, score: float) -> Grid:
    borders = columns.borders()
    cells: list[GridCell] = []
    for number, row in enumerate(rows):
        claimed: set[int] = set()
        for first, last, words in row.spans:
            free = [c for c in range(first, last + 1) if c not in claimed]
            if not free:
                continue
            claimed.update(free)
            box = Rect(borders[free[0]], row.box.y0, borders[free[-1] + 1], row.box.y1)
            cells.append(GridCell(number, free[0], number, free[-1], box, words))
        for column in set(range(columns.count)) - claimed:
            box = Rect(borders[column], row.box.y0, borders[column + 1], row.box.y1)
            cells.append(GridCell(number, column, number, column, box))
    return Grid(region, len(rows), columns.count, cells, score)


def wide_share(lines: list[list[Word]], width: float, size: float) -> float:
    """Share of rows that are one piece of text over most of `width`: prose, not a table."""
    prose = 0
    for line in lines:
        parts = stretches(line, 1.1 * size)
        prose += len(parts) == 1 and parts[0][1] - parts[0][0] > 0.6 * width
    return prose / max(len(lines), 1)
