"""Learns from checked documents where the values of a property appear in others like them.

Documents made from the same template teach only about one another (`same_template`): the place of a
value in one sender's letter says nothing about another's. For each property it compares the
surroundings of correct values with those of all other values of the same form. What distinguishes
them (a label on the left, the words in front, the name of a column, the position on the page)
locates the value in another document. Leaving out one checked document at a time measures how
reliable this is. A property whose values are not found again this way, or that the fitted score
reads better, is left to the score.

Nothing here depends on a kind of document or a property.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import log
from typing import Any

from backend.extraction.document import Document
from backend.extraction.engine import compiled, extract
from backend.extraction.extracted import Extracted, Guess
from backend.extraction.groups import text_key
from backend.extraction.same_template import (
    LEAST_ALIKE,
    Phrases,
    by_template,
    likeness,
    phrases,
)
from backend.extraction.segments import Segment
from backend.extraction.targets import Target
from backend.extraction.units import converted
from workbench.contract.elements import Element
from workbench.contract.schema import Schema

LEAST = 2
"""The minimum number of checked values to learn from."""
_TAUGHT = ("string", "custom", "date", "datetime", "int", "float", "choice")
_WORD = re.compile(r"\w+|[^\w\s]")
_FIGURE = re.compile(r"\d+")
_FRONT = re.compile(r"\w{1,4}[.)]\s+(?=\w)")
_LONGEST = 240
_SMOOTH = 0.5
_MOST_SPOTS = 2_000
_SURE = 0.98
_CERTAIN = 0.8


Mark = tuple[str, str]
"""A feature of the surroundings of a value: its name, and what is there."""


@dataclass(frozen=True)
class Spot:
    """A value within a segment, with features of its surroundings."""

    value: Any
    segment: Segment
    start: int
    end: int
    marks: Sequence[Mark]


class Ground:
    """A document whose surroundings are looked at once for all properties: a schema may have
    hundreds, and all texts look at the same places.
    """

    def __init__(self, document: Document) -> None:
        self.document = document
        self._known: dict[tuple[int, int, int], tuple[Mark, ...]] = {}
        self._same: dict[Mark, Mark] = {}

    def marks(self, segment: Segment, start: int, end: int) -> tuple[Mark, ...]:
        """The features of the surroundings of a place in one of its segments."""
        place = id(segment), start, end
        if place not in self._known:
            marks = _marks(segment, start, end)
            self._known[place] = tuple(self._same.setdefault(mark, mark) for mark in marks)
        return self._known[place]


@dataclass(frozen=True)
class Checked:
    """A checked document: the checked values, None for "no value", and those of the fitted
    score.
    """

    ground: Ground
    values: Mapping[str, Any]
    read: Mapping[str, Extracted]


class Lessons:
    """What the checked documents of each template teach about the properties of a schema."""

    def __init__(
        self, checked: Sequence[tuple[Sequence[Element], Mapping[str, Any]]], schema: Schema
    ) -> None:
        documents = [
            Checked(Ground(Document(elements)), values, extract(elements, schema))
            for elements, values in checked
        ]
        known = [phrases(one.ground.document) for one in documents]
        self._templates = [
            _Template([known[number] for number in group], lessons)
            for group in by_template(known)
            if (lessons := _all_learnt(schema, [documents[number] for number in group]))
        ]

    def applied(
        self, elements: Sequence[Element], extracted: Mapping[str, Extracted]
    ) -> dict[str, Extracted]:
        """Another document's values, with those of taught properties replaced by the lessons of its
        template.
        """
        out = dict(extracted)
        if not self._templates:
            return out
        ground = Ground(Document(elements))
        own = phrases(ground.document)
        alike, template = max(((one.likeness(own), one) for one in self._templates), key=_first)
        if alike < LEAST_ALIKE:
            return out
        for lesson in template.lessons:
            name = lesson.target.name
            if name in out:
                out[name] = lesson.applied(ground, out[name])
        return out


@dataclass(frozen=True)
class _Template:
    """The phrases of the checked documents of a template, and what they teach."""

    known: Sequence[Phrases]
    lessons: Sequence["_Lesson"]

    def likeness(self, own: Phrases) -> float:
        """How much of a document the most similar checked one shares."""
        return max(likeness(own, one) for one in self.known)


@dataclass
class _Counts:
    """How often each mark occurs at correct values, once for each of `taught` documents, and at
    `others`.
    """

    right: Counter[Mark] = field(default_factory=Counter)
    wrong: Counter[Mark] = field(default_factory=Counter)
    taught: int = 0
    others: int = 0

    def add(self, more: "_Counts", times: int) -> None:
        """Adds the counts of a document, or with -1 subtracts them."""
        for mark, count in more.right.items():
            self.right[mark] += times * count
        for mark, count in more.wrong.items():
            self.wrong[mark] += times * count
        self.taught += times * more.taught
        self.others += times * more.others


class _Worths(dict[Mark, float]):
    """What each mark says of a spot, by its counts: positive for a correct value. Few marks differ,
    so each is computed once.
    """

    def __init__(self, counts: _Counts) -> None:
        super().__init__()
        self._counts = counts

    def __missing__(self, mark: Mark) -> float:
        counts = self._counts
        right = (counts.right[mark] + _SMOOTH) / (counts.taught + 2 * _SMOOTH)
        wrong = (counts.wrong[mark] + _SMOOTH) / (counts.others + 2 * _SMOOTH)
        worth = log(right / wrong) if counts.right[mark] else min(0.0, log(right / wrong) / 4)
        self[mark] = worth
        return worth

    def of(self, spot: Spot) -> float:
        """The log-likelihood ratio of all marks of a spot."""
        return sum(map(self.__getitem__, spot.marks))


@dataclass(frozen=True)
class _Lesson:
    """What distinguishes the correct values of a property from all others. `trust` is the share of
    checked documents whose value is found by a lesson that has not seen them.
    """

    target: Target
    patterns: frozenset[tuple[str, str]]
    counts: _Counts
    least: float = 0.0
    trust: float = 0.0
    parts: bool = False
    """Whether the fitted score's shorter version of a text is right at least as often as
    the whole.
    """
    level: bool = False
    """Whether the fitted score does as well on the checked documents as this lesson."""

    def applied(self, ground: Ground, extracted: Extracted) -> Extracted:
        best = self.best(ground)
        if best is None or best[0] < self.least:
            return extracted
        spot = best[1]
        value = _formed(spot, extracted, parts=self.parts)
        agrees = _key(extracted.value) == _key(value)
        confidence = round(min(_SURE, max(self.trust, extracted.confidence if agrees else 0)), 3)
        if agrees:
            return replace(extracted, confidence=max(confidence, extracted.confidence))
        if extracted.confidence > (_CERTAIN if self.level else confidence):
            return extracted
        segment = spot.segment
        former = [
            Guess(
                extracted.value, extracted.confidence, extracted.page, extracted.bbox,
                extracted.element, extracted.unit,
            )
        ]  # fmt: skip
        kept = [one for one in extracted.alternatives if _key(one.value) != _key(value)]
        guesses = (former if extracted.element is not None else []) + kept
        return Extracted(
            value, confidence, segment.page, list(segment.bbox), segment.element,
            alternatives=guesses[:5],
        )  # fmt: skip

    def best(self, ground: Ground) -> tuple[float, Spot] | None:
        """The likeliest spot of a document with its score."""
        worths = _Worths(self.counts)
        scored = ((worths.of(spot), spot) for spot in _spots(self.target, ground, self.patterns))
        return max(scored, key=_first, default=None)


def _all_learnt(schema: Schema, checked: Sequence[Checked]) -> list[_Lesson]:
    """The lessons of the documents of a template."""
    learnt = (
        _learnt(target, checked) for target in compiled(schema) if target.shape.kind in _TAUGHT
    )
    return [lesson for lesson in learnt if lesson is not None]


def _learnt(target: Target, checked: Sequence[Checked]) -> _Lesson | None:
    """None if there is too little to learn from or the result is unreliable."""
    name = target.name
    taught = [one for one in checked if name in one.values]
    known = [one for one in taught if one.values[name] is not None]
    if len(known) < LEAST:
        return None
    shown = [(one.ground.document, one.values[name]) for one in known]
    patterns = frozenset(_patterns(target, shown))
    spots = [_spots(target, one.ground, patterns) for one in taught]
    values = [one.values[name] for one in taught]
    wholes: list[float] = []
    parts: list[float] = []
    counts = [_counted(some, value) for some, value in zip(spots, values, strict=True)]
    whole = _Counts()
    for count in counts:
        whole.add(count, 1)
    for left_out, one in enumerate(taught):
        if values[left_out] is None or not spots[left_out]:
            continue
        whole.add(counts[left_out], -1)
        worths = _Worths(whole)
        ranked = [(worths.of(spot), spot) for spot in spots[left_out]] if whole.taught else []
        whole.add(counts[left_out], 1)
        if not ranked:
            continue
        score, spot = max(ranked, key=_first)
        right = _key(values[left_out])
        read = one.read[name]
        wholes += [score] * (_key(_formed(spot, read, parts=False)) == right)
        parts += [score] * (_key(_formed(spot, read, parts=True)) == right)
    in_parts = len(parts) >= len(wholes)
    scores = parts if in_parts else wholes
    by_score = sum(_key(one.read[name].value) == _key(one.values[name]) for one in known)
    if len(scores) < max(LEAST, by_score, 0.6 * len(known)):
        return None
    return _Lesson(
        target,
        patterns,
        whole,
        least=max(1.0, 0.6 * min(scores)),
        trust=min(_SURE, (len(scores) + 1) / (len(known) + 2)),
        parts=in_parts,
        level=by_score == len(scores),
    )


def _formed(spot: Spot, extracted: Extracted, *, parts: bool) -> Any:
    """The value of a spot in the fitted score's form, if it has a guess at that place: "4 years"
    for "four (4) years". A guess that is part of the text counts only with `parts`.
    """
    if not isinstance(spot.value, str):
        return spot.value
    own = _key(spot.value)
    for guess in (extracted, *extracted.alternatives):
        if guess.element == spot.segment.element and isinstance(guess.value, str):
            other = _key(guess.value)
            if other in own or own in other:
                if parts or other == own:
                    return guess.value
            elif _figures(own) & _figures(other) or own.split()[-1:] == other.split()[-1:]:
                return guess.value
    return spot.value


def _figures(text: str) -> set[str]:
    return set(_FIGURE.findall(text))


def _counted(spots: Sequence[Spot], value: Any) -> _Counts:
    """The marks of one document: those of the correct value and those of all others."""
    counts = _Counts()
    right: set[Mark] = set()
    wanted = None if value is None else _key(value)
    for spot in spots:
        if value is not None and _key(spot.value) == wanted:
            counts.taught = 1
            right.update(spot.marks)
        else:
            counts.others += 1
            counts.wrong.update(spot.marks)
    counts.right.update(right)
    return counts


# -- spots --------------------------------------------------------------------------------------


def _spots(target: Target, ground: Ground, patterns: frozenset[tuple[str, str]]) -> list[Spot]:
    """Everything in a document that has the form of a value of the property."""
    document = ground.document
    match target.shape.kind:
        case "date" | "datetime":
            dated = target.shape.kind == "date"
            results: Iterable[tuple[Segment, int, int, Any]] = (
                (segment, moment.start, moment.end, moment.day.isoformat() if dated else moment.iso)
                for segment, moment in document.moments
            )
        case "int" | "float":
            results = _numbers(target, document)
        case "choice":
            results = _options(target, document)
        case _:
            results = _texts(document, patterns)
    out: list[Spot] = []
    for segment, start, end, value in results:
        if len(out) == _MOST_SPOTS:
            return out
        out.append(Spot(value, segment, start, end, ground.marks(segment, start, end)))
    if target.shape.kind in ("string", "custom"):
        out += _formed_spots(ground, _MOST_SPOTS - len(out))
    return out


def _formed_spots(ground: Ground, most: int) -> Iterator[Spot]:
    """Names, places, codes and other classified spans, also without an abbreviation or number in
    front.
    """
    for segment, span in ground.document.spans[:most]:
        form: Mark = ("form", span.kind)
        marks = (*ground.marks(segment, span.start, span.end), form)
        yield Spot(span.text, segment, span.start, span.end, marks)
        if front := _FRONT.match(span.text):
            start = span.start + front.end()
            marks = (*ground.marks(segment, start, span.end), form)
            yield Spot(span.text[front.end() :], segment, start, span.end, marks)


def _numbers(target: Target, document: Document) -> Iterator[tuple[Segment, int, int, Any]]:
    for segment, number in document.numbers:
        value, _ = converted(number.value, number.unit, target.unit)
        value *= document.scales.get(segment.element, 1.0)
        if target.shape.kind == "float":
            yield segment, number.start, number.end, value
        elif abs(value - round(value)) < 1e-6:
            yield segment, number.start, number.end, round(value)


def _options(target: Target, document: Document) -> Iterator[tuple[Segment, int, int, Any]]:
    for segment in document.segments:
        if segment.joined:
            continue
        low = segment.text.lower()
        for option in target.shape.choices or ():
            at = low.find(str(option).lower())
            if at >= 0:
                yield segment, at, at + len(str(option)), option


def _texts(
    document: Document, patterns: frozenset[tuple[str, str]]
) -> Iterator[tuple[Segment, int, int, Any]]:
    """Whole segments, and the text between words that surrounded correct values."""
    for segment in document.segments:
        text = segment.text
        if len(text) > 4 * _LONGEST:
            continue
        seen: set[tuple[int, int]] = set()
        for before, after in patterns:
            for start, end in _between(text, before, after):
                if segment.joined and (start, end) != (0, len(text)):
                    continue  # a part of it is in a segment of its own
                if end - start <= _LONGEST and (start, end) not in seen:
                    seen.add((start, end))
                    yield segment, start, end, text[start:end]


def _between(text: str, before: str, after: str) -> Iterator[tuple[int, int]]:
    """The parts of a text between `before` and `after`; an empty string stands for the
    text's end.
    """
    starts = [0] if not before else _ends_of(text, before)
    for start in starts:
        while start < len(text) and text[start].isspace():
            start += 1
        end = _start_of(text, after, start + 1) if after else len(text)
        stripped = text[start:end].rstrip() if end > start else ""
        if stripped:
            yield start, start + len(stripped)


def _ends_of(text: str, before: str) -> list[int]:
    """The offsets at which the words `before` end in a text."""
    pattern = r"\s*".join(re.escape(word) for word in before.split())
    return [match.end() for match in re.finditer(pattern, text, re.IGNORECASE)][:4]


def _start_of(text: str, after: str, start: int) -> int:
    pattern = r"\s*".join(re.escape(word) for word in after.split())
    match = re.compile(pattern, re.IGNORECASE).search(text, start)
    return match.start() if match else -1


def _patterns(target: Target, known: Sequence[tuple[Document, Any]]) -> Iterator[tuple[str, str]]:
    """The words around correct values of text properties: two in front, one behind."""
    if target.shape.kind not in ("string", "custom"):
        return
    yield "", ""
    counted: Counter[tuple[str, str]] = Counter()
    for document, value in known:
        around: set[tuple[str, str]] = set()
        for segment in document.segments:
            for start, end in _places(segment.text, value):
                before = [w for w in _WORD.findall(segment.text[:start])][-2:]
                after = [w for w in _WORD.findall(segment.text[end:])][:1]
                around |= {(" ".join(before), " ".join(after)), (" ".join(before[-1:]), "")}
                around.add((" ".join(before), ""))
        counted.update(around)
    for pattern, times in counted.most_common(12):
        if times >= LEAST:
            yield pattern


def _places(text: str, value: Any) -> Iterator[tuple[int, int]]:
    """The positions of a value in a text, ignoring case and spacing."""
    words = str(value).split()
    if not words or len(text) > 4 * _LONGEST:
        return
    pattern = r"(?<!\w)" + r"\s+".join(map(re.escape, words)) + r"(?!\w)"
    for match in re.finditer(pattern, text, re.IGNORECASE):
        yield match.span()


def _marks(segment: Segment, start: int, end: int) -> list[Mark]:
    """Features of a value's surroundings; all numbers count as equal."""
    before = [_plain(word) for word in _WORD.findall(segment.text[max(0, start - 80) : start])]
    after = [_plain(word) for word in _WORD.findall(segment.text[end : end + 40])]
    left, above = _plain(segment.left), _plain(segment.above)
    return [
        ("before", " ".join(before[-1:])),
        ("before2", " ".join(before[-2:])),
        ("before3", " ".join(before[-4:])),
        ("after", " ".join(after[:1])),
        ("after2", " ".join(after[:2])),
        ("left", left),
        ("above", above),
        ("row", _plain(segment.row)),
        ("column", _plain(segment.column)),
        ("heading", _plain(segment.heading)),
        ("both", f"{left}|{_plain(segment.column)}|{' '.join(before[-2:])}"),
        ("whole", f"{start == 0} {end >= len(segment.text)}"),
        ("begins", "abbreviated" if _FRONT.match(segment.text[start:end]) else ""),
        ("kind", segment.kind),
        ("page", str(segment.page)),
        ("across", f"{segment.bbox[0]:.1f} {segment.bbox[2]:.1f}" if segment.bbox else ""),
        ("down", f"{segment.page} {segment.bbox[1]:.2f}" if segment.bbox else ""),
    ]


def _plain(text: str) -> str:
    return _FIGURE.sub("9", " ".join(text.lower().split()))[:60]


def _key(value: Any) -> Any:
    if isinstance(value, str):
        return text_key(value)
    if isinstance(value, int | float) and not isinstance(value, bool):
        return round(float(value), 2)
    return repr(value)


def _first(pair: tuple[float, object]) -> float:
    return pair[0]
