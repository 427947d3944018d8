"""Values of a property that mean the same, and values that are a kind of another.

`CA`, `California` and `State of California` are one place in three spellings, `check-up` and
`Checkup` one word, `2 years` and `24 months` one duration; `LANDING - ROLL` is a kind of `LANDING`.
Spellings may be merged, kinds are only included.
"""

import re
from collections.abc import Iterable, Mapping, Sequence

from backend.language.abbreviations import COMPANY_FORMS, Names, names_for, without_official
from backend.language.common_words import NUMBER_WORDS
from backend.language.nouns import singular
from backend.language.units import SYMBOLS
from backend.language.words import LETTERS

VALUE_SIGNS = frozenset("+-*#")
"""Signs at the end of a value that tell it from others: grade `A-`."""
_WORD = re.compile(LETTERS)
_INNER_DOT = re.compile(r"(?<=\b\w)\.(?=\w\b)|(?<=\b\w)\.(?=\W|$)")
_LONGEST = 500
"""Characters of a value that may be another's spelling or kind; longer ones are texts."""
_DENIALS = frozenset({"no", "not", "non", "never", "without", "un"})

Phrase = tuple[str, ...]


def phrase(value: str) -> Phrase:
    """The words of a value in lower case; `U.S.A.` is one word, `€` becomes its code."""
    text = SYMBOLS.get(value.strip(), value)
    return tuple(word.lower() for word in _WORD.findall(_INNER_DOT.sub("", text)))


def length_of_time(words: Phrase) -> Phrase | None:
    """A duration in months or in days, equal for `2 years`, `two (2) years` and `24 months`."""
    *amounts, unit = words or ("",)
    known = _TIMES.get(singular(unit))
    numbers = {int(word) if word.isdecimal() else NUMBER_WORDS.get(word) for word in amounts}
    number = numbers.pop() if len(numbers) == 1 else None
    return None if known is None or number is None else (str(number * known[0]), known[1])


_TIMES = {"day": (1, "day"), "week": (7, "day"), "month": (1, "month"), "year": (12, "month")}


class Spellings:
    """The values of one property, by meaning, without those that are too long to be names.

    Codes among them are resolved with the other values: see `abbreviations`.
    """

    def __init__(self, values: Iterable[str]) -> None:
        self._values = [value for value in dict.fromkeys(values) if len(value) <= _LONGEST]
        self._names: Names = names_for(map(phrase, self._values))
        self._forms = {value: self.form(value) for value in self._values}
        self._meanings = {value: self.meaning(value) for value in self._values}

    def form(self, value: str) -> Phrase:
        """The words of a value in the form that its spellings share."""
        plain = without_official(phrase(value))
        if plain in self._names:
            return self._names[plain]
        return tuple(COMPANY_FORMS.get((word,), (word,))[0] for word in plain)

    def meaning(self, value: str) -> Phrase:
        """The common form of all spellings of a value: its duration, or its words joined if they
        have no digits, so that `check-up`, `check up` and `checkup` are equal.
        """
        form = self.form(value)
        joined = ("".join(form),) if form and all(map(str.isalpha, form)) else form
        return length_of_time(phrase(value)) or joined

    def same_as(self, asked: str) -> list[str]:
        """The other spellings of a value, which itself need not be in the property."""
        wanted = self.meaning(asked)
        return [v for v, means in self._meanings.items() if means == wanted and v != asked]

    def kinds_of(self, asked: str) -> list[str]:
        """The values that begin with all words of another and have more: kinds of it."""
        wanted = self.form(asked)
        return [
            value
            for value, form in self._forms.items()
            if len(form) > len(wanted) > 0
            and form[: len(wanted)] == wanted
            and form[len(wanted)] not in _DENIALS
        ]

    def groups(self, counts: Mapping[str, int]) -> list[list[str]]:
        """Values that mean the same, each group with its most common spelling first."""
        by_meaning: dict[Phrase, list[str]] = {}
        for value, meaning in self._meanings.items():
            by_meaning.setdefault(meaning, []).append(value)
        return [
            sorted(group, key=lambda v: (-counts.get(v, 0), -len(v), v))
            for meaning, group in by_meaning.items()
            if len(group) > 1 and meaning
        ]


def distinct(asked: Sequence[str], spellings: Spellings) -> list[str]:
    """The values that differ in meaning, preferring the full form."""
    chosen: dict[Phrase, str] = {}
    for value in asked:
        meaning = spellings.meaning(value)
        if meaning not in chosen or phrase(value) == spellings.form(value):
            chosen[meaning] = value
    return list(chosen.values())


def kin_of(asked: Sequence[str], spellings: Spellings) -> list[str]:
    """The values that equality with `asked` includes besides it: spellings, then kinds."""
    kin: dict[str, None] = {}
    for value in asked:
        kin.update(dict.fromkeys(spellings.same_as(value)))
    for value in asked:
        kin.update(dict.fromkeys(spellings.kinds_of(value)))
    return [value for value in kin if value not in asked]
