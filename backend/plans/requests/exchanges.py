"""Replaces parts of a plan, piece by piece: a value, a number, a key, an order.

A piece has a kind; it replaces what the plan has of that kind, or the one named as unwanted. A
piece without a counterpart in the plan is left to be read as a statement.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from backend.plans.edits.draft import Draft
from backend.plans.edits.edit_filters import condition_of, document_filters
from backend.plans.edits.edit_groups import keys_of, measures_of
from backend.plans.edits.operations import (
    AddFilter,
    ChangeFilter,
    ListValues,
    Operation,
    SetGroup,
    SetLimit,
    SetMeasures,
    SetSort,
    ShowFields,
    ToCount,
    ToDocuments,
)
from backend.plans.edits.wording import say_measure
from backend.plans.reading.clauses import Clause
from backend.plans.reading.comparing import negated, positive
from backend.plans.reading.phrasing import KEY, Cut, Key, Measure, Order, time_key
from backend.plans.reading.pieces import Piece
from backend.plans.reading.properties import Property
from backend.plans.requests.groupings import group_measure, usual_function
from backend.plans.requests.parts import FILLING, bare_number, other_number, part, stated_in
from backend.plans.requests.sides import other_side
from workbench.contract.plan_nodes import Aggregation, BasicFilter, Function, canonical_field

_FORMS = frozenset("EM#uAKHLU%kP")


@dataclass(frozen=True)
class Swap:
    """One exchange in a plan: `old` are the pieces that name what should go, possibly none.

    `denied` means that `old` followed `not`, which excludes values that the plan never had.
    """

    clause: Clause
    draft: Draft
    old: Sequence[Piece] = ()
    denied: bool = False

    @property
    def gone(self) -> set[str]:
        """The fields of what should go."""
        return {field for piece in self.old for field in _fields_of(piece)}

    @property
    def keys(self) -> list[str]:
        """What the plan groups by."""
        return keys_of(self.draft)

    @property
    def items(self) -> list[Aggregation]:
        """The numbers that the plan computes."""
        aggregates = self.draft.on_spine("Aggregate")
        if aggregates:
            return measures_of(aggregates[-1])
        counts = self.draft.on_spine("Count", "AggregateCount", "TopK")
        return [Aggregation(func="count")] if counts else []


def _fields_of(piece: Piece) -> set[str]:
    match piece.tag:
        case "P" | "B":
            return {meaning.prop.field for meaning in piece.load}
        case "K":
            return set(piece.load.fields)
        case "M" | "H" | "F":
            return {piece.load.field} - {None}
        case "U":
            return {piece.load}
    return set()


def exchange(
    clause: Clause,
    new: Sequence[Piece],
    old: Sequence[Piece],
    draft: Draft,
    *,
    denied: bool = False,
) -> list[Operation]:
    """The operations that replace `old`, or what the plan has of that kind, by `new`."""
    swap = Swap(clause, draft, [p for p in old if p.tag not in FILLING or p.tag == "E"], denied)
    operations: list[Operation] = []
    rest: list[Piece] = []
    for piece in new:
        made = exchanged(swap, piece)
        operations += made or []
        if not made:
            rest.append(piece)
    if operations and draft.on_spine("TopK", "Limit"):
        # "the top components rather than causes": as many as there are
        rest = [piece for piece in rest if piece.tag != "T" or piece.load not in ("top", "first")]
    left = [piece for piece in rest if piece.tag not in FILLING]
    if left:
        cut = any(isinstance(operation, SetLimit) for operation in operations)
        stated = stated_in(part(clause, rest), draft)
        operations += [op for op in stated if not (cut and isinstance(op, SetLimit))]
    elif not operations and any(piece.tag == "E" for piece in rest):
        operations.append(ToDocuments())
    return operations


def exchanged(swap: Swap, piece: Piece) -> list[Operation]:
    """The replacement by one piece; nothing if the plan has nothing of its kind."""
    match piece.tag:
        case "F":
            return _filter(swap, piece.load)
        case "M" | "A" | "#":
            return _figure(swap, piece)
        case "X":
            return _extreme(swap, piece)
        case "P":
            return _name(swap, piece)
        case "K":
            return [SetGroup(_key(swap, piece.load))] if swap.keys else []
        case "Y":
            return (
                [SetGroup(time_key(swap.clause.reader, piece.load, [piece]))] if swap.keys else []
            )
        case "H" if _computes(swap, piece):
            func: Function = "min" if piece.load.descending is False else "max"
            return _figure(swap, replace(piece, tag="M", load=Measure(func, piece.load.field)))
        case "B" | "H":
            return _order(swap, piece)
        case "U":
            return [ListValues(piece.load)]
        case "C":
            side = other_side(swap.clause, piece, swap.draft)
            return [side] if side is not None else []
        case "N" | "L":
            return _number(swap, piece)
    return []


def _computes(swap: Swap, piece: Piece) -> bool:
    """`the biggest saving, not the average` is a number, although it looks like an order."""
    order: Order = piece.load
    old = {p.tag for p in swap.old}
    # `the lowest score, not the highest` beside the highest scores of groups
    alone = not old and order.named and swap.keys and not swap.draft.on_spine("Sort")
    if alone and order.field in {item.field for item in swap.items}:
        # `the highest price instead` beside the average prices of groups
        return order.extreme and order.measure is None
    extremes = "X" in old and not swap.draft.on_spine("Sort")
    extremes = extremes and any(item.func in ("min", "max") for item in swap.items)
    return order.extreme and order.field is not None and (extremes or not old.isdisjoint("AM"))


def _filter(swap: Swap, new: BasicFilter) -> list[Operation]:
    if new.negate and not swap.old and _asked_for(new, swap.draft):
        # `without Leeds now`: of several values one goes
        return [AddFilter(new)]
    unwanted = [piece.load for piece in swap.old if piece.tag == "F"]
    named = [c for c in _conditions(swap.draft) if c.field in swap.gone and c.field != new.field]
    if not unwanted and _LIMITS.search(swap.clause.text) and new.range_filter:
        return [AddFilter(new)]
    if not unwanted:
        # `the closing date was in 2022, not the premiere`
        rival = named[0] if len(named) == 1 else _rival(swap, new)
        return [ChangeFilter(new, rival)]
    if swap.denied and not any(_asked_for(condition, swap.draft) for condition in unwanted):
        return [AddFilter(new), *(AddFilter(negated(condition)) for condition in unwanted)]
    return [ChangeFilter(new, unwanted[0])]


def _rival(swap: Swap, new: BasicFilter) -> BasicFilter | None:
    """What a condition replaces if nothing filters by its property: the only range if it is one,
    and, after `instead`, the only condition.
    """
    conditions = _conditions(swap.draft)
    if new.any_of or any(condition.field == new.field for condition in conditions):
        return None
    alike = [c for c in conditions if c.range_filter and c.is_date == new.is_date]
    if new.range_filter and len(alike) == 1 and not swap.draft.on_spine("GroupBy", "TopK"):
        return alike[0]
    match = _INSTEAD.search(swap.clause.text)
    return conditions[0] if match is not None and len(conditions) == 1 else None


_INSTEAD = re.compile(r"\binstead\b", re.IGNORECASE)
_LIMITS = re.compile(r"\b(?:upper|lower) (?:bound|limit|end)\b", re.IGNORECASE)
"""Words for one end of a range, whose other end stays."""


def _conditions(draft: Draft) -> list[BasicFilter]:
    return [condition_of(node) for node in document_filters(draft)]


def _asked_for(condition: BasicFilter, draft: Draft) -> bool:
    """Whether the plan asks for part of a condition."""
    named = {str(v) for v in [*(condition.values or []), condition.query] if v is not None}
    for present in _conditions(draft):
        values = {str(v) for v in [*(present.values or []), present.query] if v is not None}
        if present.field == condition.field and (values & named or present.range_filter):
            return True
    return False


# -- numbers computed


def _figure(swap: Swap, piece: Piece) -> list[Operation]:
    """A function, a measure or a count that replaces the plan's number."""
    if piece.tag == "#" and not swap.keys:
        return [ToCount()]
    items = swap.items
    place = _place(swap, items, piece)
    if place is None:
        return []
    was = items[place]
    match piece.tag:
        case "#":
            new = Measure("count")
        case "A":
            new = Measure(piece.load, was.field)
        case "X":
            if piece.load[1] is not None or was.field is None:
                return []
            new = Measure("max" if piece.load[0] else "min", was.field)
        case _:
            new = replace(piece.load, field=piece.load.field or was.field)
    if new.func == "share" or (new.needs_field and was.field is None):
        return []
    return [SetMeasures(_with(items, place, new))]


