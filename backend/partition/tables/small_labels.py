"""Forms whose labels are set small right above their values, or below the lines on which these are
written. Each label makes one line with its value.

Small letters close to larger ones are captions, heads of tables and words over headlines as well. A
form has several that are set alike, nearly all with a short value, and each is nearer to its own
value than to the one on its other side.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from backend.partition.page import Line, Rect, Rule, Style, Word, hull
from backend.partition.tables.fields import Chunk, Field, chunks_of, is_label, text_of
from backend.partition.tables.grid import is_value

_SMALLER = 0.93
_LARGEST = 1.25
"""Of the usual size: larger words are headlines, larger numbers are not."""
_EDGE = 0.6
"""Of the font size: by which the left edges of a label and its value differ."""
_TIGHT, _OVERLAP = 0.7, -0.6
"""Of the font size: the white between a label and its value."""
_NEARER = 0.15
"""Of the font size: how much more white there is on the other side of a label."""
_MOST_LINES = 3
_LONGEST = 60
_FEWEST = 3
_MOST = 0.7
"""Share of the texts set as labels that have a value."""
_WRAPPED, _ROWS, _FAR = 0.6, 1.6, 2.5
"""Of the font size: the white between two lines of a value, between the rows of a table at the
most, and between what has nothing to do with each other."""
_STRIPE = 16.0
"""Points; texts are looked up by where they begin."""


@dataclass(eq=False)
class _Text:
    """Words that stand together in a row."""

    words: Chunk
    box: Rect

    @property
    def style(self) -> Style:
        return self.words[0].style

    @property
    def look(self) -> tuple[float, bool]:
        return round(self.style.size, 1), self.style.bold

    @property
    def is_long(self) -> bool:
        return len(text_of(self.words)) > _LONGEST

    def white_to(self, below: "_Text") -> float:
        """Of the larger font size."""
        size = max(self.style.size, below.style.size, 1.0)
        return (below.box.y0 - self.box.y1) / size


@dataclass(eq=False)
class _Pair:
    label: _Text
    lines: list[_Text]
    """Of the value."""

    @property
    def look(self) -> tuple[tuple[float, bool], tuple[float, bool]]:
        return self.label.look, self.lines[0].look

    @property
    def box(self) -> Rect:
        return hull([self.label.box, *(line.box for line in self.lines)])

    def line(self) -> Line:
        value = [word for line in self.lines for word in line.words]
        return Field(self.label.words, value, self.box).line()


def find_small_labels(rows: list[list[Word]], rules: list[Rule]) -> list[Line]:
    """The fields of such forms, a line for each; `rules` are the level ones of the page."""
    letters: Counter[float] = Counter()
    for row in rows:
        for word in row:
            letters[word.style.size] += len(word.text)
    if len(letters) < 2:
        return []
    # In a form the small letters of the labels may be most.
    page = _Page(rows, largest=_LARGEST * max(size for size, _ in letters.most_common(2)))
    pairs = [*page.labels_above(), *page.labels_below(rules)]
    return [pair.line() for pair in _supported(pairs, page.texts)]


class _Page:
    def __init__(self, rows: list[list[Word]], largest: float) -> None:
        self.texts = [
            _Text(chunk, hull([word.box for word in chunk]))
            for row in rows
            for chunk in chunks_of(row)
        ]
        self.texts.sort(key=lambda text: text.box.y0)
        self._largest = largest
        self._stripes: defaultdict[int, list[_Text]] = defaultdict(list)
        for text in self.texts:
            self._stripes[int(text.box.x0 // _STRIPE)].append(text)

    def labels_above(self) -> Iterator[_Pair]:
        """Small labels with the value below that is nearer than what is above."""
        for label in self.texts:
            if not is_label(label.words):
                continue
            value = self._next(label, down=True)
            if value is None or not self._is_field(label, value):
                continue
            white = label.white_to(value)
            above = self._next(label, down=False)
            nearer = above is None or above.white_to(label) > white + _NEARER
            if nearer and _OVERLAP < white < _TIGHT:
                lines = self._lines(value, white)
                if lines:
                    yield _Pair(label, lines)

    def labels_below(self, rules: list[Rule]) -> Iterator[_Pair]:
        """Small labels right below a rule, with the value that stands on it."""
        for label in self.texts:
            if not is_label(label.words):
                continue
            value = self._next(label, down=False)
            if value is None or value.is_long or not self._is_field(label, value):
                continue
            size = value.style.size
            if any(
                -0.5 * size < rule.at - value.box.y1 < _TIGHT * size
                and -0.5 * size < label.box.y0 - rule.at < _TIGHT * size
                and rule.start < label.box.x0 + 2
                and rule.end > max(label.box.x1, value.box.x1) - 2
                for rule in rules
            ):
                yield _Pair(label, [value])

    def _is_field(self, label: _Text, value: _Text) -> bool:
        size = value.style.size
        modest = size < self._largest or is_value(text_of(value.words))
        return label.style.size < _SMALLER * size and modest

    def _lines(self, value: _Text, white: float) -> list[_Text]:
        """The lines of a value; none where it looks like the first of the rows of a table, or like
        a headline or the beginning of a text."""
        lines = [value]
        while len(lines) <= _MOST_LINES:
            below = self._next(lines[-1], down=True)
            gap = _FAR if below is None else lines[-1].white_to(below)
            if below is None or gap >= _FAR:
                break
            if below.look == value.look and gap < _WRAPPED:
                lines.append(below)
                continue
            plain = below.look == value.look or below.is_long
            if (plain and (gap < _ROWS)) or gap < white + _NEARER:
                return []
            break
        long = any(line.is_long for line in lines)
        return [] if long or len(lines) > _MOST_LINES else lines

    def _next(self, text: _Text, *, down: bool) -> _Text | None:
        """The nearest text below or above that begins at the same place."""
        slack = _EDGE * max(text.style.size, 1.0)
        first, last = (int((text.box.x0 + far) // _STRIPE) for far in (-slack, slack))
        near = [one for key in range(first, last + 1) for one in self._stripes[key]]
        middle = text.box.mid_y
        beyond = [
            (abs(one.box.mid_y - middle), number)
            for number, one in enumerate(near)
            if abs(one.box.x0 - text.box.x0) < slack
            and (one.box.mid_y > middle if down else one.box.mid_y < middle)
        ]
        return near[min(beyond)[1]] if beyond else None


def _supported(pairs: list[_Pair], texts: list[_Text]) -> list[_Pair]:
    """The pairs of which several are set alike, where nearly all small texts have a value."""
    groups: defaultdict[object, list[_Pair]] = defaultdict(list)
    for pair in pairs:
        groups[pair.look].append(pair)
    return [
        pair
        for group in groups.values()
        if len(group) >= _FEWEST
        and not _are_tables(group)
        and len(group) >= _MOST * _set_alike(group, texts)
        for pair in group
    ]


def _set_alike(group: list[_Pair], texts: list[_Text]) -> int:
    """How many texts at the place of a group of pairs are set as its labels."""
    place, look = hull([pair.box for pair in group]), group[0].label.look
    return sum(text.look == look and place.holds(text.box.mid_x, text.box.mid_y) for text in texts)


def _are_tables(group: list[_Pair]) -> bool:
    """Whether the labels that stand level all have several lines: heads of columns of values."""
    rows: defaultdict[int, list[_Pair]] = defaultdict(list)
    for pair in group:
        rows[round(pair.label.box.y1)].append(pair)
    return all(len(row) > 1 and min(len(pair.lines) for pair in row) > 1 for row in rows.values())
