"""A document read once for all properties of a schema: labels, segments, what stands in them.

Everything that does not depend on a property is found here, and only once.
"""

import re
from collections import Counter
from collections.abc import Sequence
from datetime import date
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

from backend.extraction.dates import Moment, clock_spans, moments
from backend.extraction.numbers import Number, numbers, worded_numbers
from backend.extraction.reading import Reading, read
from backend.extraction.segments import Segment, segments
from backend.extraction.senses import Senses
from backend.extraction.spans import Span, is_address, parts, spans
from backend.extraction.stated_scales import scales
from backend.extraction.values import clean
from backend.extraction.yearless import year_near, yearless
from workbench.contract.elements import Element

_DIGIT = re.compile(r"\d")
_DAY_FIRST_SIGNS = re.compile(r"[€£]|\bRM\s?\d|\bGST\b|\b(?:MwSt|USt|TVA|BTW|IVA)\b")
_MAX_SEGMENTS = 4_000
_MAX_AMOUNTS = 120
_CUT = re.compile(r"[.;|,]\s|\s{2,}")
_MAX_LEAD = 64
_UNTIL = re.compile(
    r"\s*(?:[-–—]|up to|to|until|till|through|thru|bis|au|t/m)(?: and including)?"
    r"\s*(?:(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?\.?,?\s*)?",
    re.IGNORECASE,
)
"""Between the first and the last day of a period."""
_NAMING = 0.75
"""How sure it must be that a label belongs to a value for it to be no value itself."""


class Place(NamedTuple):
    """Something that was read in a segment, at a stretch of its text."""

    segment: Segment
    start: int
    end: int


