"""What a document offers to extraction: labelled values, table columns, sections and sentences.

Elements come in reading order. Each label/value pair remembers the element and box it was read from
and `weight`, how sure it is that the two belong together. No property is known here.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from backend.contract.elements import Element
from backend.extraction.dates import written_day_first
from backend.extraction.tables import data_columns, full_width_texts, read_table
from backend.extraction.words import FORM_WORDS, STOP, stem

MAX_LABEL = 64
MAX_VALUE = 600
MAX_LINE = 2_000
"""Characters of a line in which labels are looked for."""
MAX_SENTENCE = 1_500
MAX_TEXT = 400_000
"""Characters of a document that are read; what follows cannot contribute."""

_LABELLED = re.compile(
    r"^(?P<label>[^\W\d_][^:：=|]{0,63}?|#)\s*(?:(?<!\d)[:：]\s*|[:：]\s+|\s=\s)(?P<value>\S.*)$"
)
_LEADERS = re.compile(r"^(?P<label>[^\W\d_][^.:]{1,60}?)\s*(?:\.\s?){3,}\s*(?P<value>\S.*)$")
_DASHED = re.compile(r"^(?P<label>[^\W\d_][\w ./#'()&]{1,38}?)\s+[-–—]\s+(?P<value>\S.*)$")
_SPACED = re.compile(r"^(?P<label>[^\W\d_][\w ./#'()&-]{1,48}?)(?:\s{3,}|\t+)(?P<value>\S.*)$")
_SEGMENTS = re.compile(r"\s+\|\s+|\t+|\s{3,}|\s+[•·]\s+")
_INNER_LABEL = re.compile(
    r"(?<=\s)((?:[A-Z#№][\w.'/()-]*\s+(?:(?:of|to|the|no\.?|#)\s+)?){0,4}"
    r"[A-Z#№][\w.'/()-]*(?:\s+[a-z][\w.'/()-]*){0,3}):\s+"
)
_NUMBERED = re.compile(
    r"(?<![\w.])(?P<label>[A-Z][a-z]+(?: [A-Za-z]+){0,2}? ?(?:#|№|[Nn]o\.|[Nn]r\.|[Nn]umber))\s*"
    r"(?P<value>[A-Z]{0,6}[-/]?\w*\d[\w/-]*)"
)
_WORD = re.compile(r"[^\W\d_]+")
_BULLET = re.compile(r"^\s*(?:[•·▪◦*]|[-–]\s)\s*")
_NUMBERING = re.compile(
    r"^\s*(?:\(?(?:\d+|[ivxlc]+|[a-z])[.)]|\d+(?:\.\d+)+\.?|§\s?\d+|(?:Section|Article|Clause)\s+[\dIVX.]+[.:]?)\s+",
    re.IGNORECASE,
)
_SENTENCE_END = re.compile(r"(?<=[.!?;])\s+(?=[A-Z\"“'(\d])|\n\s*\n")
_ABBREVIATION = re.compile(
    r"(?:\b(?:No|Nr|Inc|Ltd|Co|Corp|Mr|Mrs|Ms|Dr|St|vs|approx|e\.g|i\.e)|\b[A-Z])\.$"
)


@dataclass(frozen=True, slots=True)
class Pair:
    """A label and the value that seems to belong to it."""

    label: str
    value: str
    element: int
    page: int
    bbox: tuple[float, ...]
    weight: float
    source: str
    row: str = ""
    """For a cell of a table with several rows: the name of its row, part of the label."""


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
    """A heading with the texts and list items below it."""

    heading: str
    texts: tuple[str, ...]
    items: tuple[str, ...]
    element: int
    page: int
    bbox: tuple[float, ...]


@dataclass
class Reading:
    """A document as read once; extractors of all properties share it."""

    pairs: list[Pair] = field(default_factory=list)
    columns: list[Column] = field(default_factory=list)
    sections: list[Section] = field(default_factory=list)
    sentences: list[Sentence] = field(default_factory=list)

    @cached_property
    def day_first(self) -> bool | None:
        """The order of day and month that the document's dates give away."""
        for text in self._texts():
            order = written_day_first(text)
            if order is not None:
                return order
        return None

    def _texts(self) -> Iterator[str]:
        yield from (pair.value for pair in self.pairs)
        yield from (sentence.text for sentence in self.sentences)


