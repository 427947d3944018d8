"""Plans that no words express, but that a network predicts.

If no reading does what `Outlook` predicts for the properties, the prediction is added to the
readings, as if words had expressed it: a condition, groups, an order, a measure. These plans
compete with the others by the same features.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice

from backend.plans.reading.assembly import Request, unique
from backend.plans.reading.comparing import beside, known, one_of
from backend.plans.reading.derived_properties import of_two
from backend.plans.reading.grammar_conditions import compared
from backend.plans.reading.grammar_types import COUNT, First, FirstGroups, Limits, Sorting
from backend.plans.reading.phrasing import Key, Measure
from backend.plans.reading.properties import Property
from backend.plans.reading.vocabulary import Vocabulary
from backend.plans.requests.outlook import LIKELY, Outlook
from workbench.contract.derived_fields import sources_of
from workbench.contract.plan_nodes import BasicFilter, Function, canonical_field

_MOST_TESTS, _MOST_SHAPES, _MOST_BOUNDED = 4, 6, 3
_FUNCTIONS: tuple[Function, ...] = ("sum", "avg", "min", "max", "median")


def foreseen_requests(
    request: Request, outlook: Outlook, vocabulary: Vocabulary, parts: Sequence[str] = ()
) -> Iterator[Request]:
    """The request with predictions, in several ways; amounts without a named property apply to the
    likeliest numbers. `parts` are fields computed from named properties, such as the weekday of a
    date.
    """
    for bounded in _bounded(request, outlook, vocabulary):
        if bounded is not request:
            yield bounded
        foreseen = foreseen_tests(outlook, vocabulary, bounded.conditions)
        tests = [condition for _, condition in islice(foreseen, _MOST_TESTS)]
        narrowed = [replace(bounded, conditions=(*bounded.conditions, test)) for test in tests]
        yield from narrowed
        for one in (bounded, *narrowed):
            yield from islice(_shaped(one, outlook, vocabulary, parts), _MOST_SHAPES)


def _bounded(request: Request, outlook: Outlook, vocabulary: Vocabulary) -> Iterator[Request]:
    """The request with its amount as a condition on each of some numbers, which then compete."""
    if not request.edits:
        yield request
        return
    amounts = [amount for amount in request.edits if isinstance(amount, Limits)]
    if len(amounts) > 1:
        return
    numbers = [prop for prop in vocabulary.properties if prop.numeric]
    numbers.sort(key=lambda prop: -max(outlook.odds(prop.field, role) for role in ("from", "to")))
    ends = outlook.likeliest("ends", vocabulary.properties)
    measured = [*_days_between(outlook, ends, vocabulary.properties), *numbers]
    conditions = [c for c in (compared(prop, amounts[0]) for prop in measured) if c is not None]
    for condition in unique(conditions)[:_MOST_BOUNDED]:
        yield replace(request, conditions=(*request.conditions, condition), edits=())


def _days_between(
    outlook: Outlook, laters: Iterable[Property], props: Sequence[Property]
) -> Iterator[Property]:
    """The days from each likely start date to each possible end date."""
    for later in laters:
        for earlier in outlook.likeliest("begins", props):
            days = of_two("days_since", later, earlier)
            if days is not None:
                yield days


def foreseen_tests(
    outlook: Outlook, vocabulary: Vocabulary, read: Sequence[BasicFilter]
) -> Iterator[tuple[float, BasicFilter]]:
    """Conditions on properties and values that no reading uses, likeliest first, with log-odds."""
    tested = frozenset(_tested(read))
    named = {value for c in read for value in (c.query, *(c.values or []))}
    made: list[tuple[float, BasicFilter]] = []
    props = [prop for prop in vocabulary.properties if prop.field not in tested]
    for prop in props:
        is_so, is_not = outlook.odds(prop.field, "is"), outlook.odds(prop.field, "is not")
        if prop.kind == "bool":
            yes = BasicFilter(field=prop.field, query=True, match="exact")
            made += [(is_so, yes), (is_not, yes.model_copy(update={"query": False}))]
        values = {v: odds for v, odds in outlook.values(prop.field).items() if v not in named}
        meant = [value for value in values if values[value] > 0]
        meant = meant or [value for value in values if values[value] > LIKELY][:1]
        if meant:
            likely = max(values[value] for value in meant)
            one = one_of(prop.field, meant)
            made.append((min(is_so, likely), one))
            made.append((min(is_not, likely), one.model_copy(update={"negate": True})))
        made.append((outlook.odds(prop.field, "known"), known(prop)))
        unknown = known(prop).model_copy(update={"exists": False})
        made.append((outlook.odds(prop.field, "unknown"), unknown))
    made += _beside_each_other(outlook, props)
    made.sort(key=lambda one: -one[0])
    return (one for one in made if one[0] > LIKELY)


def _beside_each_other(
    outlook: Outlook, props: Sequence[Property]
) -> Iterator[tuple[float, BasicFilter]]:
    """Comparisons of two dates: one after the other, or both equal."""
    for later in outlook.likeliest("ends", props):
        for earlier in outlook.likeliest("begins", props):
            odds = min(outlook.odds(later.field, "ends"), outlook.odds(earlier.field, "begins"))
            made = [beside(later, op, earlier) for op in ("gt", "eq")]
            yield from ((odds, condition) for condition in made if condition is not None)


def _shaped(
    request: Request, outlook: Outlook, vocabulary: Vocabulary, parts: Sequence[str]
) -> Iterator[Request]:
    """The request with other answers than its words were read to ask for."""
    props = vocabulary.properties
    plain = _conditions_alone(request)
    figures = [measure for _, measure in sorted(_figures(outlook, props), key=lambda f: -f[0])]
    orders = sorted(_orders(outlook, props), key=lambda one: -one[0])
    count = _count(request)
    if outlook.wants("groups"):
        for prop in outlook.likeliest("group", props)[:2]:
            part = next((name for name in parts if prop.field in sources_of(name)), prop.field)
            by_it = replace(plain, keys=request.keys or (Key((part,)),))
            for measure in (*figures[:1], COUNT):
                if outlook.wants("first"):
                    ways = [down for _, by, down in orders if by.field == measure.field]
                    first = FirstGroups(measure, (*ways, True)[0], count)
                    yield replace(by_it, first_groups=(first,))
                yield replace(by_it, measures=(measure,))
    if outlook.wants("figure"):
        yield from (replace(plain, measures=(measure,)) for measure in figures[:2])
    for _, prop, down in orders[:2]:
        if outlook.wants("first"):
            yield replace(plain, columns=request.columns, firsts=(First(prop, down, count),))
        if not outlook.wants("one"):
            yield replace(plain, columns=request.columns, sorts=(Sorting((prop,), None, down),))
    for prop in outlook.likeliest("distinct", props)[:1]:
        yield replace(plain, columns=(prop.field,), distinct=True)
    if outlook.wants("share") and request.conditions:
        yield replace(plain, shares=(COUNT,))
    if outlook.wants("count"):
        yield replace(plain, measures=(COUNT,))
    if outlook.wants("list"):
        yield replace(plain, columns=request.columns)


def _orders(outlook: Outlook, props: Sequence[Property]) -> Iterator[tuple[float, Property, bool]]:
    """Properties and times between two dates to sort by, with log-odds and direction."""
    for role in ("down", "up"):
        for prop in outlook.likeliest(role, props):
            odds, down = outlook.odds(prop.field, role), role == "down"
            yield odds, prop, down
            ends = outlook.likeliest("ends", [prop] if prop.dated else [])
            between = odds + outlook.trait("between")
            yield from ((between, days, down) for days in _days_between(outlook, ends, props))


def _count(request: Request) -> int:
    """The number of ranked items."""
    counts = [first.count for first in request.firsts]
    counts += [first.count for first in request.first_groups]
    counts += [part.count for part in request.parts]
    return counts[0] if counts else 1


def _conditions_alone(request: Request) -> Request:
    """The request without its answer, only with its conditions."""
    return Request(
        conditions=request.conditions, times=request.times, documents=request.documents,
        skipped=request.skipped, asides=request.asides, nouns=request.nouns,
        remarks=request.remarks,
    )  # fmt: skip


def figures_of_properties(
    outlook: Outlook, props: Sequence[Property]
) -> Iterator[tuple[float, Measure]]:
    """Possible measures of numbers and dates, with their log-odds."""
    for func in _FUNCTIONS:
        for prop in outlook.likeliest(func, props):
            if prop.numeric or (prop.dated and func in ("min", "max")):
                yield outlook.odds(prop.field, func), Measure(func, prop.field)


def _figures(outlook: Outlook, props: Sequence[Property]) -> Iterator[tuple[float, Measure]]:
    """The same, and measures of the days between two dates."""
    yield from figures_of_properties(outlook, props)
    for func in _FUNCTIONS:
        for prop in outlook.likeliest(func, props):
            odds = outlook.odds(prop.field, func)
            ends = outlook.likeliest("ends", [prop] if prop.dated else [])
            for days in _days_between(outlook, ends, props):
                yield odds, Measure(func, days.field)


def _tested(conditions: Sequence[BasicFilter]) -> Iterator[str]:
    for condition in conditions:
        for part in (condition, *(condition.any_of or [])):
            names = (part.field, part.start_field, part.end_field)
            yield from (canonical_field(name) for name in names if name)