class Document:
    """Elements with what can be read in them."""

    def __init__(
        self,
        elements: Sequence[Element],
        reading: Reading | None = None,
        usual_order: bool | None = None,
    ) -> None:
        self._elements = elements
        self._part = reading
        self.reading: Reading = read(elements, usual_order) if reading is None else reading
        self.placed: dict[tuple[int, int, int], list[float]] = {}
        """What has been measured of places already."""
        self.roles: dict[tuple[int, int, int], tuple[tuple[str, ...], tuple[str, ...]]] = {}
        """The role nouns inside and beside each place, as `roles` finds them."""
        self._leads: dict[tuple[int, int], str] = {}
        self.pages = max((element.page_number for element in elements), default=1)

    def part(self, reading: Reading) -> "Document":
        """The part of the document that a reading covers."""
        return self if reading is self.reading else Document(self._elements, reading)

    def lead(self, place: Place) -> str:
        """What stands before a place in its clause: its label, where it has one."""
        key = (place.segment.order, place.start)
        known = self._leads.get(key)
        if known is None:
            clause = _CUT.split(place.segment.text[: place.start])[-1]
            known = self._leads[key] = clause.strip(" :-–=.#(")[-_MAX_LEAD:]
        return known

    @cached_property
    def segments(self) -> list[Segment]:
        results = segments(self._elements)[:_MAX_SEGMENTS]
        if self._part is None:
            return results
        inside = self._part.elements
        return [segment for segment in results if segment.element in inside]

    @cached_property
    def senses(self) -> Senses:
        """The meaning of its texts."""
        return Senses(self.segments)

    @cached_property
    def scales(self) -> dict[int, float]:
        """By which factor the amounts of each table are to be multiplied, where one is stated."""
        return scales(self._elements)

    @cached_property
    def day_first(self) -> bool | None:
        """The order of day and month: as its dates give it away, else as its money suggests."""
        order = self.reading.day_first
        if order is None and any(_DAY_FIRST_SIGNS.search(s.text) for s in self.segments):
            return True
        return order

    @cached_property
    def moments(self) -> list[tuple[Segment, Moment]]:
        """All dates, in reading order."""
        first = bool(self.day_first)
        dated = [
            (segment, moments(segment.text, day_first=first))
            for segment in self.segments
            if not segment.joined and _DIGIT.search(segment.text)
        ]
        full = [moment.day for _, own in dated for moment in own]
        near = year_near([segment.text for segment, _ in dated], full)
        return [
            (segment, moment)
            for segment, own in dated
            for moment in (own if near is None else _with_yearless(segment.text, own, near))
        ]

    @cached_property
    def periods(self) -> list[tuple[int, str, str]]:
        """The element, the first and the last day of each period that stands in one piece."""
        return [
            (segment.element, first.day.isoformat(), last.day.isoformat())
            for (segment, first), (other, last) in pairwise(self.moments)
            if segment is other
            and first.day < last.day
            and (last.start < first.end or _UNTIL.fullmatch(segment.text, first.end, last.start))
        ]

    @cached_property
    def date_pairs(self) -> dict[int, tuple[int, int]]:
        """Where the two dates of each segment begin that has just two, the earlier one first."""
        dated: dict[int, list[Moment]] = {}
        for segment, moment in self.moments:
            dated.setdefault(segment.order, []).append(moment)
        return {
            order: (both[0].start, both[1].start)
            for order, both in dated.items()
            if len(both) == 2 and both[0].day < both[1].day and both[0].start != both[1].start
        }

    @cached_property
    def numbers(self) -> list[tuple[Segment, Number]]:
        """All numbers that are no part of a date or a time."""
        results = []
        dated: dict[int, list[tuple[int, int]]] = {}
        for segment, moment in self.moments:
            dated.setdefault(segment.order, []).append((moment.start, moment.end))
        for segment in self.segments:
            if segment.joined or not _DIGIT.search(segment.text):
                continue
            claimed = dated.get(segment.order, []) + clock_spans(segment.text)
            results += [
                (segment, number)
                for number in numbers(segment.text)
                if not any(number.start < end and start < number.end for start, end in claimed)
            ]
        return results

    @cached_property
    def worded(self) -> list[tuple[Segment, Number]]:
        """All numbers that are written as words."""
        return [
            (segment, number)
            for segment in self.segments
            if not segment.joined
            for number in worded_numbers(segment.text)
            if number.value != 1.0
        ]

    @cached_property
    def amounts(self) -> Counter[float]:
        """How often each number stands in the document."""
        return Counter(number.value for _, number in self.numbers)

    @cached_property
    def sums(self) -> tuple[frozenset[float], frozenset[float]]:
        """Numbers that are the sum of two others, and those that are part of such a sum."""
        amounts = [a for a in self.amounts if abs(a) >= 0.01 and not float(a).is_integer()]
        if not 2 <= len(amounts) <= _MAX_AMOUNTS:
            return frozenset(), frozenset()
        cents = {round(100 * amount): amount for amount in self.amounts if abs(amount) >= 0.01}
        wholes, parts = set(), set()
        for at, first in enumerate(amounts):
            for second in amounts[at + 1 :]:
                whole = cents.get(round(100 * (first + second)))
                if whole is not None:
                    wholes.add(whole)
                    parts |= {first, second}
        return frozenset(wholes), frozenset(parts)

    @cached_property
    def spans(self) -> list[tuple[Segment, Span]]:
        """All spans of text with a class; whole lines and headings among them."""
        results: list[tuple[Segment, Span]] = []
        for segment in self.segments:
            for span in spans(segment.text):
                if not segment.joined or span.kind == "address" or _goes_on(span, segment):
                    results.append((segment, span))
            if _is_address(segment):
                results.append((segment, Span(segment.text, "address", 0, len(segment.text))))
            if segment.whole and len(segment.text) <= 160 and not segment.joined:
                kind = "heading" if segment.kind in ("Title", "Section-header") else "line"
                results.append((segment, Span(segment.text, kind, 0, len(segment.text))))
                results += [(segment, span) for span in parts(segment.text)]
        return results

    @cached_property
    def texts(self) -> list[tuple[Place, str, str]]:
        """The place, the class and the value of each span."""
        return [
            # The dot behind "Inc." belongs to it.
            (Place(segment, span.start, span.end), span.kind,
             span.text if span.kind == "legal" else clean(span.text))
            for segment, span in self.spans
        ]  # fmt: skip

    @cached_property
    def labels(self) -> frozenset[str]:
        """The texts that name a value beside or below them, in small letters."""
        named = {
            " ".join(pair.label.lower().split()).rstrip(" :.")
            for pair in self.reading.pairs
            if pair.weight >= _NAMING
        }
        ended = {s.text.lower().rstrip(" :.") for s in self.segments if s.text.endswith(":")}
        heads = {" ".join(column.header.lower().split()) for column in self.reading.columns}
        return frozenset(named | ended | heads)

    def names_a_value(self, text: str) -> bool:
        """Whether a text as a whole is such a label."""
        return " ".join(text.lower().split()).rstrip(" :.") in self.labels

    @cached_property
    def frequencies(self) -> Counter[str]:
        """In how many segments each stem stands."""
        counted: Counter[str] = Counter()
        for segment in self.segments:
            if not segment.joined:
                counted.update(segment.stems)
        return counted


def _goes_on(span: Span, segment: Segment) -> bool:
    """Whether a span reaches over the end of a line."""
    return any(span.start < at < span.end for at in segment.breaks)


def _is_address(segment: Segment) -> bool:
    """Whether lines put together could be an address as a whole."""
    if not segment.breaks or segment.kind in ("Title", "Section-header"):
        return False
    ends = (*segment.breaks, len(segment.text))
    return is_address([segment.text[a:b] for a, b in zip((0, *segment.breaks), ends, strict=True)])


def _with_yearless(text: str, full: Sequence[Moment], near: date) -> list[Moment]:
    """The dates of a text, those without a year among them."""
    bare = [
        one
        for one in yearless(text, near)
        if not any(one.start < other.end and other.start < one.end for other in full)
    ]
    return sorted([*full, *bare], key=_begins) if bare else list(full)


def _begins(moment: Moment) -> int:
    return moment.start
