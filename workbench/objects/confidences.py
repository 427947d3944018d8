"""The confidences of values in many documents, read in one run instead of document by document."""

from collections.abc import Iterator, Sequence

from workbench.client import AsyncClient
from workbench.contract.plan import Plan
from workbench.contract.plan_columns import confidence_field
from workbench.contract.plan_nodes import ENTITY, Node

_AT_ONCE = 90
"""Properties per run; a step shows at most a hundred columns."""
_WINDOW = 1000

Confidences = dict[str, dict[str, float]]
"""By document id and property; values that are certain have none."""


async def confidences(client: AsyncClient, docset_id: str, names: Sequence[str]) -> Confidences:
    """The confidence of each value. Raises MissingExtension if the server cannot run plans."""
    known: Confidences = {}
    for start in range(0, len(names), _AT_ONCE):
        some = names[start : start + _AT_ONCE]
        run = await client.run_plan(docset_id, _plan(some))
        offset = 0
        while True:
            window = await client.node_output(run.query_id, 1, offset, _WINDOW)
            for row in window["rows"]:
                values = known.setdefault(str(row["doc_id"]), {})
                for name in some:
                    sure = row.get(confidence_field(ENTITY + name))
                    if sure is not None:
                        values[name] = round(float(sure), 3)
            offset += len(window["rows"])
            if not window["rows"] or offset >= window["total"]:
                break
    return known


def _plan(names: Sequence[str]) -> Plan:
    """A plan over all documents with the confidence of these properties. It ends in a count, so
    that no document is sent in full.
    """
    fields = [confidence_field(ENTITY + name) for name in names]
    nodes = _chain(("QueryDatabase", {}), ("Project", {"fields": fields}), ("Count", {}))
    return Plan(nodes={str(node.node_id): node for node in nodes}, result_node=2)


def _chain(*steps: tuple[str, dict[str, object]]) -> Iterator[Node]:
    for place, (kind, fields) in enumerate(steps):
        node = Node(node_type=kind, node_id=place, inputs=[place - 1] if place else [])
        yield node.with_fields(**fields)
