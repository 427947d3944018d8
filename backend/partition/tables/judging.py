"""Decides whether rows without rules are read across: as a table, a form, or labels with values.

Fitted trees decide (`backend/partition/fitted.npz`, written by tests/bench/fit_partition.py). They
see the formatting of the rows (white space, edges, weight, pitch) and the type of text in the
columns (values, labels, sentences), never the words.
"""

import re
from itertools import pairwise
from math import sqrt
from statistics import fmean, median

from backend.partition.fitted import log_odds
from backend.partition.page import Word, hull
from backend.partition.tables.grid import Grid, GridCell, is_value
from backend.partition.tables.plausible import is_other, tabular

NAMES = (
    "rows", "cols", "filled", "several", "values", "value_columns", "last_values", "head_values",
    "usual_length", "first_length", "longest_column", "colons", "colons_elsewhere", "bold_labels",
    "bold_first_row", "small_labels", "sentences", "small_starts", "fills_width", "fills_first",
    "white", "pitch_varies", "pitch", "left_edges", "right_edges", "widest", "narrowest",
    "widest_share", "text_after_widest", "repeats", "one_size", "words_in_cell", "first_filled",
    "level", "wrapped", "width", "values_first", "capitals_start", "same_style", "tabular",
)  # fmt: skip
LIKELY = 0.7
"""Minimum log-odds for other rows than those with the columns of a table, and against these."""
_HARDLY = -1.5
"""The same for rows between rules."""
_SMALL = 0.5
"""Share of cells."""
_COLONS = 0.6
"""Of the labels of a form."""
_FEWEST = 3
"""Minimum columns of a table beside another; forms have a label and a value on either side."""
_ENDED = re.compile(r"[.!?;][\"'”’»)\]]*$")


def reads_across(grid: Grid) -> bool:
    """Whether the rows of a grid detected by white space alone are read from left to right.

    Rows with the columns of a table are refused only if unlikely, other rows accepted only if
    likely: there are more kinds of pages than those on which the trees were fitted.
    """
    if is_other(grid):
        return False
    measured = measures(grid)
    named = dict(zip(NAMES, measured, strict=True))
    if _is_two_tables(named) or _is_labelled(named) or _is_spaced_text(named):
        return False
    needed = -LIKELY if tabular(grid) else LIKELY
    return bool(log_odds("tables", [measured])[0] > needed)


def is_unlikely(grid: Grid) -> bool:
    """Whether a grid between rules is hardly a table: the space between two rules may as well be a
    part of the page with headings, lists and text. Two rows are too few to tell.
    """
    return grid.rows > 2 and bool(log_odds("tables", [measures(grid)])[0] < _HARDLY)


def _is_two_tables(measured: dict[str, float]) -> bool:
    """Whether the columns right of the widest gap repeat the labels and types of the left ones."""
    anew = measured["repeats"] > 0 and measured["text_after_widest"] > 0
    return anew and measured["cols"] >= 2 * _FEWEST


def _is_labelled(measured: dict[str, float]) -> bool:
    """Whether rows are labels with colons, each with its value: these stay lines of text."""
    return measured["cols"] == 2 and measured["colons"] > _COLONS


def _is_spaced_text(measured: dict[str, float]) -> bool:
    """Whether two columns are one narrow text: most cells begin in lower case, few are values."""
    return measured["cols"] == 2 and measured["small_starts"] > _SMALL > measured["values"]


def measures(grid: Grid) -> list[float]:
    """The features of a grid that still has its words, in the order of `NAMES`."""
    filled = [cell for cell in grid.cells if cell.words]
    words = [word for cell in filled for word in cell.words]
    size = _median([word.style.size for word in words])
    columns = [[c for c in filled if c.col == c.col_end == col] for col in range(grid.cols)]
    rows = [[c for c in filled if c.row == row] for row in range(grid.rows)]
    rows = [row for row in rows if row]
    return [*_counts(grid, filled, columns, rows), *_texts(columns, filled),
            *_look(columns, rows, filled), *_sentences(filled, columns, size),
            *_places(rows, columns, size), *_gutters(columns, rows, size),
            *_rest(words, filled, rows, columns, size), float(tabular(grid))]  # fmt: skip


def _counts(
    grid: Grid, filled: list[GridCell], columns: list[list[GridCell]], rows: list[list[GridCell]]
) -> list[float]:
    several = sum(len(row) > 1 for row in rows) / max(1, len(rows))
    return [min(grid.rows, 40), grid.cols, len(filled) / max(1, len(grid.cells)), several]


def _texts(columns: list[list[GridCell]], filled: list[GridCell]) -> list[float]:
    shares = [_share([is_value(cell.text) for cell in column]) for column in columns]
    lengths = [float(len(cell.text)) for cell in filled]
    first = columns[0] if columns else []
    colons = [_share([cell.text.rstrip().endswith(":") for cell in c]) for c in columns]
    return [
        _share([is_value(cell.text) for cell in filled]),
        sum(share > 0.6 for share in shares[1:]) / max(1, len(shares) - 1),
        shares[-1] if shares else 0.0,
        _share([is_value(cell.text) for cell in filled if cell.row == 0 and cell.col]),
        _median(lengths),
        _median([float(len(cell.text)) for cell in first]),
        max((fmean([len(cell.text) for cell in c]) for c in columns if c), default=0.0),
        max(colons[:1], default=0.0),
        max(colons[1:], default=0.0),
    ]


