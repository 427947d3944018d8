"""The possible edits of a follow-up to the current plan: one table of acts by phrase.

Every phrase allows a few edits; the plan, the surrounding words and the fitted score determine the
intended one. Nothing is decided here.
"""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import islice, product

from backend.plans.edits.applying import apply
from backend.plans.edits.operations import (
    AddFilter,
    AsInAnswer,
    ChangeFilter,
    CountGroups,
    KeepGroups,
    ListValues,
    Operation,
    RemoveFilter,
    RemoveGroup,
    RemoveLimit,
    RemoveMeasure,
    RemoveSort,
    RemoveStep,
    ReverseSort,
    SetGroup,
    SetLimit,
    SetMeasures,
    SetSort,
    ShareOf,
    ShowFields,
    ToCount,
    ToDocuments,
    WidenFilter,
)
from backend.plans.reading.askers import is_of_places
from backend.plans.reading.assembly import Request
from backend.plans.reading.cascade import Unclear
from backend.plans.reading.comparing import one_of
from backend.plans.reading.derived_properties import property_of
from backend.plans.reading.grammar_conditions import compared, denied
from backend.plans.reading.grammar_edits import Amount, Form, Gone, Shared, Turned
from backend.plans.reading.grammar_types import COUNT, First, Limits
from backend.plans.reading.linking_types import Value
from backend.plans.reading.phrasing import KEY, Key, Measure
from backend.plans.reading.properties import Property
from backend.plans.reading.vocabulary import Vocabulary
from backend.plans.requests.as_share import shares_of
from backend.plans.requests.bounds import moved_bounds, only_number, without_bound
from backend.plans.requests.edit_times import dates_meant, times_meant
from backend.plans.requests.plan_state import PlanState, state_of
from backend.plans.requests.siblings import in_another_year
from workbench.contract.plan_nodes import BasicFilter

Operations = tuple[Operation, ...]
_MOST = 24
"""The maximum number of combinations for a reading."""


@dataclass(frozen=True)
class EditAct:
    """Operations on the current plan; with `anew` on the documents it is about."""

    operations: Operations
    anew: bool = False
    features: tuple[tuple[str, float], ...] = ()


def edit_acts(request: Request, state: PlanState, vocabulary: Vocabulary) -> list[EditAct]:
    """All edits that a reading of a follow-up may ask for, in no order."""
    if len(request.firsts) > 1 or len(request.first_groups) > 1 or len(request.parts) > 1:
        return []
    if request.newest:
        return [
            replace(act, features=(*act.features, *signs))
            for dated, signs in _by_date(request, state, vocabulary)
            for act in edit_acts(dated, state, vocabulary)
        ]
    there = [item for item in request.edits if isinstance(item, Form) and item.kind == "there"]
    if there:
        plain = replace(request, edits=tuple(e for e in request.edits if e not in there))
        return [
            *_of_what_it_gave(plain, state, vocabulary, there[0].field),
            *edit_acts(plain, state, vocabulary),
        ]
    return [*_plain_acts(request, state, vocabulary), *_in_another_year(request, state, vocabulary)]


def _in_another_year(
    request: Request, state: PlanState, vocabulary: Vocabulary
) -> Iterator[EditAct]:
    operations = in_another_year(request, state, vocabulary)
    if not operations:
        return
    sign = (("time: in the name of a property", 1.0),)
    rest = replace(request, times=())
    if not rest.conditions:
        yield EditAct(operations, False, sign)
    for act in _plain_acts(rest, state, vocabulary) if rest.conditions else ():
        yield EditAct((*operations, *act.operations), act.anew, (*sign, *act.features))


def _plain_acts(request: Request, state: PlanState, vocabulary: Vocabulary) -> list[EditAct]:
    """All edits by phrases that do not point at the answer before."""
    shared = [item for item in request.edits if isinstance(item, Shared)]
    if shared:
        return [
            EditAct(operations, False, tuple((sign, 1.0) for sign in signs))
            for operations, signs in shares_of(_of_that_place(shared[0], state, vocabulary), state)
            if len(request.edits) == 1
            and not (request.conditions or request.keys or request.columns)
        ]
    narrowing = list(_narrowing(request, state, vocabulary))
    answers = list(_answers(request, state, vocabulary))
    options: list[EditAct] = []
    same = any(isinstance(item, Form) and item.kind == "same" for item in request.edits)
    for (before, signs), after in islice(product(narrowing, answers), _MOST):
        if not before and not after:
            continue
        features = tuple((name, 1.0) for name in signs)
        options.append(EditAct((*before, *after), False, features))
        if (state.gives != "docs" or state.limited or state.shown) and not same:
            options.append(EditAct((*before, *after), True, features))
    return options


