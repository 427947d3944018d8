"""Detects misspelt type names in schemas: "strng" is an error, "registration_mark" is not.

An unknown name is a custom type and is kept as it is. Only a name within one or two edits of a
known type counts as a misspelling.
"""

from rapidfuzz import process
from rapidfuzz.distance import OSA

from workbench.contract.schema import SYNONYMS

_SHORTEST, _LONG = 5, 8
"""Shorter names never count as misspellings; long ones may differ by two edits."""


def meant_type(word: str | None) -> str | None:
    """The known type that a name misspells, or None."""
    if word is None or len(word) < _SHORTEST or word.lower() in SYNONYMS:
        return None
    limit = 1 if len(word) < _LONG else 2
    nearest = process.extractOne(
        word.lower(), list(SYNONYMS), scorer=OSA.distance, score_cutoff=limit
    )
    return None if nearest is None else str(nearest[0])