def _extreme(swap: Swap, piece: Piece) -> list[Operation]:
    """`the highest instead of the mean` is a number, `lowest instead of highest` an order."""
    turns = swap.draft.on_spine("Sort") and not any(gone.tag in "AM" for gone in swap.old)
    return [SetSort(descending=piece.load[0])] if turns else _figure(swap, piece)


def _with(items: Sequence[Aggregation], place: int, new: Measure) -> tuple[Measure, ...]:
    kept = [Measure(item.func, item.field, tuple(item.where or ())) for item in items]
    return tuple(new if i == place else measure for i, measure in enumerate(kept))


def _place(swap: Swap, items: Sequence[Aggregation], piece: Piece) -> int | None:
    """The index of the intended number: the one named as unwanted, or the only one."""
    for i, item in enumerate(items):
        for gone in swap.old:
            same_field = item.field in _fields_of(gone) if gone.tag in "MP" else True
            if gone.tag == "P" and same_field:
                return i
            if gone.tag in "AM" and same_field and item.func == _function(gone):
                return i
            if gone.tag == "#" and item.func == "count":
                return i
    figures = [i for i, item in enumerate(items) if item.func != "count"]
    if len(items) == 1 and (swap.draft.on_spine("Aggregate") or piece.tag == "M"):
        return 0
    return figures[0] if len(figures) == 1 else None


def _function(piece: Piece) -> str:
    return str(piece.load.func if piece.tag == "M" else piece.load)


# -- names of properties


