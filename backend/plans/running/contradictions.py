"""Reports successive filters that no document can pass, such as one state, then another.

Their result is empty whatever the documents contain, so a question was probably misread.
"""

from collections.abc import Collection, Iterator

from backend.plans.edits.merging import excludes
from backend.plans.edits.wording import say_condition
from workbench.contract.plan import Plan
from workbench.contract.plan_columns import Columns
from workbench.contract.plan_nodes import BasicFilter, Node, canonical_field, typed


def contradictions(plan: Plan, empty: Collection[int], fields: Columns) -> list[str]:
    """A remark for each filter among the steps `empty`, which have no result, that excludes one of
    the filters before it. An array may pass both.
    """
    lines = []
    for node_id in empty:
        node = plan.node(node_id)
        now = typed(node)
        if not isinstance(now, BasicFilter) or fields.get(canonical_field(now.field)) == "array":
            continue
        opposed = [then for then in _filters_before(plan, node) if excludes(then, now)]
        if opposed:
            both = f"{say_condition(opposed[0])} and {say_condition(now)}"
            lines.append(f"{both} exclude each other, so no document can be left")
    return lines


def _filters_before(plan: Plan, node: Node) -> Iterator[BasicFilter]:
    while node.inputs:
        node = plan.node(node.inputs[0])
        if isinstance(step := typed(node), BasicFilter):
            yield step
