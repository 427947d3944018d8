"""Forms with small or bold labels right above their values, or small ones below them. Each label
forms one line with its value.

Small letters close to larger ones can also be captions, table headers and words over headlines, and
bold ones can be headings. A form has several labels in the same style, nearly all with a short
value, and each is closer to its own value than to the one on its other side. Bold labels are in
rows and columns, or numerous. Small ones below are beneath a line to write on, or beneath numbers:
below names there are titles.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from math import inf

from backend.partition.page import Line, Rect, Rule, Style, Word, hull
from backend.partition.tables.chunks import Chunk, text_of
from backend.partition.tables.fields import Field, is_label
from backend.partition.tables.shelf import Shelf

_SMALLER = 0.93
_LARGEST = 1.25
"""Relative to the usual size: larger words are headlines, larger numbers are not."""
_EDGE = 0.6
"""In font sizes: the tolerance for the left edges of a label and its value."""
_TIGHT, _OVERLAP = 0.7, -0.6
"""In font sizes: the white space between a label and its value."""
_NEARER = 0.15
"""In font sizes: how much more white space there is on the other side of a label."""
_BLANK, _LEVEL = 0.45, 0.2
"""In font sizes: white space between values of two columns, and the tolerance for the start of the
second relative to its label.
"""
_NUMBER = re.compile(r"\d{1,3}(?:\.\d{1,3})*")
_MOST_LINES = 3
_LONGEST = 60
_FEWEST, _MANY = 3, 5
"""Minimum labels of a form, and minimum bold ones below one another: fewer are headings."""
_MOST = 0.7
"""The minimum share of texts in the style of labels that have a value."""
_WRAPPED, _TEXT, _ROWS, _FAR = 0.6, 0.9, 1.6, 2.5
"""In font sizes: the maximum white space between two lines of a value, between a headline and its
text, between the rows of a table, and between related texts.
"""
_STRIPE, _REACH = 16.0, 8.0
"""Points; texts are indexed by their start, with this search range."""


@dataclass(eq=False)
class _Text:
    """Adjacent words in a row."""

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

    @property
    def ends_sentence(self) -> bool:
        return self.words[-1].text.endswith((".", "!", "?"))

    def white_to(self, below: "_Text") -> float:
        """In units of the larger font size."""
        size = max(self.style.size, below.style.size, 1.0)
        return (below.box.y0 - self.box.y1) / size


@dataclass(eq=False)
class _Pair:
    label: _Text
    lines: list[_Text]
    """Lines of the value."""
    below: str = ""
    """How the value above the label was found; "" if it is below."""

    @property
    def is_small(self) -> bool:
        return self.label.style.size < _SMALLER * self.lines[0].style.size

    @property
    def look(self) -> tuple[float, float, bool]:
        """The style of the pair. Bold is a guess for small letters in a scan, so it counts last."""
        label, value = self.label.look, self.lines[0].look
        return label[0], value[0], not self.is_small

    @property
    def box(self) -> Rect:
        return hull([self.label.box, *(line.box for line in self.lines)])

    def line(self) -> Line:
        value = [word for line in self.lines for word in line.words]
        line = Field(self.label.words, value, self.box).line()
        # the small letters of a label do not make its line a running header
        plain = Line.of(value)
        line.style, line.letters = plain.style, plain.letters
        return line


def find_small_labels(words: Shelf, rules: list[Rule]) -> list[Line]:
    """The fields of such forms, a line for each; `rules` are the horizontal ones of the page."""
    letters: Counter[tuple[float, bool]] = Counter()
    for row in words.rows:
        for word in row:
            letters[word.style[0], word.style[2]] += len(word.text)
    if len(letters) < 2:
        return []
    # in a form most letters may be in labels
    page = _Page(words, largest=_LARGEST * max(size for (size, _), _ in letters.most_common(2)))
    if not page.has_labels:
        return []
    pairs = [*page.labels_above(), *page.labels_below(rules)]
    return [pair.line() for pair in _supported(pairs, page.texts)]


class _Page:
    def __init__(self, words: Shelf, largest: float) -> None:
        self.texts = sorted(_texts(words), key=lambda text: text.box[1])
        self._largest = largest
        self._most = max(text.style.size for text in self.texts)
        self._labels = [
            text
            for text in self.texts
            if (text.style.bold or text.style.size < _SMALLER * self._most) and is_label(text.words)
        ]

    @cached_property
    def _stripes(self) -> dict[int, list[_Text]]:
        stripes: defaultdict[int, list[_Text]] = defaultdict(list)
        for text in self.texts:
            for stripe in {int(at // _STRIPE) for at in (text.box.x0, text.box.mid_x)}:
                stripes[stripe].append(text)
        return stripes

    @property
    def has_labels(self) -> bool:
        return len(self._labels) >= _FEWEST

    def labels_above(self) -> Iterator[_Pair]:
        """Labels whose value below is closer than the text above."""
        for label in self._labels:
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
        """Small labels with the value above: it is on a rule, or is closer than the text below and
        a number.
        """
        for label in self._labels:
            if label.style.size >= _SMALLER * self._most:
                continue
            value = self._next(label, down=False)
            if value is None or value.is_long or not self._is_field(label, value):
                continue
            if label.style.size >= _SMALLER * value.style.size:
                continue
            white = value.white_to(label)
            below = self._next(label, down=True)
            nearer = below is None or label.white_to(below) > white + _NEARER
            if _on_rule(label, value, rules):
                yield _Pair(label, [value], "written")
            elif nearer and _OVERLAP < white < _TIGHT:
                yield _Pair(label, [value], "counted" if _counts(value) else "worded")

    def _is_field(self, label: _Text, value: _Text) -> bool:
        size = value.style.size
        modest = size < self._largest or _counts(value)
        smaller = label.style.size < _SMALLER * size
        bolder = label.style.bold and not value.style.bold and label.style.size * _SMALLER < size
        return modest and (smaller or bolder) and not _is_clause(label, value)

    def _lines(self, value: _Text, white: float) -> list[_Text]:
        """The lines of a value; none for a table row, a headline or the beginning of a text."""
        lines = [value]
        while len(lines) <= _MOST_LINES:
            below = self._next(lines[-1], down=True)
            gap = _FAR if below is None else lines[-1].white_to(below)
            if below is None or gap >= _FAR:
                break
            if below.look == value.look and gap < _WRAPPED:
                lines.append(below)
                continue
            apart = _TEXT if below.is_long else _ROWS if below.look == value.look else 0.0
            if gap < max(apart, white + _NEARER):
                return []
            break
        long = any(line.is_long for line in lines)
        return [] if long or len(lines) > _MOST_LINES else lines

    def _next(self, text: _Text, *, down: bool) -> _Text | None:
        """The nearest text below or above with the same start or middle."""
        left, middle, height = text.box.x0, text.box.mid_x, text.box.mid_y
        stripes = {int((at + far) // _STRIPE) for at in (left, middle) for far in (-_REACH, _REACH)}
        nearest, least = None, inf
        for stripe in sorted(stripes):
            for one in self._stripes.get(stripe, ()):
                x0, y0, x1, y1 = one.box
                below = (y0 + y1) / 2 - height if down else height - (y0 + y1) / 2
                # The distance is the cheapest test, and most texts fail it.
                if 0 < below < least and min(abs(x0 - left), abs((x0 + x1) / 2 - middle)) < min(
                    _REACH, _EDGE * max(text.style.size, one.style.size)
                ):
                    nearest, least = one, below
        return nearest


def _texts(words: Shelf) -> Iterator[_Text]:
    """Adjacent words; a narrow blank separates two if the second begins below a label."""
    above: list[Word] = []
    for row in words.chunks:
        for chunk, box in row:
            first = 0
            for at, (left, right) in enumerate(pairwise(chunk), 1):
                white = right.box[0] - left.box[2]
                if white > _BLANK * right.style[0] and any(_heads(one, right) for one in above):
                    yield _text(chunk[first:at])
                    first = at
            yield _text(chunk[first:]) if first else _Text(chunk, box)
        above = [chunk[0] for chunk, _ in row]


def _text(words: Chunk) -> _Text:
    return _Text(words, hull([word.box for word in words]))


def _heads(label: Word, value: Word) -> bool:
    """Whether a word has the same start as one in the style of a label."""
    size = value.style.size
    as_label = label.style.size < _SMALLER * size or label.style.bold > value.style.bold
    return as_label and abs(label.box.x0 - value.box.x0) < _LEVEL * size


def _counts(text: _Text) -> bool:
    return any(map(str.isdigit, text_of(text.words)))


def _is_clause(heading: _Text, number: _Text) -> bool:
    """Whether a number counts below that of a heading: `5.1` below `5. Rent`."""
    over = _NUMBER.match(text_of(heading.words))
    return over is not None and text_of(number.words).startswith(f"{over[0]}.")


def _on_rule(label: _Text, value: _Text, rules: list[Rule]) -> bool:
    size = value.style.size
    return any(
        -0.5 * size < rule.at - value.box.y1 < _TIGHT * size
        and -0.5 * size < label.box.y0 - rule.at < _TIGHT * size
        and rule.start < label.box.x0 + 2
        and rule.end > max(label.box.x1, value.box.x1) - 2
        for rule in rules
    )


def _supported(pairs: list[_Pair], texts: list[_Text]) -> list[_Pair]:
    """The pairs that share their style with others, if nearly all such texts have a value."""
    groups: defaultdict[object, list[_Pair]] = defaultdict(list)
    for pair in pairs:
        groups[pair.look, bool(pair.below)].append(pair)
    used: set[int] = set()
    out: list[_Pair] = []
    for group in sorted(groups.values(), key=len, reverse=True):
        if _is_form(group, texts):
            for pair in group:
                members = {id(pair.label), *map(id, pair.lines)}
                if used.isdisjoint(members):
                    used |= members
                    out.append(pair)
    return out


def _is_form(group: list[_Pair], texts: list[_Text]) -> bool:
    if len(group) < max(_FEWEST, _MOST * _set_alike(group, texts)) or _are_tables(group):
        return False
    if group[0].below:
        kinds = Counter(pair.below for pair in group)
        return kinds["written"] + kinds["counted"] > kinds["worded"]
    if group[0].is_small:
        return True
    if any(len(pair.lines) > 1 or pair.lines[0].ends_sentence for pair in group):
        return False
    rows = Counter(round(pair.label.box.y1) for pair in group)
    level = sum(count for count in rows.values() if count > 1)
    in_columns = len(rows) > 1 and level >= _MOST * len(group)
    places = {round(pair.label.box.x0) for pair in group}
    return in_columns or (len(group) >= _MANY and len(places) == 1)


def _set_alike(group: list[_Pair], texts: list[_Text]) -> int:
    """The number of texts at the position of a group of pairs in the style of its labels."""
    place, label = hull([pair.box for pair in group]), group[0].label
    styles = [label.look] if not group[0].is_small else [(label.look[0], bold) for bold in (0, 1)]
    return sum(
        text.look in styles and place.holds(text.box.mid_x, text.box.mid_y) for text in texts
    )


def _are_tables(group: list[_Pair]) -> bool:
    """Whether the level labels all have several lines: headers of columns of values."""
    rows: defaultdict[int, list[_Pair]] = defaultdict(list)
    for pair in group:
        rows[round(pair.label.box.y1)].append(pair)
    return all(len(row) > 1 and min(len(pair.lines) for pair in row) > 1 for row in rows.values())
