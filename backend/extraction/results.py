"""Extracted values as the objects of a partition result: `properties` and `property_metadata`.

`properties` maps each name to `{name, type, value, pages}`; values of arrays and objects are nested
entries of the same form. `property_metadata` has for each value its source (`attribution`: element
indices, page, box; null for a default), its confidence, who found it (`source`: rules, model or
both), why a language model did not help (`note`), plausible other values (`alternatives`; a value
below `GIVEN` appears only there), and with voting the losing guesses (`other_guesses`).
"""

from collections.abc import Mapping
from typing import Any

from backend.extraction.extracted import Extracted, Guess
from workbench.contract.schema import PropertyShape, Schema


def property_values(
    extracted: dict[str, Extracted], schema: Schema, places: Mapping[int, int] | None = None
) -> tuple[dict[str, Any], dict[str, Any]]:
    """The two objects, in the order of the schema.

    `places` maps the indices of the elements that were read to those in the result, if they differ.
    """
    values: dict[str, Any] = {}
    metadata: dict[str, Any] = {}
    for prop in schema.properties:
        chosen = extracted[prop.name]
        pages = [] if chosen.page is None else [chosen.page]
        values[prop.name] = _entry(prop.name, prop, chosen.value, pages)
        metadata[prop.name] = {
            "name": prop.name,
            "type": _kind(prop),
            "value": chosen.value,
            "confidence": chosen.confidence,
            "attribution": _attribution(chosen, places),
            "source": chosen.source,
        }
        if chosen.note is not None:
            metadata[prop.name]["note"] = chosen.note
        if chosen.alternatives:
            metadata[prop.name]["alternatives"] = [
                _guessed(guess, places) for guess in chosen.alternatives
            ]
        if chosen.others:
            metadata[prop.name]["other_guesses"] = [
                _guessed(guess, places) for guess in chosen.others
            ]
    return values, metadata


def _guessed(guess: Guess, places: Mapping[int, int] | None) -> dict[str, Any]:
    return {
        "value": guess.value,
        "confidence": guess.confidence,
        "attribution": _attribution(guess, places),
    }


def _entry(name: str, shape: PropertyShape, value: Any, pages: list[int]) -> dict[str, Any]:
    return {
        "name": name,
        "type": _kind(shape),
        "value": _nested(name, shape, value, pages),
        "pages": pages,
    }


def _nested(name: str, shape: PropertyShape, value: Any, pages: list[int]) -> Any:
    if shape.kind == "array" and isinstance(value, list) and shape.item_type is not None:
        return [_entry(name, shape.item_type, item, pages) for item in value]
    if shape.kind == "object" and isinstance(value, dict):
        return {
            inner.name: _entry(inner.name, inner, value.get(inner.name), pages)
            for inner in shape.properties or []
        }
    return value


def _kind(shape: PropertyShape) -> str:
    return (shape.custom_type or "custom") if shape.kind == "custom" else shape.kind


def _attribution(guess: Guess, places: Mapping[int, int] | None) -> dict[str, Any] | None:
    if guess.element is None:
        return None
    place = guess.element if places is None else places.get(guess.element)
    indices = [] if place is None else [place]
    return {"element_indices": indices, "page": guess.page, "bbox": guess.bbox}
