"""A document read once for all properties of a schema: labels, segments and what they contain.

Everything that does not depend on a property is computed here, once.
"""

import re
from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from itertools import pairwise

from backend.extraction.dates import Moment, clock_spans, moments
from backend.extraction.day_times import Timed, with_times
from backend.extraction.leaning_dates import SAME_TIME, Anchors, leaning, may_lean, year_near
from backend.extraction.numbers import Number, counted, numbers, worded_numbers
from backend.extraction.reading import Reading, read
from backend.extraction.runs import Run, runs
from backend.extraction.segments import Place, Segment, segments
from backend.extraction.senses import Senses
from backend.extraction.spans import Span, is_address, parts, spans
from backend.extraction.stated_scales import scales
from backend.extraction.values import clean
from workbench.contract.elements import Element

_DIGIT = re.compile(r"\d")
_DAY_FIRST_SIGNS = re.compile(r"[€£]|\bRM\s?\d|\bGST\b|\b(?:MwSt|USt|TVA|BTW|IVA)\b")
_MAX_SEGMENTS = 4_000
_HEAD, _FOOT, _MOST_SIGNED = 8, 6, 12
_ON_BEHALF = re.compile(
    r"\bon behalf of\b|\b(?:issued|prepared|signed) (?:by|for)\b|\bregistered\b|^for\b"
    r"|\btrading (?:name|style) of\b|\bservice of\b",
    re.IGNORECASE,
)
_RECENT = 5
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
"""With this much certainty that a label belongs to a value, the label is no value itself."""


