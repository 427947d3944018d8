"""All tables of a page, from the surest kind to the weakest; words of tables leave the text.

First grids ruled in both directions, then regions between long horizontal rules, then runs of rows
that share white gutters. Each kind only sees the words the earlier ones left.
"""

import re

from backend.partition.page import Rect, Rule, Word, hull
from backend.partition.tables.cellwise import cellwise
from backend.partition.tables.columns import stretches
from backend.partition.tables.grid import Grid, count_header_rows, is_value, rows_in_order
from backend.partition.tables.open import open_grid, wide_share
from backend.partition.tables.ruled import ruled_grid
from backend.partition.tables.rulings import connected, edges, hull_of, merged
from backend.partition.tables.shelf import Shelf

_LEADERS = re.compile(r"\.{4,}|(?:\. ){4,}|…{2,}|_{6,}")
_CAPTION = re.compile(
    r"^(?:table|figure|fig\.|exhibit|tabelle|tableau|tabla)\s*[A-Z]?[-.]?[\d.]+", re.I
)
_MARKER = re.compile(r"^(?:[•●○◦▪■□▫‣⁃∙·➢➤✓✔–—\-*→]|\(?\w{1,4}[.)])$")


def find_tables(
    words: list[Word], rules: list[Rule], fills: list[Rect], page: Rect
) -> tuple[list[Grid], list[Word]]:
    """The grids found and the words outside of them."""
    fills = [fill for fill in fills if fill.area < 0.6 * page.area and fill.shared(page) > 0]
    lines = merged([rule for rule in rules if _on(rule, page)])
    grids: list[Grid] = []
    rest = Shelf(words)
    # Largest first, so that a table is found before what stands inside it.
    groups = sorted(connected(lines), key=lambda group: -hull_of(group).area)
    for group in groups + cellwise(rules, fills, rest):
        grid = ruled_grid(group, rest)
        if grid is not None:
            grids.append(grid)
            rest = rest.without(grid.words())
    flat = [rule for rule in merged(rules + edges(fills), 0.3) if rule.horizontal]
    for region_words, inner in _between_rules(rest, flat):
        grid = open_grid(region_words, inner, 0.85)
        if grid is not None and _plausible(grid):
            grids.append(grid)
            rest = rest.without(grid.words())
    for run in _aligned_runs(rest.words):
        grid = open_grid(run, flat, 0.7)
        if grid is not None and _plausible(grid) and _tabular(grid):
            grids.append(grid)
            rest = rest.without(grid.words())
    for grid in grids:
        grid.header_rows = count_header_rows(grid)
    return grids, rest.words


def _on(rule: Rule, page: Rect) -> bool:
    across, along = (page.y1, page.x1) if rule.horizontal else (page.x1, page.y1)
    return 0 <= rule.at <= across and rule.end > 0 and rule.start < along


# -- between horizontal rules ---------------------------------------------------------------------


def _between_rules(words: Shelf, flat: list[Rule]) -> list[tuple[list[Word], list[Rule]]]:
    """Words between the first and last of a stack of rules of like extent, with the rules."""
    out: list[tuple[list[Word], list[Rule]]] = []
    for stack in _stacks(flat, words):
        box = Rect(
            min(rule.start for rule in stack) - 2,
            stack[0].at,
            max(rule.end for rule in stack) + 2,
            stack[-1].at,
        )
        inside = words.inside(box)
        inner = [
            rule
            for rule in flat
            if box.y0 - 1 <= rule.at <= box.y1 + 1 and rule.end > box.x0 and rule.start < box.x1
        ]
        if inside:
            out.append((inside, inner))
    return out


def _stacks(flat: list[Rule], words: Shelf) -> list[list[Rule]]:
    """Stacks of rules with the same left and right end, broken where prose stands between them."""
    groups: list[list[Rule]] = []
    for rule in sorted(flat, key=lambda rule: rule.at):
        if rule.end - rule.start < 40:
            continue
        for group in groups:
            first = group[0]
            if abs(first.start - rule.start) < 6 and abs(first.end - rule.end) < 6:
                group.append(rule)
                break
        else:
            groups.append([rule])
    stacks: list[list[Rule]] = []
    for group in groups:
        stack = [group[0]]
        for rule in group[1:]:
            if _prose_between(stack[-1], rule, words):
                stacks.append(stack)
                stack = []
            stack.append(rule)
        stacks.append(stack)
    return [stack for stack in stacks if len(stack) > 1]


