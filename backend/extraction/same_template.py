"""Recognises documents made from the same template by the phrases that they share.

Letters, forms and reports of one sender repeat their sentences and labels; only the values differ.
Documents of the same kind by another sender share hardly any phrase.
"""

import re
from collections.abc import Sequence

from backend.extraction.document import Document

Phrases = frozenset[tuple[str, ...]]

LEAST_ALIKE = 0.12
"""The minimum share of phrases in common: of 60 documents by 24 senders, two by the same one shared
at least 12 % of the shorter document's phrases, two by others at most 10 %.
"""
_LENGTH, _SHORT = 3, 6
"""Words of a phrase; a text of up to so many words also has a beginning and an end."""
_MOST_PHRASES = 5_000
_WORD = re.compile(r"[^\W\d_]+|\d+")


def phrases(document: Document) -> Phrases:
    """All runs of three words of a document; figures count as equal."""
    out: set[tuple[str, ...]] = set()
    for segment in document.segments:
        if segment.joined:
            continue
        words = ["9" if w.isdigit() else w.lower() for w in _WORD.findall(segment.text)]
        if len(words) <= _SHORT:
            words = ["^", *words, "$"]
        out.update(tuple(words[at : at + _LENGTH]) for at in range(len(words) - _LENGTH + 1))
        if len(out) >= _MOST_PHRASES:
            break
    return frozenset(out)


def likeness(one: Phrases, other: Phrases) -> float:
    """The share of the shorter document's phrases that the other has too, from 0 to 1."""
    return len(one & other) / max(1, min(len(one), len(other)))


def by_template(documents: Sequence[Phrases]) -> list[list[int]]:
    """The numbers of documents, those of the same template together.

    >>> letter = frozenset({("we", "are", "pleased"), ("your", "grant", "number")})
    >>> form = frozenset({("^", "registration", "$")})
    >>> by_template([letter, form, letter])
    [[0, 2], [1]]
    """
    groups: list[list[int]] = []
    for number, own in enumerate(documents):
        near = [g for g in groups if any(likeness(own, documents[n]) >= LEAST_ALIKE for n in g)]
        merged = sorted([number, *(n for group in near for n in group)])
        groups = [group for group in groups if group not in near] + [merged]
    return sorted(groups)