class Document:
    """Elements with everything that can be read in them."""

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
        """Cached measurements of places."""
        self.roles: dict[tuple[int, int, int], tuple[tuple[str, ...], tuple[str, ...]]] = {}
        """The role nouns inside and beside each place, as `roles` finds them."""
        self._leads: dict[tuple[int, int], str] = {}
        self.pages = max((element.page_number for element in elements), default=1)

    def part(self, reading: Reading) -> "Document":
        """The part of the document that a reading covers."""
        return self if reading is self.reading else Document(self._elements, reading)

    def lead(self, place: Place) -> str:
        """The text before a place in its clause: its label, if it has one."""
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
    def margins(self) -> frozenset[int]:
        """The `order` of the segments at the beginning and at the end, and of those that a person
        or an office signs, where those who write a document name themselves.
        """
        own = [segment for segment in self.segments if not segment.joined]
        signed = [segment for segment in own if _ON_BEHALF.search(segment.text)]
        return frozenset(s.order for s in own[:_HEAD] + own[-_FOOT:] + signed[-_MOST_SIGNED:])

    @cached_property
    def senses(self) -> Senses:
        """The meaning of its texts."""
        return Senses(self.segments)

    @cached_property
    def runs(self) -> list[Run]:
        """The names in neighbouring lines, rows and cells of one structure."""
        return runs(self.segments)

    @cached_property
    def scales(self) -> dict[int, float]:
        """The factor for the amounts of each table that states a scale."""
        return scales(self._elements)

    @cached_property
    def day_first(self) -> bool | None:
        """The order of day and month: proved by its dates, or else suggested by its currency."""
        order = self.reading.habits.day_first
        if order is None and any(_DAY_FIRST_SIGNS.search(s.text) for s in self.segments):
            return True
        return order

    @cached_property
    def moments(self) -> list[tuple[Segment, Moment]]:
        """All dates, in reading order."""
        first = bool(self.day_first)
        dated = [
            (segment, moments(segment.text, day_first=first) if _DIGIT.search(segment.text) else [])
            for segment in self.segments
            if not segment.joined and may_lean(segment.text)
        ]
        full = [moment.day for _, own in dated for moment in own]
        near = year_near([segment.text for segment, _ in dated], full)
        if near is None:
            return [(segment, moment) for segment, own in dated for moment in own]
        out: list[tuple[Segment, Moment]] = []
        for segment, own in dated:
            same = [one for one in out[-_RECENT:] if abs(one[1].day - near) <= SAME_TIME]
            month = same[-1][1].day if same else near
            year = month if same and same[-1][0].element == segment.element else near
            leaned = leaning(segment.text, own, Anchors(year, month, near), day_first=first)
            out += [(segment, moment) for moment in leaned]
        return out

    @cached_property
    def timed(self) -> list[Timed]:
        """The same, each with the time of day that stands near it."""
        return list(with_times(self.segments, self.moments))

    @cached_property
    def periods(self) -> list[tuple[int, str, str]]:
        """Element, first and last day of each period written in one piece."""
        return [
            (segment.element, first.day.isoformat(), last.day.isoformat())
            for (segment, first), (other, last) in pairwise(self.moments)
            if segment is other
            and first.day < last.day
            and (last.start < first.end or _UNTIL.fullmatch(segment.text, first.end, last.start))
        ]

    @cached_property
    def date_pairs(self) -> dict[int, tuple[int, int]]:
        """For each segment with exactly two dates, the offsets of both, the earlier date first."""
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
        """All numbers that are not part of a date or a time."""
        results = []
        commas = self.reading.habits.decimal_comma
        dated: dict[int, list[tuple[int, int]]] = {}
        for segment, moment in self.moments:
            dated.setdefault(segment.order, []).append((moment.start, moment.end))
        for segment in self.segments:
            if segment.joined or not _DIGIT.search(segment.text):
                continue
            claimed = dated.get(segment.order, []) + clock_spans(segment.text)
            results += [
                (segment, number)
                for number in numbers(segment.text, decimal_comma=commas)
                if not any(number.start < end and start < number.end for start, end in claimed)
            ]
        return results

    @cached_property
    def worded(self) -> list[tuple[Segment, Number]]:
        """All numbers written in words."""
        return [
            (segment, number)
            for segment in self.segments
            if not segment.joined
            for number in worded_numbers(segment.text)
            if number.value != 1.0 or number.unit is not None
        ]

    @cached_property
    def counts(self) -> list[tuple[Segment, Number]]:
        """Ordinal numbers and denials in front of a word that may be counted: "fifth performance",
        "no latecomers".
        """
        return [
            (segment, number)
            for segment in self.segments
            if not segment.joined
            for number in counted(segment.text)
        ]

    @cached_property
    def amounts(self) -> Counter[float]:
        """How often each number occurs in the document."""
        return Counter(number.value for _, number in self.numbers)

    @cached_property
    def sums(self) -> tuple[frozenset[float], frozenset[float]]:
        """The numbers that are the sum of two others, and those that are part of such a sum."""
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
        """All classified spans, including whole lines and headings."""
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
            # the dot after "Inc." belongs to it
            (Place(segment, span.start, span.end), span.kind,
             span.text if span.kind == "legal" else clean(span.text))
            for segment, span in self.spans
        ]  # fmt: skip

    @cached_property
    def labels(self) -> frozenset[str]:
        """The texts that label a value beside or below them, in lower case."""
        named = {
            " ".join(pair.label.lower().split()).rstrip(" :.")
            for pair in self.reading.pairs
            if pair.weight >= _NAMING
        }
        ended = {s.text.lower().rstrip(" :.") for s in self.segments if s.text.endswith(":")}
        heads = {" ".join(column.header.lower().split()) for column in self.reading.columns}
        return frozenset(named | ended | heads)

    def names_a_value(self, text: str) -> bool:
        """Whether a whole text is such a label."""
        return " ".join(text.lower().split()).rstrip(" :.") in self.labels

    @cached_property
    def frequencies(self) -> Counter[str]:
        """The number of segments that contain each stem."""
        counted: Counter[str] = Counter()
        for segment in self.segments:
            if not segment.joined:
                counted.update(segment.stems)
        return counted


def _goes_on(span: Span, segment: Segment) -> bool:
    """Whether a span crosses a line break."""
    return any(span.start < at < span.end for at in segment.breaks)


def _is_address(segment: Segment) -> bool:
    """Whether joined lines could be an address as a whole."""
    if not segment.breaks or segment.kind in ("Title", "Section-header"):
        return False
    ends = (*segment.breaks, len(segment.text))
    return is_address([segment.text[a:b] for a, b in zip((0, *segment.breaks), ends, strict=True)])
