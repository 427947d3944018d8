"""Rewrites OpenSearch queries of imported plans as filter steps, so that they can be edited.

Only conjunctions of plain conditions are rewritten; other queries run as they are.
"""

from backend.plans.edits.draft import Draft
from backend.plans.edits.edit_filters import wire_fields
from backend.plans.edits.opensearch import as_conditions
from backend.plans.edits.wording import say_filter
from workbench.contract.plan_nodes import BasicFilter, canonical_field


def lift_queries(draft: Draft) -> Draft:
    """The draft with the queries of its sources as filters behind them."""
    for source in list(draft.sources()):
        query = source.extras.get("query")
        if source.node_type != "QueryDatabase" or not isinstance(query, dict):
            continue
        conditions = as_conditions(query)
        if conditions is None:
            continue
        draft = draft.change(source.node_id, source.description or "Read all documents", query=None)
        place = source.node_id
        for condition in conditions:
            body = condition.model_dump(exclude_defaults=True)
            body["field"] = canonical_field(condition.field or "")
            lifted = BasicFilter.model_validate(body)
            draft = draft.insert_after(
                place, "BasicFilter", say_filter(lifted), **wire_fields(lifted)
            )
            place = draft.newest
    return draft
