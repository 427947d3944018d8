"""Finds all tables of a page, the most certain kind first; words of tables leave the text.

First grids ruled in both directions, then regions between long horizontal rules, then runs of rows
that share white gutters. Each step only sees the words that the earlier ones left.
"""

from itertools import pairwise

from backend.partition.direction import is_leftward
from backend.partition.page import Line, Rect, Rule, Word
from backend.partition.tables.aligned import (
    aligned_runs,
    parts_of,
    with_more_columns,
    with_names_again,
)
from backend.partition.tables.amounts import has_signs, with_signs
from backend.partition.tables.below import with_rows_below, with_totals_below
from backend.partition.tables.beside import beside
from backend.partition.tables.between import between, stacks
from backend.partition.tables.cellwise import cellwise
from backend.partition.tables.drawn_heads import with_drawn_head
from backend.partition.tables.fields import find_fields
from backend.partition.tables.grid import Grid, count_header_rows, is_value, rows_in_order
from backend.partition.tables.judging import is_unlikely, reads_across
from backend.partition.tables.leaders import without_leaders
from backend.partition.tables.open import open_grid
from backend.partition.tables.over import with_labels_over
from backend.partition.tables.plausible import plausible
from backend.partition.tables.ruled import ruled_grid
from backend.partition.tables.rulings import connected, edges, hull_of, merged, without_dashes
from backend.partition.tables.sections import with_sections
from backend.partition.tables.shelf import Shelf
from backend.partition.tables.small_labels import find_small_labels
from backend.partition.tables.spanning import Drawn
from backend.partition.tables.stacked import find_stacked
from backend.partition.tables.tiers import with_spans
from backend.tasks.guarding import guarded

_DEEPEST = 2
"""How often a run of rows that is not a table is split into columns, which are then searched."""

_AS_TEXT = "its words are kept as text"

_LEVEL = 0.15
"""In font sizes: the vertical tolerance between a label and its values."""
_PITCH = 1.6
"""In font sizes: the maximum line pitch of a label."""
_LABELLED = 0.6
"""The minimum share of lines of values with a label; subtotals have none."""


def find_tables(
    words: list[Word], rules: list[Rule], fills: list[Rect], page: Rect, remarks: list[str]
) -> tuple[list[Grid], list[Line], Shelf]:
    """The grids, the fields of forms as lines, and the words outside of both.

    A table whose reader fails stays text, which is added to `remarks`.
    """
    fills = [fill for fill in fills if fill.area < 0.6 * page.area and fill.shared(page) > 0]
    rules = without_dashes(rules)
    lines = merged([rule for rule in rules if _on(rule, page)])
    grids: list[Grid] = []
    rest = Shelf(without_leaders(words))
    # Largest first, so that a table is found before anything inside it.
    groups = sorted(connected(lines), key=lambda group: -hull_of(group).area)
    painted = [g for g in cellwise(rules, fills, rest) if not _has_labels_outside(hull_of(g), rest)]
    level = [rule for rule in lines if rule.horizontal]
    drawn: list[Grid] = []
    for group in groups + painted:
        if group in painted and _is_around(hull_of(group), grids):
            continue
        with guarded(remarks, "a ruled table", _AS_TEXT):
            grid = ruled_grid(group, rest)
            if grid is not None:
                rest = rest.without(grid.words())
                (drawn if group in painted else grids).append(grid)
    # Only now: what is below one of them may be another.
    for grid in drawn:
        with guarded(remarks, "the rows below a table", "they are kept as text"):
            grid = with_drawn_head(with_rows_below(grid, rest), Drawn(level, fills), rest)
            rest = rest.without(grid.words())
        grids.append(grid)
    grids = [_from_its_side(grid) for grid in grids]
    # Only now: drawn cells may separate a sign from its number, and the merged word would be in
    # neither.
    if has_signs(rest.words):
        rest = Shelf(with_signs(rest.rows))
    fields: list[Line] = []
    loose = 0
    with guarded(remarks, "a form with small labels", _AS_TEXT):
        fields = find_small_labels(rest, level)
        rest = rest.without([word for line in fields for word in line.words])
    with guarded(remarks, "a table of wrapped cells", _AS_TEXT):
        stacked, labelled = find_stacked(rest)
        parts = [grid.words() for grid in stacked] + [line.words for line in labelled]
        fields += labelled
        rest = rest.without([word for part in parts for word in part])
        grids += stacked
        loose = len(stacked)
    with guarded(remarks, "a form without rules", _AS_TEXT):
        labelled = find_fields(rest, level, tables=True)
        rest = rest.without([word for line in labelled for word in line.words])
        fields += labelled
    flat = merged([rule for rule in rules + edges(fills) if rule.horizontal], 0.3)
    # Three rules form a table of their own, even inside a larger stack.
    for stack in sorted(stacks(flat, rest), key=_size_of_stack):
        with guarded(remarks, "a table between rules", _AS_TEXT):
            if _has_labels_outside(hull_of(stack), rest):
                continue
            inside, inner = between(stack, flat, rest)
            grid = open_grid(inside, inner, 0.85, fills)
            if grid is not None and plausible(grid) and not is_unlikely(grid):
                grid = with_totals_below(grid, rest.without(grid.words()))
                grid, rest = _from_its_side(grid), rest.without(grid.words())
                grids.append(grid)
                loose += 1
    runs = [(run, 0) for run in aligned_runs(rest.rows)]
    while runs:
        run, depth = runs.pop()
        with guarded(remarks, "a table without rules", _AS_TEXT):
            parts = (with_more_columns(run) or beside(run, flat)) if depth < _DEEPEST else []
            if parts:
                runs += [(part, depth + 1) for part in parts]
                continue
            grid = open_grid(run, flat, 0.7, fills)
            if grid is not None and plausible(_from_its_side(grid)) and reads_across(grid):
                if depth < _DEEPEST and (parts := with_names_again(run)):
                    runs += [(part, depth + 1) for part in parts]
                    continue
                rest = rest.without(grid.words())
                grids.append(grid)
                loose += 1
            elif depth < _DEEPEST:
                runs += [(part, depth + 1) for part in parts_of(run)]
    with guarded(remarks, "a form of a few fields", _AS_TEXT):
        labelled = find_fields(rest, level, tables=False)
        rest = rest.without([word for line in labelled for word in line.words])
        fields += labelled
    ruled = len(grids) - loose
    grids[:ruled] = [_with_head(grid, remarks) for grid in grids[:ruled]]
    for place, grid in enumerate(grids[ruled:], ruled):
        with guarded(remarks, "the labels over a table", "they are kept as text"):
            grids[place] = with_labels_over(grid, flat, rest)
    rest = rest.without([word for grid in grids[ruled:] for word in grid.words()])
    for grid in map(with_sections, grids):
        grid.header_rows = count_header_rows(grid)
        grid.count_sizes()
    return grids, fields, rest