def _prose_between(above: Rule, below: Rule, words: Shelf) -> bool:
    box = Rect(above.start - 2, above.at, above.end + 2, below.at)
    inside = words.inside(box)
    if not inside:
        return below.at - above.at > 150
    size = sorted(word.style.size for word in inside)[len(inside) // 2]
    lines = rows_in_order(inside)
    if any(_CAPTION.match(" ".join(word.text for word in line)) for line in lines):
        return True
    if len(lines) > 1 and wide_share(lines, box.width, size) > 0.5:
        return True
    whole = sum(len(stretches(line, 1.1 * size)) == 1 for line in lines)
    if whole == len(lines) and _whitest(lines, box) > 1.8 * size:
        return True
    wide = wide_share(lines, box.width, size) > 0
    return len(lines) > 2 and wide and whole > 0.8 * len(lines)


def _whitest(lines: list[list[Word]], box: Rect) -> float:
    """The highest white band between the two rules: rows of a table are not set so far apart."""
    tops = [min(word.box.y0 for word in line) for line in lines]
    bottoms = [max(word.box.y1 for word in line) for line in lines]
    return max(low - high for high, low in zip([box.y0, *bottoms], [*tops, box.y1], strict=True))


# -- without rules --------------------------------------------------------------------------------


def _aligned_runs(words: list[Word]) -> list[list[Word]]:
    """Runs of neighbouring rows with several stretches of text each."""
    if not words:
        return []
    size = sorted(word.style.size for word in words)[len(words) // 2]
    runs: list[list[list[Word]]] = []
    run: list[list[Word]] = []
    bottom = 0.0
    for line in rows_in_order(words):
        box = hull([word.box for word in line])
        parts = stretches(line, 1.1 * size)
        named = _CAPTION.match(" ".join(word.text for word in line))
        apart = bool(named) or (bool(run) and box.y0 - bottom > 2.2 * size)
        if apart or (len(parts) < 2 and not _short_row(line, run, size)):
            runs.append(run)
            run = []
        if not named and (len(parts) > 1 or run):
            run.append(line)
            bottom = box.y1
    runs.append(run)
    return [
        [word for line in found for word in line] for found in map(_trimmed, runs) if len(found) > 2
    ]


def _short_row(line: list[Word], run: list[list[Word]], size: float) -> bool:
    """A row with one filled cell inside a table: a section head or a wrapped label."""
    if not run:
        return False
    box = hull([word.box for row in run for word in row])
    return line[-1].box.x1 - line[0].box.x0 < 0.55 * box.width


def _trimmed(run: list[list[Word]]) -> list[list[Word]]:
    """Without single-stretch rows at the end, which belong to the text below."""
    while run and len(stretches(run[-1], 1.1 * run[-1][0].style.size)) < 2:
        run = run[:-1]
    return run


def _plausible(grid: Grid) -> bool:
    filled = sum(bool(cell.words) for cell in grid.cells)
    if _is_contents(grid) or any(_LEADERS.search(cell.text) for cell in grid.cells):
        return False
    return filled >= 0.35 * len(grid.cells) and grid.cols > 1 and grid.rows > 1


def _columns_of(grid: Grid) -> dict[int, list[str]]:
    """Texts of the filled cells of each column, without those that span."""
    columns: dict[int, list[str]] = {}
    for cell in grid.cells:
        if cell.words and cell.col == cell.col_end:
            columns.setdefault(cell.col, []).append(cell.text)
    return columns


def _is_contents(grid: Grid) -> bool:
    """A table of contents: titles with ascending page numbers."""
    columns, count = _columns_of(grid), grid.cols
    numbers = [int(text) for text in columns.get(count - 1, []) if text.isdecimal()]
    return (
        count <= 3
        and len(numbers) > 2
        and len(numbers) > 0.8 * len(columns[count - 1])
        and numbers == sorted(numbers)
        and all(any(char.isalpha() for char in text) for text in columns.get(count - 2, []))
    )


def _tabular(grid: Grid) -> bool:
    """Rows without any rule are a table when columns hold values or are many and short."""
    columns = _columns_of(grid)
    first = columns.get(0, [])
    if first and sum(bool(_MARKER.match(text.strip())) for text in first) > 0.6 * len(first):
        return False
    pairs = sum(
        sum(bool(cell.words) for cell in grid.cells if cell.row == row) > 1
        for row in range(grid.rows)
    )
    if pairs < 0.6 * grid.rows:
        return False
    values = sum(
        sum(map(is_value, texts)) > 0.6 * len(texts) for col, texts in columns.items() if col > 0
    )
    lengths = sorted(len(text) for texts in columns.values() for text in texts)
    usual = lengths[len(lengths) // 2] if lengths else 0
    if values >= max(1, 0.4 * (grid.cols - 1)):
        return grid.rows >= 3
    return grid.cols >= 3 and grid.rows >= 3 and usual <= 25
