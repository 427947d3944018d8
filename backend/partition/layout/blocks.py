"""Lines of a zone -> blocks: paragraphs, list items and stand-alone lines."""

import re
from dataclasses import dataclass, field
from itertools import pairwise
from statistics import median

from backend.partition.direction import is_leftward
from backend.partition.page import Line, Rect, Role, Style, hull

_BULLET = re.compile(r"^\s*([•●○◦▪■□▫‣⁃∙·➢➤✓✔–—\-*o])\s+\S|^\s*[•●○◦▪■□▫‣⁃➢➤✓✔]")
_DASH = re.compile(r"^\s*[–—\-*o·]\s")
"""Bullets that are signs of a sentence as well."""
_NUMBER = re.compile(
    r"^\s*(?:\(?(?:\d{1,3}|[a-zA-Z]|[ivxIVX]{1,5})\)|(?:\d{1,3}|[a-z]|[ivx]{1,5})\.)\s+\S"
)
CAPTION = re.compile(
    r"^(?:fig(?:ure|\.)?|table|tab\.|chart|graph|box|plate|map|exhibit|scheme|abb(?:ildung|\.)|tabelle|"
    r"tableau|figura|tabla)\s*[A-Z]{0,3}\.?\d+",
    re.IGNORECASE,
)
"""How a numbered caption begins."""
_CLAUSE = re.compile(r"^\s*(?:\[\w{1,8}\]|\d{1,2}(?:\.\d{1,3}){1,4}\.?|[IVXLC]{1,6}\.)\s+\S")
"""Numbers of references and clauses, whose further lines are indented."""
_LEADING, _WIDEST = 0.25, 2.0
"""In font sizes: the white space between two lines, usually and at most."""
_FIRST_INDENT = 3.0
"""Of the font size: the first line of a paragraph begins no further right than this."""
_ENDS_SENTENCE = re.compile(r"[.!?:;…][\"'”’)\]]*\d{0,3}$")


@dataclass(slots=True)
class Block:
    """Lines that belong together, in reading order; `kind` is decided by later rules."""

    lines: list[Line]
    kind: str = "Text"
    level: int = 0
    """Of a heading, from 1; 0 if it is unknown."""
    box: Rect = field(init=False)
    style: Style = field(init=False)
    role: Role | None = field(init=False)
    """The role of the block in a tagged PDF."""
    text: str = field(init=False)

    def __post_init__(self) -> None:
        self.box = hull([line.box for line in self.lines])
        letters = self.letters()
        self.style = max(letters, key=letters.__getitem__)
        roles = {line.role for line in self.lines}
        self.role = roles.pop() if len(roles) == 1 else None
        self.text = "\n".join([line.text for line in self.lines])

    @property
    def upright(self) -> bool:
        """False for strings that run up or down the page."""
        return self.box.height < 2 * self.box.width or len(self.text) < 4 or len(self.lines) > 1

    def letters(self) -> dict[Style, int]:
        """How many letters are set in each style."""
        if len(self.lines) == 1:
            return self.lines[0].letters
        results: dict[Style, int] = {}
        for line in self.lines:
            for style, count in line.letters.items():
                results[style] = results.get(style, 0) + count
        return results

    def settle(self) -> None:
        """Drops the words; the lines have everything that labels need."""
        for line in self.lines:
            line.words = []

    @property
    def score(self) -> float:
        return min(line.score for line in self.lines)


def is_list_start(text: str) -> bool:
    return bool(_BULLET.match(text))


def blocks_of(segments: list[Line]) -> list[Block]:
    """Blocks of one zone. `segments` are in reading order; those side by side become one line."""
    lines = _whole_lines(segments)
    if not lines:
        return []
    left = min(line.box.x0 for line in lines)
    right = max(line.box.x1 for line in lines)
    leading = _leading(lines, right)
    groups: list[list[Line]] = []
    for at, line in enumerate(lines):
        after = lines[at + 1] if at + 1 < len(lines) else None
        if groups and _continues(groups[-1], line, after, (left, right), leading):
            groups[-1].append(line)
        else:
            groups.append([line])
    return [
        Block(group, "List-item" if _BULLET.match(group[0].text) else "Text") for group in groups
    ]


def _whole_lines(segments: list[Line]) -> list[Line]:
    lines: list[Line] = []
    for segment in segments:
        if lines:
            last = lines[-1]
            shared = last.box.overlap_y(segment.box)
            beside = shared > 0.5 * min(last.box.height, segment.box.height)
            beside = beside and not (last.single or segment.single)
            if beside and segment.box.x0 >= last.box.x1 - 1:
                lines[-1] = Line.of(last.words + segment.words)
                continue
            if beside and segment.box.x1 <= last.box.x0 + 1 and is_leftward(segment.text):
                lines[-1] = Line.of(segment.words + last.words)
                continue
        lines.append(segment)
    return lines


