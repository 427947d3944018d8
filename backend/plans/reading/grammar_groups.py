"""Constructions about whole groups: how many documents of a kind each has, or that none or all of
them match.
"""

from typing import Any

from backend.plans.reading.grammar_types import (
    COUNT,
    HavingOf,
    Limits,
    Whole,
    first_of,
    makes,
    part_of,
)
from backend.plans.reading.phrasing import Bound, Key, Measure
from backend.plans.reading.pieces import Quantity
from backend.plans.reading.properties import Property
from workbench.contract.plan_nodes import BasicFilter


@makes("HavingOf", "With? Bound Cond Noun", "With? Bound Cond Cond Noun", "With? Num Cond Noun",
       "With? Bound Noun Cond", example="with at least 3 licensed boats",
       weight="documents of a kind in a group")  # fmt: skip
def _so_many_of_a_kind(*parts: Any) -> HavingOf | None:
    number = first_of(parts, Quantity)
    limits = Limits("eq", number) if number is not None else part_of(parts, Limits)
    conditions = tuple(part for part in parts if isinstance(part, BasicFilter))
    whole = limits.value.unit is None and limits.value.count is not None
    if not whole or not conditions:
        return None
    return HavingOf(Bound(COUNT, limits.op, limits.value, limits.upper), conditions)


@makes("Having", "With? Bound of Noun that|which|who? Be|With? Cond", "With? Bound of? Cond Noun",
       example="over 40 percent of boats are licensed", weight="share of a group")  # fmt: skip
def _share_of_a_group(*parts: Any) -> Bound | None:
    limits, condition = part_of(parts, Limits), part_of(parts, BasicFilter)
    if limits.value.unit != "pct":
        return None
    return Bound(Measure("share", where=(condition,)), limits.op, limits.value, limits.upper)


@makes("Having", "More Often", "With? only|just|precisely Num Noun", example="more than twice",
       weight="how often")  # fmt: skip
@makes("Having", "only|just|exactly Often",
       "appear|appears|appeared|occur|occurs|listed|named Often",
       example="just once", weight="how often")  # fmt: skip
def _so_often(*parts: Any) -> Bound | None:
    number = part_of(parts, Quantity)
    op = first_of(parts, str, "eq")
    return None if number.unit is not None else Bound(COUNT, op, number)


@makes("Having", "With? Noun? in|at|from|for|by|of Bound Prop", "With? Bound Distinct Prop",
       example="with boats of more than 2 types", weight="different ones in a group")  # fmt: skip
def _different_ones(*parts: Any) -> Bound | None:
    limits, prop = part_of(parts, Limits), part_of(parts, Property)
    if not prop.worded or prop.key or limits.value.unit is not None:
        return None
    return Bound(Measure("distinct", prop.field), limits.op, limits.value, limits.upper)


@makes("Whole", "Prop that|which|who? HasNone single|one|any?", example="types that never had",
       weight="whole groups")  # fmt: skip
def _of_none(prop: Property, *_: Any) -> Whole | None:
    return Whole("none", prop.field) if _groups(prop) else None


@makes("Whole", "Prop where|whose all|every|each Noun Be|With?",
       "Prop in|for|of which all|every|each Noun Be|With?",
       example="types where all boats are", weight="whole groups")  # fmt: skip
def _of_all(prop: Property, *_: Any) -> Whole | None:
    return Whole("all", prop.field) if _groups(prop) else None


@makes("Whole", "both", "both kinds|sorts|types of?", example="both", weight="whole groups: both")
def _of_both() -> Whole:
    return Whole("both")


@makes("Key", "distributed|spread|split|divided over|across|by|among|between|into Props",
       "distribution by|over|across|among|of Props", "Prop distribution|breakdown",
       example="distributed over types", weight="distribution")  # fmt: skip
def _distributed(props: Any) -> Key:
    props = props if isinstance(props, tuple) else (props,)
    return Key(tuple(prop.field for prop in props))


def _groups(prop: Property) -> bool:
    return prop.worded and not (prop.own or prop.key)
