"""Tables without rules: runs of neighbouring rows that share white gutters."""

import re
from bisect import bisect_right
from dataclasses import dataclass, field
from itertools import pairwise
from math import inf

from backend.partition.lines import rows as rows_of
from backend.partition.page import Rect, Word, hull
from backend.partition.tables.columns import Columns, find_columns, stretches
from backend.partition.tables.grid import from_the_top, is_value, rows_in_order
from backend.partition.tables.heads import are_names
from backend.partition.tables.wrapped import in_rows, joined

CAPTION = re.compile(
    r"^(?:table|figure|fig\.|exhibit|tabelle|tableau|tabla)\s*[A-Z]?[-.]?[\d.]+", re.I
)
"""The beginning of a line that captions a table and is not part of it."""
_CAPTION_OF = re.compile(CAPTION.pattern + r"[.:]?\s+(?:\S+\s+){2}\S", re.I)
"""The same with words of a title, which a cell does not have."""

_CAPTIONS = frozenset(("tab", "fig", "exh"))
"""The first letters of both."""
_LARGER = 1.15
"""Relative to the usual size: a larger line is a heading and not in a table."""
_HEAD = 4
"""Maximum lines of a header."""
_SET_APART = 0.4
"""In font sizes: how much more white space is above a heading, or above a separate table, than
between rows."""
_TIGHT, _SLACK, _NEAR = 0.5, 0.25, 1.5
"""In font sizes: the white space below a line of a header, how much more than between the rows it
may be, and the maximum in any table."""
_LABELS, _MOSTLY = 3, 0.6
"""The minimum labels of a line of a header that has no wide white space, and their share of the
columns."""
_SECTION = 2
"""Maximum lines of a section heading in a table."""
_NEXT = 0.8
"""In font sizes: the same above a table with more columns."""
_VALUES = 0.6
"""The minimum share of values among the words of a column of values."""
_CENTRED = 0.8
"""In font sizes: the tolerance for a label centred over the columns that it spans."""
_BREAKS = 2
"""The number of widest white spaces at which a run may be two tables."""
_FEWEST = 4
"""The minimum rows of a run that is searched for another."""


