"""Plans of steps in a row, and all rows of a step.

Such plans read properties of many documents at once. They end in a count, so that no document is
sent in full; the rows are those of the step before.
"""

from collections.abc import AsyncIterator, Mapping
from typing import TYPE_CHECKING, Any

from workbench.contract.plan import Plan
from workbench.contract.plan_nodes import Node

if TYPE_CHECKING:
    from workbench.client import AsyncClient

_WINDOW = 1000


def chained(*steps: tuple[str, Mapping[str, Any]]) -> Plan:
    """A plan of these kinds of steps with their fields, each with the output of the one before.

    Example: chained(("QueryDatabase", {}), ("Limit", {"num_records": 5}), ("Count", {}))
    """
    nodes = {
        str(at): Node(node_type=kind, node_id=at, inputs=[at - 1] if at else []).with_fields(
            **given
        )
        for at, (kind, given) in enumerate(steps)
    }
    return Plan(nodes=nodes, result_node=len(steps) - 1)


async def windows_of(
    client: "AsyncClient", query_id: str, node_id: int
) -> AsyncIterator[dict[str, Any]]:
    """The output of a step, one window after the other: `columns`, `rows` and `total`."""
    read = 0
    while True:
        window = await client.node_output(query_id, node_id, read, _WINDOW)
        yield window
        read += len(window["rows"])
        if not window["rows"] or read >= window["total"]:
            return
