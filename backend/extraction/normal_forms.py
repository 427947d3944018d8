"""Converts texts to the form that the examples of a property have.

If none of three or more examples has a legal form or a title, "Alder Foods, Inc." becomes "Alder
Foods" and "Dr. Anna Abbott" becomes "Anna Abbott"; examples that are people have no legal form to
leave out. If all are full place names, "NV" becomes Nevada. If no example has a comma, "Utrecht,
Netherlands" becomes "Utrecht". Without examples texts are unchanged.
"""

from collections.abc import Sequence
from typing import Any

from backend.extraction.given_names import GIVEN_NAMES
from backend.extraction.naming import names_body
from backend.extraction.place_names import CODES, KNOWN
from backend.extraction.spans import without_legal_form, without_title
from backend.extraction.targets import Target

_SHOWING = 3
"""From so many examples on, names without a legal form show that it is left out; one or two may
just be of a kind that has none, such as a school.
"""


def normal(value: Any, target: Target) -> Any:
    """The value in the form of the examples of its property."""
    examples = target.examples
    if not isinstance(value, str) or not examples:
        return value
    if value in CODES and all(example.lower() in KNOWN for example in examples):
        return CODES[value]
    if len(examples) >= _SHOWING:
        value = _without_what_none_has(value, examples)
    return value if any("," in example for example in examples) else _without_country(value)


def _without_what_none_has(value: str, examples: Sequence[str]) -> str:
    """A text without title and legal form, unless one of the examples has one."""
    if all(without_title(example) == example for example in examples):
        value = without_title(value)  # before the legal form, which tells a body from a person
    if any(map(_is_person, examples)) or any(
        without_legal_form(example) != example for example in examples
    ):
        return value
    return without_legal_form(value)


def _without_country(value: str) -> str:
    """A text without the countries and states that close it after a comma."""
    first, *others = [part.strip() for part in value.split(",")]
    known = all(part.lower() in KNOWN or part in CODES for part in others)
    return first if first and others and known else value


def _is_person(name: str) -> bool:
    return not names_body(name) and not GIVEN_NAMES.isdisjoint(name.lower().split())
