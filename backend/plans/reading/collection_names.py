"""How questions call the documents of a collection by several words of its name.

`Site visits` of `site_visit_reports` are the documents, although there are properties called site
and visit type. One word alone may be either, which the chart decides.
"""

from collections.abc import Iterable, Mapping, Sequence

from backend.language.tokens import Token
from backend.language.words import stem, words

Names = Mapping[str, Sequence[tuple[str, ...]]]
"""Stems of two or more adjacent words of a name, by the first, the longest before the others."""
_LONGEST = 6


def name_stems(name: str) -> tuple[str, ...]:
    """The stems of the words in the name of a collection."""
    return tuple(map(stem, words(name.replace("_", " ").replace("-", " "))))


def names_in(called: tuple[str, ...], labels: Iterable[str]) -> Names:
    """The parts of a name that are not the whole label of a property."""
    properties = {tuple(map(stem, label.split())) for label in labels}
    parts: dict[str, list[tuple[str, ...]]] = {}
    for size in range(min(len(called), _LONGEST), 1, -1):
        for start in range(len(called) - size + 1):
            part = called[start : start + size]
            if part not in properties:
                parts.setdefault(part[0], []).append(part)
    return parts


def length_of_name(names: Names, tokens: Sequence[Token], i: int) -> int:
    """The number of tokens from `i` on that are one of the names; 0 if none is there."""
    for part in names.get(tokens[i].stem, ()):
        if tuple(token.stem for token in tokens[i : i + len(part)]) == part:
            return len(part)
    return 0
