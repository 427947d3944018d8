"""Boxes to tick: the options of a form, which of them are ticked, and what they answer.

The options of one question follow each other, in one text or over several lines and cells. Their
label is in front of the first one, or it is the text or the heading before them.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

from backend.extraction.lines import lined, lines
from backend.extraction.pairs import MAX_LABEL, MAX_VALUE, Pair
from backend.extraction.words import content
from workbench.contract.elements import Element

TICKED = "ticked"
"""The source of such pairs."""
_BOX = re.compile(r"[☐☒☑✓✔✗✘]|(?<!\w)(?:\[[ _xX✓]\]|\([ _xX✓]\))(?!\w)")
_EMPTY = re.compile(r"☐|\[[ _]\]|\([ _]\)")
_LABELLED, _ABOVE, _HEADED = 0.95, 0.85, 0.8
"""Confidence that a label belongs to the options: in front of them, before them, over them."""
_ASKING = re.compile(
    r"\b(?:check|tick|mark|select|choose)\b.{0,60}\b(?:one|all|any|box(?:es)?|appl\w+|appropriate)\b"
    r"|\bankreuz|\bangekreuzt|\bcocher\b|\baankruisen\b",
    re.IGNORECASE,
)
"""A text that asks to tick boxes; their label is before it."""
_MOST_CELLS = 4_000


class Option(NamedTuple):
    """The range of an option in its text, and whether it is ticked."""

    start: int
    end: int
    ticked: bool


@lru_cache(maxsize=4_000)
def options_in(text: str) -> tuple[Option, ...]:
    """The options of a text: behind their boxes, or before them if the text ends with a box. A sign
    alone has none.
    """
    boxes = list(_BOX.finditer(text))
    if not boxes:
        return ()
    starts, ends = [box.end() for box in boxes], [box.start() for box in boxes]
    if not text[starts[-1] :].strip(" .") and text[: ends[0]].strip():
        ranges = zip([0, *starts[:-1]], ends, strict=True)
    else:
        ranges = zip(starts, [*ends[1:], len(text)], strict=True)
    options = (
        Option(*_stripped(text, *own), _EMPTY.fullmatch(box[0]) is None)
        for own, box in zip(ranges, boxes, strict=True)
    )
    return tuple(one for one in options if one.end > one.start)


def crosses_box(text: str, start: int, end: int) -> bool:
    """Whether a part of a text is outside of its ticked options although it touches options."""
    return any(start < box.end() and box.start() < end for box in _BOX.finditer(text)) or any(
        start < one.end and one.start < end and not one.ticked for one in options_in(text)
    )


def answer_at(text: str, start: int, end: int) -> bool | None:
    """Whether the option around a part of a text is ticked; None outside of options."""
    around = (one for one in options_in(text) if one.start <= start and end <= one.end)
    return next((one.ticked for one in around), None)


def _stripped(text: str, start: int, end: int) -> tuple[int, int]:
    part = text[start:end]
    return start + len(part) - len(part.lstrip(" :")), start + len(part.rstrip(" ;,|"))


@dataclass
class _Group:
    labels: list[tuple[str, float]]
    place: tuple[int, int, tuple[float, ...]]
    ticked: list[str] = field(default_factory=list)


def tick_pairs(elements: Sequence[Element]) -> Iterator[Pair]:
    """For each label of boxes a pair with the ticked options, separated by semicolons, or an empty
    text if none is ticked.
    """
    for group in _groups(elements):
        value = "; ".join(group.ticked)[:MAX_VALUE]
        for label, weight in group.labels:
            yield Pair(label, value, *group.place, weight, TICKED)


def _groups(elements: Sequence[Element]) -> Iterator[_Group]:
    group: _Group | None = None
    before, heading = "", ""
    for text, place, is_heading in _texts(elements):
        options = options_in(text)
        lead = _lead(text)
        if group is not None and (lead or not options):
            yield group
            group = None
        if options:
            group = group or _Group(list(_labels(lead, before, heading)), place)
            group.ticked += [text[one.start : one.end] for one in options if one.ticked]
        elif not _ASKING.search(text):
            before = text
            heading = text if is_heading else heading
    if group is not None:
        yield group


def _lead(text: str) -> str:
    """The words in front of the boxes of a text, if its options are behind their boxes."""
    box = _BOX.search(text)
    options = options_in(text)
    if box is None or not options or options[0].start < box.start():
        return ""
    return text[: box.start()].strip(" :")


def _labels(lead: str, before: str, heading: str) -> Iterator[tuple[str, float]]:
    known = set[str]()
    for label, weight in ((lead, _LABELLED), (before, _ABOVE), (heading, _HEADED)):
        plain = re.sub(r"\([^()]*\)", "", label).strip(" :")
        if 1 < len(plain) <= MAX_LABEL and content(plain) and plain not in known:
            known.add(plain)
            yield plain, weight
            if label is lead:
                return


def _texts(
    elements: Sequence[Element],
) -> Iterator[tuple[str, tuple[int, int, tuple[float, ...]], bool]]:
    """The lines of a document with their places, and whether they are headings."""
    for index, element in enumerate(elements):
        place = (index, element.page_number, tuple(element.bbox))
        if element.table is None:
            heads = element.type in ("Section-header", "Title")
            for line in lined(element, MAX_VALUE * 4).split("\n"):
                if line.strip():
                    yield " ".join(line.split()), place, heads
            continue
        for cell in element.table.cells[:_MOST_CELLS]:
            for line in lines(cell.content, cell.properties):
                yield line, place, False
