"""Adjacent frames, such as cards and panels: each is read completely before the next.

White space cannot distinguish cards from columns; the outlines around them can. A row of frames is
two or more boxes of one height, filled or outlined, that contain all the text between their sides.
"""

from bisect import bisect_left, bisect_right
from collections import defaultdict
from dataclasses import dataclass
from itertools import islice, pairwise, product
from operator import attrgetter

from backend.partition.page import PageContent, Rect, Rule, hull

_ALIKE = 3.0
"""Points by which the edges of frames in one row differ."""
_MAX_FRAMES = 300
"""More are the cells of a table or a drawing."""
_MIN_SIDE = 12.0
"""Points."""


@dataclass(frozen=True)
class FrameRow:
    """Frames from left to right with their contents, as indices of the boxes given."""

    box: Rect
    members: list[list[int]]


def frame_rows(content: PageContent, boxes: list[Rect]) -> list[FrameRow]:
    """The rows of frames on a page; `boxes` are its lines, tables and pictures."""
    frames = _frames(content)
    if not 2 <= len(frames) <= _MAX_FRAMES:
        return []
    rows: list[FrameRow] = []
    used: set[int] = set()
    for group in sorted(_level(frames), key=lambda group: -hull(group).area):
        row = _row(group, boxes)
        if row is not None and used.isdisjoint(i for part in row.members for i in part):
            used.update(i for part in row.members for i in part)
            rows.append(row)
    return rows


def _frames(content: PageContent) -> list[Rect]:
    boxes = [shape.box for shape in content.shapes if not shape.open]
    boxes += content.fills + _outlined(content.rules)
    boxes = [box for box in boxes if min(box.width, box.height) >= _MIN_SIDE]
    frames: list[Rect] = []
    corners: defaultdict[tuple[float, float], list[Rect]] = defaultdict(list)
    for box in sorted(boxes, key=lambda box: -box.area):
        if len(frames) > _MAX_FRAMES:
            break
        near = [other for cell in product(_near(box.x0), _near(box.y0)) for other in corners[cell]]
        if not any(_same(box, other) for other in near):
            frames.append(box)
            corners[box.x0 // _ALIKE, box.y0 // _ALIKE].append(box)
    return frames


def _near(place: float) -> tuple[float, float, float]:
    """Grid cells for looking up similar positions."""
    cell = place // _ALIKE
    return cell - 1, cell, cell + 1


def _same(a: Rect, b: Rect) -> bool:
    return all(abs(x - y) < _ALIKE for x, y in zip(a, b, strict=True))


def _outlined(rules: list[Rule]) -> list[Rect]:
    """Boxes made of a rule on each side."""
    flat = sorted((rule for rule in rules if rule.horizontal), key=attrgetter("at"))
    tall = sorted((rule for rule in rules if not rule.horizontal), key=attrgetter("at"))
    if len(flat) > _MAX_FRAMES or len(tall) < 2:
        return []
    places = [rule.at for rule in tall]
    starts: defaultdict[float, list[int]] = defaultdict(list)
    for number, rule in enumerate(flat):
        starts[rule.start // _ALIKE].append(number)
    out: list[Rect] = []
    for number, top in enumerate(flat):
        below = [_next_alike(number, starts[cell], flat) for cell in _near(top.start)]
        if min(below) == len(flat):
            continue
        box = Rect(top.start, top.at, top.end, flat[min(below)].at)
        sides = [
            tall[bisect_right(places, x - _ALIKE) : bisect_left(places, x + _ALIKE)]
            for x in (box.x0, box.x1)
        ]
        if all(any(_is_side(rule, box) for rule in near) for near in sides):
            out.append(box)
    return out


def _is_side(rule: Rule, box: Rect) -> bool:
    return rule.start < box.y0 + _ALIKE and rule.end > box.y1 - _ALIKE


def _next_alike(number: int, others: list[int], flat: list[Rule]) -> int:
    """The first rule below with the same ends; the number of rules if there is none."""
    below = islice(others, bisect_right(others, number), None)
    return next((other for other in below if _ends_alike(flat[number], flat[other])), len(flat))


def _ends_alike(a: Rule, b: Rule) -> bool:
    return abs(a.start - b.start) < _ALIKE and abs(a.end - b.end) < _ALIKE and b.at - a.at > _ALIKE


def _level(frames: list[Rect]) -> list[list[Rect]]:
    """Frames of the same top and bottom, from left to right, if they do not overlap."""
    groups: list[list[Rect]] = []
    for frame in frames:
        for group in groups:
            first = group[0]
            if abs(first.y0 - frame.y0) < _ALIKE and abs(first.y1 - frame.y1) < _ALIKE:
                group.append(frame)
                break
        else:
            groups.append([frame])
    rows = [sorted(group) for group in groups if len(group) > 1]
    return [row for row in rows if all(b.x0 - a.x1 > -_ALIKE for a, b in pairwise(row))]


def _row(frames: list[Rect], boxes: list[Rect]) -> FrameRow | None:
    """The row, unless a frame is empty or anything lies between or across the frames."""
    box = hull(frames)
    members: list[list[int]] = [[] for _ in frames]
    for index, item in enumerate(boxes):
        if item.shared(box) <= 0.1 * item.area:
            continue
        home = next((k for k, frame in enumerate(frames) if _inside(item, frame)), None)
        if home is None:
            return None
        members[home].append(index)
    return FrameRow(box, members) if all(members) else None


def _inside(item: Rect, frame: Rect) -> bool:
    return (
        frame.x0 - _ALIKE <= item.x0
        and item.x1 <= frame.x1 + _ALIKE
        and frame.y0 - _ALIKE <= item.y0
        and item.y1 <= frame.y1 + _ALIKE
    )
