"""The estimated cost of a plan before it runs: rows out of each step, and time.

Exact steps are tried on an even sample of the documents, so correlated conditions are counted
together; small collections are their own sample. Steps that read text keep an upper bound, because
their result cannot be known in advance. Times are rows times a cost per row, measured on one core:
they distinguish seconds from minutes, no more.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import polars as pl
from polars.exceptions import PolarsError

from backend.plans.running.grouping import bucketed
from backend.plans.tables.collection import Collection
from backend.plans.tables.conditions import expression
from backend.plans.tables.narrowing import named_in, narrowed
from workbench.contract.derived_fields import derived_columns
from workbench.contract.plan import NodeEstimate, Plan
from workbench.contract.plan_columns import Columns, document_columns
from workbench.contract.plan_nodes import (
    TEXT,
    BasicFilter,
    Bucket,
    Fields,
    GroupBy,
    Limit,
    Node,
    QueryDatabase,
    QueryVectorDatabase,
    TopK,
    canonical_field,
    typed,
)
from workbench.contract.plan_validation import walk

_SAMPLE = 2_000
_READS_TEXT = {"LlmFilter": 1.0, "LlmExtractEntity": 1.0, "KMeanClustering": 1.0,
               "SummarizeData": 2.0}  # fmt: skip
"""Milliseconds per document whose text is read."""
_MS_EACH = 0.0005
"""Milliseconds per row of a step that only reads properties."""


@dataclass(frozen=True)
class _Flow:
    """The estimated output of a step: rows, and a sample of documents; `exact` if not guessed."""

    rows: float
    sample: pl.DataFrame | None
    exact: bool

    def among(self, kept: pl.DataFrame) -> "_Flow":
        """The flow after a filter that kept this part of the sample, scaled to all rows."""
        whole = self.sample.height if self.sample is not None else 0
        return replace(self, rows=self.rows * kept.height / max(1, whole), sample=kept)


def estimated(plan: Plan, collection: Collection) -> Plan:
    """The plan with an estimate for each of its steps."""
    table = narrowed(collection, plan).table
    total = table.height
    every = max(1, total // _SAMPLE)
    sample = table if every == 1 else table.gather_every(every)
    start = _Flow(total, sample, every == 1)
    fields = collection.fields
    columns = document_columns(fields, derived_columns(named_in(plan), fields))
    flows: dict[int, _Flow] = {}
    estimates: list[NodeEstimate] = []
    for node_id in walk(plan):
        node = plan.node(node_id)
        inputs = [flows[i] for i in node.inputs]
        flows[node_id] = _after(typed(node), inputs or [start], columns)
        estimates.append(_estimate(node, inputs or [start], flows[node_id]))
    return plan.model_copy(update={"estimates": estimates})


def _estimate(node: Node, inputs: Sequence[_Flow], after: _Flow) -> NodeEstimate:
    rows = sum(item.rows for item in inputs)
    reads = node.node_type in _READS_TEXT
    return NodeEstimate(
        node_id=node.node_id,
        rows=round(after.rows),
        exact=after.exact,
        texts_read=round(rows) if reads else 0,
        ms=round(rows * _READS_TEXT.get(node.node_type, _MS_EACH), 3),
    )


def _after(step: Fields, inputs: Sequence[_Flow], columns: Columns) -> _Flow:
    """The output of a step."""
    coming = inputs[0]
    match step:
        case QueryDatabase(
            query=None, query_text=None, doc_filter=None, result_filter=None, properties_filter=None
        ):
            return coming
        case QueryDatabase(top_k=int() as most) | QueryVectorDatabase(top_k=most):
            return replace(coming, rows=min(coming.rows, most), exact=False)
        case BasicFilter():
            return _filtered(step, coming, columns)
        case Limit(num_records=most, skip=skip, per=None, with_ties=False):
            sample = None if coming.sample is None else coming.sample.slice(skip, most)
            return replace(coming, rows=max(0, min(coming.rows - skip, most)), sample=sample)
        case GroupBy():
            return _groups(step.keys, coming, step.bucket)
        case TopK(field=field, K=most):
            groups = _groups([field], coming)
            return replace(groups, rows=min(groups.rows, most or groups.rows))
    name = type(step).__name__
    if name in ("Count", "Math", "SummarizeData"):
        return _Flow(1, None, True)
    if name == "Aggregate" and coming.sample is not None:
        return _Flow(1, None, True)
    if name == "Distinct":
        return _groups([getattr(step, "field", "")], coming)
    exact = coming.exact and name in _SAME_ROWS
    return replace(coming, exact=exact)


_SAME_ROWS = frozenset({"Aggregate", "AggregateCount", "AggregateCollect", "Sort",
                        "Project", "LlmExtractEntity"})  # fmt: skip


def _filtered(step: BasicFilter, coming: _Flow, columns: Columns) -> _Flow:
    """Conditions on text and on the numbers of groups are not evaluated."""
    names = [step.field, *(c.field or "" for c in step.any_of or [])]
    if coming.sample is None or any(canonical_field(name) == TEXT for name in names):
        return replace(coming, exact=False)
    try:
        kept = coming.sample.filter(expression(step, step.field, dict(columns)))
    except PolarsError:
        # A field that an earlier step reads from the text is not in the sample.
        return replace(coming, exact=False)
    return coming.among(kept)


def _groups(fields: Sequence[str], coming: _Flow, bucket: Bucket | None = None) -> _Flow:
    """The groups of the sample: never more than those of all documents."""
    if coming.sample is None:
        return replace(coming, exact=False)
    names = [name for name in map(canonical_field, fields) if name in coming.sample.columns]
    keys = [
        bucketed(pl.col(name), bucket if i == 0 else None).alias(f"{i}")
        for i, name in enumerate(names)
    ]
    known = coming.sample.select(keys).drop_nulls()
    lists = any(isinstance(dtype, pl.List) for dtype in known.dtypes)
    count = known.n_unique() if names and known.height else 0
    return _Flow(count, None, coming.exact and not lists)