def _of_that_place(shared: Shared, state: PlanState, vocabulary: Vocabulary) -> Shared:
    """`as a share of all there`: of those at the places that the plan is about."""
    if shared.of != "there":
        return shared
    fields = {prop.field for prop in vocabulary.properties if is_of_places(prop)}
    return Shared("conditions", tuple(c for c in state.filters if c.field in fields))


def _of_what_it_gave(
    request: Request, state: PlanState, vocabulary: Vocabulary, field: str | None
) -> Iterator[EditAct]:
    """`… there`, `that person's …`: about the documents of the group, or the document, in the
    previous answer; with `field` about all that share its value.
    """
    pointing = _pointing(state, field)
    if not pointing:
        return
    draft = state.draft
    with suppress(Unclear):
        for operation in pointing:
            draft, _, _ = apply(draft, operation, "")
        sign = (("points at the answer", 1.0),)
        acts = [act for act in edit_acts(request, state_of(draft), vocabulary) if not act.anew]
        for act in acts or [EditAct(())]:
            yield EditAct((*pointing, *act.operations), False, (*sign, *act.features))


def _pointing(state: PlanState, field: str | None) -> Operations:
    """The conditions for the documents of the answer, if there are few."""
    if field is not None and state.gives == "docs" and state.limited:
        return (AsInAnswer(field),)
    if state.keys and state.limited:
        return next(_of_those_groups(state), ())
    ends = [item for item in state.measures if item.func in ("max", "min") and item.field]
    if not state.keys and len(ends) == len(state.measures) == 1 and ends[0].field is not None:
        return ToDocuments(), SetSort(ends[0].field, None, ends[0].func == "max"), SetLimit(1)
    return ()


def _by_date(
    request: Request, state: PlanState, vocabulary: Vocabulary
) -> Iterator[tuple[Request, tuple[tuple[str, float], ...]]]:
    """A request for the latest, by each date: that of the plan, or any other."""
    newest = request.newest[0]
    if len(request.newest) > 1 or request.firsts:
        return
    for prop, signs in dates_meant(state, vocabulary.dates):
        first = First(prop, newest.high, newest.count)
        yield (
            replace(request, newest=(), firsts=(first,), documents=True),
            tuple((sign, 1.0) for sign in signs),
        )


# -- conditions


def _narrowing(
    request: Request, state: PlanState, vocabulary: Vocabulary
) -> Iterator[tuple[Operations, tuple[str, ...]]]:
    """The possible changes to the conditions, including unwanted ones."""
    conditions = [affirmed(condition) for condition in request.conditions]
    gone = [item for item in request.edits if isinstance(item, Gone)]
    changes = [_exchange(item) for item in request.edits if isinstance(item, tuple)]
    bounds = [item for item in request.edits if isinstance(item, Limits)]
    dropped = [item.value for item in gone if item.what == "condition"]
    rest = [item for item in gone if item.what != "condition"]
    for times, signs in times_meant(request, state, vocabulary):
        wanted = [*conditions, *times, *_bounded(bounds, state, vocabulary)]
        if len(wanted) < len(conditions) + len(times) + len(bounds):
            return
        for unwanted in product(*(_unwanted(item, state, vocabulary) for item in rest)):
            flat = tuple(op for ops in unwanted for op in ops)
            for ops, how in _conditions(wanted, dropped, state, vocabulary):
                yield (*changes, *flat, *ops), (*signs, *how)


def affirmed(condition: BasicFilter) -> BasicFilter:
    """Replaces "not true" by "false", so that each condition has one form."""
    if not (condition.negate and isinstance(condition.query, bool)) or condition.values:
        return condition
    return condition.model_copy(update={"query": not condition.query, "negate": False})