def _leading(lines: list[Line], right: float) -> float:
    """The white space between the lines of running text, in font sizes: the median above those that
    begin in lower case because their first word had no room on the line above.
    """
    gaps = []
    for above, line in pairwise(lines):
        size = max(line.style.size, 1.0)
        gap = _gap(above, line) / size
        if line.text[:1].islower() and -0.8 < gap < _WIDEST and _alike(above, line):
            room = right - above.box.x1
            if room < line.words[0].box.width + 0.3 * size:
                gaps.append(gap)
    return max(_LEADING, median(gaps)) if len(gaps) > 1 else _LEADING


def _continues(
    group: list[Line], line: Line, after: Line | None, sides: tuple[float, float], leading: float
) -> bool:
    """Whether a line continues the block above it; `after` is the line below."""
    last = group[-1]
    left, right = sides
    if last.single or line.single:
        return False
    if last.role is not None and line.role is not None and last.role != line.role:
        return False
    size = max(last.style.size, line.style.size, 1.0)
    gap = _gap(last, line)
    usual = _gap(group[-2], last) if len(group) > 1 else leading * size
    if gap > max(usual, 0.0) + 0.35 * size or gap < -0.8 * size:
        return False
    if line.box.overlap_x(last.box) <= 0 or not _alike(last, line):
        return False
    text = line.text
    leftward = is_leftward(text)
    indent, room = line.box.x0 - last.box.x0, right - last.box.x1
    if leftward:
        indent, room = last.box.x1 - line.box.x1, last.box.x0 - left
    short = room > 0.2 * (right - left)
    if short and _changes_slant(last, line):
        return False
    if _is_item(group, line, short=short, level=indent < 0.5 * size):
        return False
    outdented = len(group) == 1 and -indent > _FIRST_INDENT * size
    full = _fills(line, left, right) and after is not None and _alike(line, after)
    if outdented and (full or not _centred(last, line)):
        return False
    if indent > 0.8 * size and not _centred(last, line):
        listed = any(mark.match(group[0].text) for mark in (_BULLET, _NUMBER, _CLAUSE, CAPTION))
        hanging = not leftward and _hangs(last, line, after, right)
        if len(group) > 1 or not (listed or (hanging and not short)):
            return False
    return not (short and _ENDS_SENTENCE.search(last.text) and not text[:1].islower())


def _gap(above: Line, below: Line) -> float:
    """White space between two lines, ignoring parts that protrude: roots, sums, superscripts."""
    return _band(below)[0] - _band(above)[1]


def _band(line: Line) -> tuple[float, float]:
    if line.box.height <= 1.5 * line.style.size or len(line.letters) == 1:
        return line.box.y0, line.box.y1
    main = hull([word.box for word in line.words if word.style == line.style] or [line.box])
    return main.y0, main.y1


def _is_item(group: list[Line], line: Line, *, short: bool, level: bool) -> bool:
    """Whether a line begins a new item; `short` is the line above, `level` means that it is not
    indented relative to that.
    """
    text = line.text
    if _BULLET.match(text):
        running = level and not short and not _ENDS_SENTENCE.search(group[-1].text)
        return not (running and _DASH.match(text) and not _BULLET.match(group[0].text))
    if _CLAUSE.match(text) and _CLAUSE.match(group[0].text):
        return True
    first = short and len(group) == 1
    return bool(_NUMBER.match(text)) and (first or _own_item(group, line))


def _hangs(first: Line, line: Line, after: Line | None, right: float) -> bool:
    """Whether an indented line continues the line above rather than opening a paragraph: the next
    line is indented alike, or the text ends early, like a short reference.
    """
    size = line.style.size
    ended = bool(_ENDS_SENTENCE.search(first.text)) or first.text.endswith(":")
    near = after is not None and _gap(line, after) < 0.6 * size and _alike(line, after)
    if after is not None and near and abs(after.box.x0 - line.box.x0) < 0.3 * size:
        return not ended or line.text[:1].islower()
    return not ended and right - line.box.x1 > size


def _own_item(group: list[Line], line: Line) -> bool:
    """A number opens an item only where the block itself is one or its last sentence has ended."""
    return bool(_NUMBER.match(group[0].text)) or bool(_ENDS_SENTENCE.search(group[-1].text))


def _fills(line: Line, left: float, right: float) -> bool:
    """Whether a line is full: centred text above it is a heading, not its beginning."""
    size = line.style.size
    return line.box.x0 < left + 0.5 * size and line.box.x1 > right - _FIRST_INDENT * size


def _alike(a: Line, b: Line) -> bool:
    if abs(a.style.size - b.style.size) > 0.08 * max(a.style.size, b.style.size) + 0.1:
        return False
    if a.style.bold != b.style.bold and _uniform(a) and _uniform(b):
        return False
    return a.style.color == b.style.color or not (_uniform(a) and _uniform(b))


def _changes_slant(above: Line, below: Line) -> bool:
    """Whether one of two lines is in italics, and the other not: a heading above its text."""
    slants = [{style.italic for style in line.letters} for line in (above, below)]
    return all(len(one) == 1 for one in slants) and slants[0] != slants[1]


def _uniform(line: Line) -> bool:
    return all(
        style.bold == line.style.bold and style.color == line.style.color for style in line.letters
    )


def _centred(a: Line, b: Line) -> bool:
    return abs(a.box.mid_x - b.box.mid_x) < 0.3 * b.style.size
