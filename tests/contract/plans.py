"""Short ways to write plans in tests."""

from typing import Any

from workbench.contract.plan import Plan


def step(kind: str, node_id: int, *inputs: int, **fields: Any) -> dict[str, Any]:
    """A step as it is written on the wire."""
    return {
        "node_type": kind,
        "node_id": node_id,
        "description": f"step {node_id}",
        "inputs": list(inputs),
        **fields,
    }


def plan(*steps: dict[str, Any], result: int | None = None) -> Plan:
    """A plan whose last step is the result by default."""
    nodes = {str(body["node_id"]): body for body in steps}
    last = steps[-1]["node_id"] if result is None else result
    return Plan.model_validate({"query": "a question", "nodes": nodes, "result_node": last})


def source(node_id: int = 0) -> dict[str, Any]:
    return step("QueryDatabase", node_id)
