"""Tables between horizontal rules of similar extent: the rules above, in and below them."""

from itertools import pairwise

from backend.partition.page import Rect, Rule, Word
from backend.partition.tables.aligned import CAPTION
from backend.partition.tables.columns import find_columns, stretches
from backend.partition.tables.grid import rows_in_order
from backend.partition.tables.heads import head_top, is_heading, is_of_next
from backend.partition.tables.open import wide_share
from backend.partition.tables.shelf import Shelf

_FULL = 0.85
"""The minimum width of a full line of text, relative to the rules."""
_BLANK, _LOOSE = 1.3, 0.2
"""In font sizes, the white space of a blank line, and the share of lines followed by one from which
they are parts of a page rather than rows.
"""


def between(stack: list[Rule], flat: list[Rule], words: Shelf) -> tuple[list[Word], list[Rule]]:
    """Words between the first and last rule of a stack, with its header, and the rules inside."""
    left, right = min(rule.start for rule in stack) - 2, max(rule.end for rule in stack) + 2
    box = Rect(left, stack[0].at, right, stack[-1].at)
    inside = words.inside(box)
    top = _head_above(box, inside, words)
    if top is not None:
        box = Rect(left, top, right, box.y1)
        inside = words.inside(box)
    inner = [
        rule
        for rule in flat
        if box.y0 - 1 <= rule.at <= box.y1 + 1 and rule.end > box.x0 and rule.start < box.x1
    ]
    return inside, inner


def _head_above(box: Rect, inside: list[Word], words: Shelf) -> float | None:
    if len(inside) < 4:
        return None
    size = sorted(word.style.size for word in inside)[len(inside) // 2]
    columns = find_columns(rows_in_order(inside), size)
    if columns is None:
        return None
    joints = [box.x0, *columns.borders()[1:-1], box.x1]
    return head_top(box.y0, joints, words, reach=0.8)


def stacks(flat: list[Rule], words: Shelf) -> list[list[Rule]]:
    """Stacks of rules with the same left and right end, split where there is prose between them."""
    groups: list[list[Rule]] = []
    for rule in sorted(flat, key=lambda rule: rule.at):
        if rule.end - rule.start < 40:
            continue
        for group in groups:
            first = group[0]
            if abs(first.start - rule.start) < 6 and abs(first.end - rule.end) < 6:
                group.append(rule)
                break
        else:
            groups.append([rule])
    out: list[list[Rule]] = []
    for group in groups:
        stack = [group[0]]
        size = _usual_size(group, words)
        for rule in group[1:]:
            if _prose_between(stack[-1], rule, words) or _headed(stack[-1], rule, words, size):
                out.append(stack)
                stack = []
            stack.append(rule)
        out.append(stack)
    return [stack for stack in out if len(stack) > 1]


def _usual_size(group: list[Rule], words: Shelf) -> float:
    """Of the words between rules; 0 if there are none."""
    box = Rect(group[0].start - 2, group[0].at, group[0].end + 2, group[-1].at)
    sizes = sorted([word.style.size for word in words.inside(box)])
    return sizes[len(sizes) // 2] if sizes else 0.0


def _headed(above: Rule, below: Rule, words: Shelf, size: float) -> bool:
    """Whether the heading of another table is between two rules."""
    band = Rect(above.start - 2, above.at, above.end + 2, below.at)
    lines = rows_in_order(words.inside(band))
    alone = [line for line in lines if len(stretches(line, 1.1 * size)) == 1]
    return any(is_heading(line, size) for line in alone) or bool(lines and is_of_next(lines, band))


def _prose_between(above: Rule, below: Rule, words: Shelf) -> bool:
    box = Rect(above.start - 2, above.at, above.end + 2, below.at)
    inside = words.inside(box)
    if not inside:
        return below.at - above.at > 150
    size = sorted(word.style.size for word in inside)[len(inside) // 2]
    lines = rows_in_order(inside)
    if any(CAPTION.match(" ".join(word.text for word in line)) for line in lines):
        return True
    if len(lines) > 1 and wide_share(lines, box.width, size) > 0.5:
        return True
    whole = sum(len(stretches(line, 1.1 * size)) == 1 for line in lines)
    whites = _whites(lines, box)
    if whole == len(lines) and max(whites) > 1.8 * size:
        return True
    loose = sum(white > _BLANK * size for white in whites[1:-1])
    if loose > 1 and loose > _LOOSE * len(lines):
        return True
    if _has_paragraph(lines, box.width, size):
        return True
    wide = wide_share(lines, box.width, size) > 0
    return len(lines) > 2 and wide and whole > 0.8 * len(lines)


def _has_paragraph(lines: list[list[Word]], width: float, size: float) -> bool:
    """Whether a line fills the whole width and the next continues at the same margin."""
    for line, below in pairwise(lines):
        parts = stretches(line, 1.1 * size) + stretches(below, 1.1 * size)
        if len(parts) == 2 and parts[0][1] - parts[0][0] > _FULL * width:
            return abs(parts[0][0] - parts[1][0]) < 0.3 * size
    return False


def _whites(lines: list[list[Word]], box: Rect) -> list[float]:
    """The heights of the white bands above, between and below the lines between two rules."""
    tops = [min(word.box.y0 for word in line) for line in lines]
    bottoms = [max(word.box.y1 for word in line) for line in lines]
    return [low - high for high, low in zip([box.y0, *bottoms], [*tops, box.y1], strict=True)]
