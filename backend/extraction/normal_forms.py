"""Texts in the form that the examples of a property have.

Where no example has a legal form or a title, "Alder Foods, Inc." is given as "Alder Foods" and
"Dr. Anna Abbott" as "Anna Abbott"; where all are names of places in full, "NV" is Nevada. Without
examples a text stays as it is written.
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
    for bare in (without_legal_form, without_title):
        if all(bare(example) == example for example in examples):
            value = bare(value)
    return value
