"""Equality with a text also matches its kin: other spellings of the value, and kinds of it.

The filter lists every matching value, so that each can be removed by hand, and records in `kin`
what was asked and what was added: `{"asked": ["California"], "added": ["CA"]}`. A filter that
already has `kin` is unchanged.
"""

from collections.abc import Collection as Values
from collections.abc import Mapping

from backend.plans.edits.wording import say_filter
from backend.plans.tables.spellings import VALUE_SIGNS, Spellings, distinct, kin_of
from workbench.contract.plan import Plan
from workbench.contract.plan_columns import Columns
from workbench.contract.plan_nodes import BasicFilter, Node, canonical_field, typed

KIN = "kin"
_MOST = 30
"""The maximum number of added values; nobody reads a longer list."""


def with_kin(
    plan: Plan, fields: Columns, counts: Mapping[str, Values[str]], before: Plan | None = None
) -> Plan:
    """Extends the new filters of a plan by the kin of their values.

    `counts` has the values of each field. Filters that `before` had are unchanged.
    """
    old = [] if before is None else [_test_of(node) for node in before.nodes.values()]
    nodes, lines = dict(plan.nodes), []
    for key, node in plan.nodes.items():
        if _test_of(node) in old or node.node_type != "BasicFilter":
            continue
        if (added := _kin(node, fields, counts)) is not None:
            nodes[key], line = added
            lines.append(line)
    if not lines:
        return plan
    return plan.with_warnings(lines).model_copy(update={"nodes": nodes})


def _test_of(node: Node) -> tuple[str, object]:
    ignored = ("description", KIN)
    return node.node_type, {k: v for k, v in node.extras.items() if k not in ignored}


def _kin(node: Node, fields: Columns, counts: Mapping[str, Values[str]]) -> tuple[Node, str] | None:
    """The filter with the kin of its values, and a sentence about them; None if there is no kin."""
    step = typed(node)
    if not isinstance(step, BasicFilter) or KIN in node.extras or step.any_of:
        return None
    name = canonical_field(step.field)
    asked = [str(v) for v in step.values or ([step.query] if step.query is not None else [])]
    if fields.get(name) != "string" or step.match != "exact" or step.range_filter or not asked:
        return None
    values = counts.get(name, ())
    spellings = Spellings(values)
    asked = distinct(asked, spellings)
    signs = {value[-1:] for value in asked} & VALUE_SIGNS
    added = [v for v in kin_of(asked, spellings) if not signs or v[-1:] in signs]
    if not added or len(added) > _MOST:
        return None
    listed = [*asked, *(value for value in added if value not in asked)]
    changed = node.with_fields(query=None, values=listed, kin={"asked": asked, "added": added})
    changed = changed.model_copy(update={"description": say_filter(_filter(changed))})
    named = [f"“{value}”" for value in added]
    also = " and ".join([", ".join(named[:-1]), named[-1]] if len(named) > 1 else named)
    asked_for = " or ".join(f"“{value}”" for value in asked)
    return changed, f"{asked_for} also matches {also}"


def _filter(node: Node) -> BasicFilter:
    step = typed(node)
    assert isinstance(step, BasicFilter)
    return step