def _bounded(
    bounds: Sequence[Limits], state: PlanState, vocabulary: Vocabulary
) -> list[BasicFilter]:
    """`at least 8` without a property: for the only number that the plan has conditions on."""
    compares = {c.field for c in state.filters if only_number(c) is not None}
    about = {c.field for c in state.filters if _numeric(c.field, vocabulary)}
    fields = compares or about
    prop = property_of(fields.pop(), vocabulary.get) if len(fields) == 1 else None
    made = [compared(prop, limits) for limits in bounds] if prop is not None else []
    return [condition for condition in made if condition is not None]


def _numeric(field: str, vocabulary: Vocabulary) -> bool:
    prop = vocabulary.get(field)
    return prop is not None and prop.numeric


def _exchange(pair: tuple[Value, Value]) -> Operation:
    new, old = pair
    return ChangeFilter(one_of(new.prop.field, new.values), one_of(old.prop.field, old.values))


def _conditions(
    wanted: Sequence[BasicFilter], dropped: Sequence[BasicFilter], state: PlanState,
    vocabulary: Vocabulary,
) -> Iterator[tuple[Operations, tuple[str, ...]]]:  # fmt: skip
    if len(wanted) == len(dropped) == 1:
        yield (ChangeFilter(wanted[0], dropped[0]),), ("conditions: exchanged",)
        if wanted[0].field != dropped[0].field:
            yield (
                (RemoveFilter(condition=dropped[0]), AddFilter(wanted[0])),
                ("conditions: one for another",),
            )
    without: list[tuple[Operations, tuple[str, ...]]] = [((), ())]
    if dropped:
        denials = [None if c is None else affirmed(c) for c in map(denied, dropped)]
        without = [(tuple(RemoveFilter(condition=c) for c in dropped), ("dropped: removed",))]
        if None not in denials:
            denying: Operations = tuple(
                AddFilter(c, together=True) for c in denials if c is not None
            )
            without.append((denying, ("dropped: denied",)))
    for ops, signs in without:
        for more, how in _wanted(wanted, state, vocabulary):
            yield (*ops, *more), (*signs, *how)


def _wanted(
    wanted: Sequence[BasicFilter], state: PlanState, vocabulary: Vocabulary
) -> Iterator[tuple[Operations, tuple[str, ...]]]:
    """Conditions narrow, replace or widen others; in a share they apply to part or whole."""
    if not wanted:
        yield (), ()
        return
    if state.share is not None:
        yield from _of_share(wanted, state)
    known = [state.filtered(c.field) or c.field in state.parts for c in wanted]
    yield tuple(_added(c, vocabulary) for c in wanted), ("conditions: added",)
    if any(known):
        changed: Operations = tuple(
            ChangeFilter(c) if same else _added(c, vocabulary)
            for c, same in zip(wanted, known, strict=True)
        )
        yield changed, ("conditions: changed",)
    if all(known):
        yield tuple(WidenFilter(c) for c in wanted), ("conditions: widened",)
    if not all(known) and len(state.filters) == 1 and len(wanted) == 1:
        yield (ChangeFilter(wanted[0], state.filters[0]),), ("conditions: instead of the only",)


def _added(condition: BasicFilter, vocabulary: Vocabulary) -> AddFilter:
    prop = vocabulary.get(condition.field)
    return AddFilter(condition, together=prop is not None and prop.kind == "array")


def _of_share(
    wanted: Sequence[BasicFilter], state: PlanState
) -> Iterator[tuple[Operations, tuple[str, ...]]]:
    """`and by Jonas?` after a share: the same share for other documents."""
    part = list(state.share or ())
    fields = {c.field for c in wanted}
    if fields & {c.field for c in part}:
        kept = [c for c in part if c.field not in fields]
        removed = tuple(RemoveFilter(condition=c) for c in part)
        yield (ToDocuments(), *removed, ShareOf((*kept, *wanted))), ("share: another part",)


# -- what is unwanted


