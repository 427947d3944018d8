"""The roles of properties in a plan, which `backend.inference.role_network` predicts.

A role is a plan's use of a property, such as sorting by it; a trait is a feature of the whole plan,
such as counting.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from workbench.contract.derived_fields import derived_field
from workbench.contract.plan import Plan
from workbench.contract.plan_columns import SIZE
from workbench.contract.plan_nodes import (
    Aggregate,
    Aggregation,
    BasicFilter,
    Condition,
    Count,
    Distinct,
    GroupBy,
    Limit,
    Project,
    Sort,
    SortKey,
    TopK,
    canonical_field,
    row_field,
    typed,
)

ROLES = (
    "is", "is not", "from", "to", "known", "unknown", "group", "sum", "avg", "min", "max", "median",
    "up", "down", "shown", "distinct", "begins", "ends", "part", "used",
)  # fmt: skip
"""`from` and `to` bound a property, `begins` and `ends` a time or a difference between two; `part`
is a part of a date; `used` means any role but `shown`.
"""
TRAITS = (
    "answers", "count", "list", "first", "share", "groups", "figure", "distinct", "texts", "one",
    "between",
)  # fmt: skip
"""`answers` means that there is a plan that answers the question at all."""

_MOST_NAMED = 2
"""So many values of a property are named."""


@dataclass(frozen=True)
class Roles:
    """The roles of each property, by canonical field, and the traits of the plan."""

    of: Mapping[str, frozenset[str]]
    traits: frozenset[str]


def roles_of(plan: Plan) -> Roles:
    """The uses of each property in a plan, and the features of the whole.

    Sorting by a computed column uses the property that it is computed from.

    Example: in “Keep where status is open; Count the documents” the property `status` has the roles
    `is` and `used`, and the plan the trait `count`.
    """
    found: dict[str, set[str]] = defaultdict(set)
    steps = list(map(typed, plan.nodes.values()))
    computed = {row_field(item.column): item.field for step in steps
                if isinstance(step, Aggregate) for item in step.aggregations}  # fmt: skip
    for step in steps:
        for field, role in _roles(step):
            of_what = computed.get(row_field(field), field)
            for source, part in _sources(of_what) if of_what else ():
                found[source].update({role, *part})
    of = {field: frozenset(roles if roles == {"shown"} else roles | {"used"})
          for field, roles in found.items()}  # fmt: skip
    return Roles(of, frozenset(_traits(plan, of)))


def values_tested(plan: Plan) -> dict[str, list[str]]:
    """By field the texts that the conditions of a plan name."""
    tested: dict[str, list[str]] = defaultdict(list)
    steps = list(map(typed, plan.nodes.values()))
    found = [step for step in steps if isinstance(step, BasicFilter)]
    found += [one for step in steps if isinstance(step, Aggregate)
              for item in step.aggregations for one in item.where]  # fmt: skip
    for condition in found:
        for one in condition.any_of or [condition]:
            named = canonical_field(one.field or condition.field)
            texts = (v for v in (one.query, *(one.values or [])) if isinstance(v, str))
            tested[named] += (text for text in texts if text not in tested[named])
    return dict(tested)


def in_use(roles: Collection[str], values: Sequence[str]) -> tuple[str, ...]:
    """What is done with a property: `in_use({"is", "used"}, ["open"])` is `("is open",)`."""
    named = ", ".join(values[:_MOST_NAMED])
    return tuple(f"{role} {named}" if named and role in ("is", "is not") else role
                 for role in ROLES if role in roles and role != "used")  # fmt: skip


def computes_with_two(plan: Plan) -> bool:
    """Whether a plan uses a field that is computed from two properties, such as days between."""
    fields = (field for node in plan.nodes.values() for field, _ in _roles(typed(node)))
    derived = (derived_field(canonical_field(field)) for field in fields)
    return any(one is not None and one.other is not None for one in derived)


def _roles(step: Any) -> Iterable[tuple[str, str]]:
    match step:
        case BasicFilter():
            yield from _tested(step)
        case GroupBy():
            yield from ((key, "group") for key in step.keys)
            if step.bucket:
                yield step.keys[0], "part"
        case TopK():
            yield step.field, "group"
        case Aggregate():
            for item in step.aggregations:
                yield from _computed(item)
        case Sort():
            for key in (SortKey(field=step.field, descending=step.descending), *step.then):
                yield key.field, "down" if key.descending else "up"
        case Project():
            yield from ((field, "shown") for field in step.fields)
        case Distinct():
            yield step.field, "distinct"
        case Count(distinct_field=str(field)):
            yield field, "distinct"
        case _:
            pass


def _computed(item: Aggregation) -> Iterable[tuple[str, str]]:
    if item.field:
        yield item.field, item.func if item.func in ROLES else "shown"
    for condition in item.where:
        yield from _tested(condition)


def _tested(condition: BasicFilter) -> Iterable[tuple[str, str]]:
    for one in condition.any_of or [condition]:
        field = one.field or condition.field
        yield from ((name or field, role) for name, role in _of_test(one))


def _of_test(one: Condition) -> Iterable[tuple[str | None, str]]:
    """The roles in a test; None stands for the field that it tests."""
    if one.start_field or one.end_field:
        yield None, "ends" if one.start_field else "begins"
        yield one.start_field or one.end_field, "begins" if one.start_field else "ends"
    elif one.exists is not None:
        yield None, "known" if one.exists != one.negate else "unknown"
    elif one.start is not None or one.end is not None:
        if one.start is not None:
            yield None, "to" if one.negate else "from"
        if one.end is not None:
            yield None, "from" if one.negate else "to"
    else:
        yield None, "is not" if one.negate != (one.query is False) else "is"


def _sources(field: str) -> Iterable[tuple[str, tuple[str, ...]]]:
    """The properties that a field is computed from, with the role that each has in it. The size of
    a list is used like the list itself.
    """
    name = canonical_field(field).removesuffix(SIZE)
    derived = derived_field(name)
    if derived is None:
        return [(name, ())]
    if derived.other is None:
        return [(derived.field, ("part",))]
    return [(derived.field, ("ends",)), (derived.other, ("begins",))]


def _traits(plan: Plan, of: Mapping[str, frozenset[str]]) -> Iterable[str]:
    steps = [typed(node) for node in plan.nodes.values()]
    kinds = {node.node_type for node in plan.nodes.values()}
    limits = [step.num_records for step in steps if isinstance(step, Limit)]
    limits += [step.K for step in steps if isinstance(step, TopK) and step.K is not None]
    shape = {
        "share": "Math" in kinds,
        "groups": not kinds.isdisjoint({"GroupBy", "TopK"}),
        "figure": "Aggregate" in kinds and "GroupBy" not in kinds,
        "count": "Count" in kinds and "Math" not in kinds,
        "distinct": "Distinct" in kinds,
    }
    yield "answers"
    yield from (name for name, has in shape.items() if has)
    if not any(shape.values()):
        yield "list"
    if limits:
        yield "first"
    if 1 in limits:
        yield "one"
    if any(kind.startswith("Llm") for kind in kinds):
        yield "texts"
    if any("ends" in roles for roles in of.values()):
        yield "between"
