"""Chooses the amount of money for a request that names no property.

If there is only one money property, that is the one. Among several, the verb decides between money
spent and money earned; a bare `20,000 euros` refers to a price rather than an estimate.
"""

from collections.abc import Sequence

from backend.language.synonyms import root
from backend.language.units import measure_of
from backend.language.words import stem
from backend.plans.reading.properties import KEY_WORDS, Property
from backend.plans.reading.vocabulary import Vocabulary

_SPENT = "cost price paid pay spent spend budget expense fee charge fare rent"
_EARNED = (
    "price revenue income gross sale turnover earned takings profit proceeds raised fee charge fare"
    " rent"
)
_NEUTRAL = "amount total sum award value"
_EITHER = f"{_SPENT} {_EARNED} {_NEUTRAL}"
_MEANT = (
    (_SPENT, "cost costs costing pay pays paid spend spent spending"),
    (_EARNED, "earn earned bring brought fetch fetched gross grossed sold turnover sales proceeds"),
    (_EITHER, "money cash worth funds funding priced expensive"),
)
_CALLED = {word: names for names, words in _MEANT for word in words.split()}


_HEIGHTS = frozenset(map(stem, ("height", "altitude", "elevation")))
SIZES = {
    **dict.fromkeys(("largest", "biggest", "highest", "greatest"), True),
    **dict.fromkeys(("smallest", "lowest"), False),
}
"""Superlatives that compare whole documents, and whether they mean the upper end."""


def names_money(word: str) -> bool:
    """Whether a word is about money in general: `money`, `cost`, `fetched`."""
    return word in _CALLED


def money(vocabulary: Vocabulary, word: str | None = None) -> Property | None:
    """The money property that a word such as `cost`, or a bare amount, refers to."""
    monetary = [prop for prop in vocabulary.properties if _is_money(prop)] or _unitless(vocabulary)
    names = _CALLED.get(word or "", _EITHER)
    called = _called_like(monetary, names)
    if len(monetary) == 1 and not called and _called_like(monetary, f"{_SPENT} {_EARNED}"):
        # A budget is not what was earned, but a value may be.
        return None
    chosen = monetary if len(monetary) == 1 else called
    return chosen[0] if len(chosen) == 1 else None


def _unitless(vocabulary: Vocabulary) -> list[Property]:
    """Numbers with names for amounts in a collection where no property states a currency: these
    often stay implicit.
    """
    numbers = [p for p in vocabulary.properties if p.kind == "float" and p.unit is None]
    return _called_like(numbers, _EITHER)


def whole_amount(vocabulary: Vocabulary) -> Property | None:
    """The number that `the total of the invoices` sums: one called total or amount, or else the
    only amount of money, or the only number.
    """
    numbers = [p for p in vocabulary.properties if p.numeric and not p.key and not p.is_year]
    called = [prop for prop in numbers if _TOTALS & {*prop.parts, *prop.weak}]
    monetary = [prop for prop in numbers if _is_money(prop)]
    chosen = next((some for some in (called, monetary, numbers) if len(some) == 1), [])
    return chosen[0] if chosen else None


def only_measured(vocabulary: Vocabulary, unit: str | None) -> Property | None:
    """The only number that can have this unit: `below 10` if documents have one number, `over 12
    metres` if they have one length. Identifying numbers, such as an account number, do not count.
    """
    numbers = [p for p in vocabulary.properties if p.numeric and not p.key and not p.is_year]
    numbers = [p for p in numbers if KEY_WORDS.isdisjoint(p.label.lower().split()[-1:])]
    names = {p.unit.name for p in numbers if p.unit is not None}
    if unit == "lb" and "gbp" in names and "lb" not in names:
        unit = "gbp"  # "over 80,000 pounds", where amounts are in pounds and weights are not
    measure = None if unit is None else measure_of(unit)
    if measure is not None:
        results = [p for p in numbers if p.unit is not None and measure_of(p.unit.name) == measure]
        numbers = results or [p for p in numbers if p.unit is None and measure == "money"]
    return numbers[0] if len(numbers) == 1 else None


def owed_amount(vocabulary: Vocabulary) -> Property | None:
    """The number that paid or delivered parts add up to: one called total, price or amount due."""
    numbers = [p for p in vocabulary.properties if p.numeric and not p.key and not p.is_year]
    owed = _called_like(numbers, "total price cost due owed invoiced billed charged ordered")
    return owed[0] if len(owed) == 1 else None


_TOTALS = frozenset(map(stem, ("total", "amount")))


def _is_money(prop: Property) -> bool:
    return prop.unit is not None and measure_of(prop.unit.name) == "money"


def _called_like(candidates: Sequence[Property], words: str) -> list[Property]:
    wanted = {root(stem(word)) for word in words.split()}
    return [prop for prop in candidates if wanted & set(map(root, prop.parts))]


def extent(vocabulary: Vocabulary, word: str = "") -> Property | None:
    """What `the largest` compares by: the only amount of money, the only number of people, the one
    called total or amount, or the only number. What has a height is the `highest` by that `word`.
    """
    numbers = [prop for prop in vocabulary.properties if prop.numeric and not prop.is_year]
    if word in ("highest", "lowest", "higher", "lower"):
        high = [prop for prop in numbers if _HEIGHTS.intersection(prop.parts)]
        if high:
            return high[0] if len(high) == 1 else None
    sized = [prop for prop in numbers if stem("size") in {*prop.parts, *prop.described}]
    if len(sized) == 1:
        return sized[0]
    monetary = [prop for prop in numbers if _is_money(prop)]
    people = [prop for prop in numbers if prop.counts_people]
    called = [prop for prop in numbers if _TOTALS & {*prop.parts, *prop.weak}]
    chosen = next((some for some in (monetary, people, called) if len(some) == 1), numbers)
    return chosen[0] if len(chosen) == 1 else None
