"""Tables in plain text: columns that are kept apart by blanks or by drawn lines."""

import re

from backend.partition.flow import cells_of_rows
from backend.partition.formats.heads import mark_heads
from workbench.contract.elements import TableCell

_RULE = re.compile(r"^[\s|+:]*[-=_─━═]{2}[-=_+|:\s─━═┼╪]*$")
_GAP = re.compile(r"\S(?:  |\t)\s*\S")
_LEAST_ROWS = 3
_WIDEST = 1000
_FILLED = 0.6
"""Share of the rows that have something in two columns or more."""


def table_of(lines: list[str]) -> list[TableCell] | None:
    """The cells of a paragraph that is a table; None for another one."""
    rules = [number for number, line in enumerate(lines) if _RULE.match(line)]
    kept = [line.expandtabs() for line in lines if not _RULE.match(line)]
    if len(kept) + bool(rules) < _LEAST_ROWS or not kept:
        return None
    rows = _drawn(kept) or _aligned(kept, [lines[number].expandtabs() for number in rules])
    if rows is None:
        return None
    head = next((sum(not _RULE.match(line) for line in lines[:at]) for at in rules if at), 0)
    cells = cells_of_rows(rows, head if head < len(rows) else 0)
    if not head:
        mark_heads(cells)
    return cells


def has_gap(line: str) -> bool:
    """Whether a line has parts with wide blanks between them."""
    return _GAP.search(line) is not None


def _drawn(lines: list[str]) -> list[list[str]] | None:
    """Rows whose cells have upright lines between and around them."""
    bare = [line.strip().replace("│", "|") for line in lines]
    if not all(line.startswith("|") and line.endswith("|") and len(line) > 1 for line in bare):
        return None
    rows = [[cell.strip() for cell in line[1:-1].split("|")] for line in bare]
    return rows if len({len(row) for row in rows}) == 1 and len(rows[0]) > 1 else None


def _aligned(lines: list[str], rules: list[str]) -> list[list[str]] | None:
    """Rows cut where all lines are blank, at least two letters wide or below a gap in a rule."""
    width = max(len(line) for line in lines)
    if width > _WIDEST:
        return None
    inked = [any(at < len(line) and line[at] != " " for line in lines) for at in range(width)]
    cuts: list[int] = []
    at = 0
    while at < width:
        end = at
        while end < width and not inked[end]:
            end += 1
        broken = any(set(rule[at:end]) == {" "} and rule[end:].strip() for rule in rules)
        if at and end < width and (end - at >= 2 or (end > at and broken)):
            cuts.append(end)
        at = max(end, at + 1)
    starts = [0, *cuts]
    rows = [
        [line[a:b].strip() for a, b in zip(starts, [*cuts, None], strict=True)] for line in lines
    ]
    filled = sum(sum(bool(cell) for cell in row) > 1 for row in rows)
    return rows if len(starts) > 1 and filled >= _FILLED * len(rows) else None
