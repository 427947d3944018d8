"""Suggestions for misspelled names, for the end of error messages."""

from collections.abc import Iterable
from difflib import get_close_matches

from workbench.harmless import in_line

_LISTED = 8


def close_to(wrong: str, names: Iterable[str], likeness: float = 0.6) -> list[str]:
    """Up to three names that `wrong` may misspell, nearest first, from `likeness` (0 to 1) on."""
    by_case = {name.casefold(): name for name in names}
    near = get_close_matches(wrong.casefold(), list(by_case), 3, likeness)
    return [by_case[name] for name in near]


def suggestion(wrong: object, names: Iterable[str]) -> str:
    """` Did you mean 'state'?`, else the existing names, else nothing. Begins with a space. What is
    no text is compared as it is written.

    Example: suggestion("stat", ["state", "year"]) is " Did you mean 'state'?".
    """
    known = list(dict.fromkeys(names))
    if near := close_to(str(wrong), known):
        return f" Did you mean {' or '.join(map(repr, near))}?"
    if not known:
        return ""
    more = f" and {len(known) - _LISTED:,} more" if len(known) > _LISTED else ""
    return f" There are: {', '.join(map(in_line, known[:_LISTED]))}{more}."