def _unwanted(gone: Gone, state: PlanState, vocabulary: Vocabulary) -> list[Operations]:
    """The possible removals for something unwanted."""
    match gone.what:
        case "field":
            prop, step = gone.value
            return _without_field(prop, step, state)
        case "about" if state.filtered(gone.value):
            return [(RemoveFilter(field=gone.value),)]
        case "step":
            return _without_step(gone.value, state)
        case "missing":
            known = (BasicFilter(field=name, exists=True) for name in state.keys)
            return [tuple(AddFilter(condition) for condition in known)] if state.keys else []
        case "dates":
            named = [condition.field for condition in state.filters]
            dates = {p.field for p in vocabulary.properties if p.dated or p.is_year}
            groups: list[Operations] = [(RemoveGroup(),)] if dates & {*state.keys} else []
            filters = dict.fromkeys(field for field in named if field in dates)
            return [*groups, *((RemoveFilter(field=field),) for field in filters)]
        case "value":
            # The latest request comes last, and is what `everybody again` most often undoes.
            valued = [c for c in state.filters if c.range_filter is False and not c.any_of]
            return [(RemoveFilter(field=c.field),) for c in reversed(valued)]
        case "bound":
            number, side = gone.value
            return without_bound(number, side, state)
        case "measure" if gone.firm:
            return [tuple(RemoveMeasure(m) for m in gone.value)]
    return [()]


def _without_field(prop: Property, step: str | None, state: PlanState) -> list[Operations]:
    options: list[Operations] = []
    if state.filtered(prop.field) and step in (None, "filter"):
        options.append((RemoveFilter(field=prop.field),))
    if prop.field in state.keys and step in (None, "group"):
        options.append((RemoveGroup(prop.field),))
    if prop.field == state.order and step in (None, "sort"):
        options.append((RemoveSort(),))
    if prop.field in state.shown and step in (None, "columns"):
        left = tuple(name for name in state.shown if name != prop.field)
        options.append((ShowFields(left),) if left else (ToDocuments(),))
    options += [
        (RemoveMeasure(Measure(item.func, item.field)),)
        for item in state.measures
        if item.field == prop.field and step is None
    ]
    return options


def _without_step(step: str, state: PlanState) -> list[Operations]:
    match step:
        case "limit":
            return [(RemoveLimit(),)]
        case "sort":
            return [(RemoveSort(),)]
        case "group":
            return [(RemoveGroup(),)]
        case "columns":
            return [(RemoveStep(("Project",), "columns"),)]
    if len(state.filters) == 1:
        return [(RemoveFilter(),)]
    if step == "filter" and state.filters:
        return []  # "the filter" may be any of them
    return [(RemoveFilter(every=True),)]


# -- what the answer should be


def _answers(request: Request, state: PlanState, vocabulary: Vocabulary) -> Iterator[Operations]:
    """The possible changes to everything but conditions."""
    edits = request.edits
    forms = {item.kind for item in edits if isinstance(item, Form)}
    figures = [item for item in edits if isinstance(item, Measure)]
    turns = [item for item in edits if isinstance(item, Turned)]
    amounts = [item for item in edits if isinstance(item, Amount)]
    if len(turns) > 1 or len(amounts) > 1 or len(figures) > 3:
        return
    before: Operations = ()
    if "documents" in forms:
        before = (ToDocuments(),)
        if state.keys and state.limited and request == _only_form(request):
            yield from _of_those_groups(state)
    if "others" in forms:
        opposite = denied(state.filters[-1]) if state.filters else None
        if opposite is None:
            return
        before = (*before, ChangeFilter(opposite, state.filters[-1]))
    if "whole" in forms and state.limited:
        before = (*before, RemoveLimit())
    if "reversed" in forms:
        before = (*before, ReverseSort())
    if "distinct" in forms:
        if len(state.shown) == 1:
            yield (ToCount(state.shown[0]),)
        return
    options = list(_shapes(request, state, vocabulary))
    for shape in options:
        for figure in _figures(figures, request, state):
            for turn in _turns(turns, amounts, state):
                yield (*before, *shape, *figure, *turn)


def _only_form(request: Request) -> Request:
    """A request that names nothing but the form of the answer."""
    return Request(
        edits=request.edits,
        documents=request.documents,
        skipped=request.skipped,
        asides=request.asides,
    )


def _of_those_groups(state: PlanState) -> Iterator[Operations]:
    """The documents of the groups shown."""
    if len(state.keys) == 1 and state.gives == "rows":
        yield (AsInAnswer(state.keys[0]),)


def _figures(figures: Sequence[Measure], request: Request, state: PlanState) -> list[Operations]:
    """`the average instead`: of what the plan computes, or of what it sorts by."""
    if not figures:
        return [()]
    measures = tuple(figures)
    options: list[Operations] = [(SetMeasures(measures),), (SetMeasures(measures, add=True),)]
    if len(request.measures) == len(figures) == 1 and request.measures[0].field:
        return [(SetMeasures((replace(figures[0], field=request.measures[0].field),)),)]
    if state.order and not state.measures:
        named = tuple(replace(m, field=state.order) for m in measures)
        options.append((SetMeasures(named),))
    return options


