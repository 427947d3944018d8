"""Converts texts to the form that the examples of a property have.

If no example has a legal form or a title, "Alder Foods, Inc." becomes "Alder Foods" and "Dr. Anna
Abbott" becomes "Anna Abbott"; if all are full place names, "NV" becomes Nevada. Without examples
texts are unchanged.
"""

from typing import Any

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
    for bare in (without_title, without_legal_form):  # the form tells a body from a person
        if all(bare(example) == example for example in examples):
            value = bare(value)
    return value
