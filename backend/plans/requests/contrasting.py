"""From a contrast to operations: finds its two sides among the conditions of a request."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

from backend.plans.edits.operations import (
    AddFilter,
    Difference,
    Operation,
    SetGroup,
    SetMeasures,
    SetSort,
)
from backend.plans.reading.alternatives import any_of
from backend.plans.reading.assembly import Request
from backend.plans.reading.comparing import one_of
from backend.plans.reading.grammar_answers import measured
from backend.plans.reading.grammar_types import COUNT, Contrast
from backend.plans.reading.phrasing import Key, Measure
from backend.plans.reading.properties import Property
from backend.plans.reading.vocabulary import Vocabulary
from backend.plans.requests.compared_periods import compared_periods, first_and_last_period
from workbench.contract.plan_nodes import BasicFilter

Made = tuple[list[Operation], list[tuple[str, float]]]


def contrasted(
    request: Request, filters: Sequence[AddFilter], vocabulary: Vocabulary
) -> tuple[tuple[AddFilter, ...], Made | None]:
    """The conditions of both sides together, and the operations of the contrast; None without two
    sides, or beside a group, an order or a limit.
    """
    contrast = _one_of(request.contrasts)
    if contrast is None:
        return (), None
    rest = replace(
        request, contrasts=(), conditions=(), times=(), measures=(), columns=(), documents=False,
        skipped=(), asides=(), nouns=(),
    )  # fmt: skip
    measures = _measures(request, contrast, vocabulary)
    if rest != Request() or measures is None:
        return (), None
    conditions = [item.condition for item in filters]
    sides = sides_of(conditions)
    if sides is None and contrast.way in ("beside", "more") and len(measures) == 1:
        return _in_a_row(contrast, conditions, measures)
    if sides is None and contrast.way in ("subtract", "divide") and len(measures) == 1:
        sides = _ends_of_a_span(conditions)
    if sides is None:
        several = len(measures) == 2 and contrast.way in ("subtract", "divide")
        return tuple(filters), _of_numbers(contrast, measures) if several else None
    if len(measures) > 1:
        return (), None
    pair, shared = sides
    both = tuple(AddFilter(condition) for condition in shared)
    if contrast.way in ("subtract", "divide"):
        if (prop := vocabulary.get((*request.columns, "")[0])) is not None:
            measures = (figure_for(prop, pair[0]),)
        if contrast.in_time and _begins(pair[0]) < _begins(pair[1]):
            pair = pair[1], pair[0]
        one, other = pair if not contrast.turned else (pair[1], pair[0])
        return both, ([Difference((one,), (other,), measures[0], contrast.way)], [])
    grouped = _beside(pair)
    if grouped is None:
        return (), None
    kept, key = grouped
    return (*both, AddFilter(kept)), _grouped(contrast, key, measures)


def _one_of(contrasts: Sequence[Contrast]) -> Contrast | None:
    """The only contrast of a request, with its verb if that stands apart."""
    own = [contrast for contrast in contrasts if not contrast.joined]
    verbs = [contrast for contrast in contrasts if contrast.joined]
    if len(own) != 1 or len(verbs) > 1 or (verbs and own[0].way != "subtract"):
        return None
    return replace(own[0], in_time=False, turned=verbs[0].turned) if verbs else own[0]


def _in_a_row(
    contrast: Contrast, conditions: Sequence[BasicFilter], measures: tuple[Measure, ...]
) -> tuple[tuple[AddFilter, ...], Made | None]:
    """Two years, quarters or months in a row beside each other: `in 2023 and 2024`."""
    periods = [periods for c in conditions if (periods := compared_periods([c])) is not None]
    if len(periods) != 1:
        return (), None
    return tuple(map(AddFilter, conditions)), _grouped(contrast, periods[0][1], measures)


def _grouped(contrast: Contrast, key: Key, measures: tuple[Measure, ...]) -> Made:
    operations: list[Operation] = [SetGroup(key), SetMeasures(measures)]
    if contrast.way == "more":
        operations.append(SetSort(None, measures[0], True))
    return operations, []


def _measures(
    request: Request, contrast: Contrast, vocabulary: Vocabulary
) -> tuple[Measure, ...] | None:
    """What is compared; None for columns that cannot be."""
    columns = [vocabulary.get(name) for name in request.columns]
    numbers = [prop for prop in columns if prop is not None and prop.numeric]
    if len(numbers) != len(request.columns) or len(numbers) > 1 or (numbers and request.measures):
        return None
    if request.measures:
        return request.measures
    if contrast.measure is not None and not numbers:
        return (contrast.measure,)
    return (Measure("avg", numbers[0].field),) if numbers else (COUNT,)


def figure_for(prop: Property, side: BasicFilter) -> Measure:
    """The figure by which two sides are compared if the request names none: totals of two times
    where they make sense (`how much more was spent`), averages of other groups.
    """
    total = measured("sum", prop) if side.is_date else None
    return total or Measure("avg", prop.field)


def figure_words(measure: Measure) -> str:
    """The remark on such a figure."""
    figures = "totals" if measure.func == "sum" else "averages"
    return f"compared {figures}, as the question names no figure"


def chosen_figure(request: Request, operations: Sequence[Operation]) -> list[str]:
    """The same remark for a reading whose words name none."""
    if request.measures or any(contrast.measure for contrast in request.contrasts):
        return []
    compared = [op.measure for op in operations if isinstance(op, Difference)]
    return [figure_words(measure) for measure in compared if measure.field is not None]


def _of_numbers(contrast: Contrast, measures: Sequence[Measure]) -> Made:
    """Two numbers of the same documents."""
    operation = Difference((), (), measures[0], second=measures[1])
    return [replace(operation, operation="divide") if contrast.way == "divide" else operation], []


def sides_of(
    conditions: Sequence[BasicFilter],
) -> tuple[tuple[BasicFilter, BasicFilter], list[BasicFilter]] | None:
    """The only two conditions on one property, or the only one with two values, and the others."""
    found: list[tuple[tuple[BasicFilter, BasicFilter], list[BasicFilter]]] = []
    for one, other in combinations(conditions, 2):
        if one.field == other.field and one != other:
            found.append(((one, other), [c for c in conditions if c not in (one, other)]))
    for condition in conditions:
        halves = _halves(condition)
        if halves is not None:
            found.append((halves, [c for c in conditions if c is not condition]))
    return found[0] if len(found) == 1 else None


def _ends_of_a_span(
    conditions: Sequence[BasicFilter],
) -> tuple[tuple[BasicFilter, BasicFilter], list[BasicFilter]] | None:
    """The first and the last period of the only span of several, as in `from 2015 to 2019`, and the
    other conditions.
    """
    found = [(ends, c) for c in conditions if (ends := first_and_last_period(c)) is not None]
    if len(found) != 1:
        return None
    ((ends, span),) = found
    return ends, [c for c in conditions if c is not span]


def _begins(condition: BasicFilter) -> str:
    """The day on which a span of time begins; empty for other conditions."""
    return str(condition.start or "") if condition.is_date else ""


def _halves(condition: BasicFilter) -> tuple[BasicFilter, BasicFilter] | None:
    """The two values or alternatives of a condition on their own."""
    values = condition.values or []
    if len(values) == 2 and not condition.negate:
        return one_of(condition.field, values[:1]), one_of(condition.field, values[1:])
    parts = condition.any_of or []
    if len(parts) == 2 and len({part.field or condition.field for part in parts}) == 1:
        one, other = (
            BasicFilter.model_validate({"field": condition.field, **part.model_dump()})
            for part in parts
        )
        return one, other
    return None


def _beside(pair: tuple[BasicFilter, BasicFilter]) -> tuple[BasicFilter, Key] | None:
    """The condition that keeps both sides, and the key that makes a group of each."""
    if pair[0].is_date or pair[1].is_date:
        return compared_periods(pair)
    values: list[object] = []
    for side in pair:
        values += side.values or ([] if side.query is None else [side.query])
    if len(values) == 2 and not any(side.negate for side in pair):
        return one_of(pair[0].field, values), Key((pair[0].field,))
    return any_of(pair), Key((pair[0].field,))
