"""Finds the column of an answer that has the requested number."""

from workbench.contract.plan import Plan
from workbench.contract.plan_nodes import row_field
from workbench.contract.plan_validation import walk
from workbench.sessions.step_sentences import measure_column


def asked_measures(plan: Plan, node_id: int) -> list[str]:
    """Columns of that step's rows, the likeliest first: the sort column, then computed columns, and
    a count last, since it often only accompanies another number.
    """
    upstream = walk(plan.model_copy(update={"result_node": node_id}))
    sorted_by: list[str] = []
    computed: list[str] = []
    counts: list[str] = []
    for step in reversed(upstream):
        node = plan.node(step)
        match node.node_type:
            case "Sort":
                sorted_by.append(row_field(str(node.extras.get("field") or "")))
            case "TopK" | "AggregateCount" | "AggregateCollect":
                counts.append("properties.count")
            case "Aggregate":
                for item in node.extras.get("aggregations") or []:
                    column = row_field(measure_column(item))
                    (counts if item.get("func") == "count" else computed).append(column)
    return list(dict.fromkeys([*sorted_by, *computed, *counts]))
