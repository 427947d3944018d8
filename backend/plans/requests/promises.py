"""What the words of a follow-up promise, beside what an edit does.

A step that all good readings share is promised: an order, a limit, a group key. An edit without it
ignores words, whatever its origin. The weight is fitted.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from backend.plans.reading.assembly import Read, Request
from backend.plans.reading.grammar_edits import Amount, Form, Gone, Turned
from backend.plans.reading.grammar_types import First, FirstGroups, Newest
from backend.plans.reading.phrasing import Measure
from backend.plans.requests.bounds import only_number
from backend.plans.requests.plan_state import PlanState

Promise = tuple[str, object]
"""A promise, such as `("key", "district")`."""
_NEAR = 1.0
"""Readings within this distance of the best count as good."""


@dataclass(frozen=True)
class Promises:
    """What all good readings ask for, and what they reject."""

    wanted: frozenset[Promise]
    unwanted: frozenset[Promise]


def promises_of(reads: Sequence[Read]) -> Promises:
    """What the good readings of a follow-up have in common."""
    fewest = min((len(read.request.skipped) for read in reads), default=0)
    good = [
        read.request
        for read in reads
        if len(read.request.skipped) == fewest and reads[0].score - read.score <= _NEAR
    ] or [read.request for read in reads[:1]]
    wanted = [frozenset(_wanted(request)) for request in good]
    unwanted = [frozenset(_unwanted(request)) for request in good]
    return Promises(_shared(wanted), _shared(unwanted))


def _shared(several: Sequence[frozenset[Promise]]) -> frozenset[Promise]:
    return frozenset.intersection(*several) if several else frozenset()


def _wanted(request: Request) -> Iterator[Promise]:
    yield from (("condition", condition.field) for condition in request.conditions)
    yield from (("key", name) for key in request.keys for name in key.fields)
    yield from (("figure", measure.func) for measure in request.measures)
    yield from (("of", measure.field) for measure in request.measures if measure.field)
    yield from (("order by", prop.field) for sort in request.sorts for prop in sort.props[:1])
    yield from (("order by", first.prop.field) for first in request.firsts)
    yield from (("lines", part.count) for part in request.parts)
    if request.sorts or request.firsts or request.first_groups or request.newest:
        yield "order", None
    ends: list[First | FirstGroups | Newest] = [
        *request.firsts, *request.first_groups, *request.newest,
    ]  # fmt: skip
    if any(end.count == 1 for end in ends) and not request.parts:
        yield "one", None
    for item in request.edits:
        if isinstance(item, Turned):
            yield "order", None
            if item.count:
                yield ("lines", item.count) if item.count > 1 else ("one", None)
        elif isinstance(item, Measure):
            yield "figure", item.func
        elif isinstance(item, Form) and item.kind == "there":
            yield "the answer before", item.field
        elif isinstance(item, Amount) and item.value.count is not None:
            yield "number", item.value.count


def _unwanted(request: Request) -> Iterator[Promise]:
    for item in request.edits:
        if not isinstance(item, Gone):
            continue
        if item.what in ("value", "dates"):
            yield "conditions", None
        elif item.what == "fields":
            yield from (("field", prop.field) for prop in item.value)
        elif item.what == "about":
            yield "tested", item.value
        elif item.what == "field":
            yield "field", item.value[0].field
        elif item.what == "measure" and isinstance(item.value, tuple):
            yield from (("figure", (m.func, m.field)) for m in item.value)
        elif item.what == "measure" and isinstance(item.value, str):
            yield "function", item.value


def kept(promises: Promises, was: PlanState, now: PlanState) -> dict[str, float]:
    """Features of an edit: the promises that it keeps and breaks."""
    results: dict[str, float] = {}
    wanted = [p for p in promises.wanted if p[0] != "the answer before" or _gives_few(was, p[1])]
    lacking = {kind for kind, value in wanted if not _has(now, kind, value)}
    for kind in lacking:
        results[f"promise: lacks {kind}"] = 1.0
    if was.lines is None and ("number", now.lines) in promises.wanted and _has_bound(was):
        results["promise: a limit beside a bound"] = 1.0
    unwanted = [p for p in promises.unwanted if p[0] != "conditions" and _in_use(was, p)]
    stays = [p for p in unwanted if _in_use(now, p)]
    gone = [p for p in unwanted if p not in stays]
    if ("conditions", None) in promises.unwanted and was.filters:
        listed = stays if all(c in now.filters for c in was.filters) else gone
        listed.append(("conditions", None))
    if stays:
        results["promise: unwanted stays"] = 1.0
    if gone and not stays:
        results["promise: unwanted gone"] = 1.0
    if wanted and not lacking and not stays:
        results["promise: all kept"] = 1.0
    return results


def _has(now: PlanState, kind: str, value: object) -> bool:
    match kind:
        case "the answer before":
            return _points(now, value)
        case "condition":
            parts = {*now.parts, *(c.field for c in now.share or ())}
            return now.filtered(str(value)) or value in parts
        case "key":
            return value in now.keys or value in (now.order, *now.shown)
        case "figure":
            return _computes(now, str(value))
        case "of":
            computed = (now.order, now.counted, *(m.field for m in now.measures))
            return value in computed or value in now.shown
        case "order":
            return now.order is not None
        case "order by":
            return now.order is not None and (value == now.order or _measured(now, value))
        case "one":
            return now.lines == 1 or any(m.func in ("max", "min") for m in now.measures)
        case "lines":
            return now.lines == value
        case "number":
            return now.lines == value or any(
                value in _numbers(c) for c in (*now.filters, *now.bounds)
            )
    return True


def _has_bound(was: PlanState) -> bool:
    """Whether a plan compares with a number that a bare one may replace: `make it 4`."""
    return bool(was.bounds) or any(only_number(condition) for condition in was.filters)


def _gives_few(was: PlanState, field: object) -> bool:
    """Whether a plan outputs a maximum, or few groups or values of `field`, to refer to."""
    ends = [m for m in was.measures if m.func in ("max", "min")]
    few = bool(was.keys) or (field is not None and was.gives == "docs")
    return (few and was.limited) or bool(ends and not was.keys)


def _points(now: PlanState, field: object) -> bool:
    joined = any(node.node_type == "FieldIn" for node in now.draft.used())
    return joined or (field is None and now.gives == "docs" and now.lines == 1)


def _measured(now: PlanState, field: object) -> bool:
    return bool(now.keys) and field in [measure.field for measure in now.measures]


def _computes(now: PlanState, func: str) -> bool:
    if func in ("count", "distinct") and (now.counts or now.share is not None):
        return True
    return func in [measure.func for measure in now.measures] or now.lines == 1


def _numbers(condition: object) -> list[object]:
    return [getattr(condition, name) for name in ("query", "start", "end")]


def _in_use(state: PlanState, promise: Promise) -> bool:
    kind, value = promise
    if kind == "function":
        return any(measure.func == value for measure in state.measures)
    if kind == "tested":
        return state.filtered(str(value))
    if kind == "figure":
        return any((measure.func, measure.field) == value for measure in state.measures)
    named = [*state.keys, *state.shown, state.order, *(m.field for m in state.measures)]
    return value in named or state.filtered(str(value))
