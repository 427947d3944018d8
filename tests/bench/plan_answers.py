"""What a plan gives over a table, in a form that two plans can be compared by."""

from typing import Any

from backend.plans.running import answering
from backend.plans.running.run import Reports, run_plan
from backend.plans.running.stage import Stage
from backend.plans.tables.collection import Collection
from workbench.contract.errors import ServiceError
from workbench.contract.plan import Plan


def answer(plan: Plan, collection: Collection) -> Any:
    """What a plan gives, None where it needs more than the table."""
    missing: Any = None
    stage = Stage(collection, missing, missing, lambda: False)
    try:
        done = run_plan(plan, stage, Reports(lambda *_: None, lambda *_: None))
        result = answering.result_of(done[plan.result_node].relation, collection)
    except (ServiceError, AttributeError):
        return None
    if not isinstance(result, list):
        return str(result)
    lines = [str(item.get("doc_id") or item["properties"]) for item in result]
    ordered = any(node.node_type == "Sort" for node in plan.nodes.values())
    return lines if ordered else sorted(lines)
