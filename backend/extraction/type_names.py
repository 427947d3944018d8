"""Type names in schemas that are misspelt: "strng" is refused, "registration_mark" is not.

A name that is no known type is a type of the caller's own and comes back as it is. Only what is
within an edit or two of a known name is taken for a slip.
"""

from rapidfuzz import process
from rapidfuzz.distance import OSA

from workbench.contract.schema import SYNONYMS

_SHORTEST, _LONG = 5, 8
"""Shorter names are never taken for a slip; in long ones two edits are."""


def meant_type(word: str | None) -> str | None:
    """The known type that a name misspells, or None."""
    if word is None or len(word) < _SHORTEST or word.lower() in SYNONYMS:
        return None
    limit = 1 if len(word) < _LONG else 2
    nearest = process.extractOne(
        word.lower(), list(SYNONYMS), scorer=OSA.distance, score_cutoff=limit
    )
    return None if nearest is None else str(nearest[0])
