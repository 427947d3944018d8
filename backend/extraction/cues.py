"""Measures how strongly the words around a place point to a property.

Words of the name count most, then near-synonyms, then words of the description; a word that is
frequent in the document counts little. Closer words count more.
"""

import re
from collections.abc import Mapping, Sequence
from math import exp, log2
from typing import NamedTuple

from backend.extraction.document import Document
from backend.extraction.roles import roles
from backend.extraction.segments import Place, Segment
from backend.extraction.targets import Target
from backend.extraction.words import GENERIC_STEMS

_REACH = 45.0
"""The distance in characters at which the weight of a word has dropped to about a third."""
_DESCRIBED = 0.6
_MOST_RIVALS = 16
_NAMES_IT = 0.8
"""With a label that fits this well, texts farther away cannot contradict."""
_VALUE = re.compile(r"\w\s?:\s+\S")
_LABEL = 64
"""The longest text, in characters, that counts as a label."""


class Around(NamedTuple):
    """The surroundings of a place, each 0 to 1: the nearest words before and behind, the sentence,
    and how well the texts beside it name the property.
    """

    before: float
    behind: float
    inside: float
    sentence: float
    described: float
    label: float
    left: float
    above: float
    row: float
    column: float
    heading: float
    group: float
    right: float
    below: float
    labelled: float
    own_fit: float
    foreign: float
    role: float
    other_role: float
    against: float
    opposed: float
    best: float
    """The strongest of the nearest texts."""


