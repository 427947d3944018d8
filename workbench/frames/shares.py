"""Finds the columns of a step's rows that are shown in percent, and those with the lowest or
highest values of a property, which have its type.
"""

from pydantic import ValidationError

from workbench.contract.plan import Plan
from workbench.contract.plan_nodes import Aggregate, Aggregation, Node, bare_field, row_field
from workbench.contract.plan_validation import walk

VALUE = "value"
"""The column of a step with a single number."""
_KEEPS_VALUES = frozenset({"Sort", "Limit", "BasicFilter", "Project", "Distinct", "FieldIn"})


def _is_part_of_whole(plan: Plan, node: Node) -> bool:
    """Whether a step divides a number of documents by the number of a set that includes them."""
    if node.node_type != "Math" or node.extras.get("operation") != "divide":
        return False
    parts = [plan.nodes.get(str(i)) for i in node.inputs]
    counted = [p for p in parts if p is not None and p.node_type == "Count" and len(p.inputs) == 1]
    if len(counted) != 2 or any(part.extras.get("distinct_field") for part in counted):
        return False
    some, whole = (part.inputs[0] for part in counted)
    if str(some) not in plan.nodes:
        return False
    return whole in walk(plan.model_copy(update={"result_node": some}))


def measures_of(plan: Plan, node_id: int) -> list[Aggregation]:
    """The measures whose values the step's rows have; none for an invalid plan."""
    node = _origin(plan, node_id)
    try:
        parsed = None if node is None or node.node_type != "Aggregate" else node.parsed
    except ValidationError:
        return []
    return parsed.aggregations if isinstance(parsed, Aggregate) else []


def _origin(plan: Plan, node_id: int) -> Node | None:
    """The step that computed the values of the step's rows."""
    node = plan.nodes.get(str(node_id))
    for _ in plan.nodes:  # an invalid plan may have a cycle
        if node is None or node.node_type not in _KEEPS_VALUES or not node.inputs:
            break
        node = plan.nodes.get(str(node.inputs[0]))
    return node


def percent_columns(plan: Plan, node_id: int) -> dict[str, int]:
    """Columns of the step's rows that are shown in percent, with the number that makes their values
    per cent: 100 for fractions, 1 for percentages. Empty for an invalid plan.
    """
    node = _origin(plan, node_id)
    if node is not None and node.extras.get("percent") is True:
        return {VALUE: 1}
    if node is not None and _is_part_of_whole(plan, node):
        return {VALUE: 100}
    items = measures_of(plan, node_id)
    shares = {
        item.column: 1 if item.percent else 100
        for item in items
        if item.func == "share" or item.percent
    }
    names = {name: by for column, by in shares.items() for name in (column, row_field(column))}
    return names | {VALUE: max(shares.values())} if len(items) == len(shares) == 1 else names


def extremes_of(plan: Plan | None, node_id: int) -> dict[str, str]:
    """The property behind each column with its lowest or highest values, which share its type."""
    items = [] if plan is None else measures_of(plan, node_id)
    extremes = {
        row_field(item.column): bare_field(item.field)
        for item in items
        if item.func in ("min", "max") and item.field is not None
    }
    if len(items) == 1 and extremes:  # of all documents: one number
        extremes[VALUE] = next(iter(extremes.values()))
    return extremes
