"""The values of a whole DocSet, each with confidence and source."""

from collections.abc import Sequence

from workbench.client import AsyncClient
from workbench.contract.plan import Plan
from workbench.contract.plan_nodes import ENTITY
from workbench.objects.why import Why
from workbench.sessions.evidence import EvidenceLine, EvidenceTrail
from workbench.sessions.step_rows import chained

_AT_ONCE = 90
"""Properties per run; a step shows at most a hundred columns."""


async def values_of(
    client: AsyncClient, docset_id: str, names: Sequence[str], doc_id: str | None = None
) -> Why:
    """The values of these properties in all documents, or in one, a row each."""
    lines: list[EvidenceLine] = []
    total = 0
    for start in range(0, len(names), _AT_ONCE):
        plan = _plan(names[start : start + _AT_ONCE], doc_id)
        run = await client.run_plan(docset_id, plan)
        trail = EvidenceTrail(client, run.query_id, plan.result_node - 1)
        while not trail.complete:
            before = trail.documents
            await trail.more()
            if trail.documents == before:
                break
        lines += trail.lines
        total = max(total, trail.total)
    order = {line.doc_id: at for at, line in reversed(list(enumerate(lines)))}
    lines.sort(key=lambda line: order[line.doc_id])
    return Why(list(order)[::-1], lines, total)


def _plan(names: Sequence[str], doc_id: str | None) -> Plan:
    """A plan for these properties of the documents."""
    chosen = [] if doc_id is None else [("BasicFilter", {"field": "doc_id", "query": doc_id})]
    project = ("Project", {"fields": [ENTITY + name for name in names]})
    return chained(("QueryDatabase", {}), *chosen, project, ("Count", {}))
