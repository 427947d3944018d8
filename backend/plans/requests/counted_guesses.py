"""Counts of things that may not be the documents: `complaints per route` where none are."""

from collections.abc import Iterator
from itertools import pairwise

from backend.inference.phrase_vectors import encoder
from backend.language.words import words
from backend.plans.reading.linking_amounts import is_sum
from backend.plans.tables.collection import Collection
from workbench.contract.plan import Plan

HEAD_BEFORE = 4
"""The number of words within which `of`, `per` or `by` follows what a question asks for."""
_ALIKE = 0.15
"""The least similarity of two names for the same things."""


def counted_guesses(plan: Plan, collection: Collection) -> list[str]:
    """What is counted that was read as the documents and has no name like theirs."""
    remarks = plan.edit.warnings if plan.edit is not None else []
    remark = "took “{}” to mean the documents"
    money = [w for w in words(plan.query.lower()) if is_sum(w) and remark.format(w) in remarks]
    guessed = [word for word in _counted(plan.query) if remark.format(word) in remarks]
    if money or not guessed:
        return money
    name, *vectors = encoder().embed([collection.name.replace("_", " "), *guessed])
    return [word for word, vector in zip(guessed, vectors, strict=True) if name @ vector < _ALIKE]


def _counted(question: str) -> Iterator[str]:
    """What a question asks for by groups, or how many of which."""
    asked = words(question.lower())
    yield from (one for one, two in pairwise(asked[: HEAD_BEFORE + 1]) if two in ("per", "by"))
    yield from (two for one, two in pairwise(asked) if one == "many")
