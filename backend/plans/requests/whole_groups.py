"""Conditions on whole groups: all documents match, none does, or some of each of two kinds."""

from collections.abc import Sequence
from dataclasses import replace

from backend.plans.edits.merging import excludes
from backend.plans.edits.operations import (
    AddFilter,
    CountGroups,
    KeepGroups,
    Operation,
    SetGroup,
    SetMeasures,
)
from backend.plans.reading.assembly import Request
from backend.plans.reading.comparing import one_of
from backend.plans.reading.phrasing import Bound, Key, Measure
from backend.plans.reading.pieces import Quantity
from backend.plans.reading.vocabulary import Vocabulary
from backend.plans.requests.contrasting import Made, sides_of


def whole_groups(
    request: Request, filters: Sequence[AddFilter], vocabulary: Vocabulary
) -> tuple[tuple[AddFilter, ...], Made | None]:
    """The conditions on documents, and the operations that keep whole groups; None beside anything
    else.
    """
    plain = replace(request, wholes=(), conditions=(), times=(), documents=False, skipped=(),
                    asides=(), nouns=())  # fmt: skip
    if len(request.wholes) > 1 or not filters:
        return (), None
    whole = request.wholes[0]
    if whole.matching == "both":
        return _of_both(plain, filters, vocabulary)
    named = whole.matching == "all" or request.documents
    if not named or plain != Request() or not _gathers(whole.field, vocabulary):
        return (), None  # "carriers that never had Android" are those of documents
    measure = Measure("share", where=tuple(item.condition for item in filters))
    share = float(whole.matching == "all")
    bound = KeepGroups(Bound(measure, "eq", Quantity(share)), share)
    return (), ([SetGroup(Key((str(whole.field),))), SetMeasures((measure,)), bound], [])


def _gathers(field: str | None, vocabulary: Vocabulary) -> bool:
    """Whether groups by a field have several documents."""
    shared = vocabulary.values.counts.get(field or "", {})
    return 2 * len(shared) <= sum(shared.values())


def _of_both(
    plain: Request, filters: Sequence[AddFilter], vocabulary: Vocabulary
) -> tuple[tuple[AddFilter, ...], Made | None]:
    """`ports that have both ketches and sloops`: no boat is both, so that ports are meant."""
    counted = len(plain.measures) == 1 and plain.measures[0].func == "distinct"
    named = (plain.measures[0].field,) if counted else plain.columns
    rest = replace(plain, measures=(), columns=(), distinct=False)
    sides = sides_of([item.condition for item in filters])
    if sides is None or rest != Request() or len(named) != 1 or named[0] is None:
        return (), None
    (one, other), shared = sides
    prop, kind = vocabulary.get(named[0]), vocabulary.get(one.field)
    if (
        prop is None
        or kind is None
        or not (prop.worded and excludes(one, other) and _gathers(prop.field, vocabulary))
    ):
        return (), None
    if kind.kind == "array":
        return (), None  # a rental itself may have both a bow and a case
    values = [side.query for side in (one, other) if not (side.negate or side.range_filter)]
    if len(values) < 2 or None in values:
        return (), None
    measure = Measure("distinct", one.field)
    kept = KeepGroups(Bound(measure, "ge", Quantity(2.0)), 2.0)
    operations: list[Operation] = [SetGroup(Key((prop.field,))), SetMeasures((measure,)), kept]
    kinds = [*shared, one_of(one.field, values)]
    return tuple(map(AddFilter, kinds)), ([*operations, *([CountGroups()] if counted else [])], [])
