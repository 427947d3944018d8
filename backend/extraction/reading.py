"""The parts of a document that extraction works on: labelled values, columns, sections, sentences.

Elements come in reading order. Each pair keeps the element and box it was read from, and `weight`,
the confidence that label and value belong together. Nothing here depends on properties.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from backend.extraction.habits import Habits, habits_of
from backend.extraction.lines import lined, lined_cells
from backend.extraction.pairs import (
    MAX_LINE,
    MAX_VALUE,
    Pair,
    figured_pairs,
    is_label,
    line_pairs,
    numbered_pairs,
    single,
)
from backend.extraction.tables import blank_labels, data_columns, full_width_texts, read_table
from backend.extraction.ticks import options_in, tick_pairs
from backend.extraction.words import stem
from workbench.contract.elements import Element, TableCell

MAX_SENTENCE = 1_500
_BLANK = 0.7
"""Confidence that a label with nothing beside it has no value."""
_BOXED = 0.85
"""Confidence that the second line of a box is the value of the first."""
MAX_TEXT = 400_000
"""The maximum number of characters read from a document; the rest is ignored."""

_WORD = re.compile(r"[^\W\d_]+")
_BULLET = re.compile(r"^\s*(?:[•·▪◦*]|[-–]\s)\s*")
_NUMBERING = re.compile(
    r"^\s*(?:\(?(?:\d+|[ivxlc]+|[a-z])[.)]|\d+(?:\.\d+)+\.?|§\s?\d+|(?:Section|Article|Clause)\s+[\dIVX.]+[.:]?)\s+",
    re.IGNORECASE,
)
_SENTENCE_END = re.compile(r"(?<=[.!?;])\s+(?=[A-Z\"“'(])|(?<=[.!?;])(?<!\d\.)\s+(?=\d)|\n\s*\n")
"""In "30. 11. 2020" no sentence ends."""
_ABBREVIATION = re.compile(
    r"(?:\b(?:No|Nr|Inc|Ltd|Co|Corp|Mr|Mrs|Ms|Dr|St|vs|approx|e\.g|i\.e)|\b[A-Z])\.$"
)


@dataclass(frozen=True, slots=True)
class Sentence:
    text: str
    element: int
    page: int
    bbox: tuple[float, ...]
    order: int
    words: tuple[tuple[int, int, str], ...]
    """Start, end and stem of each word."""


@dataclass(frozen=True, slots=True)
class Column:
    """The cells below a header; all columns of one table have the same `table` number."""

    header: str
    cells: tuple[str, ...]
    table: int
    element: int
    page: int
    bbox: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and the texts and list items below it."""

    heading: str
    texts: tuple[str, ...]
    items: tuple[str, ...]
    element: int
    page: int
    bbox: tuple[float, ...]


@dataclass
class Reading:
    """A document read once and shared by the extractors of all properties."""

    pairs: list[Pair] = field(default_factory=list)
    columns: list[Column] = field(default_factory=list)
    sections: list[Section] = field(default_factory=list)
    sentences: list[Sentence] = field(default_factory=list)
    usual_order: bool | None = None
    """The order of day and month in related documents."""
    blanks: list[Pair] = field(default_factory=list)
    """Labels with no value filled in."""

    @cached_property
    def habits(self) -> Habits:
        """How it writes dates and numbers."""
        return habits_of(self._texts(), self.usual_order)

    @cached_property
    def single_pairs(self) -> list[Pair]:
        """The pairs; those that name several values are split."""
        return [part for pair in self.pairs for part in single(pair)]

    @cached_property
    def sentences_by_word(self) -> dict[str, list[int]]:
        """The sentences in which each stem occurs."""
        places: dict[str, list[int]] = {}
        for number, sentence in enumerate(self.sentences):
            for word in {entry[2] for entry in sentence.words}:
                places.setdefault(word, []).append(number)
        return places

    @cached_property
    def elements(self) -> frozenset[int]:
        """The elements that contributed anything."""
        parts = (self.pairs, self.columns, self.sections, self.sentences)
        return frozenset(one.element for part in parts for one in part)

    def _texts(self) -> Iterator[str]:
        yield from (pair.value for pair in self.pairs)
        yield from (sentence.text for sentence in self.sentences)


def read(elements: Sequence[Element], usual_order: bool | None = None) -> Reading:
    """Reads the elements of one document, at most `MAX_TEXT` characters."""
    reading = Reading(usual_order=usual_order)
    left = MAX_TEXT
    previous_line: tuple[str, int] | None = None
    for index, element in enumerate(elements):
        place = (index, element.page_number, tuple(element.bbox))
        if element.table is not None:
            previous_line = None
            for pair in read_table(element.table):
                box = pair.bbox or place[2]
                reading.pairs.append(
                    Pair(
                        pair.label,
                        pair.value,
                        index,
                        place[1],
                        box,
                        pair.weight,
                        "table",
                        pair.row,
                        pair.period,
                    )
                )
            for label in blank_labels(element.table):
                reading.blanks.append(Pair(label, "", *place, _BLANK, "table"))
            reading.columns += _columns(element, place)
            for text in full_width_texts(element.table):
                _read_text(reading, element.type, text, place, None)
            for cell, several in lined_cells(element.table):
                _read_box(reading, cell, several, place)
            continue
        text = lined(element, left)
        left -= len(text)
        if not text.strip() or element.type == "Image":
            continue
        previous_line = _read_text(reading, element.type, text, place, previous_line)
    _settle_lists_of_pairs(reading)
    ticked = list(tick_pairs(elements))
    if ticked:
        reading.pairs = [pair for pair in reading.pairs if not options_in(pair.value)]
        reading.pairs += [pair for pair in ticked if pair.value]
        reading.blanks += [pair for pair in ticked if not pair.value]
    reading.sections = _sections(elements)
    for section in reading.sections:
        if section.texts:
            value = section.texts[0][:MAX_VALUE]
            place = (section.element, section.page, section.bbox)
            reading.pairs.append(Pair(section.heading, value, *place, 0.8, "heading"))
    return reading