class Cues:
    """The words of a document that point to one property."""

    def __init__(
        self, target: Target, document: Document, sensed: Mapping[int, float] | None = None
    ) -> None:
        self._target = target
        self._document = document
        self._quick: dict[tuple[int, int, int], float] = {}
        self._labels: dict[int, float] = {}
        self._opposing: dict[int, float] = {}
        self._hits: dict[int, list[tuple[int, int, float, str, bool]]] = {}
        names = [w for w in target.name_words if w not in GENERIC_STEMS] or [*target.name_words]
        self._hot = {
            stem: self._weight(stem, often)
            for stem, often in document.frequencies.items()
            if target.meaning(stem)[0] > 0.0
        }
        if sensed is None:
            (sensed,) = document.senses.nearest(target.sense.asked[1:2])
        self.sensed = sensed
        """For each segment, the similarity in meaning of its own and adjacent texts to the
        property.
        """
        self._total = sum(target.name_words[w] for w in names) or 1.0

    def around(self, place: Place) -> Around:
        """Measures the surroundings of a place."""
        segment, start, end = place.segment, place.start, place.end
        before = behind = inside = 0.0
        names: dict[str, float] = {}
        described: set[str] = set()
        for first, last, weight, stem, named in self._in(segment):
            if last <= start:
                before = max(before, weight * exp((last - start) / _REACH))
            elif first >= end:
                behind = max(behind, weight * exp((end - first) / _REACH))
            else:
                inside = max(inside, weight)
            if named:
                names[stem] = max(names.get(stem, 0.0), weight)
            else:
                described.add(stem)
        fit = self._target.fit
        lead = self._document.lead(place)
        label = fit(lead) if lead else 0.0
        left = fit(segment.left) if segment.left else 0.0
        above = fit(segment.above) if segment.above and not _is_labelled(segment.above) else 0.0
        row = fit(segment.row) if segment.row else 0.0
        column = fit(segment.column) if segment.column else 0.0
        right = fit(segment.right) if segment.right else 0.0
        below = fit(segment.below) if segment.below else 0.0
        role, other_role = self._role(place)
        nearest = max(before, label, left, above, row, column)
        return Around(
            before,
            behind,
            inside,
            min(1.0, sum(names.values()) / self._total),
            min(1.0, len(described) / max(1, len(self._target.described))),
            label,
            left,
            above,
            row,
            column,
            fit(segment.heading) if segment.heading else 0.0,
            fit(segment.caption) if segment.caption else 0.0,
            right,
            below,
            *self._labelling(segment, lead),
            role,
            other_role,
            self._against(segment, start),
            0.0 if nearest >= _NAMES_IT else self._opposed(segment),
            nearest,
        )

    def _labelling(self, segment: Segment, lead: str) -> tuple[float, float, float]:
        """Whether a place has a label, how well the label names the property, and how much else it
        names.
        """
        beside = [lead] if lead else [segment.left, segment.row, segment.column, segment.above]
        labels = [text for text in beside if text and len(text) <= _LABEL]
        labels = [text for text in labels if not _is_labelled(text)]
        if not labels:
            return 0.0, 0.0, 0.0
        fits = [self._target.fit(text) for text in labels]
        best = max(fits)
        return 1.0, best, self._target.foreign(labels[fits.index(best)])

    def _role(self, place: Place) -> tuple[float, float]:
        """How well the role nouns at a place fit the property, and whether those beside it name
        another role.
        """
        inside, beside = roles(place, self._document)
        best = max((self._named(word) for word in (*inside, *beside)), default=0.0)
        others = [word for word in beside if self._named(word) == 0.0]
        return best, float(bool(others) and best == 0.0)

    def _named(self, word: str) -> float:
        quality, names = self._target.meaning(word)
        return quality if names else _DESCRIBED * quality

    def _against(self, segment: Segment, start: int) -> float:
        """The closeness of the nearest word before a place that counts against the property."""
        against = self._target.against
        if segment.stems.isdisjoint(against):
            return 0.0
        ends = [end for _, end, stem in segment.words if end <= start and stem in against]
        return exp((ends[-1] - start) / _REACH) if ends else 0.0

    def _opposed(self, segment: Segment) -> float:
        """Whether a text beside a segment names the opposite of the property."""
        known = self._opposing.get(segment.order)
        if known is None:
            beside = {segment.left, segment.above, segment.row, segment.column, segment.caption}
            opposed = any(text and self._target.opposed(text) for text in beside)
            known = self._opposing[segment.order] = float(opposed)
        return known

    @property
    def target(self) -> Target:
        """The property."""
        return self._target

    def quick(self, place: Place) -> float:
        """A rough measure for preselecting places."""
        segment = place.segment
        hits = self._in(segment)
        if not hits:
            return self._labelled(segment)
        key = (segment.order, place.start, place.end)
        known = self._quick.get(key)
        if known is not None:
            return known
        near = self._labelled(segment)
        start, end = place.start, place.end
        for first, last, weight, _, _ in hits:
            gap = start - last if last <= start else 12 + max(0, first - end)
            near = max(near, weight * exp(-gap / _REACH))
        self._quick[key] = near
        return near

    def _labelled(self, segment: Segment) -> float:
        """How well the best label beside a segment names the property."""
        best = self._labels.get(segment.order)
        if best is None:
            fit = self._target.fit
            beside = {segment.left, segment.above, segment.row, segment.column}
            labels = [text for text in beside if text and not _is_labelled(text)]
            best = max(map(fit, labels), default=0.0)
            self._labels[segment.order] = best
        return best

    def hits(self, segment: Segment) -> list[tuple[int, int, float]]:
        """The words of a segment that point to the property: start, end and weight."""
        return [(start, end, weight) for start, end, weight, _, _ in self._in(segment)]

    def _in(self, segment: Segment) -> list[tuple[int, int, float, str, bool]]:
        hits = self._hits.get(segment.order)
        if hits is None:
            hot = self._hot
            hits = []
            if not segment.stems.isdisjoint(hot):
                hits = [
                    (start, end, hot[stem][0], stem, hot[stem][1])
                    for start, end, stem in segment.words
                    if stem in hot
                ]
            self._hits[segment.order] = hits
        return hits

    def _weight(self, stem: str, often: int) -> tuple[float, bool]:
        quality, names = self._target.meaning(stem)
        named = bool(names)
        weight = quality if named else _DESCRIBED * quality
        if stem in GENERIC_STEMS:
            weight *= 0.6
        return weight / (1.0 + 0.25 * log2(max(1, often))), named


def _is_labelled(text: str) -> bool:
    """Whether a text contains a label with its own value, so that it labels nothing else."""
    return _VALUE.search(text) is not None


class Contest:
    """Finds the property that the words around a place match best; each place is measured once."""

    def __init__(self, all_cues: Sequence[Cues]) -> None:
        self._cues = all_cues[:_MOST_RIVALS]
        self._known: dict[tuple[int, int, int], tuple[float, Cues | None, float]] = {}

    def strongest(self, own: Cues, place: Place) -> float:
        """How well the words around a place match the best property other than `own`."""
        key = (place.segment.order, place.start, place.end)
        known = self._known.get(key)
        if known is None:
            best, owner, second = 0.0, None, 0.0
            for cues in self._cues:
                fit = cues.quick(place)
                if fit > best:
                    best, owner, second = fit, cues, best
                elif fit > second:
                    second = fit
            known = self._known[key] = (best, owner, second)
        return known[2] if known[1] is own else known[0]
