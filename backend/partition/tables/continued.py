"""Decides which lines of a table continue the cells of the row above them, as wrapped text does.

Fitted trees decide (`backend/partition/fitted.npz`, written by tests/bench/fit_partition.py). They
see the white space, the columns that a line fills, whether its first word had room in the line
above and what kind of text it is, never the words. A drawn rule always ends a row.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from backend.partition.fitted import log_odds
from backend.partition.page import Rect, Word
from backend.partition.tables.grid import is_value

NAMES = (
    "white", "white_usual", "white_least", "white_most", "rank", "white_next", "white_before",
    "filled", "filled_above", "new", "first", "first_above", "first_share", "usual_filled",
    "values", "values_above", "any_value", "any_value_above", "small", "small_first", "open_end",
    "colon", "room_least", "room_most", "indent", "rows", "cols", "first_next", "filled_next",
    "value_next", "alone", "drawn",
)  # fmt: skip
_FAR = 3.0
"""In font sizes: the white space above the first and below the last line."""
_ROOM = 9.0
"""In font sizes: where no cell is above."""
_OPEN = frozenset(",-–(/&")
"""The end of a text that continues."""


@dataclass(slots=True)
class Row:
    """Lines of text that form one row; `spans` are its cells as (first, last column, words)."""

    lines: list[list[Word]]
    box: Rect
    spans: list[tuple[int, int, list[Word]]] = field(default_factory=list)
    whole: bool = False
    """A section heading: centred text across all columns."""

    def text_in(self, column: int) -> str:
        return " ".join(
            word.text
            for first, last, words in self.spans
            if first <= column <= last
            for word in words
        )

    def filled(self) -> set[int]:
        return {c for first, last, _ in self.spans for c in range(first, last + 1)}

    def joined(self, below: "Row") -> "Row":
        out = Row(self.lines + below.lines, self.box.joined(below.box), list(self.spans))
        for first, last, words in below.spans:
            for index, (a, b, before) in enumerate(out.spans):
                if a <= last and first <= b:
                    out.spans[index] = (min(a, first), max(b, last), before + words)
                    break
            else:
                out.spans.append((first, last, words))
        out.spans.sort(key=lambda span: span[0])
        return out


def with_continued(
    rows: list[Row], bands: Sequence[float] = (), *, drawn: bool = False
) -> list[Row]:
    """The rows, each joined with the lines that continue it. Rules at `bands` separate rows, and
    `drawn` rows are all between the same two; elsewhere a line that fills all columns is a
    row, unless it has the values beside a label.
    """
    out = rows[:1]
    count = max((row.spans[-1][1] + 1 for row in rows), default=0)
    for (above, row), continues in zip(pairwise(rows), continued(rows, drawn), strict=True):
        ruled = any(above.box.mid_y < at < row.box.mid_y for at in bands)
        full = len(row.filled()) == count and len(above.spans) > 1 and not drawn
        if continues and not (above.whole or row.whole or ruled or full):
            out[-1] = out[-1].joined(row)
        else:
            out.append(row)
    return out


def continued(rows: list[Row], drawn: bool) -> list[bool]:
    """Whether each line but the first continues the one above it."""
    return [odds > 0 for odds in log_odds("rows", measures(rows, drawn))] if len(rows) > 1 else []


def measures(rows: list[Row], drawn: bool) -> list[list[float]]:
    """The features of each line but the first, in the order of `NAMES`."""
    size = rows[0].lines[0][0].style.size
    whites = [(below.box.y0 - above.box.y1) / size for above, below in pairwise(rows)]
    order = sorted(whites)
    lines = [_Line(row) for row in rows]
    count = 1 + max(row.spans[-1][1] for row in rows)
    ends = [0.0] * count
    for row in rows:
        for _, last, words in row.spans:
            ends[last] = max(ends[last], words[-1].box.x1)
    labelled = sum(0 in line.filled for line in lines) / len(rows)
    usual = sorted(len(line.filled) for line in lines)[len(rows) // 2] / count
    out = []
    for at, (above, line) in enumerate(pairwise(lines)):
        white, after = whites[at], lines[at + 2] if at + 2 < len(lines) else None
        out.append([
            white, white - order[len(order) // 2], white - order[0], order[-1] - white,
            sum(other < white - 0.1 for other in whites) / len(whites),
            whites[at + 1] if after else _FAR, whites[at - 1] if at else _FAR,
            len(line.filled) / count, len(above.filled) / count,
            len(line.filled - above.filled) / count,
            0 in line.filled, 0 in above.filled, labelled, usual,
            *line.below(above, ends, size), min(len(rows), 40), count,
            0 in after.filled if after else 0.5, len(after.filled) / count if after else 0.0,
            after is not None and any(after.values), above.filled == {0}, drawn,
        ])  # fmt: skip
    return [[float(value) for value in row] for row in out]


class _Line:
    """The cells of a line: their texts, which of them are values, and the columns they fill."""

    def __init__(self, row: Row) -> None:
        self.spans, self.filled = row.spans, row.filled()
        self.texts = [" ".join([word.text for word in words]) for _, _, words in row.spans]
        self.values = list(map(is_value, self.texts))
        self.label = self.texts[0] if 0 in self.filled else ""

    def below(self, above: "_Line", ends: list[float], size: float) -> list[float]:
        """The kinds of text of this line and of the cells above it, the least and the most room
        that these leave for its first words, and how far it is indented."""
        pairs = [
            (upper, value, own, max(last, end))
            for first, last, own in self.spans
            for (start, end, upper), value in zip(above.spans, above.values, strict=True)
            if first <= end and start <= last
        ]
        rooms = [
            (ends[last] - upper[-1].box.x1 - own[0].box.width) / size
            for upper, _, own, last in pairs
        ]
        return [
            _share(self.values), _share([value for _, value, _, _ in pairs]),
            any(self.values), any(above.values),
            _share([text[:1].islower() for text in self.texts]), self.label[:1].islower(),
            any(upper[-1].text[-1:] in _OPEN for upper, _, _, _ in pairs),
            above.label.endswith(":"),
            min(rooms, default=_ROOM), max(rooms, default=_ROOM),
            (self.spans[0][2][0].box.x0 - above.spans[0][2][0].box.x0) / size,
        ]  # fmt: skip


def _share(flags: list[bool]) -> float:
    return sum(flags) / len(flags) if flags else 0.0
