"""From the contents of a request to operations on a plan."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from backend.language.dates import Span
from backend.plans.edits.operations import (
    AddFilter,
    CountGroups,
    Difference,
    JudgeText,
    KeepGroups,
    ListValues,
    Operation,
    SameAs,
    SetGroup,
    SetLimit,
    SetMeasures,
    SetSort,
    ShareOf,
    ShowFields,
    ToCount,
)
from backend.plans.reading.assembly import Request
from backend.plans.reading.comparing import between, compare, in_span, recurring, recurs
from backend.plans.reading.grammar_types import COUNT, First, Limits, Sorting
from backend.plans.reading.phrasing import KEY, Bound, Key, Measure
from backend.plans.reading.pieces import Quantity
from backend.plans.reading.properties import Property
from backend.plans.reading.stated_units import in_unit
from backend.plans.reading.vocabulary import Vocabulary
from backend.plans.requests.contrasting import contrasted
from backend.plans.requests.whole_groups import whole_groups
from workbench.contract.plan_nodes import BasicFilter, canonical_field

Features = list[tuple[str, float]]


@dataclass(frozen=True)
class Act:
    """The operations of a reading, with features of how they were derived."""

    operations: tuple[Operation, ...]
    features: tuple[tuple[str, float], ...] = ()


def acts_of(request: Request, vocabulary: Vocabulary) -> list[Act]:
    """The acts that a request may ask for; several if a date may be one of several properties."""
    if request.newest:
        return [
            Act(act.operations, (*notes, *act.features))
            for dated, notes in _with_date(request, vocabulary)
            for act in acts_of(dated, vocabulary)
        ]
    if _is_by_some_date(request, vocabulary):
        return [
            Act(act.operations, (*known, *act.features))
            for dated, known in _with_key_date(request, vocabulary)
            for act in acts_of(dated, vocabulary)
        ]
    acts: list[Act] = []
    for filters, notes in _filters(request, vocabulary):
        if request.shares:
            filters, made = filters[:-1], _share(request, filters, vocabulary)
        elif request.wholes:
            filters, made = whole_groups(request, filters, vocabulary)
        elif request.contrasts:
            filters, made = contrasted(request, filters, vocabulary)
        else:
            made = _answer(request, vocabulary)
        if made is None:
            return []
        operations, features = made
        more: list[Operation] = [SameAs(one.field, one.of) for one in request.same]
        more += [JudgeText(theme.text) for theme in request.themes]
        acts.append(Act((*filters, *more, *operations), (*notes, *features)))
    return acts


def _is_by_some_date(request: Request, vocabulary: Vocabulary) -> bool:
    """Whether groups are by time, and several dates are possible."""
    bare = [key for key in request.keys if key.bucket is not None and not key.fields]
    named = any(key.bucket is None and _is_dated(key, vocabulary) for key in request.keys)
    dated = [prop for prop in vocabulary.properties if prop.dated]
    return len(bare) == 1 and len(dated) > 1 and not named


def _is_dated(key: Key, vocabulary: Vocabulary) -> bool:
    props = [vocabulary.get(name) for name in key.fields]
    return any(prop is not None and prop.dated for prop in props)


def _with_key_date(request: Request, vocabulary: Vocabulary) -> list[tuple[Request, Features]]:
    """The request with each date that may provide the groups."""
    tested = {canonical_field(c.field) for c in request.conditions}
    dated = [prop for prop in vocabulary.properties if prop.dated]
    named = [prop for prop in dated if prop.field in request.columns]
    features: Features = [("key: named date" if named else "key: several dates", 1.0)]
    made: list[tuple[Request, Features]] = []
    for prop in (named or dated)[:4]:
        keys = tuple(
            replace(key, fields=(prop.field,)) if key.bucket is not None else key
            for key in request.keys
        )
        columns = tuple(name for name in request.columns if name != prop.field)
        agrees = [("key: date as in condition", 1.0)] if prop.field in tested else []
        made.append((replace(request, keys=keys, columns=columns), [*features, *agrees]))
    return made


def _with_date(request: Request, vocabulary: Vocabulary) -> list[tuple[Request, Features]]:
    """The request with each date by which documents may be the first or last."""
    newest = request.newest[0]
    if len(request.newest) > 1 or request.firsts or request.first_groups:
        return []
    if request.keys and (request.measures or newest.when):
        return []
    dated = [prop for prop in vocabulary.properties if prop.dated]
    named = [prop for prop in dated if prop.field in request.columns]
    features: Features = [] if named else [("request: date unnamed", 1.0)]
    if len(dated) > 1 and not named:
        features.append(("request: several dates", 1.0))
    title = [p.field for p in vocabulary.properties if p.own or p.key][:1]
    made: list[tuple[Request, Features]] = []
    for prop in (named or dated)[:4]:
        shown = (*title, prop.field) if newest.when else ()
        columns = tuple(dict.fromkeys((*shown, *request.columns)))
        first = First(prop, newest.high, newest.count, newest.skip)
        made.append((replace(request, newest=(), firsts=(first,), columns=columns), features))
    return made


def _share(
    request: Request, filters: Sequence[AddFilter], vocabulary: Vocabulary
) -> tuple[list[Operation], Features] | None:
    """The share of documents, or of a sum, that fits the last condition or that each group has."""
    if request.keys and request.shares == (COUNT,) and len(request.measures) == 1:
        request = replace(request, shares=request.measures, measures=())  # "total … in percent"
    plain = replace(
        request, shares=(), conditions=(), times=(), documents=False, skipped=(), asides=(),
        edits=(),
    )  # fmt: skip
    whole = request.shares[0]
    of_total = bool(request.keys) and whole != COUNT
    if len(request.shares) > 1 or replace(plain, keys=()) != Request():
        return None
    if not (filters or of_total):
        return None
    part = tuple(item.condition for item in filters[-1:])
    features: Features = [("share: further conditions", max(0.0, len(filters) - 1.0))]
    if request.keys:
        key, more = _key(request, vocabulary)
        if key is None or whole.func not in ("count", "sum"):
            return None
        measure = Measure("share", whole.field, part)
        kept = _bare_bounds(request, (measure,), vocabulary)
        if kept is None:
            return None
        return [SetGroup(key), SetMeasures((measure,)), *kept], [*features, *more]
    if whole == COUNT:
        return [ShareOf(part)], features
    return [Difference(part, (), whole, "divide")], features


def _filters(
    request: Request, vocabulary: Vocabulary
) -> list[tuple[tuple[AddFilter, ...], Features]]:
    """The conditions as operations, for each property that a bare date may refer to."""
    plain = tuple(AddFilter(condition, together=True) for condition in request.conditions)
    options: list[tuple[tuple[AddFilter, ...], Features]] = [(plain, [])]
    for op, span in request.times:
        fits = not span.yearless or recurs(span, op)
        dated = [p for p in vocabulary.properties if p.dated and fits]
        if span.hours is not None:
            dated = [p for p in dated if p.kind == "datetime"]
        years = [p for p in vocabulary.properties if p.is_year and is_years(span)]
        props = [*dated, *years]
        by_key = {key.fields[0] for key in request.keys if key.bucket and key.fields}
        more: list[tuple[tuple[AddFilter, ...], Features]] = []
        for prop in props[:4]:
            condition = at_time(prop, op, span)
            features = [("request: date unnamed", 1.0)]
            if prop.field in by_key:
                features = [("request: date as in key", 1.0)]
            elif len(props) > 1:
                features.append(("request: several dates", 1.0))
                if prop.field == vocabulary.main_date:
                    features.append(("request: the date of the documents", 1.0))
            more += [
                ((*done, AddFilter(condition)), [*notes, *features]) for done, notes in options
            ]
        options = more
    if request.times:
        options = [(done, [*notes, *_on_one_date(done)]) for done, notes in options]
    return options


def _on_one_date(filters: Sequence[AddFilter]) -> Features:
    """A feature for conditions on one property with a date: one is redundant, or none can pass."""
    fields = [operation.condition.field for operation in filters]
    again = len(fields) - len(set(fields))
    return [("request: several times on one property", float(again))] if again else []


_COMPARED = {"in": "eq", "after": "gt", "before": "lt", "since": "ge", "until": "le"}


def at_time(prop: Property, op: str, span: Span) -> BasicFilter:
    """A time span as a condition on a date or a year."""
    if span.yearless and (months := recurring(prop, span, op)) is not None:
        return months
    if not prop.is_year:
        return in_span(prop, span, op)
    if span.year is None:
        return between(prop, span.start.year, span.end.year)
    return compare(prop, _COMPARED.get(op, "eq"), span.year)


def is_years(span: Span) -> bool:
    """Whether a span consists of whole years."""
    first, last = span.start, span.end
    return (first.month, first.day, last.month, last.day) == (1, 1, 12, 31)


def _answer(request: Request, vocabulary: Vocabulary) -> tuple[list[Operation], Features] | None:
    if len(request.firsts) > 1 or len(request.first_groups) > 1 or len(request.parts) > 1:
        return None
    if _counts_groups(request):
        return _number_of_groups(request, vocabulary)
    if _is_grouped(request):
        return _groups(request, vocabulary)
    if request.measures:
        return _numbers(request, vocabulary)
    if request.distinct and len(request.columns) == 1:
        return _values(request, vocabulary)
    return _documents(request, vocabulary)


def _is_grouped(request: Request) -> bool:
    by_measure = any(sort.measure is not None for sort in request.sorts)
    together = bool(request.measures) and bool(request.columns)
    perhaps = request.keys or request.first_groups or request.having
    return bool(perhaps or by_measure or together)


# -- groups


def _counts_groups(request: Request) -> bool:
    """Whether the number of groups that meet a bound is asked for: `how many ports have over 3`."""
    counted = [m for m in request.measures if m.func == "distinct"]
    return bool(request.having) and len(counted) == len(request.measures) == 1


def _number_of_groups(
    request: Request, vocabulary: Vocabulary
) -> tuple[list[Operation], Features] | None:
    rest = replace(request, measures=(), having=(), conditions=(), times=(), documents=False,
                   skipped=(), asides=(), nouns=())  # fmt: skip
    kept = _bounds(request.having, vocabulary)
    field = request.measures[0].field
    if rest != Request() or kept is None or field is None:
        return None
    measures = tuple(dict.fromkeys(bound.measure for bound in request.having))
    return [SetGroup(Key((field,))), SetMeasures(measures), *kept, CountGroups()], []


def _groups(request: Request, vocabulary: Vocabulary) -> tuple[list[Operation], Features] | None:
    key, features = _key(request, vocabulary)
    if key is None:
        return None
    if request.firsts and not request.measures and request.keys:
        return _first_of_each(request, key, features)
    measures = tuple(
        m for m in request.measures if m.field not in key.fields or m.func != "distinct"
    )
    if not measures and (amounts := _amounts_beside(request, key, vocabulary)):
        measures = amounts
        features = [item for item in features if item[0] != "request: column dropped"]
        features.append(("amounts in time" if key.bucket else "amounts by key", 1.0))
    ranked = [first.measure for first in request.first_groups]
    measures = measures or tuple(ranked) or (COUNT,)
    operations: list[Operation] = [SetGroup(key), SetMeasures(measures)]
    bare = _bare_bounds(request, measures, vocabulary)
    kept = _bounds(request.having, vocabulary)
    if kept is None or bare is None:
        return None
    operations += [*kept, *bare]
    if request.firsts and not request.first_groups:
        return None
    if request.first_groups:
        first = request.first_groups[0]
        count = request.parts[0].count if request.parts else first.count
        operations += [SetSort(None, first.measure, first.high), SetLimit(count, skip=first.skip)]
    else:
        made = _group_order(request, key, measures, features)
        if made is None:
            return None
        operations += made
    return operations, features


def _bare_bounds(
    request: Request, measures: Sequence[Measure], vocabulary: Vocabulary
) -> list[KeepGroups] | None:
    """Amounts without a property, on the figure of each group: `visits per town, only over 8`."""
    limits = [item for item in request.edits if isinstance(item, Limits)]
    if limits and len(measures) != 1:
        return None
    bounds = [Bound(measures[0], item.op, item.value, item.upper) for item in limits]
    return _bounds(bounds, vocabulary)


def _bounds(bounds: Sequence[Bound], vocabulary: Vocabulary) -> list[KeepGroups] | None:
    """The conditions on groups, in the units of what they measure; None if the units differ."""
    kept: list[KeepGroups] = []
    for bound in bounds:
        prop = vocabulary.get(bound.measure.field or "")
        low = _amount(bound.value, prop)
        high = None if bound.upper is None else _amount(bound.upper, prop)
        if low is None or (bound.upper is not None and high is None):
            return None
        kept.append(KeepGroups(bound, low, high))
    return kept


def _amount(number: Quantity, prop: Property | None) -> float | None:
    return in_unit(prop, number) if prop is not None and prop.numeric else number.value


def _key(request: Request, vocabulary: Vocabulary) -> tuple[Key | None, Features]:
    features: Features = []
    if not request.keys:
        if not request.columns:
            return None, features
        features.append(("request: key from columns", 1.0))
        named = request.columns
        if any(_own(name, vocabulary) for name in named):
            features.append(("request: key is a title", 1.0))
        return Key(named), features
    buckets = [key.bucket for key in request.keys if key.bucket is not None]
    fields = tuple(dict.fromkeys(name for key in request.keys for name in key.fields))
    if buckets and not fields:
        dated = [p.field for p in vocabulary.properties if p.dated]
        if len(dated) != 1 or len(buckets) > 1:
            return None, features
        fields = (dated[0],)
    dropped = [name for name in request.columns if name not in fields]
    features += [("request: column dropped", float(len(dropped)))] if dropped else []
    if any(_own(name, vocabulary) for name in fields):
        features.append(("request: key is a title", 1.0))
    if any(_is_amount(name, vocabulary) for name in fields):
        features.append(("request: key is an amount", 1.0))
    return Key(fields, buckets[0] if buckets else None), features


def _amounts_beside(request: Request, key: Key, vocabulary: Vocabulary) -> tuple[Measure, ...]:
    """The totals of the numbers named beside a key: `litres per month`."""
    if not request.keys or request.first_groups or request.having:
        return ()
    named = [vocabulary.get(name) for name in request.columns if name not in key.fields]
    amounts = [p for p in named if p is not None and _adds_up(p)]
    return tuple(Measure("sum", p.field) for p in amounts) if len(amounts) == len(named) else ()


def _adds_up(prop: Property) -> bool:
    """Whether totals of a property make sense: not for years, percentages or prices per unit."""
    rate = prop.unit is not None and prop.unit.name == "pct"
    return prop.numeric and not (prop.is_year or prop.key or rate or prop.is_rate)


def _is_amount(name: str, vocabulary: Vocabulary) -> bool:
    prop = vocabulary.get(name)
    return prop is not None and prop.numeric and not prop.is_year


def _own(name: str, vocabulary: Vocabulary) -> bool:
    prop = vocabulary.get(name)
    return prop is not None and (prop.own or prop.key)


def _first_of_each(
    request: Request, key: Key, features: Features
) -> tuple[list[Operation], Features]:
    first = request.firsts[0]
    operations: list[Operation] = [
        SetSort(first.prop.field, None, first.high),
        SetLimit(first.count, "first", key.fields, skip=first.skip),
    ]
    return operations, [*features, ("request: first of each", 1.0)]


def _group_order(
    request: Request, key: Key, measures: Sequence[Measure], features: Features
) -> list[Operation] | None:
    part = request.parts[0] if request.parts else None
    if not request.sorts:
        return [] if part is None else [SetSort(None, measures[0], True), SetLimit(part.count)]
    sort = request.sorts[0]
    way = sort.descending if part is None or sort.descending is not None else True
    operations: list[Operation] = []
    if sort.measure is not None:
        operations.append(SetSort(None, sort.measure, way))
    elif not sort.props:
        features.append(("request: order by what is shown", 1.0))
        by_key = not sort.by_value and (sort.descending is None or not request.measures)
        operations.append(SetSort(KEY if by_key else None, None if by_key else measures[0], way))
    elif sort.props[0].field in key.fields:
        keys = [(prop.field, bool(way)) for prop in sort.props[1:] if prop.field in key.fields]
        operations.append(SetSort(sort.props[0].field, None, bool(way), tuple(keys)))
    else:
        same = [m for m in measures if m.field == sort.props[0].field]
        if not same:
            return None
        operations.append(SetSort(None, same[0], way))
    return operations if part is None else [*operations, SetLimit(part.count)]


# -- numbers, values, documents


def _numbers(request: Request, vocabulary: Vocabulary) -> tuple[list[Operation], Features] | None:
    features: Features = []
    if request.sorts:
        features.append(("request: order of a number", 1.0))
    if request.firsts or request.parts:
        features.append(("request: number of the first", 1.0))
    before = _ordered(request, vocabulary) if request.firsts else []
    if before is None or request.parts:
        return None
    if len(request.measures) == 1:
        measure = request.measures[0]
        if measure.func == "count":
            return ([*before, ToCount()], features) if not before else None
        if measure.func == "distinct":
            return ([ToCount(measure.field)], features) if not before else None
    return ([SetMeasures(request.measures)], features) if not before else None


def _values(request: Request, vocabulary: Vocabulary) -> tuple[list[Operation], Features] | None:
    before = _ordered(replace(request, sorts=()), vocabulary) if request.firsts else []
    if before is None:
        return None
    operations: list[Operation] = [*before, ListValues(request.columns[0])]
    features: Features = []
    if request.sorts:
        sort = request.sorts[0]
        if sort.props and sort.props[0].field != request.columns[0]:
            return None
        operations.append(SetSort(KEY, None, bool(sort.descending)))
    return operations, features


def _documents(request: Request, vocabulary: Vocabulary) -> tuple[list[Operation], Features] | None:
    features: Features = []
    ordered = _ordered(request, vocabulary)
    if ordered is None:
        return None
    operations = list(ordered)
    if request.columns:
        operations.append(ShowFields(request.columns))
    narrowed = request.conditions or request.times or request.themes or request.same
    if not operations and not narrowed:
        features.append(("request: everything", 1.0))
    if request.distinct:
        features.append(("request: distinct rows", 1.0))
    return operations, features


def _ordered(request: Request, vocabulary: Vocabulary) -> list[Operation] | None:
    """The order and the number of documents."""
    part = request.parts[0] if request.parts else None
    if request.firsts:
        first = request.firsts[0]
        count = first.count if part is None else part.count
        order = SetSort(first.prop.field, None, first.high)
        return [order, SetLimit(count, ties=request.ties, skip=first.skip)]
    operations: list[Operation] = []
    if request.sorts:
        by = _sorted_by(request, request.sorts[0], vocabulary)
        if by is None:
            return None
        sort = request.sorts[0]
        way = sort.descending
        if way is None and part is not None:
            way = part.high
        keys = [(prop.field, bool(way)) for prop in sort.props[1:]]
        operations.append(SetSort(by, None, bool(way), (*keys, *_later_orders(sort))))
    if part is not None:
        operations.append(SetLimit(part.count, ties=request.ties))
    return operations


def _sorted_by(request: Request, sort: Sorting, vocabulary: Vocabulary) -> str | None:
    if sort.props:
        return sort.props[0].field
    if sort.by_value:  # "the smallest group first": the only number that is shown
        shown = [name for name in request.columns if _is_amount(name, vocabulary)]
        return shown[0] if len(shown) == 1 else None
    return request.columns[0] if request.columns and sort.measure is None else None


def _later_orders(sort: Sorting) -> list[tuple[str, bool]]:
    """The fields that break ties."""
    return [(prop.field, bool(later.descending)) for later in sort.then for prop in later.props]
