"""Candidates from labelled values, and the assignment of labels to properties.

A label names one thing. It counts fully for the property that it fits best, and if two properties
of related kinds claim the same value, `settle` gives it to the one with no better alternative.
"""

from collections.abc import Iterator, Sequence
from typing import Any

from backend.extraction.absence import is_absent, says_no_day, says_none, tells_absent
from backend.extraction.candidates import MIN_FIT, Candidate
from backend.extraction.numbers import numbers
from backend.extraction.pairs import Pair
from backend.extraction.reading import Reading
from backend.extraction.targets import Target
from backend.extraction.values import read_values
from backend.extraction.words import content

LOOSE = 0.7
"""Pairs of less weight may be two lines that merely follow each other."""
MIN_LOOSE_FIT = 0.7
_FAMILIES = {"int": "number", "float": "number", "date": "time", "datetime": "time"}
"""Kinds that can share a value."""


SURE = 0.8
"""From this score on a label claims its value."""


class Rivals:
    """Assigns each labelled value to the property that its label fits best and that can read it."""

    def __init__(self, all_targets: Sequence[Target]) -> None:
        self._targets = all_targets
        self._best: dict[Pair, float] = {}

    def share(self, pair: Pair, fit: float) -> float:
        """1 for the property the pair fits best, less for others."""
        best = self._best.get(pair)
        if best is None:
            fits = [(target.fit(pair.label), target) for target in self._targets]
            fits.sort(key=lambda entry: -entry[0])
            best = next((own for own, target in fits if own and _readable(target, pair)), 0.0)
            self._best[pair] = best
        return 1.0 if fit >= best - 0.03 else 0.62


def _readable(target: Target, pair: Pair) -> bool:
    if target.shape.kind in ("array", "object") or _says_absent(target, pair):
        return True
    return bool(read_values(target, pair.value, label=pair.label))


def labelled(target: Target, reading: Reading, rivals: Rivals) -> Iterator[Candidate]:
    """Values behind a label that fits."""
    for pair in reading.single_pairs:
        fit = target.fit(pair.label)
        if fit < 1.0 and (hint := _hint(target, pair)):
            fit = max(fit, target.fit(pair.label, hint))
        if fit < MIN_FIT and _denies(target, pair):
            fit = 0.6
        if fit < (MIN_LOOSE_FIT if pair.weight < LOOSE else MIN_FIT):
            continue
        if pair.row and target.fit(pair.row) < 0.3:
            continue  # only the column title fits: any other row would do as well
        described = target.shape.kind == "bool" and target.fit(pair.label) < MIN_FIT
        score = fit * pair.weight * (1.0 if described else rivals.share(pair, fit))
        place = (pair.element, pair.page, pair.bbox)
        if _says_absent(target, pair):
            yield Candidate(None, 0.95 * score, pair.source, *place, True, pair)
            continue
        for value in read_values(target, pair.value, label=pair.label, habits=reading.habits)[:3]:
            quality = value.quality
            if pair.source == "heading" and target.shape.kind != "choice":
                quality *= _as_paragraph(target, pair.value)
            yield Candidate(
                value.value, score * quality, pair.source, *place, pair=pair, unit=value.unit
            )
    for pair in reading.blanks:
        fit = target.fit(pair.label)
        if fit >= MIN_LOOSE_FIT:
            score = 0.95 * fit * pair.weight * rivals.share(pair, fit)
            place = (pair.element, pair.page, pair.bbox)
            yield Candidate(None, score, pair.source, *place, True, pair)


def _says_absent(target: Target, pair: Pair) -> bool:
    """Whether the pair states the absence of a value. "Not given" and "none" may be valid answers
    of yes/no and choice properties, and "none" is a number.
    """
    kind = target.shape.kind
    if kind in ("bool", "choice"):
        return not pair.value or is_absent(pair.value)
    if kind not in ("int", "float") and says_none(pair.value):
        return True
    dates = kind in ("date", "datetime")
    return tells_absent(pair.value) or (dates and says_no_day(pair.value))


def _denies(target: Target, pair: Pair) -> bool:
    """Whether the pair denies what a yes/no property asks about."""
    if target.shape.kind != "bool" or pair.value.strip(" .").lower() not in ("none", "nil", "0"):
        return False
    words = content(pair.label)
    return bool(words) and all(word in target.mentioned for word in words)


def _hint(target: Target, pair: Pair) -> str:
    """A hint in the value itself: its unit, or the words that a yes/no property is about."""
    if target.shape.kind == "bool" and len(pair.value) <= 60:
        return pair.value
    if target.unit is not None:
        return " ".join(number.unit.name for number in numbers(pair.value)[:1] if number.unit)
    return ""


def _as_paragraph(target: Target, text: str) -> float:
    """The quality of a whole paragraph as a value."""
    if target.shape.kind in ("string", "custom"):
        return 1.0 if target.wants_long_text or len(text) < 40 else 0.5
    return 1.0 if len(text) < 40 else 0.7


def settle(candidates: Sequence[list[Candidate]], kinds: Sequence[str]) -> None:
    """Gives each labelled value to one property of related kinds and takes it from the others.

    `candidates` holds the candidates of each property, best first. If a pair is the best one of
    several properties, the one that would lose most without it keeps it.
    """
    for _ in range(2 * len(candidates)):
        holders: dict[tuple[str, Pair], list[int]] = {}
        for at, candidates_of_one in enumerate(candidates):
            pair = candidates_of_one[0].pair if candidates_of_one else None
            if pair is not None:
                family = _FAMILIES.get(kinds[at], kinds[at])
                holders.setdefault((family, pair), []).append(at)
        contested = [(pair, who) for (_, pair), who in holders.items() if len(who) > 1]
        if not contested:
            return
        pair, who = contested[0]
        loss = {at: candidates[at][0].score - _second(candidates[at], pair) for at in who}
        keeper = max(who, key=lambda at: (round(loss[at], 3), -at))
        for at in who:
            if at != keeper:
                candidates[at][:] = [c for c in candidates[at] if c.pair != pair]


def give_up_claimed(candidates: Sequence[list[Candidate]], kinds: Sequence[str]) -> None:
    """Drops candidates from running text that another property claims by a label.

    A number labelled for one property does not belong to another just because their names share a
    word.
    """
    claims: dict[tuple[str, int, Any], int] = {}
    for at, (kind, own) in enumerate(zip(kinds, candidates, strict=True)):
        family, best = _FAMILIES.get(kind), own[0] if own else None
        if family and best is not None and best.pair is not None and best.score >= SURE:
            claims.setdefault((family, best.element, best.value), at)
    for at, (kind, own) in enumerate(zip(kinds, candidates, strict=True)):
        family = _FAMILIES.get(kind)
        if family is not None:
            own[:] = [
                one
                for one in own
                if one.pair is not None or claims.get((family, one.element, one.value), at) == at
            ]


def _second(candidates: Sequence[Candidate], pair: Pair) -> float:
    """The best score without that pair."""
    return next((candidate.score for candidate in candidates if candidate.pair != pair), 0.0)
