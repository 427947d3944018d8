"""Two tables beside each other, whose rows look like those of one wide table.

Either the second repeats the columns of the first at the same distances, with the same types of
text, or the rules and shadings of both end at one gutter and cross all others.
"""

from backend.partition.lines import rows as rows_of
from backend.partition.page import Rule, Word, hull
from backend.partition.tables.aligned import aligned_runs
from backend.partition.tables.columns import Columns, find_columns
from backend.partition.tables.grid import is_value, rows_in_order

_SAME = 0.6
"""In font sizes: the tolerance for the positions of repeated columns, and of the ends of rules."""
_FEWEST = 3
"""Minimum columns that a table repeats: labels with values beside others are one form."""
_VALUES = 0.6
"""The minimum share of values in a column of values."""


def beside(run: list[Word], rules: list[Rule]) -> list[list[Word]]:
    """The runs of the table on the left and of those on its right; empty if the run is one table.
    `rules` are the horizontal ones, with the edges of shadings.
    """
    size = sorted(word.style.size for word in run)[len(run) // 2]
    columns = find_columns(rows_in_order(run), size)
    if columns is None or columns.count < 4:
        return []
    at = _repeated(run, columns, size) or _drawn(run, columns, rules, size)
    if not at:
        return []
    middle = sum(columns.gutters[at - 1]) / 2
    sides = [w for w in run if w.box.mid_x < middle], [w for w in run if w.box.mid_x >= middle]
    return [part for side in sides for part in aligned_runs(rows_of(side))]


def _repeated(run: list[Word], columns: Columns, size: float) -> int:
    """The first column of the second table if all further ones repeat the first; 0 if not."""
    extents, kinds = columns.extents(), _kinds(run, columns)
    for period in range(_FEWEST, columns.count // 2 + 1):
        pairs = list(zip(range(columns.count - period), range(period, columns.count), strict=True))
        steps = [(extents[b][0] - extents[a][0], extents[b][1] - extents[a][1]) for a, b in pairs]
        alike = all(
            min(abs(start - steps[at - at % period][0]), abs(end - steps[at - at % period][0]))
            < _SAME * size
            for at, (start, end) in enumerate(steps)
        )
        if alike and not columns.count % period and all(kinds[a] == kinds[b] for a, b in pairs):
            return period
    return 0


def _kinds(run: list[Word], columns: Columns) -> list[bool]:
    """Whether each column has values, by most of its words."""
    kinds = []
    for left, right in columns.extents():
        texts = [word.text for word in run if left - 1 <= word.box.mid_x <= right + 1]
        kinds.append(sum(map(is_value, texts)) > _VALUES * len(texts))
    return kinds


def _drawn(run: list[Word], columns: Columns, rules: list[Rule], size: float) -> int:
    """The first column of the second table if rules or shadings of both end before and begin after
    its gutter, and none crosses it; 0 otherwise.
    """
    box = hull([word.box for word in run])
    near = [rule for rule in rules if box.y0 - 2 * size < rule.at < box.y1 + size]
    for at in range(2, columns.count - 1):
        start, end = columns.gutters[at - 1]
        middle = (start + end) / 2
        if any(rule.start < middle < rule.end for rule in near):
            continue
        left = any(_covers(rule, box.x0, start, size) for rule in near)
        if left and any(_covers(rule, end, box.x1, size) for rule in near):
            return at
    return 0


def _covers(rule: Rule, start: float, end: float, size: float) -> bool:
    return rule.start < start + _SAME * size and rule.end > end - _SAME * size
