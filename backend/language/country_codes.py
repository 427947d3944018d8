"""The two-letter country codes at the start of identifiers: VAT ids, bank accounts."""

from collections.abc import Mapping
from functools import lru_cache

from backend.language.abbreviations import country_names
from backend.language.demonyms import countries_called, other_names


def codes_of(words: str) -> tuple[str, ...]:
    """The codes of a country by name, adjective or capitalised code; empty for other words."""
    if len(words) == 2:
        return (words,) if words.isupper() and words in _coded() else ()
    names = (words.lower(), *countries_called(words.lower()))
    codes = (code for name in names for code in _by_name().get(name, ()))
    return tuple(dict.fromkeys(codes))


def called(code: str) -> tuple[str, ...]:
    """The names and adjectives of the country with a capitalised code."""
    names = [name for name, codes in _by_name().items() if code in codes]
    return tuple(dict.fromkeys([*names, *(" ".join(o) for n in names for o in other_names(n))]))


@lru_cache(maxsize=1)
def _by_name() -> Mapping[str, tuple[str, ...]]:
    """The codes of each country; Greek VAT ids begin with the code of the language."""
    made: dict[str, tuple[str, ...]] = {"greece": ("GR", "EL")}
    for short, full in country_names().items():
        if len(short) == 2 and short.isalpha():
            made[full] = tuple(dict.fromkeys((*made.get(full, ()), short.upper())))
    return made


@lru_cache(maxsize=1)
def _coded() -> frozenset[str]:
    return frozenset(code for codes in _by_name().values() for code in codes)