def _name(swap: Swap, piece: Piece) -> list[Operation]:
    """A property that replaces another: as measure, group key, listed value or order."""
    reader, draft = swap.clause.reader, swap.draft
    numeric = reader.choose(piece, lambda prop: prop.numeric)
    if numeric is not None and not swap.gone & set(swap.keys):
        items = swap.items
        place = _place(swap, items, piece)
        if place is not None and items[place].field is not None:
            new = Measure(items[place].func, numeric.field)
            return [SetMeasures(_with(items, place, new))]
        if place is not None and any(gone.tag in "#M" for gone in swap.old):
            # `price instead of count`
            new = Measure(usual_function(numeric), numeric.field)
            swap.clause.reader.assume(f"took “{numeric.label}” to mean its {say_measure(new)}")
            return [SetMeasures(_with(items, place, new))]
    moved = [c for c in _conditions(draft) if c.field in swap.gone and c.range_filter]
    if numeric is not None and len(moved) == 1 and not moved[0].is_date:
        # `amount paid, not amount claimed`: the same bounds, of another property
        return [ChangeFilter(moved[0].model_copy(update={"field": numeric.field}), moved[0])]
    if swap.keys and piece.load[0].prop.kind == "bool" and not swap.old:
        prop = piece.load[0].prop
        if any(condition.field == prop.field for condition in _conditions(draft)):
            return _value_or_list(swap, prop)  # "failed samples per lab", "I mean passed"
    if swap.keys:
        prop = reader.any_property(piece)
        return [SetGroup(_key(swap, Key((prop.field,))))]
    for node in draft.on_spine("Project"):
        shown = [canonical_field(name) for name in node.extras["fields"]]
        if swap.gone & set(shown):
            field = reader.any_property(piece).field
            return [ShowFields(tuple(field if name in swap.gone else name for name in shown))]
    prop = reader.any_property(piece)
    if draft.on_spine("Sort") and (numeric is not None or prop.dated or _sorted_by(swap)):
        return _order(swap, piece)
    bounds = [c for c in _conditions(draft) if c.range_filter and c.is_date]
    bounds = [c for c in bounds if c.field in swap.gone] if swap.old else bounds
    if len(bounds) == 1 and prop.dated:
        # `I was talking about the grant date`: the same time, of another date
        return [ChangeFilter(bounds[0].model_copy(update={"field": prop.field}), bounds[0])]
    return _value_or_list(swap, prop)


def _value_or_list(swap: Swap, prop: Property) -> list[Operation]:
    """`furnished instead`, `the lenders, not the loans`."""
    condition = positive(prop) if prop.kind == "bool" else None
    conditions = _conditions(swap.draft)
    if condition is not None and any(c.field == prop.field for c in conditions):
        return [ChangeFilter(condition)]
    listed = swap.draft.on_spine("Distinct") or any(p.tag in _FORMS for p in swap.old)
    return [ListValues(prop.field)] if listed and not prop.numeric else []


def _sorted_by(swap: Swap) -> bool:
    fields = {canonical_field(str(n.extras.get("field"))) for n in swap.draft.on_spine("Sort")}
    return bool(fields & swap.gone)


def _key(swap: Swap, new: Key) -> Key:
    """The new key; of several current ones only the unwanted one goes."""
    keys = swap.keys
    gone = [field for field in keys if field in swap.gone]
    if len(keys) < 2 or len(gone) != 1 or len(new.fields) != 1 or new.bucket is not None:
        return new
    return Key(tuple(dict.fromkeys(new.fields[0] if f in gone else f for f in keys)))


# -- orders and numbers that stand alone


def _order(swap: Swap, piece: Piece) -> list[Operation]:
    """A new order; without a direction it keeps the current one."""
    sorts = swap.draft.on_spine("Sort")
    if not sorts:
        return []
    present = bool(sorts[-1].extras.get("descending", False))
    for gone in swap.old:
        # `score instead of price, best first`: the direction is that of the new order
        if gone.tag == "H" and "," in swap.clause.words([gone]):
            present = present if gone.load.descending is None else gone.load.descending
    if piece.tag != "H":
        return [SetSort(swap.clause.reader.any_property(piece).field, None, present)]
    order: Order = piece.load
    turned = present if order.descending is None else order.descending
    known = {*swap.keys, *(item.field for item in swap.items), None, KEY}
    if not swap.keys or not swap.draft.on_spine("Aggregate") or order.field in known:
        return [SetSort(order.field, order.measure, turned)]
    # `the most injuries instead`, where the groups have another number
    measure = group_measure(swap.clause, piece, order)
    return [SetMeasures((measure,)), SetSort(None, measure, turned)]


def _number(swap: Swap, piece: Piece) -> list[Operation]:
    old = [gone for gone in swap.old if gone.tag in "NL"]
    if isinstance(piece.load, Cut):
        return [SetLimit(piece.load.count, piece.load.end)]
    if not old:
        return bare_number(swap.clause, piece, swap.draft)
    if old[0].tag == "L":
        return [SetLimit(max(1, int(piece.load.value)))]
    return [other_number(swap.clause, piece, old[0], swap.draft)]
