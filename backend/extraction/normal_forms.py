"""Converts texts to the form that the examples of a property have.

If no example has a legal form or a title, "Alder Foods, Inc." becomes "Alder Foods" and "Dr. Anna
Abbott" becomes "Anna Abbott"; examples that are people have no legal form to leave out. If all are
full place names, "NV" becomes Nevada. If no example has a comma, "Utrecht, Netherlands" becomes
"Utrecht". Without examples texts are unchanged.
"""

from typing import Any

from backend.extraction.given_names import GIVEN_NAMES
from backend.extraction.naming import names_body
from backend.extraction.place_names import CODES, KNOWN
from backend.extraction.spans import without_legal_form, without_title
from backend.extraction.targets import Target


def normal(value: Any, target: Target) -> Any:
    """The value in the form of the examples of its property."""
    examples = target.examples
    if not isinstance(value, str) or not examples:
        return value
    if value in CODES and all(example.lower() in KNOWN for example in examples):
        return CODES[value]
    if all(without_title(example) == example for example in examples):
        value = without_title(value)  # before the legal form, which tells a body from a person
    if not any(map(_is_person, examples)) and all(
        without_legal_form(example) == example for example in examples
    ):
        value = without_legal_form(value)
    return value if any("," in example for example in examples) else _without_country(value)


def _without_country(value: str) -> str:
    """A text without the countries and states that close it after a comma."""
    first, *others = [part.strip() for part in value.split(",")]
    known = all(part.lower() in KNOWN or part in CODES for part in others)
    return first if first and others and known else value


def _is_person(name: str) -> bool:
    return not names_body(name) and not GIVEN_NAMES.isdisjoint(name.lower().split())
