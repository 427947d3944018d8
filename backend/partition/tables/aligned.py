"""Tables without any rule: runs of neighbouring rows that share white gutters."""

import re

from backend.partition.page import Word, hull
from backend.partition.tables.columns import stretches
from backend.partition.tables.grid import rows_in_order

CAPTION = re.compile(
    r"^(?:table|figure|fig\.|exhibit|tabelle|tableau|tabla)\s*[A-Z]?[-.]?[\d.]+", re.I
)
"""How a line begins that stands above or below a table and not in it."""


def aligned_runs(words: list[Word]) -> list[list[Word]]:
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
        named = CAPTION.match(" ".join(word.text for word in line))
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
    start, end = line[0].box.x0, line[-1].box.x1
    seconds = [parts[1][0] for row in run if len(parts := stretches(row, 1.1 * size)) > 1]
    label = abs(start - box.x0) < size and end < min(seconds, default=0.0) - 0.5 * size
    return label or end - start < 0.55 * box.width


def _trimmed(run: list[list[Word]]) -> list[list[Word]]:
    """Without single-stretch rows at the end, which belong to the text below."""
    while run and len(stretches(run[-1], 1.1 * run[-1][0].style.size)) < 2:
        run = run[:-1]
    return run
