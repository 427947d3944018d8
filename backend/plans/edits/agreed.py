"""A filter that asks for a spelling which was merged away also asks for what it counts as.

Without it the filter would find nothing: no document counts with that spelling any more. The other
spelling is listed beside it, as those of `kin` are. Plans are also extended when they run, since a
spelling may have been merged after a plan was made.
"""

from collections.abc import Mapping
from typing import Any, TypeVar

from backend.plans.edits.wording import say_filter
from backend.plans.tables.collection import Collection
from workbench.contract.coverage import MERGEABLE
from workbench.contract.plan import Plan
from workbench.contract.plan_nodes import (
    ENTITY,
    Aggregate,
    Aggregation,
    BasicFilter,
    Condition,
    Node,
    bare_field,
    typed,
)

Agreed = Mapping[str, Mapping[str, list[str]]]
"""For each field, its merged spellings in one case, and what they count as."""
_Test = TypeVar("_Test", bound=Condition)


def with_agreed(plan: Plan, collection: Collection) -> Plan:
    """The plan with what the values of its filters count as, and a remark on each of them."""
    agreed = agreed_values(collection)
    if not agreed:
        return plan
    lines: dict[str, None] = {}
    nodes = {key: _extended(node, agreed, lines) for key, node in plan.nodes.items()}
    return plan.with_warnings(lines).model_copy(update={"nodes": nodes}) if lines else plan


def agreed_values(collection: Collection) -> Agreed:
    """What merged spellings count as; comparisons ignore case, so several may differ in it only."""
    agreed: dict[str, dict[str, list[str]]] = {}
    for name, spellings in collection.rules.merged.items():
        if collection.fields.get(name) not in MERGEABLE:
            continue
        by_text = agreed.setdefault(name, {})
        for spelling, final in spellings.items():
            finals = by_text.setdefault(spelling.lower(), [])
            if final not in finals and final.lower() != spelling.lower():
                finals.append(final)
    return agreed


def _extended(node: Node, agreed: Agreed, lines: dict[str, None]) -> Node:
    step = typed(node)
    if isinstance(step, BasicFilter):
        changed = _filter(step, agreed, lines)
        if changed is step:
            return node
        fields = {name: getattr(changed, name) for name in ("query", "values")}
        fields |= {"kin": _written(changed.kin), "any_of": _all_written(changed.any_of)}
        return node.with_fields(**fields).model_copy(update={"description": say_filter(changed)})
    if isinstance(step, Aggregate):
        columns = [_aggregation(item, agreed, lines) for item in step.aggregations]
        if columns != step.aggregations:
            return node.with_fields(aggregations=_all_written(columns))
    return node


def _aggregation(item: Aggregation, agreed: Agreed, lines: dict[str, None]) -> Aggregation:
    tests = [_filter(test, agreed, lines) for test in item.where]
    return item.model_copy(update={"where": tests}) if tests != item.where else item


def _filter(step: BasicFilter, agreed: Agreed, lines: dict[str, None]) -> BasicFilter:
    others = [_test(one, one.field or step.field, agreed, lines) for one in step.any_of or []]
    if others != (step.any_of or []):
        step = step.model_copy(update={"any_of": others})
    return _test(step, step.field, agreed, lines)


def _test(test: _Test, field: str, agreed: Agreed, lines: dict[str, None]) -> _Test:
    finals = agreed.get(ENTITY + bare_field(field), {})
    if not finals or test.range_filter:
        return test
    asked = [*(test.values or []), *([] if test.query is None else [test.query])]
    listed = list(asked)
    for value in asked:
        meant = [final for final in finals.get(str(value).lower(), []) if final not in listed]
        listed += meant
        lines.update(dict.fromkeys(f"“{value}” counts as “{final}”" for final in meant))
    if listed == asked:
        return test
    changed: dict[str, Any] = {"query": None, "values": listed}
    if isinstance(test, BasicFilter):
        added = [value for value in listed if value not in asked]
        before = test.kin.model_dump() if test.kin else {"asked": asked, "added": []}
        changed["kin"] = {**before, "added": [*before["added"], *added]}
    return type(test).model_validate({**test.model_dump(exclude_defaults=True), **changed})


def _written(part: Any) -> dict[str, Any] | None:
    return None if part is None else part.model_dump(exclude_defaults=True)


def _all_written(parts: Any) -> list[dict[str, Any] | None] | None:
    return None if parts is None else [_written(part) for part in parts]
