"""The labels of a header, and the columns that each of them covers.

Drawing takes precedence: the shading of a cell, a short rule below a label. Otherwise labels over
others that repeat each cover one repetition, a label that begins with several groups covers all of
them, and any other label in an upper line spans columns that have their own labels further down, if
it is centred over them and not over one of them alone. Labels over the same columns are lines of
one cell; a label over fewer of them is a cell below. So tiers consist of labels, not of lines: a
cell extends down to the next tier with labels in its columns.
"""

from dataclasses import dataclass
from itertools import pairwise

from backend.partition.page import Rect, Rule, Word, hull
from backend.partition.tables.columns import Columns
from backend.partition.tables.grid import GridCell

_OFF = 0.8
"""In font sizes: the tolerance for a label centred over its columns."""
_BLANK = 0.45
"""In font sizes: white space between two labels over a gutter, unless aligned with columns."""
_ALIGNED, _IN_LINE = 0.4, 0.2
"""In font sizes: the tolerance for the edges or middles of the lines of one label, and of a label
and its column if only a blank separates it from the next.
"""
_UNDER = (-0.4, 0.9)
"""In font sizes: the distance of a rule below its label."""
_CELL_HEIGHT = 6.0
"""In font sizes: taller fills do not belong to one cell."""
_MOST = 30
"""Columns; wider tables are not searched for tiers without rules."""


@dataclass(slots=True)
class _Label:
    """One or more words in one line of a header, and the columns they cover."""

    first: int
    last: int
    words: list[Word]
    box: Rect
    line: int
    drawn: bool = False
    """Whether a fill or a rule determines these columns."""

    @property
    def text(self) -> str:
        return " ".join(word.text for word in self.words)

    def overlaps(self, other: "_Label") -> bool:
        return self.first <= other.last and other.first <= self.last

    def cuts(self, other: "_Label") -> bool:
        """Whether it covers some but not all columns of another."""
        inside = self.first <= other.first and other.last <= self.last
        return self.overlaps(other) and not inside


@dataclass(slots=True)
class _Cell:
    """Labels of the same columns; `tier` counts the cells above, `over` means that there are some
    below.
    """

    first: int
    last: int
    words: list[Word]
    box: Rect
    tier: int = 0
    over: bool = False

    def holds(self, label: _Label) -> bool:
        return self.first <= label.first and label.last <= self.last


@dataclass(frozen=True)
class Drawn:
    """Horizontal rules and fills in and around a header."""

    rules: list[Rule]
    fills: list[Rect]

    def part(self, above: Rect, below: Rect) -> bool:
        """Whether a rule across most of the upper box lies between the two."""
        return any(
            above.mid_y < rule.at < below.mid_y
            and min(rule.end, above.x1) - max(rule.start, above.x0) > 0.5 * above.width
            for rule in self.rules
        )


def head_cells(
    lines: list[list[Word]], columns: Columns, body: list[tuple[float, float]], drawn: Drawn
) -> list[GridCell] | None:
    """The cells of a header from its lines of words, including empty ones; the last row of the
    lowest is that of the header. `body` is the extent of the text in each column below. None if
    labels cross each other's columns.
    """
    return _Head(lines, columns, body, drawn).cells()