def read(elements: Sequence[Element]) -> Reading:
    """Read the elements of one document, at most `MAX_TEXT` characters of them."""
    reading = Reading()
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
                        pair.label, pair.value, index, place[1], box, pair.weight, "table", pair.row
                    )
                )
            reading.columns += _columns(element, place)
            for text in full_width_texts(element.table):
                _read_text(reading, element.type, text, place, None)
            continue
        text = (element.text_representation or "")[: max(0, left)]
        left -= len(text)
        if not text.strip() or element.type == "Image":
            continue
        previous_line = _read_text(reading, element.type, text, place, previous_line)
    _settle_lists_of_pairs(reading)
    reading.sections = _sections(elements)
    for section in reading.sections:
        if section.texts:
            value = section.texts[0][:MAX_VALUE]
            place = (section.element, section.page, section.bbox)
            reading.pairs.append(Pair(section.heading, value, *place, 0.8, "heading"))
    return reading


def _settle_lists_of_pairs(reading: Reading) -> None:
    """Label lines above value lines: surer in a run of such pairs, and no sentences themselves."""
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
    """Pairs and sentences of one element; returns its last line if that could be a label."""
    running = []
    for raw in text.split("\n"):
        line = _BULLET.sub("", raw).rstrip()
        if not line.strip():
            continue
        found = list(line_pairs(line.strip()[:MAX_LINE]))
        if found:
            reading.pairs += [
                Pair(label, value, *place, weight, "line") for label, value, weight in found
            ]
            before = None
        elif before is not None and len(line) <= 160 and place[0] - before[1] <= 1:
            label, weight = before[0].rstrip(" :"), 0.9 if before[0].endswith(":") else 0.6
            reading.pairs.append(Pair(label, line.strip(), *place, weight, "below"))
            before = None
        elif kind not in ("Page-header", "Page-footer"):
            before = (line.strip(), place[0]) if is_label(line.strip()) else None
        for match in _NUMBERED.finditer(line[:MAX_LINE]):
            if not line[match.end("label") :].lstrip().startswith(":"):
                reading.pairs.append(Pair(match["label"], match["value"], *place, 0.85, "line"))
        running.append(line)
    for sentence in sentences("\n".join(running)):
        words = tuple((*match.span(), stem(match[0])) for match in _WORD.finditer(sentence))
        reading.sentences.append(Sentence(sentence, *place, len(reading.sentences), words))
    return before


def line_pairs(line: str) -> Iterator[tuple[str, str, float]]:
    """Label, value and weight of everything labelled in one line of text."""
    segments = _SEGMENTS.split(line) if len(_SEGMENTS.findall(line)) else [line]
    labelled = [segment for segment in segments if _LABELLED.match(segment)]
    if not labelled:
        for pattern, weight in ((_LEADERS, 0.95), (_SPACED, 0.9), (_DASHED, 0.75)):
            match = pattern.match(line)
            if match and is_label(match["label"]):
                yield match["label"].strip(), match["value"].strip()[:MAX_VALUE], weight
                return
        return
    for segment in labelled:
        yield from _inline_pairs(segment)


def _inline_pairs(segment: str) -> Iterator[tuple[str, str, float]]:
    """Pairs of one segment; a value ends where the next label of the same line begins."""
    match = _LABELLED.match(segment)
    if match is None or not is_label(match["label"], sentence_start=True):
        return
    label, start, weight = match["label"].strip(), match.start("value"), 1.0
    for inner in _INNER_LABEL.finditer(segment, start):
        tail = _label_tail(inner[1])
        value = segment[start : inner.end(1) - len(tail)].strip(" ,;")
        if value.strip("."):
            yield label, value[:MAX_VALUE], 0.95
            label, start, weight = tail, inner.end(), 0.95
    value = segment[start:].strip()
    if value:
        yield label, value[:MAX_VALUE], weight


def _label_tail(words: str) -> str:
    """The label at the end of a run of words: back to its capital, then over form words."""
    parts = words.split()
    start = len(parts) - 1
    while start > 0 and parts[start][0].islower():
        start -= 1
    while start > 0:
        word = parts[start - 1].strip(".()").lower()
        if stem(word) not in FORM_WORDS and word not in STOP:
            break
        start -= 1
    return " ".join(parts[start:])


def is_label(text: str, *, sentence_start: bool = False) -> bool:
    """Whether a text is short and plain enough to name a value."""
    if not 1 <= len(text) <= MAX_LABEL:
        return False
    if text[-1] in ".;,!" and not text.lower().endswith(("no.", "nr.")):
        return False
    words = text.split()
    if len(words) > 8 or not any(char.isalpha() for char in text):
        return False
    if len(words) > 4 and words[0].lower() in STOP:
        return False
    digits = sum(char.isdigit() for char in text)
    return digits <= 2 and (sentence_start or text[0].isupper() or text[0] in "#№")


def sentences(text: str) -> Iterator[str]:
    """The sentences of a text, not broken after abbreviations; overlong ones are cut."""
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