@dataclass
class _Run:
    """Rows, the box around them, and the leftmost start of their second pieces of text."""

    rows: list[list[Word]] = field(default_factory=list)
    box: Rect | None = None
    second: float = inf
    above: list[list[Word]] = field(default_factory=list)
    """Tight lines above the first row."""
    whites: list[float] = field(default_factory=list)
    """White space between the rows."""
    most: int = 0
    """Pieces of text in the fullest row."""
    heading: list[list[Word]] = field(default_factory=list)
    """The lines that separate this run from the previous one."""

    def with_head(self) -> list[list[Word]]:
        """The rows, with wrapped labels above a column of values and labels of groups of columns,
        no further apart than the rows."""
        if self.box is None:
            return self.rows
        head: list[list[Word]] = []
        below, top, kept = self.rows[0], self.box.y0, 0
        apart = self.usual_white() if len(self.whites) > 2 else 0.0
        for line in reversed(self.above):
            box, size = hull([word.box for word in line]), line[0].style.size
            near = top - box.y1 < max(_TIGHT, apart / size + _SLACK) * size
            if size > _LARGER * below[0].style.size or not near:
                break
            head, top = [line, *head], box.y0
            if self._is_over(box, size) or self._is_in_columns(line, size):
                kept = len(head)
            elif not (kept and box.x1 < self.second):
                break
        return head[len(head) - kept :] + self.rows

    def _is_over(self, box: Rect, size: float) -> bool:
        """Whether a line is over one stretch of the first row or centred over all but the first."""
        if self.box is None or box.x0 < self.box.x0 + size:
            return False
        first = stretches(self.rows[0], 1.1 * size)
        if any(min(box.x1, x1) - max(box.x0, x0) > 0.5 * box.width for x0, x1 in first):
            return True
        middle = (self.second + self.box.x1) / 2
        return self.second < inf and abs(box.mid_x - middle) < _CENTRED * size

    def _is_in_columns(self, line: list[Word], size: float) -> bool:
        """Whether a line consists of labels separated only by blanks: most columns have a word, and
        each word has its own column or at least crosses no border.
        """
        columns = find_columns(self.rows, size) if len(line) >= _LABELS else None
        if columns is None:
            return False
        borders = columns.borders()
        over = {bisect_right(borders, word.box.mid_x) for word in line}
        if len(over) < max(_LABELS, _MOSTLY * columns.count):
            return False
        return len(over) == len(line) or not any(
            word.box.x0 + size / 4 < border < word.box.x1 - size / 4
            for word in line
            for border in borders[1:-1]
        )

    def is_headed_by(self, line: list[Word], white: float) -> bool:
        """Whether a line below the rows is a heading: bold or in capitals, and farther away."""
        text = " ".join(word.text for word in line)
        loud = all(word.style.bold for word in line) or text.upper() == text != text.lower()
        if not loud or len(self.whites) < 1 or text.endswith(":"):
            return False
        return white > self.usual_white() + _SET_APART * line[0].style.size

    def usual_white(self) -> float:
        return sorted(self.whites)[len(self.whites) // 2]

    def is_followed_by_another(self, parts: int, white: float, size: float) -> bool:
        """Whether labels with values end here and a separate table with more columns begins."""
        pairs = self.most == 2 < parts and len(self.rows) > 2
        return pairs and white > self.usual_white() + _NEXT * size

    def is_left_by(self, box: Rect, white: float, size: float) -> bool:
        """Whether a row is mostly to the right of the others: the totals of an invoice."""
        if self.box is None or not self.whites or white < self.usual_white() + _NEXT * size:
            return False
        return box.mid_x > self.box.x1 and box.x1 > self.box.x1 + 2 * size

    def goes_on_in(self, after: "_Run", size: float) -> bool:
        """Whether rows below a heading have the same columns and no header of their own."""
        columns = find_columns(self.rows, size)
        several = [stretches(row, 1.1 * size) for row in after.rows]
        several = [parts for parts in several if len(parts) > 1]
        if columns is None or columns.count < 3 or not several or self.box is None:
            return False
        first = next(row for row in after.rows if len(stretches(row, 1.1 * size)) > 1)
        spans = [columns.of(*part) for parts in several for part in parts]
        within = all(self.box.x0 - size < parts[0][0] < columns.gutters[0][0] for parts in several)
        return within and is_value(first[-1].text) and all(a == b for a, b in spans)

    def add(self, row: list[Word], box: Rect, parts: list[tuple[float, float]]) -> None:
        if self.box is not None:
            self.whites.append(box.y0 - self.box.y1)
        self.rows.append(row)
        self.box = box if self.box is None else self.box.joined(box)
        self.most = max(self.most, len(parts))
        if len(parts) > 1:
            self.second = min(self.second, parts[1][0])

    def takes_single(self, box: Rect, size: float) -> bool:
        """Whether a row with one filled cell continues the table: a section header, or a label
        within the first column, such as a wrapped one.
        """
        if self.box is None:
            return False
        if box.x1 < self.box.x0 and len(self.rows) <= _HEAD:
            # the first label, under a header that has none over the labels
            return True
        label = abs(box.x0 - self.box.x0) < size and box.x1 < self.second - 0.5 * size
        return (label and self.second < inf) or box.width < 0.55 * self.box.width


def aligned_runs(rows: list[list[Word]]) -> list[list[Word]]:
    """Runs of neighbouring rows with several pieces of text each, in words."""
    sizes = sorted([word.style[0] for row in rows for word in row])
    if not sizes:
        return []
    size = sizes[len(sizes) // 2]
    runs: list[_Run] = []
    run = _Run()
    bottom, before = 0.0, 0.0
    loose: list[list[Word]] = []
    for row in in_rows(from_the_top(rows), size):
        whole = joined(row, size)
        line, box, parts = whole.words, whole.box, whole.parts
        named = _is_captioned(line, parts)
        larger = len(parts) == 1 and line[0].style.size > _LARGER * size
        apart = named or larger or (bool(run.rows) and box.y0 - bottom > 2.2 * size)
        headed = len(parts) == 1 and run.is_headed_by(line, box.y0 - bottom)
        apart |= headed or run.is_followed_by_another(len(parts), box.y0 - bottom, size)
        apart |= run.is_left_by(box, box.y0 - bottom, size)
        if apart or (len(parts) < 2 and not run.takes_single(box, size)):
            runs.append(run)
            if headed or larger:
                run = _Run(heading=[line])
            else:
                run = _Run(heading=[] if run.rows or not run.heading else [*run.heading, line])
        loose = loose if loose and box.y0 - before < _NEAR * size else []
        if not run.rows:
            run.above = loose[-_HEAD:]
        loose, before = [*loose, line], box.y1
        if not named and (len(parts) > 1 or run.rows):
            run.add(line, box, parts)
            bottom = box.y1
    runs.append(run)
    runs = _with_sections(runs, size)
    return [
        [word for line in item for word in line]
        for run in runs
        if run.rows
        for item in _without_fields(_trimmed(run.with_head()), size)
        if len(item) > 2
    ]


def _is_captioned(line: list[Word], parts: list[tuple[float, float]]) -> bool:
    """Whether a line is the caption of a table, or a caption is beside a line of text."""
    if not any(word.text[:3].lower() in _CAPTIONS for word in line):
        return False
    texts = [" ".join(w.text for w in line if x0 <= w.box.mid_x <= x1) for x0, x1 in parts]
    return bool(CAPTION.match(texts[0])) or any(map(_CAPTION_OF.match, texts[1:]))


def _without_fields(rows: list[list[Word]], size: float) -> list[list[list[Word]]]:
    """The rows, split below labels and values at the top if the rest has more columns without
    them."""
    fields = next((at for at, row in enumerate(rows) if not _is_field(row)), len(rows))
    if not 0 < fields < len(rows) - 2:
        return [rows]
    whole, rest = find_columns(rows, size), find_columns(rows[fields:], size)
    more = rest is not None and (whole is None or rest.count > whole.count)
    return [rows[:fields], rows[fields:]] if more else [rows]


def _is_field(row: list[Word]) -> bool:
    """Whether a row begins with a label that ends in a colon or is bold, and its value."""
    return any(
        word.text.endswith(":") or (row[0].style.bold and not after.style.bold)
        for word, after in pairwise(row)
    )


def _with_sections(runs: list[_Run], size: float) -> list[_Run]:
    """Joins runs that only a section heading separates."""
    out: list[_Run] = []
    for run in runs:
        heads = run.heading
        if out and 0 < len(heads) <= _SECTION and run.rows and out[-1].goes_on_in(run, size):
            out[-1].rows += [*heads, *run.rows]
        elif run.rows:
            out.append(run)
    return out


def parts_of(run: list[Word]) -> list[list[Word]]:
    """Splits a run that is not a table where rows with more columns begin or end, or else at a
    gutter: one between two tables, or else the widest. Columns of a page may share rows by
    accident, and each may contain a table.
    """
    rows = rows_in_order(run)
    size = sorted(word.style.size for word in run)[len(run) // 2]
    columns = find_columns(rows, size)
    if columns is None or len(rows) < _FEWEST:
        return []
    at = _break(rows, columns.count, size)
    if at:
        return _cut(rows, at)
    start, end = _between_tables(run, columns) or max(
        columns.gutters, key=lambda gutter: gutter[1] - gutter[0]
    )
    left = [word for word in run if word.box.mid_x < (start + end) / 2]
    right = [word for word in run if word.box.mid_x > end]
    return [part for side in (left, right) for part in aligned_runs(rows_of(side))]


def with_more_columns(run: list[Word]) -> list[list[Word]]:
    """The two parts of a run whose lower one, farther from the other than any rows are apart, has
    more columns than both together: a separate table. Empty if there is none.
    """
    rows, at, size = _widest_break(run)
    columns = find_columns(rows, size) if at else None
    below = None if columns is None else find_columns(rows[at:], size)
    more = columns is not None and below is not None and below.count > columns.count
    return _cut(rows, at) if more else []


def with_names_again(run: list[Word]) -> list[list[Word]]:
    """The two parts of a table whose lower one, farther from the other than any rows are apart,
    begins with names of columns of its own. Empty if there is none.
    """
    rows, at, size = _widest_break(run)
    if not at or len(stretches(rows[at], 1.1 * size)) < 2 or not are_names(rows[at]):
        return []
    return _cut(rows, at) if sum(map(are_names, rows)) < 0.5 * len(rows) else []


def _widest_break(run: list[Word]) -> tuple[list[list[Word]], int, float]:
    """The rows of a run, the one below its widest white space, and the size of its text. The row is
    0 if the white space is not wider than usual, or too few rows are below it.
    """
    rows = rows_in_order(run)
    size = sorted(word.style.size for word in run)[len(run) // 2]
    if len(rows) < _FEWEST + 1:
        return rows, 0, size
    boxes = [hull([word.box for word in row]) for row in rows]
    whites = [below.y0 - above.y1 for above, below in pairwise(boxes)]
    at = 1 + max(range(len(whites)), key=whites.__getitem__)
    usual = sorted(whites)[len(whites) // 2]
    few = len(rows) - at < 3 or whites[at - 1] < usual + _SET_APART * size
    return rows, 0 if few else at, size


def _cut(rows: list[list[Word]], at: int) -> list[list[Word]]:
    return [[word for row in part for word in row] for part in (rows[:at], rows[at:])]


def _break(rows: list[list[Word]], count: int, size: float) -> int:
    """The row at which another table begins, below one of the widest white spaces: without the
    other rows, one part has more columns. 0 if there is none.
    """
    boxes = [hull([word.box for word in row]) for row in rows]
    whites = [below.y0 - above.y1 for above, below in pairwise(boxes)]
    for at in sorted(range(1, len(rows)), key=lambda at: -whites[at - 1])[:_BREAKS]:
        parts = [part for part in (rows[:at], rows[at:]) if len(part) > 2]
        columns = [find_columns(part, size) for part in parts]
        if any(one is not None and one.count > count for one in columns):
            return at
    return 0


def _between_tables(run: list[Word], columns: Columns) -> tuple[float, float] | None:
    """The gutter after which labels start again, right of a column of values."""
    shares = []
    for left, right in columns.extents():
        texts = [word.text for word in run if left - 1 <= word.box.mid_x <= right + 1]
        shares.append(sum(map(is_value, texts)) / max(1, len(texts)))
    anew = [
        gutter
        for gutter, before, after in zip(columns.gutters, shares, shares[1:], strict=False)
        if before > _VALUES and after < 1 - _VALUES
    ]
    middle = (columns.left + columns.right) / 2
    return min(anew, key=lambda gutter: abs(sum(gutter) / 2 - middle), default=None)


def _trimmed(run: list[list[Word]]) -> list[list[Word]]:
    """Drops single-piece rows at the end, which belong to the text below."""
    while run and len(stretches(run[-1], 1.1 * run[-1][0].style.size)) < 2:
        run = run[:-1]
    return run
