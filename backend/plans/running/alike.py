"""Groups that may be one thing in two spellings: candidates for a merge."""

from backend.plans.tables.collection import Collection
from backend.plans.tables.spellings import Spellings
from workbench.contract.coverage import Merge
from workbench.contract.plan import Plan
from workbench.contract.plan_nodes import (
    Aggregate,
    Count,
    Distinct,
    GroupBy,
    TopK,
    bare_field,
    canonical_field,
    typed,
)

_MOST_VALUES = 2_000
_MOST_SHOWN = 20
_LONGEST = 1_000
"""Bytes of the longest value that is compared with others."""


def merges_for(plan: Plan, collection: Collection) -> list[Merge]:
    """The spellings that a plan counts separately although they seem to mean the same."""
    merges: list[Merge] = []
    for name in dict.fromkeys(_distinguished_fields(plan)):
        if collection.fields.get(name) != "string":
            continue
        groups = _alike(name, collection)
        merges += [Merge(field=bare_field(name), values=g, into=g[0]) for g in groups]
    return merges[:_MOST_SHOWN]


def _alike(name: str, collection: Collection) -> list[list[str]]:
    """The groups of values of a field that seem to mean the same, found once for a collection."""
    key = f"alike:{name}"
    if key not in collection.memo:
        column = collection.table.get_column(name)
        # Texts longer than any name are no spellings, and would be copied several times.
        counts = column.filter(column.str.len_bytes() <= _LONGEST).value_counts()
        known = dict(counts.iter_rows()) if counts.height <= _MOST_VALUES else {}
        collection.memo[key] = Spellings(known).groups(known)
    groups: list[list[str]] = collection.memo[key]
    return groups


def merge_words(merge: Merge) -> str:
    """A merge as a remark: `state: “CA” and “California” may mean the same`."""
    listed = [f"“{value}”" for value in merge.values]
    joined = " and ".join([", ".join(listed[:-1]), listed[-1]])
    return f"{merge.field}: {joined} may mean the same but are counted separately"


def _distinguished_fields(plan: Plan) -> list[str]:
    """The fields whose distinct values a plan counts or groups by."""
    names: list[str] = []
    for node in plan.nodes.values():
        match typed(node):
            case GroupBy() as group:
                names += group.keys
            case TopK(field=name) | Distinct(field=name) | Count(distinct_field=str() as name):
                names.append(name)
            case Aggregate() as step:
                names += [i.field for i in step.aggregations if i.func == "distinct" and i.field]
    return list(map(canonical_field, names))
