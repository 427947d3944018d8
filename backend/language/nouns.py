"""Nouns for the documents of a collection."""

from collections.abc import Collection, Iterable
from functools import lru_cache

from backend.language.common_words import DOCUMENT_NOUNS
from backend.language.words import stem, words


def document_nouns(
    name: str, of_keys: Collection[str], described: Iterable[str] = ()
) -> frozenset[str]:
    """Stems that name the documents: from the DocSet's name, keys, descriptions, and synonyms."""
    named = _named(name)
    stems = {stem(word) for word in DOCUMENT_NOUNS}
    stems.update(named)
    stems.update(of_keys)
    stems.update(map(stem, described))
    # Clinical trials count patients: there a patient is not a case, unless the DocSet says so.
    general = {stem("case")} - {*named, *of_keys}
    for noun in stems - general:
        stems.update(_same_documents(noun))
    return frozenset(stems)


def own_nouns(name: str) -> frozenset[str]:
    """Stems of the nouns in the name of a DocSet, and of their synonyms."""
    return frozenset(other for noun in _named(name) for other in {noun, *_same_documents(noun)})


def _named(name: str) -> list[str]:
    parts = words(name.replace("_", " ").replace("-", " "))
    return [s for s in map(stem, parts) if len(s) > 2 and not s.isdecimal()]


@lru_cache(maxsize=100_000)
def singular(word: str) -> str:
    """A word in lower case without its plural ending; unlike a stem it stays a word."""
    low = word.lower()
    if len(low) > 4 and low.endswith("ies"):
        return low[:-3] + "y"
    if len(low) > 4 and low.endswith(("ches", "shes", "sses", "xes")):
        return low[:-2]
    if len(low) > 3 and low.endswith("s") and not low.endswith(("ss", "us", "is")):
        return low[:-1]
    return low


_DOCUMENT_SYNONYMS = tuple(
    frozenset(stem(word) for word in line.split())
    for line in (
        "accident incident crash event occurrence mishap collision",
        "report filing statement",
        "invoice bill receipt",
        "contract agreement deal",
        "paper article publication study manuscript",
        "recipe dish meal",
        "movie film picture",
        "book title novel publication",
        "order purchase transaction sale",
        "ticket issue bug request",
        "patient case",
        "listing property home house apartment flat",
        "job position vacancy posting",
        "product item article",
        "email mail message letter",
        "customer client account",
        "earning result report",
    )
)


def _same_documents(noun: str) -> set[str]:
    return {word for group in _DOCUMENT_SYNONYMS if noun in group for word in group}
