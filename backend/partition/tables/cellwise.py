"""Grids painted cell by cell: each cell has its own piece of rule or its own shading.

Word processors and browsers draw a table's horizontal rules one piece per cell. If the pieces of
several rules meet at the same position there is a column border, although nothing vertical is
drawn. The same holds for the sides of neighbouring fills.
"""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from itertools import pairwise
from math import inf
from operator import attrgetter

from backend.partition.page import Rect, Rule, Word
from backend.partition.tables.columns import stretches
from backend.partition.tables.grid import rows_in_order
from backend.partition.tables.heads import head_top, is_heading, is_of_next
from backend.partition.tables.rulings import TOLERANCE, merged, positions
from backend.partition.tables.shelf import Shelf

_LABELS = 3
"""Minimum texts of a line of labels."""
_LOW = 3.0
"""In font sizes: the maximum height of a row with a single text."""


def cellwise(rules: list[Rule], fills: list[Rect], words: Shelf) -> list[list[Rule]]:
    """Groups of rules, the missing vertical ones added, one group per table."""
    pieces = [rule for rule in rules if rule.horizontal]
    for fill in fills:
        pieces.append(Rule(True, fill.y0, fill.x0, fill.x1))
        pieces.append(Rule(True, fill.y1, fill.x0, fill.x1))
    out: list[list[Rule]] = []
    for stack in _stacks(pieces):
        for heights in _alike(stack):
            top, bottom = heights[0] - TOLERANCE, heights[-1] + TOLERANCE
            part = [piece for piece in stack if top <= piece.at <= bottom]
            joints = _joints(part, len(heights))
            if len(joints) > 2 and len(heights) > 1:
                out.extend(_groups(part, heights, joints, words))
    return out


def _alike(stack: list[Rule]) -> list[list[float]]:
    """The heights of the rules, split where the next pieces end elsewhere: tables of one width."""
    heights = positions([piece.at for piece in stack])
    ends = [_inner_ends(stack, height) for height in heights]
    runs = [heights[:1]]
    for height, upper, lower in zip(heights[1:], ends, ends[1:], strict=False):
        if _disagree(upper, lower):
            runs.append([])
        runs[-1].append(height)
    return runs


def _stacks(pieces: list[Rule]) -> list[list[Rule]]:
    """Pieces of all rules that, joined, have the same left and right end."""
    extents: list[tuple[float, float, list[Rule]]] = []
    pieces = sorted(pieces, key=attrgetter("at"))
    heights = [piece.at for piece in pieces]
    for whole in merged(pieces):
        first = bisect_left(heights, whole.at - TOLERANCE)
        last = bisect_right(heights, whole.at + TOLERANCE)
        parts = [
            piece
            for piece in pieces[first:last]
            if whole.start - 1 <= piece.start and piece.end <= whole.end + 1
        ]
        for start, end, stack in extents:
            if abs(start - whole.start) < 6 and abs(end - whole.end) < 6:
                stack.extend(parts)
                break
        else:
            extents.append((whole.start, whole.end, parts))
    return [stack for _, _, stack in extents]


def _joints(stack: list[Rule], heights: int) -> list[float]:
    """Positions at which pieces begin or end on at least half of the rules."""
    seen: defaultdict[float, set[int]] = defaultdict(set)
    places = positions([x for piece in stack for x in (piece.start, piece.end)])
    for piece in stack:
        for x in (piece.start, piece.end):
            seen[_nearest(places, x)].add(round(piece.at / (2 * TOLERANCE)))
    return sorted(x for x, at in seen.items() if len(at) >= max(2, 0.5 * heights))


def _nearest(places: list[float], x: float) -> float:
    """The nearest of sorted positions."""
    at = bisect_left(places, x)
    if at == 0 or at == len(places):
        return places[at and -1]
    before, after = places[at - 1], places[at]
    return before if x - before <= after - x else after


def _groups(
    stack: list[Rule], heights: list[float], joints: list[float], words: Shelf
) -> list[list[Rule]]:
    """One table per run of heights without foreign text between them."""
    runs: list[list[float]] = [[heights[0]]]
    whole = [not _inner_ends(stack, height) for height in heights]
    for (above, below), edges in zip(pairwise(heights), pairwise(whole), strict=True):
        band = Rect(joints[0], above, joints[-1], below)
        if _fits(band, joints, words, in_rows=any(edges)):
            runs[-1].append(below)
        else:
            runs.append([below])
    out: list[list[Rule]] = []
    floor = 0.0
    for run in runs:
        if len(run) < 2:
            continue
        top = head_top(run[0], joints, words, reach=4.0, floor=floor)
        floor = run[-1]
        run = [top, *run] if top is not None else run
        flat = [Rule(True, y, joints[0], joints[-1]) for y in run]
        out.append(flat + [wall for x in joints for wall in _walls(x, run, stack)])
    return out


def _inner_ends(stack: list[Rule], height: float) -> list[float]:
    """The ends of pieces at a height, without the two ends of the whole."""
    pieces = [piece for piece in stack if abs(piece.at - height) <= TOLERANCE]
    return positions([x for piece in pieces for x in (piece.start, piece.end)])[1:-1]


def _disagree(above: list[float], below: list[float]) -> bool:
    """Whether two rules belong to different tables; spans only omit ends."""
    fewer = min(len(above), len(below))
    shared = sum(any(abs(x - y) <= 2 * TOLERANCE for y in below) for x in above)
    return shared < 0.5 * fewer


def _fits(band: Rect, joints: list[float], words: Shelf, in_rows: bool) -> bool:
    """Whether the words between two rules respect the columns; a label may span several. A rule
    drawn in one piece may be that of a letterhead, so most lines beside it must be `in_rows`.
    """
    inside, inner = words.inside(band), [*joints[1:-1], inf]
    lines = rows_in_order(inside)
    crossing = sum(
        [
            inner[bisect_right(inner, word.box[0] + 1)] < word.box[2] - 1
            for line in lines
            if len(stretches(line, 1.1 * line[0].style.size)) < _LABELS
            for word in line
        ]
    )
    if not inside or crossing > 0.1 * len(inside) or _is_headed(lines, band):
        return False
    size = min(line[0].style.size for line in lines)
    if not in_rows or band.height < _LOW * size:
        return True
    rows = sum(_is_row(stretches(line, 1.1 * size), joints) for line in lines)
    return rows >= 0.5 * len(lines) and not any(is_heading(line, size) for line in lines)


def _is_row(parts: list[tuple[float, float]], joints: list[float]) -> bool:
    """Whether the texts of a line are in several columns, each within one."""
    columns = [(bisect_right(joints, a + 1), bisect_right(joints, b - 1)) for a, b in parts]
    return len(set(columns)) > 1 and all(first == last for first, last in columns)


def _is_headed(lines: list[list[Word]], band: Rect) -> bool:
    """Whether a band begins with a heading, or ends with that of the table below it."""
    larger = len(lines) > 1 and is_heading(lines[0], lines[-1][0].style.size)
    return larger or is_of_next(lines, band)


def _walls(x: float, heights: list[float], stack: list[Rule]) -> list[Rule]:
    """The border at x beside each row, missing if the rules above and below continue across x."""
    over = [piece.at for piece in stack if piece.start + 3 < x < piece.end - 3]
    runs_over = [any(abs(at - height) <= TOLERANCE for at in over) for height in heights]
    return [
        Rule(False, x, heights[row], heights[row + 1])
        for row in range(len(heights) - 1)
        if not (runs_over[row] and runs_over[row + 1])
    ]
