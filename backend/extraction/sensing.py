"""Features by static vectors: the meaning of the texts around candidate values."""

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import chain

import numpy as np

from backend.extraction.segments import Place
from backend.extraction.senses import BESIDE, Matrix, Rows, Senses
from backend.extraction.targets import Target

SENSED = (
    "sense_asked", "sense_name", "sense_described", "sense_before", "sense_behind", "sense_text",
    "sense_heading", "sense_group", "sense_rival", "sense_value", "sense_example",
    "value_rival", "example_rival", "sense_next", "sense_last", "sense_next_rival",
)  # fmt: skip
"""The features, in the order of the columns of `Sensing.rows`."""
_CLAUSE = re.compile(r"[.;|:]\s|\s{2,}")
_REACH = 60
_WORD = re.compile(r"[^\W\d_]{2,}")
_NEXT = 3
"""Words right beside a value that may characterise it: "58 children", "signed by"."""
_NAME, _ASKED, _DESCRIBED = range(3)


class Beside:
    """The texts of one property's candidate values: right before and behind them, the labels they
    were read from, and the values themselves if they are texts.
    """

    def __init__(
        self,
        places: Sequence[Place | None],
        labels: Sequence[str],
        values: Sequence[str],
    ) -> None:
        self.places = places
        around = [
            _around(place.segment.text, place.start, place.end) if place else _labelled(label)
            for place, label in zip(places, labels, strict=True)
        ]
        befores, behinds, nexts, lasts = zip(*around, strict=True) if around else ((), (), (), ())
        self.texts = (befores, behinds, values, labels, nexts, lasts)


class Sensing:
    """Similarities of candidate values and their surroundings to the properties of a schema."""

    def __init__(
        self, senses: Senses, targets: Sequence[Target], all_beside: Sequence[Beside]
    ) -> None:
        senses.learn(chain.from_iterable(t for one in all_beside for t in one.texts))
        self._senses, self._targets, self._beside = senses, targets, all_beside
        self._near = senses.near(np.concatenate([target.sense.asked for target in targets]))

    def rows(self, at: int, rivals: Sequence[int]) -> Matrix:
        """One row per value of a property, compared with the properties in `rivals`."""
        results = self._beside[at]
        senses = self._senses
        before, behind, own, label, nexts, lasts = (senses.rows(texts) for texts in results.texts)
        width = len(BESIDE)
        around = np.zeros((len(results.places), width + 3), dtype=np.int32)
        placed = [number for number, place in enumerate(results.places) if place is not None]
        if placed:
            around[placed] = senses.around([p.segment for p in results.places if p is not None])
        beside = np.column_stack([around[:, :width], before, label])
        near = self._near[:, 3 * at : 3 * at + 3]
        named, asked, described = near[beside].max(axis=1), near[:, _ASKED], near[own, _DESCRIBED]
        examples = self._likest([self._targets[at]], own)
        shown = [self._targets[number] for number in rivals]
        rival, next_rival, value_rival = np.zeros((3, len(own)), dtype=np.float32)
        if len(rivals):
            others = self._near[:, [3 * number + _ASKED for number in rivals]]
            rival = others[beside].max(axis=(1, 2)) - named[:, _ASKED]
            next_rival = others[nexts].max(axis=1) - asked[nexts]
            wanted = self._near[own][:, [3 * number + _DESCRIBED for number in rivals]]
            value_rival = described - wanted.max(axis=1)
        return np.column_stack([
            named[:, _ASKED], named[:, _NAME], named[:, _DESCRIBED], asked[before], asked[behind],
            asked[around[:, width]], asked[around[:, width + 1]], asked[around[:, width + 2]],
            rival, described, examples, value_rival, examples - self._likest(shown, own),
            asked[nexts], asked[lasts], next_rival,
        ]).astype(np.float32)  # fmt: skip

    def _likest(self, targets: Sequence[Target], own: Rows) -> Matrix:
        """The similarity of each value to the nearest example of some properties; 0 without
        examples.
        """
        shown = [target.sense.examples for target in targets if len(target.sense.examples)]
        if not shown:
            return np.zeros(len(own), dtype=np.float32)
        likest: Matrix = self._senses.likest(own, np.concatenate(shown))
        return likest


@lru_cache(maxsize=20_000)
def _around(text: str, start: int, end: int) -> tuple[str, str, str, str]:
    """The words before and behind a value within its clause, then the next few behind it and the
    last one before it.
    """
    before = _CLAUSE.split(text[max(0, start - _REACH) : start].rstrip(" :"))[-1]
    behind = _CLAUSE.split(text[end : end + _REACH])[0]
    return before, behind, " ".join(_WORD.findall(behind)[:_NEXT]), _last(before)


def _labelled(label: str) -> tuple[str, str, str, str]:
    return label, "", "", _last(label)


def _last(before: str) -> str:
    return " ".join(_WORD.findall(before)[-_NEXT:])