def _with_head(grid: Grid, remarks: list[str]) -> Grid:
    with guarded(remarks, "the head of a table", "its cells are kept"):
        return with_spans(grid.copied())
    return grid


def _is_around(box: Rect, grids: list[Grid]) -> bool:
    """Whether painted cells are the titles around tables that were found before."""
    return any(grid.box.shared(box) > 0.5 * grid.box.area for grid in grids)


def _from_its_side(grid: Grid) -> Grid:
    """The grid with its columns counted from the side where reading starts."""
    if is_leftward("".join([cell.text for cell in grid.cells])):
        grid.mirror()
    return grid


def _has_labels_outside(box: Rect, words: Shelf) -> bool:
    """Whether the rules, such as those over totals, only cover the columns of values: most lines of
    values between them have a label to their left.
    """
    labels = _middles(words.inside(Rect(0, box.y0, box.x0 - 2, box.y1)))
    if not labels:
        return False
    # values may be level with the middle of a label of two lines
    between = [
        ((upper + lower) / 2, size)
        for (upper, size), (lower, _) in pairwise(labels)
        if lower - upper < _PITCH * size
    ]
    places = labels + between
    values = _middles(words.inside(box))
    level = sum(any(abs(at - y) < _LEVEL * size for at, size in places) for y, _ in values)
    return level > 1 and level >= _LABELLED * len(values) and not _has_labels_inside(box, words)


def _has_labels_inside(box: Rect, words: Shelf) -> bool:
    """Whether most lines are a label with values; what is beside them is another column."""
    lines = rows_in_order(words.inside(box))
    labelled = sum(line[0].text[0].isalpha() and is_value(line[-1].text) for line in lines)
    return labelled > 0.5 * len(lines)


def _middles(words: list[Word]) -> list[tuple[float, float]]:
    """The vertical middle and font size of each line."""
    return [(row[0].box.mid_y, row[0].style.size) for row in rows_in_order(words)]


def _size_of_stack(stack: list[Rule]) -> tuple[bool, float]:
    return len(stack) < 3, stack[-1].at - stack[0].at


def _on(rule: Rule, page: Rect) -> bool:
    across, along = (page.y1, page.x1) if rule.horizontal else (page.x1, page.y1)
    return 0 <= rule.at <= across and rule.end > 0 and rule.start < along
