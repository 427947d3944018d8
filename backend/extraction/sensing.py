"""What the meaning of the texts around values says for each of them: features by static vectors."""

import re
from collections.abc import Sequence

import numpy as np

from backend.extraction.document import Place
from backend.extraction.senses import BESIDE, Matrix, Rows, Senses
from backend.extraction.targets import Target

SENSED = (
    "sense_asked", "sense_name", "sense_described", "sense_before", "sense_behind", "sense_text",
    "sense_heading", "sense_group", "sense_rival", "sense_value", "sense_example",
    "value_rival", "example_rival",
)  # fmt: skip
"""The features, in the order of the columns of `sensed`."""
_CLAUSE = re.compile(r"[.;|:]\s|\s{2,}")
_REACH = 60
_NAME, _ASKED, _DESCRIBED = range(3)


def sensed(
    senses: Senses,
    target: Target,
    rivals: Sequence[Target],
    places: Sequence[Place | None],
    labels: Sequence[str],
    values: Sequence[str],
) -> Matrix:
    """One row for each value: its place, the label it was read from, and the value if a text."""
    befores = [
        _before(place) if place else label for place, label in zip(places, labels, strict=True)
    ]
    behinds = [_behind(place) if place else "" for place in places]
    before, behind, own = senses.rows(befores), senses.rows(behinds), senses.rows(values)
    label = senses.rows(labels)
    width = len(BESIDE)
    around = np.zeros((len(places), width + 3), dtype=np.int32)
    placed = [at for at, place in enumerate(places) if place is not None]
    if placed:
        around[placed] = senses.around([place.segment for place in places if place is not None])
    beside = np.column_stack([around[:, :width], before, label])
    meaning = target.sense
    near = senses.near(meaning.asked)
    named = near[beside].max(axis=1)
    others = [rival.sense.asked[_ASKED] for rival in rivals]
    rival = 0.0
    if others:
        rival = senses.near(np.stack(others))[beside].max(axis=(1, 2)) - named[:, _ASKED]
    described = near[own, _DESCRIBED]
    examples = _likest(senses, [target], own)
    value_rival = 0.0
    if rivals:
        wanted = np.stack([rival.sense.asked[_DESCRIBED] for rival in rivals])
        value_rival = described - senses.near(wanted)[own].max(axis=1)
    asked = near[:, _ASKED]
    out = np.zeros((len(places), len(SENSED)), dtype=np.float32)
    for at, column in enumerate((
        named[:, _ASKED], named[:, _NAME], named[:, _DESCRIBED], asked[before], asked[behind],
        asked[around[:, width]], asked[around[:, width + 1]], asked[around[:, width + 2]], rival,
        described, examples, value_rival, examples - _likest(senses, rivals, own),
    )):  # fmt: skip
        out[:, at] = column
    return out


def _likest(senses: Senses, targets: Sequence[Target], own: Rows) -> Matrix:
    """How like each value is to the likest example of some properties; 0 without examples."""
    shown = [target.sense.examples for target in targets if len(target.sense.examples)]
    if not shown:
        return np.zeros(len(own), dtype=np.float32)
    likest: Matrix = senses.near(np.concatenate(shown))[own].max(axis=1)
    return likest


def _before(place: Place) -> str:
    """The words right before a value, no farther than its clause begins."""
    text = place.segment.text[max(0, place.start - _REACH) : place.start]
    return _CLAUSE.split(text.rstrip(" :"))[-1]


def _behind(place: Place) -> str:
    return _CLAUSE.split(place.segment.text[place.end : place.end + _REACH])[0]
