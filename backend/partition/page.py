"""The contents of a page before interpretation: words, rules, fills and pictures.

Coordinates are points (1/72 inch; pixels for pictures read by OCR) from the top left corner of the
visible page, y downwards. Every reader that knows positions produces a `PageContent`, so the layout
rules are the same for a PDF, a scan and a photograph.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import repeat
from typing import NamedTuple

from backend.partition.direction import in_reading_order


class Rect(NamedTuple):
    x0: float
    y0: float
    x1: float
    y1: float

    @property
    def width(self) -> float:
        return self.x1 - self.x0

    @property
    def height(self) -> float:
        return self.y1 - self.y0

    @property
    def mid_x(self) -> float:
        return (self.x0 + self.x1) / 2

    @property
    def mid_y(self) -> float:
        return (self.y0 + self.y1) / 2

    @property
    def area(self) -> float:
        return max(0.0, self.width) * max(0.0, self.height)

    def joined(self, other: "Rect") -> "Rect":
        return Rect(
            min(self.x0, other.x0),
            min(self.y0, other.y0),
            max(self.x1, other.x1),
            max(self.y1, other.y1),
        )

    def overlap_x(self, other: "Rect") -> float:
        """Length of the shared horizontal extent; negative is the gap between the two."""
        return min(self.x1, other.x1) - max(self.x0, other.x0)

    def overlap_y(self, other: "Rect") -> float:
        return min(self.y1, other.y1) - max(self.y0, other.y0)

    def shared(self, other: "Rect") -> float:
        """Area of the intersection."""
        return max(0.0, self.overlap_x(other)) * max(0.0, self.overlap_y(other))

    def covers(self, other: "Rect") -> bool:
        return (
            self.x0 <= other.x0
            and self.y0 <= other.y0
            and self.x1 >= other.x1
            and self.y1 >= other.y1
        )

    def holds(self, x: float, y: float) -> bool:
        return self.x0 <= x <= self.x1 and self.y0 <= y <= self.y1


def rects(rows: Iterable[Iterable[float]]) -> list[Rect]:
    """Boxes of rows of four numbers, without the cost of a call for each."""
    return list(map(tuple.__new__, repeat(Rect), rows))


def hull(boxes: "list[Rect]") -> Rect:
    """The smallest box around all of a non-empty list."""
    if len(boxes) == 1:
        return boxes[0]
    lefts, tops, rights, bottoms = zip(*boxes)  # noqa: B905 - boxes have four sides
    return Rect(min(lefts), min(tops), max(rights), max(bottoms))


SMALLEST = 0.5
"""Points. Smaller letters count as this large: layout divides by sizes."""


class Style(NamedTuple):
    """The formatting of a word. `color` is 0xRRGGBB; `size` is in points, `SMALLEST` or more."""

    size: float
    font: str = ""
    bold: bool = False
    italic: bool = False
    color: int = 0
    fixed: bool = False
    """All letters are of one width, as in source code."""


class Role(NamedTuple):
    """The role of a piece of text in a tagged PDF: an element kind, its level, its element."""

    kind: str
    level: int
    element: int


@dataclass(slots=True, eq=False)
class Word:
    text: str
    box: Rect
    style: Style
    score: float = 1.0
    baseline: float = 0.0
    """The baseline, for words of different size on one line."""
    line: int = 0
    """Words with the same number above 0 are on one line, however wide the gaps."""
    role: Role | None = None
    hidden: bool = False
    """Not painted: the text that a scanner's software put behind its picture."""


@dataclass(slots=True, eq=False)
class Line:
    """Adjacent words on one baseline, left to right."""

    words: list[Word]
    """Dropped once the page is laid out: documents have millions."""
    box: Rect
    style: Style
    text: str
    letters: dict[Style, int]
    """The number of letters in each style."""
    score: float
    role: Role | None
    """From a tagged PDF, if all words have the same role."""
    single: bool = False
    """A block of its own, whatever surrounds it."""

    @classmethod
    def of(cls, words: list[Word]) -> "Line":
        """The style is that of most letters."""
        texts = [word.text for word in words]
        text = " ".join(texts)
        if not text.isascii():
            text = " ".join(in_reading_order(texts))
        style, role = words[0].style, words[0].role
        letters = {style: len(text) + 1 - len(words)}
        score, mixed = 1.0, False
        for word in words:
            mixed = mixed or word.style is not style
            if word.score < score:
                score = word.score
            if word.role is not role and word.role != role:
                role = None
        if mixed:
            letters = {}
            for word in words:
                letters[word.style] = letters.get(word.style, 0) + len(word.text)
            style = max(letters, key=letters.__getitem__)
        return cls(words, hull([word.box for word in words]), style, text, letters, score, role)


class Rule(NamedTuple):
    """A drawn straight line, horizontal or vertical: `at` across, from `start` to `end` along."""

    horizontal: bool
    at: float
    start: float
    end: float


@dataclass(slots=True)
class Picture:
    """An embedded or drawn picture with its position; `text` is the text inside."""

    box: Rect
    text: str = ""
    core: Rect | None = None
    """The drawing without the labels around it, which determines its place in the reading order."""
    gray: bool = False
    """Known to be gray, like most scans of text; unknown for small and coarse pictures."""
    dots: float = 0.0
    """Horizontal dots per inch; 0 if unknown."""


class Shape(NamedTuple):
    """A drawn shape that is neither an upright box nor a level or upright line; `open` lines are
    neither filled nor closed.
    """

    box: Rect
    open: bool


@dataclass(slots=True)
class PageContent:
    """One page as its reader found it."""

    number: int
    width: float
    height: float
    words: list[Word] = field(default_factory=list)
    rules: list[Rule] = field(default_factory=list)
    fills: list[Rect] = field(default_factory=list)
    shapes: list[Shape] = field(default_factory=list)
    pictures: list[Picture] = field(default_factory=list)
    angled: list[Word] = field(default_factory=list)
    """Whole angled strings."""
    turn: int = 0
    """Degrees (clockwise, 0, 90, 180 or 270) by which the content was rotated for reading; the
    boxes of the elements are rotated back.
    """
    unmapped: float = 0.0
    """Share of letters in fonts whose codes have no mapping to text; they may still be right."""