def _settle_lists_of_pairs(reading: Reading) -> None:
    """Label lines above value lines: a run of such pairs gets more weight and yields no
    sentences.
    """
    below = {pair.element: pair for pair in reading.pairs if pair.source == "below"}
    labels = {(pair.element - 1, pair.label) for pair in below.values()}
    reading.pairs = [
        replace(pair, weight=max(pair.weight, 0.88))
        if pair.source == "below" and (pair.element - 2 in below or pair.element + 2 in below)
        else pair
        for pair in reading.pairs
    ]
    reading.sentences = [
        sentence
        for sentence in reading.sentences
        if (sentence.element, sentence.text.rstrip(" :")) not in labels
    ]


Place = tuple[int, int, tuple[float, ...]]


def _read_text(
    reading: Reading, kind: str, text: str, place: Place, before: tuple[str, int] | None
) -> tuple[str, int] | None:
    """Adds the pairs and sentences of one element; returns its last line if that could be a
    label.
    """
    running = []
    for raw in text.split("\n"):
        line = _BULLET.sub("", raw).rstrip()
        if not line.strip():
            continue
        results = list(line_pairs(line.strip()[:MAX_LINE]))
        if results:
            reading.pairs += [
                Pair(label, value, *place, weight, "line") for label, value, weight in results
            ]
            if before is not None and before[0].endswith(":"):
                reading.blanks.append(Pair(before[0].rstrip(" :"), "", *place, _BLANK, "line"))
            before = None
        elif before is not None and len(line) <= 160 and place[0] - before[1] <= 1:
            label, weight = before[0].rstrip(" :"), 0.9 if before[0].endswith(":") else 0.6
            reading.pairs.append(Pair(label, line.strip(), *place, weight, "below"))
            before = None
        elif kind not in ("Page-header", "Page-footer"):
            before = (line.strip(), place[0]) if is_label(line.strip()) else None
        numbered = numbered_pairs(line[:MAX_LINE])
        reading.pairs += [Pair(label, value, *place, 0.85, "line") for label, value in numbered]
        if not results:
            figured = figured_pairs(line.strip())
            reading.pairs += [Pair(label, value, *place, 0.75, "line") for label, value in figured]
        running.append(line)
    for sentence in sentences("\n".join(running)):
        words = tuple((*match.span(), stem(match[0])) for match in _WORD.finditer(sentence))
        reading.sentences.append(Sentence(sentence, *place, len(reading.sentences), words))
    return before


def _read_box(reading: Reading, cell: TableCell, several: Sequence[str], table: Place) -> None:
    """A cell of several lines: a label with its value below, or labelled lines."""
    box = table[2]
    if cell.bbox is not None:
        box = (cell.bbox.x1, cell.bbox.y1, cell.bbox.x2, cell.bbox.y2)
    place = (table[0], table[1], box)
    label = several[0].rstrip(" :")
    _read_text(reading, "cell", "\n".join(several[1:]), place, None)
    if is_label(label):
        reading.pairs.append(Pair(label, several[1][:MAX_VALUE], *place, _BOXED, "below"))
        if len(several) > 2:
            rest = " ".join(several[1:])[:MAX_VALUE]
            reading.pairs.append(Pair(label, rest, *place, 0.9 * _BOXED, "below"))


def sentences(text: str) -> Iterator[str]:
    """The sentences of a text. Abbreviations do not end one, and overlong ones are cut."""
    kept = ""
    for piece in _SENTENCE_END.split(text if "\n\n" in text else text.replace("\n", " ")):
        kept = f"{kept} {' '.join(piece.split())}".strip()
        while len(kept) > MAX_SENTENCE:
            cut = kept.rfind(" ", MAX_SENTENCE // 2, MAX_SENTENCE) + 1 or MAX_SENTENCE
            yield kept[:cut].strip()
            kept = kept[cut:]
        if kept and not _ABBREVIATION.search(kept[-12:]):
            yield kept
            kept = ""
    if kept:
        yield kept


def without_numbering(heading: str) -> str:
    """A heading without its leading number: "9. Probable cause" is "Probable cause"."""
    return _NUMBERING.sub("", heading).strip().rstrip(":")


def _columns(element: Element, place: Place) -> list[Column]:
    table = element.table
    if table is None:
        return []
    return [Column(header, cells, place[0], *place) for header, cells in data_columns(table)]


def _sections(elements: Sequence[Element]) -> list[Section]:
    sections = []
    for index, element in enumerate(elements):
        heading = (element.text_representation or "").strip()
        if element.type not in ("Section-header", "Title") or not 0 < len(heading) <= 120:
            continue
        texts, items = [], []
        for below in elements[index + 1 : index + 40]:
            if below.type in ("Section-header", "Title"):
                break
            text = (below.text_representation or "").strip()
            if text and below.type == "Text":
                texts.append(" ".join(text.split()))
            elif text and below.type == "List-item":
                items.append(_BULLET.sub("", " ".join(text.split())))
        sections.append(
            Section(
                without_numbering(heading), tuple(texts), tuple(items),
                index, element.page_number, tuple(element.bbox),
            )
        )  # fmt: skip
    return sections