def _turns(
    turns: Sequence[Turned], amounts: Sequence[Amount], state: PlanState
) -> list[Operations]:
    """What an end of the order or a bare number may refer to."""
    options: list[Operations] = []
    if turns:
        turn = turns[0]
        count = amounts[0].value.count if amounts else turn.count
        if amounts and not count:
            return []
        sort = SetSort(descending=turn.high)
        if state.order is not None or state.keys:
            options.append((sort,))
            if count:
                options.append((sort, SetLimit(count)))
        figure = state.figure()
        if figure is not None and not state.keys:
            options.append((SetMeasures((Measure("max" if turn.high else "min", figure.field),)),))
        return options
    if amounts:
        value = amounts[0].value
        options += moved_bounds(value, state)
        if not (amounts[0].standing or state.limited) and value.count and value.unit is None:
            options.append((SetLimit(value.count),))
        return options
    return [()]


def _shapes(request: Request, state: PlanState, vocabulary: Vocabulary) -> Iterator[Operations]:
    """Measures, groups, orders, columns and limits as operations on the current plan."""
    part = request.parts[0] if request.parts else None
    if part is not None and part.skip and state.order is None and not state.keys:
        return  # without an order there is no second one
    limit: Operations = () if part is None else (SetLimit(part.count, skip=part.skip),)
    if request.keys:
        yield from _keyed(request, state, vocabulary, limit)
        return
    if request.first_groups:
        yield from _first_groups(request, state, part.count if part else None)
        return
    if request.having:
        yield tuple(
            KeepGroups(b, b.value.value, None if b.upper is None else b.upper.value)
            for b in request.having
        )
        return
    if request.measures:
        yield from _measured(request, state)
        return
    if request.firsts:
        first = request.firsts[0]
        count = part.count if part else first.count
        figure = state.figure()
        if state.keys and figure is not None and figure.field == first.prop.field:
            yield SetSort(descending=first.high), SetLimit(count, skip=first.skip)
        sort = SetSort(first.prop.field, None, first.high)
        shown: Operations = (ShowFields(request.columns),) if request.columns else ()
        yield sort, SetLimit(count, skip=first.skip), *shown
        if part is None and first.count == 1 and not first.skip:
            yield sort, *shown
        return
    if request.sorts:
        yield from _sorted(request, state, limit)
        return
    if request.columns:
        yield from _columns(request, state, vocabulary, limit)
        return
    yield limit


def _keyed(
    request: Request, state: PlanState, vocabulary: Vocabulary, limit: Operations
) -> Iterator[Operations]:
    buckets = [key.bucket for key in request.keys if key.bucket is not None]
    fields = tuple(dict.fromkeys(name for key in request.keys for name in key.fields))
    if not buckets and not fields and len(state.shown) == 1:
        fields = state.shown  # each of what the plan lists
    if len(buckets) > 1 or not (buckets or fields):
        return
    named: list[tuple[str, ...]] = [fields]
    if buckets and not fields:
        dated = [p.field for p in vocabulary.properties if p.dated]
        tested = {c.field for c in state.filters if c.exists is None}
        known = [f for f in dated if f in (*tested, *state.keys, state.order)]
        dated = [p.field for p in vocabulary.dates]
        named = [(str(field),) for field in (known or dated)[:3]]
    measures: Operations = (SetMeasures(request.measures),) if request.measures else ()
    order = _group_order(request)
    for names in named:
        key = Key(names, buckets[0] if buckets else None)
        yield SetGroup(key), *measures, *order, *limit
        if single := _single_values(names, state):
            yield *single, SetGroup(key), *measures, *order, *limit
        if state.keys == names and state.limited and not limit:
            yield *measures, RemoveLimit(), *order
            yield *measures, RemoveLimit(), RemoveSort()
        elif state.keys:
            yield SetGroup(key, add=True), *measures, *order, *limit
        if not buckets and len(names) == 1 and state.gives == "docs" and not measures:
            yield SetSort(names[0], None, False), *limit
        if request.firsts and not measures:
            first = request.firsts[0]
            yield (
                SetSort(first.prop.field, None, first.high),
                SetLimit(first.count, "first", key.fields, skip=first.skip),
            )


