"""The confidences of values in many documents, read in one run instead of document by document."""

from collections.abc import Sequence

from workbench.client import AsyncClient
from workbench.contract.plan_columns import confidence_field
from workbench.contract.plan_nodes import ENTITY
from workbench.sessions.step_rows import chained, windows_of

_AT_ONCE = 90
"""Properties per run; a step shows at most a hundred columns."""

Confidences = dict[str, dict[str, float]]
"""By document id and property; values that are certain have none."""


async def confidences(client: AsyncClient, docset_id: str, names: Sequence[str]) -> Confidences:
    """The confidence of each value. Raises MissingExtension if the server cannot run plans."""
    known: Confidences = {}
    for start in range(0, len(names), _AT_ONCE):
        fields = {name: confidence_field(ENTITY + name) for name in names[start : start + _AT_ONCE]}
        project = ("Project", {"fields": list(fields.values())})
        plan = chained(("QueryDatabase", {}), project, ("Count", {}))
        run = await client.run_plan(docset_id, plan)
        async for window in windows_of(client, run.query_id, plan.result_node - 1):
            for row in window["rows"]:
                values = known.setdefault(str(row["doc_id"]), {})
                for name, field in fields.items():
                    if (sure := row.get(field)) is not None:
                        values[name] = round(float(sure), 3)
    return known