class _Head:
    def __init__(
        self,
        lines: list[list[Word]],
        columns: Columns,
        body: list[tuple[float, float]],
        drawn: Drawn,
    ) -> None:
        self.columns, self.body, self.drawn = columns, body, drawn
        self.size = max(word.style.size for line in lines for word in line)
        self.last = len(lines) - 1
        self.leaves = [hull([w.box for w in one]) for one in columns.pieces(lines[-1], self.size)]
        self.lines = [self._labels(line, at) for at, line in enumerate(lines)]

    def cells(self) -> list[GridCell] | None:
        if self.columns.count <= _MOST:
            for at in range(len(self.lines) - 2, -1, -1):
                self._spread(at)
        nested = self._nested()
        return None if nested is None else _placed(nested, self.columns)

    def _labels(self, line: list[Word], at: int) -> list[_Label]:
        pieces = self.columns.pieces(line, self.size)
        if at < self.last:
            pieces = self._joined(pieces)
        boxes = [hull([word.box for word in words]) for words in pieces]
        out: list[_Label] = []
        for words, box in zip(pieces, boxes, strict=True):
            first, last = self.columns.of(words[0].box.x0, words[-1].box.x1)
            span = self._shaded(box) or self._ruled(box, boxes)
            label = _Label(*(span or (first, last)), words, box, at, drawn=span is not None)
            if out and label.first <= out[-1].last:
                before = out[-1]
                before.last = max(before.last, label.last)
                before.words, before.box = before.words + words, before.box.joined(box)
            else:
                out.append(label)
        return out

    def _joined(self, pieces: list[list[Word]]) -> list[list[Word]]:
        """Merges pieces separated by blanks if a rule or fill covers them, or one is unaligned."""
        runs = [[pieces[0]]]
        for before, piece in pairwise(pieces):
            if piece[0].box.x0 - before[-1].box.x1 > _BLANK * self.size:
                runs.append([])
            runs[-1].append(piece)
        boxes = [hull([word.box for piece in run for word in piece]) for run in runs]
        out: list[list[Word]] = []
        for run, box in zip(runs, boxes, strict=True):
            drawn = self._shaded(box) or self._ruled(box, boxes)
            if len(run) > 1 and (drawn or not all(map(self._in_line, run))):
                run = [[word for piece in run for word in piece]]
            out += run
        return out

    def _in_line(self, words: list[Word]) -> bool:
        """Whether an edge or the middle of some words matches the text or label of a column."""
        box = hull([word.box for word in words])
        near = [(a, b) for a, b in self.body if a < box.x1 and box.x0 < b]
        near += [(leaf.x0, leaf.x1) for leaf in self.leaves if leaf.overlap_x(box) > 0]
        return any(
            min(abs(a - box.x0), abs(b - box.x1), abs((a + b) / 2 - box.mid_x))
            < _IN_LINE * self.size
            for a, b in near
        )

    def _shaded(self, box: Rect) -> tuple[int, int] | None:
        """The columns of the shaded cell around a label."""
        around = [
            fill
            for fill in self.drawn.fills
            if fill.holds(box.mid_x, box.mid_y)
            and fill.x0 - 1 <= box.x0
            and box.x1 <= fill.x1 + 1
            and fill.height < _CELL_HEIGHT * self.size
        ]
        whole = 0.9 * (self.columns.right - self.columns.left)
        cell = min(around, key=lambda fill: fill.area, default=None)
        if cell is None or cell.width > whole:
            return None
        return self._columns_in(cell.x0, cell.x1)

    def _ruled(self, box: Rect, others: list[Rect]) -> tuple[int, int] | None:
        """The columns of a short rule right below a label, with nothing else over it."""
        whole = 0.9 * (self.columns.right - self.columns.left)
        low, high = (share * self.size for share in _UNDER)
        for rule in self.drawn.rules:
            near = low < rule.at - box.y1 < high and rule.end - rule.start <= whole
            if not near or not (rule.start - 2 <= box.x0 and box.x1 <= rule.end + 2):
                continue
            if not any(
                other is not box and rule.start < other.mid_x < rule.end for other in others
            ):
                return self._columns_in(rule.start, rule.end)
        return None

    def _columns_in(self, start: float, end: float) -> tuple[int, int] | None:
        """The columns with most of their text between two positions."""
        inside = [
            column
            for column, (left, right) in enumerate(self.body)
            if min(right, end) - max(left, start) > 0.5 * (right - left)
        ]
        return (inside[0], inside[-1]) if inside else None

    def _spread(self, at: int) -> None:
        """Assigns the labels of a line other than the last to the columns that they cover."""
        labels = self.lines[at]
        below = [label for line in self.lines[at + 1 :] for label in line]
        free = [la for la in labels if not la.drawn and la.first > 0]
        for label, span in self._over_repeated(free, below) or self._over_groups(free, below):
            label.first, label.last = span
            free.remove(label)
        if not free or not below:
            return
        spans = _apart([self._choices(la, labels, below) for la in free])
        texts = [_texts_in(span, below) for span in spans]
        for label, span, under in zip(free, spans, texts, strict=True):
            repeated = len(under) > 1 and texts.count(under) > 1
            if repeated or not self._is_first_line(label, below):
                label.first, label.last = span

    def _over_repeated(
        self, labels: list[_Label], below: list[_Label]
    ) -> list[tuple[_Label, tuple[int, int]]]:
        """The labels over others that repeat, such as `2020 2021 2020 2021`, with their columns:
        each covers one repetition, wherever over it it is.
        """
        own = {la.first: la for la in below if la.first == la.last > 0}
        over = [la for la in labels if not own.keys().isdisjoint(range(la.first, la.last + 1))]
        columns, count = sorted(own), len(over)
        for length in range(len(columns) // count, 1, -1) if count > 1 else ():
            for start in range(len(columns) - count * length + 1):
                end = start + count * length
                run, beside = columns[start:end], columns[:start][-1:] + columns[end : end + 1]
                parts = [run[at : at + length] for at in range(0, len(run), length)]
                texts = [[own[column].text for column in part] for part in parts]
                if run[-1] - run[0] >= len(run) or any(one != texts[0] for one in texts):
                    continue
                if any(own[column].text in texts[0] for column in beside):
                    continue
                spans = [(part[0], part[-1]) for part in parts]
                runs_on = any(
                    self._runs_on(la, own[first])
                    for la, (first, _) in zip(over, spans, strict=True)
                )
                if not runs_on and all(map(self._is_within, over, spans)):
                    return list(zip(over, spans, strict=True))
        return []

    def _runs_on(self, label: _Label, below: _Label) -> bool:
        """Whether a label is the first line of the one below it: its last word is broken, or the
        other continues in lower case.
        """
        continued = below.text[:1].islower() and self._is_first_line(label, [below])
        return label.text.endswith("-") or continued

    def _over_groups(
        self, labels: list[_Label], below: list[_Label]
    ) -> list[tuple[_Label, tuple[int, int]]]:
        """The only label of a line, if it begins at the first of several groups: it covers all."""
        next_line = next((la.line for la in below if la.first > 0), 0)
        groups = [la for la in below if la.first < la.last and la.line == next_line]
        if len(labels) != 1 or len(groups) < 2:
            return []
        level = abs(labels[0].box.x0 - groups[0].box.x0) < _ALIGNED * self.size
        return [(labels[0], (groups[0].first, groups[-1].last))] if level else []

    def _is_within(self, label: _Label, span: tuple[int, int]) -> bool:
        """Whether a label begins and ends over columns that end where the next ones begin."""
        first, last = span
        left, right = self.body[first - 1][1], self.columns.right
        if last + 1 < self.columns.count:
            right = self.columns.extents()[last + 1][0]
        slack = _ALIGNED * self.size
        return left - slack < label.box.x0 and label.box.x1 < right + slack

    def _choices(
        self, label: _Label, labels: list[_Label], below: list[_Label]
    ) -> list[tuple[int, int]]:
        """The columns that a label covers, and the runs of labelled columns over which it is
        centred, without those of its neighbours, each label below being over or beside a run.
        """
        out = [(label.first, label.last)]
        others = [la for la in labels if la is not label]
        labelled = {c for la in below for c in range(la.first, la.last + 1)}
        for first in range(1, label.first + 2):
            for last in range(max(first + 1, label.last - 1), self.columns.count):
                run = _Label(first, last, label.words, label.box, label.line)
                if not labelled.issuperset(range(first, last + 1)):
                    break
                cut = any(run.cuts(la) for la in below) or any(
                    la.drawn and la.cuts(run) for line in self.lines[: label.line] for la in line
                )
                if cut or any(run.overlaps(la) for la in others):
                    continue
                if self._off(label, run, below) < _OFF * self.size:
                    out.append((first, last))
        return out

    def _off(self, label: _Label, run: _Label, below: list[_Label]) -> float:
        """How far a label is off centre of its columns: of their text, of their labels, or of their
        cells, which begin at the end of the previous column if numbers are right-aligned.
        """
        texts = self.body[run.first : run.last + 1]
        boxes = [la.box for la in below if run.first <= la.first and la.last <= run.last]
        left, right = min(a for a, _ in texts), max(b for _, b in texts)
        box = hull(boxes)
        middles = [
            (left + right) / 2,
            box.mid_x,
            (min(left, box.x0) + max(right, box.x1)) / 2,
            (self.body[run.first - 1][1] + max(right, box.x1)) / 2,
        ]
        return max(min(middles) - label.box.mid_x, label.box.mid_x - max(middles), 0.0)

    def _is_first_line(self, label: _Label, below: list[_Label]) -> bool:
        """Whether a label continues in the line below, in its only column."""
        if label.first < label.last:
            return False
        box = label.box
        under = next((la for la in below if la.first <= label.first <= la.last), None)
        if under is not None and under.first < under.last:
            return False
        return any(
            abs(la.box.mid_x - box.mid_x) < _ALIGNED * self.size
            or abs(la.box.x0 - box.x0) < _ALIGNED * self.size
            or abs(la.box.x1 - box.x1) < _ALIGNED * self.size
            for la in below
            if la.first == la.last == label.first
        )

    def _nested(self) -> list[_Cell] | None:
        """Merges labels over the same columns and puts those over fewer below; None otherwise."""
        lowest: dict[int, _Cell] = {}
        out: list[_Cell] = []
        for label in (la for line in self.lines for la in line):
            span = range(label.first, label.last + 1)
            above = {id(lowest[c]): lowest[c] for c in span if c in lowest}
            parent = next(iter(above.values()), None)
            if parent and (len(above) > 1 or not parent.holds(label)):
                return None
            same = parent and (parent.first, parent.last) == (label.first, label.last)
            if parent and same and not self.drawn.part(parent.box, label.box):
                parent.words += label.words
                parent.box = parent.box.joined(label.box)
                continue
            cell = _Cell(label.first, label.last, list(label.words), label.box)
            if parent:
                cell.tier, parent.over = parent.tier + 1, True
            out.append(cell)
            lowest |= dict.fromkeys(span, cell)
        return out


def _apart(choices: list[list[tuple[int, int]]]) -> list[tuple[int, int]]:
    """One choice per label without overlaps: those that cover most columns, and of several such the
    narrowest for the earlier labels.
    """
    best: dict[int, tuple[int, list[tuple[int, int]]]] = {-1: (0, [])}
    for spans in choices:
        after: dict[int, tuple[int, list[tuple[int, int]]]] = {}
        for end, (count, chosen) in sorted(best.items()):
            for first, last in spans:
                known = after.get(last)
                total = count + last - first + 1
                if first > end and (known is None or total > known[0]):
                    after[last] = total, [*chosen, (first, last)]
        if not after:
            return [one[0] for one in choices]
        best = after
    return max(best.values(), key=lambda pair: pair[0])[1]


def _texts_in(span: tuple[int, int], labels: list[_Label]) -> list[str]:
    """The texts of the labels in a run of columns."""
    first, last = span
    return [la.text for la in labels if first <= la.first and la.last <= last and first < last]


def _placed(cells: list[_Cell], columns: Columns) -> list[GridCell]:
    """Cells of the table, with empty ones for columns without a label."""
    tiers = 1 + max(cell.tier for cell in cells)
    borders, whole = columns.borders(), hull([cell.box for cell in cells])
    out: list[GridCell] = []
    free = {(row, column) for row in range(tiers) for column in range(columns.count)}
    for cell in cells:
        end = cell.tier if cell.over else tiers - 1
        box = Rect(borders[cell.first], cell.box.y0, borders[cell.last + 1], cell.box.y1)
        out.append(GridCell(cell.tier, cell.first, end, cell.last, box, cell.words))
        free -= {
            (r, c) for r in range(cell.tier, end + 1) for c in range(cell.first, cell.last + 1)
        }
    for column in range(columns.count):
        rows = [row for row in range(tiers) if (row, column) in free]
        if rows:
            box = Rect(borders[column], whole.y0, borders[column + 1], whole.y1)
            out.append(GridCell(rows[0], column, rows[-1], column, box))
    return out
