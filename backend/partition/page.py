"""What is on a page before anybody has said what it means: words, rules, fills and pictures.

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
    """How a word is set. `color` is 0xRRGGBB; `size` is in points, `SMALLEST` or more."""

    size: float
    font: str = ""
    bold: bool = False
    italic: bool = False
    color: int = 0
    fixed: bool = False
    """All letters are of one width, as in source code."""


class Role(NamedTuple):
    """What a tagged PDF says a piece of text is: an element kind, its level, its element."""

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
    """Where the letters stand, for words of different size on one line."""
    line: int = 0
    """Words with the same number above 0 were seen in one line, however wide the gaps between."""
    role: Role | None = None
    hidden: bool = False
    """Not painted: the text that a scanner's program put behind its picture."""


@dataclass(slots=True, eq=False)
class Line:
    """Words that stand side by side on one baseline, left to right."""

    words: list[Word]
    """Given up once the page is laid out: documents have millions."""
    box: Rect
    style: Style
    text: str
    letters: dict[Style, int]
    """How many letters are set in each style."""
    score: float
    role: Role | None
    """Of a tagged PDF, where all words have the same."""
    single: bool = False
    """A block of its own, whatever stands around it."""

    @classmethod
    def of(cls, words: list[Word]) -> "Line":
        """The style is that of most of the letters."""
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
    """An embedded or drawn picture by its place; `text` is what is written in it."""

    box: Rect
    text: str = ""
    core: Rect | None = None
    """What is drawn, without the labels around it: by this it is placed among its neighbours."""
    gray: bool = False
    """Known to have no colours, as most scans of text; not known of small and coarse ones."""
    dots: float = 0.0
    """Per inch, across; 0 where it is not known."""


class Shape(NamedTuple):
    """Something drawn that is neither an upright box nor a level or upright line; `open` lines are
    drawn but not filled and do not come back to their start."""

    box: Rect
    open: bool


@dataclass(slots=True)
class PageContent:
    """One page: what its reader saw."""

    number: int
    width: float
    height: float
    words: list[Word] = field(default_factory=list)
    rules: list[Rule] = field(default_factory=list)
    fills: list[Rect] = field(default_factory=list)
    shapes: list[Shape] = field(default_factory=list)
    pictures: list[Picture] = field(default_factory=list)
    angled: list[Word] = field(default_factory=list)
    """Strings set at an angle, whole."""
    turn: int = 0
    """Degrees (clockwise, 0, 90, 180 or 270) by which the content was turned to read it; the boxes
    of the elements are turned back."""
    unmapped: float = 0.0
    """Share of the letters in fonts whose codes the file does not map to text; they may be right
    all the same."""