def _look(
    columns: list[list[GridCell]], rows: list[list[GridCell]], filled: list[GridCell]
) -> list[float]:
    bold = [_share([_is_bold(cell) for cell in column]) for column in columns]
    others = fmean(bold[1::2]) if bold[1::2] else 0.0
    sizes = [_median([word.style.size for cell in c for word in cell.words]) for c in columns]
    return [
        (fmean(bold[0::2]) if bold else 0.0) - others,
        _share([_is_bold(cell) for cell in rows[0]]) if rows else 0.0,
        sizes[0] / max(sizes[1], 1.0) if len(sizes) > 1 else 1.0,
    ]


def _sentences(filled: list[GridCell], columns: list[list[GridCell]], size: float) -> list[float]:
    fills = [_fills(column, size) for column in columns if len(column) > 1]
    return [
        _share([bool(_ENDED.search(cell.text)) for cell in filled]),
        _share([cell.text[:1].islower() for cell in filled]),
        max(fills, default=0.0),
        fills[0] if fills else 0.0,
    ]


def _fills(column: list[GridCell], size: float) -> float:
    """The share of cells that reach the right edge of their column, as lines of text do."""
    ends = [max(word.box.x1 for word in cell.words) for cell in column]
    return _share([max(ends) - end < 3 * size for end in ends])


def _places(rows: list[list[GridCell]], columns: list[list[GridCell]], size: float) -> list[float]:
    boxes = [hull([word.box for cell in row for word in cell.words]) for row in rows]
    white = [below.y0 - above.y1 for above, below in pairwise(boxes)]
    steps = [below.y0 - above.y0 for above, below in pairwise(boxes)] or [size]
    lefts, rights = [], []
    for column in columns:
        hulls = [hull([word.box for word in cell.words]) for cell in column]
        if len(hulls) > 1:
            lefts.append(_spread([box.x0 for box in hulls]) / size)
            rights.append(_spread([box.x1 for box in hulls]) / size)
    return [
        _median(white) / size,
        _spread(steps) / max(fmean(steps), 1.0),
        _median(steps) / size,
        _median([min(a, b) for a, b in zip(lefts, rights, strict=True)]),
        _median(rights),
    ]


def _gutters(columns: list[list[GridCell]], rows: list[list[GridCell]], size: float) -> list[float]:
    """The white space between columns, and whether the widest gap separates two similar halves."""
    extents = [hull([w.box for cell in column for w in cell.words]) for column in columns if column]
    gaps = [max(0.0, b.x0 - a.x1) / size for a, b in pairwise(extents)] or [0.0]
    widest = gaps.index(max(gaps)) + 1
    kinds = [_share([is_value(cell.text) for cell in column]) > 0.5 for column in columns if column]
    after = float(widest < len(kinds) and not kinds[widest] and kinds[widest - 1])
    alike = kinds[:widest] == kinds[widest:]
    return [max(gaps), min(gaps), max(gaps) / max(sum(gaps), 0.1), after, float(alike)]


def _rest(
    words: list[Word],
    filled: list[GridCell],
    rows: list[list[GridCell]],
    columns: list[list[GridCell]],
    size: float,
) -> list[float]:
    first = columns[0] if columns else []
    styles = {cell.words[0].style for cell in filled}
    return [
        _share([0.85 * size <= word.style.size <= 1.18 * size for word in words]),
        len(words) / max(1, len(filled)),
        _share([any(cell.col == 0 for cell in row) for row in rows]),
        _share([_is_level(row, size) for row in rows if len(row) > 1]),
        _share([_is_wrapped(cell, size) for cell in filled]),
        hull([word.box for word in words]).width / size if words else 0.0,
        _share([is_value(cell.text) for cell in first]),
        _share([cell.text[:1].isupper() for cell in filled]),
        float(len(styles)),
    ]


def _is_bold(cell: GridCell) -> bool:
    return all(word.style.bold for word in cell.words)


def _is_level(row: list[GridCell], size: float) -> bool:
    """Whether the first lines of a row's cells, or the middles of the cells, are level."""
    tops = [min(word.box.y1 for word in cell.words) for cell in row]
    if max(tops) - min(tops) < 0.25 * size:
        return True
    middles = [hull([word.box for word in cell.words]).mid_y for cell in row]
    return max(middles) - min(middles) < 0.25 * size


def _is_wrapped(cell: GridCell, size: float) -> bool:
    box = hull([word.box for word in cell.words])
    return box.height > 1.9 * size


def _share(flags: list[bool]) -> float:
    return sum(flags) / len(flags) if flags else 0.0


def _median(values: list[float]) -> float:
    return float(median(values)) if values else 0.0


def _spread(values: list[float]) -> float:
    """The standard deviation, without the exact and slow fractions of `statistics.pstdev`."""
    middle = fmean(values)
    return sqrt(fmean([(value - middle) ** 2 for value in values]))
