"""Refuses plans that compute, compare or order the number of values of a list of numbers, where a
request means the numbers.

Of a list of words only the number can be meant: `most tags`. The `highest scores` of documents with
several scores each is one of the scores.
"""

from collections.abc import Iterator

from backend.language.tokens import tokenise
from backend.language.words import stem
from backend.plans.reading.properties import Property
from backend.plans.reading.sorts import is_number
from backend.plans.reading.vocabulary import Vocabulary
from workbench.contract.errors import Invalid
from workbench.contract.plan import Plan
from workbench.contract.plan_columns import sized_field
from workbench.contract.plan_nodes import canonical_field
from workbench.contract.plan_validation import names_in
from workbench.contract.plan_values import as_number

_HOW_MANY = frozenset("number numbers many most fewest more fewer least count length".split())  # noqa: SIM905


def refuse_unasked_sizes(
    plan: Plan, request: str, vocabulary: Vocabulary, loc: tuple[str, ...], before: Plan | None
) -> None:
    """Raises Invalid if the plan uses the size of a list of numbers and the plan `before` did not,
    though the request does not ask how many there are.
    """
    known = set() if before is None else set(_sized(before, vocabulary))
    for prop in _sized(plan, vocabulary):
        if prop not in known and not _asks_how_many(request, prop):
            some = next(iter(vocabulary.values.counts[prop.field]))
            msg = (
                f"{prop.label} has lists of numbers, which plans can show, group and look for, but"
                f" not add, order or compare (in “{request}”). Ask for the number of {prop.label},"
                f" or for one of them, as in “with {prop.label} of {some}”."
            )
            raise Invalid.at(loc, msg, "out_of_scope")


def _sized(plan: Plan, vocabulary: Vocabulary) -> Iterator[Property]:
    """The lists of numbers whose sizes a plan uses."""
    fields = vocabulary.collection.fields
    for name in dict.fromkeys(map(canonical_field, names_in(plan))):
        array = sized_field(name, fields)
        prop = None if array is None else vocabulary.get(array)
        if prop is not None and _has_numbers(prop, vocabulary):
            yield prop


def _has_numbers(array: Property, vocabulary: Vocabulary) -> bool:
    values = vocabulary.values.counts.get(array.field, {})
    return bool(values) and all(as_number(value) is not None for value in values)


def _asks_how_many(request: str, array: Property) -> bool:
    """Whether a request counts: by a word such as `many` before the name of the list, or by a
    number beside it, as in `with 2 scores`. One without its name, such as `undo`, asks for nothing.
    """
    tokens = tokenise(request)
    names = {*array.parts, *array.described}
    named = [i for i, token in enumerate(tokens) if stem(token.lower) in names]
    before = tokens[: named[0]] if named else []
    counted = bool(before) and is_number(before[-1].text)
    return not named or counted or any(token.lower in _HOW_MANY for token in before)
