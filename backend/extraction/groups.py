"""Groups the candidates and spots of a property that have the same value."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any

from backend.extraction.candidates import Candidate
from backend.extraction.spots import Spot


@dataclass
class Group:
    """Candidates and spots of equal value; `key` is the value's normalised form."""

    key: str
    value: Any
    candidates: list[Candidate] = field(default_factory=list)
    spots: list[Spot] = field(default_factory=list)

    @property
    def absent(self) -> bool:
        """Whether this group stands for the absence of a value."""
        return bool(self.candidates) and self.candidates[0].absent

    @cached_property
    def score(self) -> float:
        """The best score of its candidates."""
        return max((candidate.score for candidate in self.candidates), default=0.0)

    @property
    def sources(self) -> set[str]:
        """The extractors that proposed it."""
        return {candidate.source for candidate in self.candidates}

    @property
    def places(self) -> set[tuple[int, int, int]]:
        """Where it occurs: segment, first and last character."""
        return {(spot.place.segment.order, spot.place.start, spot.place.end) for spot in self.spots}

    @property
    def shown(self) -> set[tuple[int, int, int]]:
        """Where it occurs literally. A choice may be expressed in other words, and a yes or no
        refers to words without naming the value.
        """
        return {
            (spot.place.segment.order, spot.place.start, spot.place.end)
            for spot in self.spots
            if spot.kind != "answer"
            and (spot.kind != "option" or spot.traits.get("literal", 0.0) > 0.0)
        }

    @property
    def starts(self) -> frozenset[tuple[int, int]]:
        """Where it begins: segment and character."""
        return frozenset((spot.place.segment.order, spot.place.start) for spot in self.spots)

    @property
    def unit(self) -> str | None:
        units = [c.unit for c in self.candidates] + [s.unit for s in self.spots]
        return next((unit for unit in units if unit is not None), None)

    def place(self) -> tuple[int, int, list[float]]:
        """Element, page and box of its best place."""
        if self.candidates:
            best = self.candidates[0]
            return best.element, best.page, list(best.bbox)
        segment = self.spots[0].place.segment
        return segment.element, segment.page, list(segment.bbox)


def grouped(candidates: Sequence[Candidate], spots: Sequence[Spot]) -> list[Group]:
    """Groups of equal value; each has the value of its best candidate."""
    groups: dict[str, Group] = {}
    for candidate in sorted(candidates, key=lambda one: -one.score):
        key = _key(candidate.value)
        if key not in groups:
            groups[key] = Group(key, candidate.value)
        groups[key].candidates.append(candidate)
    for spot in spots:
        key = _key(spot.value)
        group = groups.get(key)
        if group is None:
            group = groups[key] = Group(key, spot.value)
        group.spots.append(spot)
        if spot.kind == "option":
            group.value = spot.value  # in the schema's spelling
    return list(groups.values())


@lru_cache(maxsize=20_000)
def text_key(text: str) -> str:
    """What texts of equal value have in common: case, spacing and a full stop do not count."""
    return " ".join(text.lower().split()).rstrip(".")


def _key(value: Any) -> str:
    if isinstance(value, str):
        return text_key(value)
    if isinstance(value, int | float) and not isinstance(value, bool):
        return f"{value:.6g}"
    return repr(value)
