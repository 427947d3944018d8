"""The stored evidence of a value: its confidence, and withheld guesses.

Evidence is a JSON object for each property of a document: `confidence`, the place (`page`, `bbox`,
`element`), `unit`, `corrected` if a person set it, and `alternatives` without enough confidence.
"""

from collections.abc import Mapping
from typing import Any


def stated_confidence(item: Mapping[str, Any]) -> float | None:
    """The confidence of a stored value; None if it was not read, such as a default."""
    if item.get("element") is None and not item.get("corrected"):
        return None
    confidence = item.get("confidence")
    return float(confidence) if isinstance(confidence, int | float) else None


def best_guess(item: Mapping[str, Any]) -> Mapping[str, Any] | None:
    """The likeliest withheld value; None if a person decided that there is none."""
    listed = item.get("alternatives")
    if item.get("corrected") or not isinstance(listed, list):
        return None
    guesses = [guess for guess in listed if isinstance(guess, dict) and "value" in guess]
    return max(guesses, key=lambda guess: guess.get("confidence") or 0.0, default=None)
