"""Verbs of direction, which also appear as values such as `Raised` or `Lowered`."""

from backend.language.words import stem

_WAYS = """
raise raised increase increased lift lifted hike hiked boost boosted up upgraded improved
lower lowered cut reduce reduced decrease decreased slash slashed trim trimmed downgraded
maintain maintained keep kept hold held affirm affirmed reaffirm reaffirmed unchanged confirmed
withdraw withdrew withdrawn retract retracted pull pulled suspended
"""
_SETS = tuple(frozenset(map(stem, line.split())) for line in _WAYS.strip().splitlines())


def same_way(word: str, other: str) -> bool:
    """Whether two words mean the same movement: `cut` and `Lowered`."""
    one, two = stem(word), stem(other)
    return any(one in way and two in way for way in _SETS)
