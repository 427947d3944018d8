"""Whether a run is heavy enough for a worker process, which takes a second to start.

Decided before the run from the rows of the collection, the items of its arrays and the kinds of the
steps: a bound, not an estimate, since filters may let everything pass.
"""

from collections.abc import Iterator
from functools import reduce
from operator import mul

import polars as pl

from backend.plans.tables.collection import RAW, Collection
from workbench.contract.plan import Plan
from workbench.contract.plan_nodes import (
    TEXT,
    BasicFilter,
    Fields,
    GroupBy,
    Unroll,
    canonical_field,
    typed,
)
from workbench.contract.plan_validation import walk

_HEAVY = 1.0
"""Seconds on one core."""
_LARGE = 64 * 2**20
"""Bytes of text in an answer that the server itself may build."""
_ROW = 0.5e-6
"""Seconds per row of a step that only reads properties, or of one condition of a filter."""
_GROUPED, _APART = 0.5e-6, 6
"""Seconds per row of a step that groups rows and keeps their lineage, and a factor for expanded
arrays, whose items are many and mostly differ."""
_TEXT = 1e-3
_READS_TEXT = frozenset({"LlmExtractEntity", "KMeanClustering", "SummarizeData", "LlmFilter"})
"""They read the text of each document, or its best passages."""
_PAIR = 0.2e-6
_MOST_PAIRED = 20_000
"""Rows from which any step that compares all spellings is heavy."""
_GATHERS = frozenset(
    {"Distinct", "TopK", "GroupBy", "Aggregate", "AggregateCount", "AggregateCollect", "FieldIn"}
)


def is_heavy(plan: Plan, collection: Collection) -> bool:
    """Whether a plan could take long, or much memory, over these documents."""
    by = _multiplied(plan, collection)
    rows, gathering = collection.table.height * by, _GROUPED * (_APART if by > 1 else 1)
    seconds = sum(_seconds(plan, node_id, rows, gathering) for node_id in walk(plan))
    return seconds > _HEAVY or _is_answer_large(plan, collection, rows)


def _multiplied(plan: Plan, collection: Collection) -> float:
    """An upper bound of the factor by which expanded arrays multiply the rows."""
    names = {name for node_id in walk(plan) for name in _expanded(typed(plan.node(node_id)))}
    columns = (collection.table.get_column(n) for n in names if n in collection.table.columns)
    height = max(1, collection.table.height)
    each = [
        max(1.0, int(column.list.len().sum() or 0) / height)
        for column in columns
        if isinstance(column.dtype, pl.List)
    ]
    return reduce(mul, each, 1.0)


def _expanded(step: Fields) -> Iterator[str]:
    """Fields whose arrays are expanded into a row for each item."""
    if isinstance(step, GroupBy):
        yield from map(canonical_field, step.keys)
    elif isinstance(step, Unroll):
        yield canonical_field(step.field)
    for key in ("field", "distinct_field", "primary_field"):
        name = getattr(step, key, None)
        if name is not None and type(step).__name__ in (*_GATHERS, "Count"):
            yield canonical_field(name)


def _seconds(plan: Plan, node_id: int, rows: float, gathering: float) -> float:
    node = plan.node(node_id)
    step = typed(node)
    if node.node_type == "LLMClustering" or getattr(step, "llm_cluster", False):
        return rows * rows * _PAIR if rows < _MOST_PAIRED else 2 * _HEAVY
    if node.node_type in _READS_TEXT or _names_text(step):
        return rows * _TEXT
    if isinstance(step, BasicFilter):
        return rows * _ROW * (1 + len(step.any_of or []))
    return rows * (gathering if node.node_type in _GATHERS else _ROW)


def _names_text(step: Fields) -> bool:
    names = [getattr(step, key, None) for key in ("field", "distinct_field", "primary_field")]
    # An unknown extra of another step may have such a name, and any value.
    return any(isinstance(name, str) and canonical_field(name) == TEXT for name in names)


def _is_answer_large(plan: Plan, collection: Collection, rows: float) -> bool:
    """Whether an answer with all properties of its documents could be too large."""
    if RAW not in collection.table.columns or not rows:
        return False
    raw = int(collection.table.get_column(RAW).str.len_bytes().sum() or 0)
    return raw * rows / max(1, collection.table.height) > _LARGE and _gives_documents(plan)


def _gives_documents(plan: Plan) -> bool:
    """Whether the answer may contain all input documents."""
    last = plan.node(plan.result_node).node_type
    return last in ("QueryDatabase", "QueryVectorDatabase", "Unroll", "Sort", "BasicFilter",
                    "Project", "KMeanClustering", "LLMClustering", "LlmFilter",
                    "LlmExtractEntity", "FieldIn")  # fmt: skip
