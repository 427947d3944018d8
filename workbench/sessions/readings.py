"""The properties of one document with the confidence and source of each value.

A value that was withheld has none, but guesses; they are listed below its name.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from workbench.contract.coverage import CONFIDENCE_LIMIT

Box = tuple[float, float, float, float]


@dataclass(frozen=True)
class Reading:
    """A value, or with `guess` a withheld one. `confidence` is null if the value was not extracted;
    places are null if it has none. `unit` is the unit it was read with.
    """

    name: str
    value: Any
    confidence: float | None = None
    page: int | None = None
    bbox: Box | None = None
    element_id: str | None = None
    corrected: bool = False
    guess: bool = False
    unit: str = ""

    @property
    def doubtful(self) -> bool:
        return is_doubtful(self.confidence)


def is_doubtful(confidence: float | None) -> bool:
    """Whether a value of that confidence stays out of answers."""
    return confidence is not None and confidence < CONFIDENCE_LIMIT


def readings(values: Mapping[str, Any], evidence: Mapping[str, Mapping[str, Any]]) -> list[Reading]:
    """The readings in the order of `values`, each followed by its guesses."""
    listed: list[Reading] = []
    for name in dict.fromkeys([*values, *evidence]):
        item = evidence.get(name) or {}
        value = values.get(name)
        corrected = bool(item.get("corrected"))
        # A missing value has no confidence; its guesses have.
        sure = None if value is None or corrected else item.get("confidence")
        unit = str(item.get("unit") or "") if value is not None else ""
        place = item if value is not None else {}
        listed.append(_reading(name, value, sure, place, corrected=corrected, unit=unit))
        if not corrected:
            listed += [
                _reading(name, guess.get("value"), guess.get("confidence"), guess, guess=True)
                for guess in item.get("alternatives") or ()
            ]
    return listed


def _reading(
    name: str,
    value: Any,
    confidence: float | None,
    place: Mapping[str, Any],
    *,
    corrected: bool = False,
    guess: bool = False,
    unit: str = "",
) -> Reading:
    box = place.get("bbox")
    return Reading(
        name=name,
        value=value,
        confidence=confidence,
        page=place.get("page"),
        bbox=as_box(box),
        element_id=place.get("element_id"),
        corrected=corrected,
        guess=guess,
        unit=unit,
    )


def as_box(numbers: Any) -> Box | None:
    """Four fractions of a page; None for anything else."""
    if not isinstance(numbers, list | tuple) or len(numbers) != 4:
        return None
    x1, y1, x2, y2 = numbers
    return (x1, y1, x2, y2)
