"""Finds values that cannot both be right: a start after its end, a minimum above its maximum."""

import re
from collections.abc import Iterator, Mapping, Sequence

from backend.extraction.targets import Target

_ORDERED = (
    (
        "from since start starts begin begins beginning first commencement effective issue issued"
        " born birth",
        "to until till end ends ending last expiry expires expiration died death",
    ),
    ("min minimum low lowest", "max maximum high highest"),
)
_SIDES = tuple((frozenset(low.split()), frozenset(high.split())) for low, high in _ORDERED)
_WORD = re.compile(r"[^\W\d_]?[^\W\d_A-Z]+|[^\W\d_]+|\d+")
_STATED = 0.75
"""Values above this confidence are kept: the document itself contradicts."""
_KINDS = {"date": "time", "datetime": "time", "int": "number", "float": "number"}


def out_of_order(
    wanted: Sequence[Target], values: Mapping[str, tuple[object, float]]
) -> Iterator[str]:
    """Yields the names of properties with a contradicted value, the less confident of each pair.

    Two properties form a pair when their names differ only in the word for the end.
    """
    for low, high in _pairs([target for target in wanted if target.name in values]):
        (first, sure), (last, surer) = values[low], values[high]
        if min(sure, surer) < _STATED and _later(first, last):
            yield low if sure < surer else high


def _pairs(wanted: Sequence[Target]) -> Iterator[tuple[str, str]]:
    for lows, highs in _SIDES:
        ends: dict[tuple[str, frozenset[str]], str] = {}
        for target in wanted:
            words = _words(target.name)
            if words & highs and target.shape.kind in _KINDS:
                ends[_KINDS[target.shape.kind], words - highs] = target.name
        for target in wanted:
            words = _words(target.name)
            key = (_KINDS.get(target.shape.kind, ""), words - lows)
            if words & lows and key in ends and ends[key] != target.name:
                yield target.name, ends[key]


def _words(name: str) -> frozenset[str]:
    return frozenset(word.lower() for word in _WORD.findall(name))


def _later(first: object, last: object) -> bool:
    """Whether the first of two values of a kind is the greater; dates compare by day."""
    if isinstance(first, str) and isinstance(last, str):
        return first[:10] > last[:10]
    if isinstance(first, int | float) and isinstance(last, int | float):
        return first > last
    return False
