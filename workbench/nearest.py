"""The right name for a wrong one: what a sentence about a mistake ends with."""

from collections.abc import Iterable
from difflib import get_close_matches

_LISTED = 8


def close_to(wrong: str, names: Iterable[str], likeness: float = 0.6) -> list[str]:
    """The names that `wrong` could be a misspelling of, the nearest first.

    `likeness` is from 0 (any name will do) to 1 (the name itself).
    """
    by_case = {name.casefold(): name for name in names}
    near = get_close_matches(wrong.casefold(), list(by_case), 3, likeness)
    return [by_case[name] for name in near]


def suggestion(wrong: str, names: Iterable[str]) -> str:
    """` Did you mean 'state'?`, else the names that there are, else nothing. Begins with a space.

    Example: suggestion("stat", ["state", "year"]) is " Did you mean 'state'?".
    """
    known = list(dict.fromkeys(names))
    if near := close_to(wrong, known):
        return f" Did you mean {' or '.join(map(repr, near))}?"
    if not known:
        return ""
    more = f" and {len(known) - _LISTED:,} more" if len(known) > _LISTED else ""
    return f" There are: {', '.join(known[:_LISTED])}{more}."