def _single_values(names: tuple[str, ...], state: PlanState) -> Operations:
    """Filters for one value of a property go if each of its values is requested."""
    kept = [c for c in state.filters if c.field in names and c.query is not None and not c.negate]
    return tuple(RemoveFilter(condition=condition) for condition in kept)


def _group_order(request: Request) -> Operations:
    if request.first_groups:
        first = request.first_groups[0]
        return SetSort(None, first.measure, first.high), SetLimit(first.count, skip=first.skip)
    if not request.sorts:
        return ()
    sort = request.sorts[0]
    if sort.measure is not None:
        return (SetSort(None, sort.measure, sort.descending),)
    if sort.props:
        return (SetSort(sort.props[0].field, None, bool(sort.descending)),)
    if request.measures:
        return (SetSort(None, request.measures[0], bool(sort.descending)),)
    return (SetSort(KEY, None, bool(sort.descending)),)


def _first_groups(request: Request, state: PlanState, count: int | None) -> Iterator[Operations]:
    first = request.first_groups[0]
    limit = SetLimit(count or first.count, skip=first.skip)
    if state.keys:
        if first.measure == COUNT:
            yield SetSort(descending=first.high), limit
        yield SetSort(None, first.measure, first.high), limit
    if request.columns:
        yield (
            SetGroup(Key(request.columns)),
            SetMeasures((first.measure,)),
            SetSort(None, first.measure, first.high),
            limit,
        )


def _measured(request: Request, state: PlanState) -> Iterator[Operations]:
    measures = request.measures
    columns: Operations = ()
    if request.columns:
        columns = (SetGroup(Key(request.columns)),)
    if len(measures) == 1 and measures[0].func == "count":
        if columns:
            yield (*columns, SetMeasures(measures))
            return
        yield (ToCount(),)
        if state.keys and state.measures:
            yield (SetMeasures(measures, add=True),)
        if state.gives == "rows":
            yield (CountGroups(),)
        return
    if len(measures) == 1 and measures[0].func == "distinct":
        yield (ToCount(measures[0].field),)
        return
    order = _group_order(request) if request.sorts and (columns or state.keys) else ()
    yield (*columns, SetMeasures(measures), *order)
    if state.keys and state.limited and not columns:
        yield SetMeasures(measures), RemoveLimit(), *order
        yield SetMeasures(measures), RemoveLimit(), *(order or (RemoveSort(),))
    if state.measures and not columns:
        yield (SetMeasures(measures, add=True), *order)
    if state.keys and not columns:
        yield RemoveGroup(), SetMeasures(measures)


def _sorted(request: Request, state: PlanState, limit: Operations) -> Iterator[Operations]:
    sort = request.sorts[0]
    shown: Operations = (ShowFields(request.columns),) if request.columns else ()
    if sort.measure is not None:
        yield SetSort(None, sort.measure, sort.descending), *limit
        return
    if sort.props:
        yield SetSort(sort.props[0].field, None, sort.descending), *limit, *shown
        return
    if state.order is not None or state.keys:
        yield SetSort(descending=bool(sort.descending)), *limit, *shown
    if request.columns:
        yield SetSort(request.columns[0], None, bool(sort.descending)), *limit, *shown
    if state.gives == "rows":
        yield SetSort(KEY, None, bool(sort.descending)), *limit


def _columns(
    request: Request, state: PlanState, vocabulary: Vocabulary, limit: Operations
) -> Iterator[Operations]:
    columns = request.columns
    if len(columns) == 1:
        field = columns[0]
        if request.distinct:
            yield ListValues(field), *limit
            return
        prop = vocabulary.get(field)
        if prop is None or not prop.own:
            yield ListValues(field), *limit
        if state.keys:
            yield SetGroup(Key(columns)), *limit
        if state.order is not None:
            yield SetSort(field, None, None), *limit
        figure = state.figure()
        if figure is not None and figure.field != field:
            yield SetMeasures((Measure(figure.func, field),)), *limit
        bounded = [c for c in state.filters if c.range_filter and c.field != field]
        for condition in bounded[:2]:
            yield (ChangeFilter(condition.model_copy(update={"field": field}), condition),)
    yield ShowFields(columns), *limit
    if state.shown:
        yield ShowFields(columns, add=True), *limit
