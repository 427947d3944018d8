"""Which columns of a step's rows hold shares, so that they are shown in percent."""

from pydantic import ValidationError

from backend.contract.plan import Plan
from backend.contract.plan_nodes import Aggregate, row_field

VALUE = "value"
"""The column of a step that gives one number."""
_KEEPS_VALUES = frozenset({"Sort", "Limit", "BasicFilter", "Project", "Distinct", "FieldIn"})


def share_columns(plan: Plan, node_id: int) -> frozenset[str]:
    """Columns of that step whose values are parts of one; empty where the plan has faults."""
    node = plan.nodes.get(str(node_id))
    for _ in plan.nodes:  # a plan with faults may go round in a circle
        if node is None or node.node_type not in _KEEPS_VALUES or not node.inputs:
            break
        node = plan.nodes.get(str(node.inputs[0]))
    if node is None or node.node_type != "Aggregate":
        return frozenset()
    try:
        items = Aggregate.model_validate(node.extras).aggregations
    except ValidationError:
        return frozenset()
    shares = [item.column for item in items if item.func == "share"]
    names = {name for column in shares for name in (column, row_field(column))}
    return frozenset(names | {VALUE} if len(items) == len(shares) == 1 else names)
