"""Merges the values of the rules with those of a language model.

The two make different mistakes, so a value that both found deserves more confidence than either
alone. The rules' confidence is measured, the model's is not: a value that only the model gives
needs several agreeing answers to become confident. Where the two differ, the rules win with values
beside a label and lose with values from running text.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, TypedDict

from backend.extraction.citing import CitedValue
from backend.extraction.engine import MAX_OTHERS
from backend.extraction.extracted import Extracted, Guess
from workbench.contract.elements import Element

_TRUSTED = 0.6
"""Above this confidence the rules found the value beside a label, with few exceptions."""
_VOTED = 0.85
"""The highest confidence of a value on which all of several answers agree."""
_UNSEEN = 0.9
"""The factor on the rules' confidence where the model found nothing."""
_CONTRADICTED = 0.75
"""The factor on the confidence of a value that the other side contradicts."""


class ModelAnswers(TypedDict):
    """A model's answers about one document by property, or the reason why there are none."""

    samples: list[dict[str, CitedValue]]
    note: str | None


def agreed(
    rules: Mapping[str, Extracted], answers: ModelAnswers, elements: Sequence[Element]
) -> dict[str, Extracted]:
    """Merges both sides for each property; without an answer the rules' value gets a note."""
    samples = answers["samples"]
    if not samples:
        return {name: replace(item, note=answers["note"]) for name, item in rules.items()}
    return {
        name: replace(_settled(item, _voted(name, samples, elements)), note=answers["note"])
        for name, item in rules.items()
    }


def _voted(
    name: str, samples: Sequence[Mapping[str, CitedValue]], elements: Sequence[Element]
) -> Guess | None:
    """The majority value with a confidence that grows with its votes; None without a majority."""
    votes: dict[str, list[CitedValue]] = {}
    for sample in samples:
        if name in sample:
            votes.setdefault(_key(sample[name]["value"]), []).append(sample[name])
    if not votes:
        return None
    won = max(votes.values(), key=len)
    if 2 * len(won) <= len(samples) and len(samples) > 1:
        return None
    first = won[0]
    confidence = first["confidence"] * len(won) / len(samples)
    if len(won) == len(samples) > 1:
        confidence = min(_VOTED, first["confidence"] + 0.1)
    place = elements[first["element"]]
    return Guess(
        first["value"], round(confidence, 3), place.page_number, place.bbox, first["element"]
    )


def _settled(rules: Extracted, model: Guess | None) -> Extracted:
    """Chooses between the value of the rules and that of the model; either may be missing."""
    if model is None:
        confidence = round(rules.confidence * _UNSEEN, 3)
        return replace(rules, confidence=confidence) if rules.element is not None else rules
    if rules.element is None:
        return _from_model(_confirmed(rules, model), rules)
    if _key(rules.value) == _key(model.value):
        both = 1.0 - (1.0 - rules.confidence) * (1.0 - model.confidence)
        return replace(rules, confidence=round(min(both, 0.99), 3), source="both")
    if rules.confidence >= _TRUSTED:
        confidence = round(rules.confidence * _CONTRADICTED, 3)
        return replace(rules, confidence=confidence, others=[model, *rules.others][:MAX_OTHERS])
    lost = Guess(rules.value, rules.confidence, rules.page, rules.bbox, rules.element, rules.unit)
    weakened = replace(model, confidence=round(model.confidence * _CONTRADICTED, 3))
    weighed = replace(rules, others=[lost, *rules.others][:MAX_OTHERS])
    return _from_model(weakened, weighed)


def _confirmed(rules: Extracted, model: Guess) -> Guess:
    """The model's value, with more confidence if the rules had it among their alternatives."""
    for guess in rules.alternatives:
        if _key(guess.value) == _key(model.value):
            both = 1.0 - (1.0 - guess.confidence) * (1.0 - model.confidence)
            return replace(guess, confidence=round(min(both, 0.99), 3))
    return model


def _from_model(model: Guess, rules: Extracted) -> Extracted:
    """The model's value, with what the rules proposed as alternatives."""
    return Extracted(
        model.value,
        model.confidence,
        model.page,
        model.bbox,
        model.element,
        model.unit,
        others=list(rules.others),
        alternatives=[one for one in rules.alternatives if _key(one.value) != _key(model.value)],
        source="model",
    )


def _key(value: Any) -> str:
    if isinstance(value, str):
        return " ".join(value.casefold().split()).rstrip(".")
    if isinstance(value, int | float) and not isinstance(value, bool):
        return f"{value:.6g}"
    return json.dumps(value, sort_keys=True)
