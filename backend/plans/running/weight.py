"""Whether a run is heavy enough for a worker process, which takes a second to start.

Decided before the run from the rows of the collection, the items of its arrays, how much the values
of a field differ, and the kinds of the steps: a bound, not an estimate, since filters may let
everything pass.
"""

from collections.abc import Iterator
from functools import reduce
from operator import mul

import polars as pl

from backend.plans.tables.collection import RAW, Collection
from backend.plans.tables.narrowing import columns_of_run, named_in
from workbench.contract.plan import Plan
from workbench.contract.plan_nodes import (
    TEXT,
    Aggregate,
    BasicFilter,
    Count,
    Fields,
    GroupBy,
    Limit,
    Math,
    Node,
    Project,
    QueryDatabase,
    Unroll,
    canonical_field,
    typed,
)
from workbench.contract.plan_validation import walk

_HEAVY = 1.0
"""Seconds on one core."""
_LARGE = 64 * 2**20
"""Bytes of long texts that the server itself may read."""
_LARGE_ANSWER = 16 * 2**20
"""Bytes of properties in an answer that the server itself may build."""
_COPIES = 4
"""How often a run may have what it reads in memory: joined, converted, sorted, as an answer."""
_LONG = 4_096
"""Average bytes of long texts. Shorter ones take as much memory only in large collections, which
the server has memory for, and where a worker would make each question slower."""
_ROW = 0.5e-6
"""Seconds per row of a step that only reads properties."""
_PASSED = 0.01e-6
"""Seconds per row of a step that hands rows on."""
_TESTED, _GATHERED = 0.02e-6, 0.02e-6
"""Seconds per row of one condition of a filter, and of a step that groups by few values."""
_EACH_TESTED, _EACH_GATHERED = 0.1e-6, 2.5e-6
"""Seconds more per row where all values of the field differ."""
_COMPUTED = 0.5e-6
"""Seconds more per row for a value that is computed, such as the month of a date."""
_APART = 3e-6
"""Seconds per row of a step that groups the items of expanded arrays: many, which mostly differ."""
_SAMPLE = 20_000
"""Rows that show how much the values of a field differ."""
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
    rows = collection.table.height * by
    # Before the steps are weighed, which would read some of the long texts.
    if _is_answer_large(plan, collection, rows) or _reads_long_texts(plan, collection):
        return True
    steps = (plan.node(node_id) for node_id in walk(plan))
    return sum(_seconds(node, collection, rows, apart=by > 1) for node in steps) > _HEAVY


def memory_of(plan: Plan, collection: Collection) -> int:
    """Bytes that a run in this process may need."""
    columns = columns_of_run(collection, plan)
    return _COPIES * int(collection.table.select(columns).estimated_size())


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


def _seconds(node: Node, collection: Collection, rows: float, *, apart: bool) -> float:
    step = typed(node)
    if node.node_type == "LLMClustering" or getattr(step, "llm_cluster", False):
        return rows * rows * _PAIR if rows < _MOST_PAIRED else 2 * _HEAVY
    if node.node_type in _READS_TEXT or _names_text(step):
        return rows * _TEXT
    if isinstance(step, BasicFilter):
        tests = (test.field or step.field for test in (step, *(step.any_of or [])))
        return rows * sum(_reading(name, collection, _TESTED, _EACH_TESTED) for name in tests)
    if node.node_type in _GATHERS:
        return rows * (_APART if apart else _gathering(step, collection))
    return rows * (_PASSED if _only_passes(step) else _ROW)


def _only_passes(step: Fields) -> bool:
    """Whether a step hands its rows on without reading any value."""
    if isinstance(step, QueryDatabase):
        texts = (step.query, step.query_text, step.result_filter, step.properties_filter)
        return not any(texts) and step.doc_filter is None
    plain_count = isinstance(step, Count) and step.distinct_field is None
    return plain_count or isinstance(step, Math | Limit | Project)


def _gathering(step: Fields, collection: Collection) -> float:
    """Seconds per row of a step that groups rows by values, or finds distinct ones."""
    computed = _COMPUTED if getattr(step, "bucket", None) else 0.0
    names = [name for name in _expanded(step) if name]
    if isinstance(step, Aggregate):
        names += [
            item.field for item in step.aggregations if item.func == "distinct" and item.field
        ]
        computed += _COMPUTED * sum(item.func == "median" for item in step.aggregations)
    each = (_reading(name, collection, _GATHERED, _EACH_GATHERED) for name in names)
    return max(_GATHERED, sum(each)) + computed


def _reading(name: str, collection: Collection, few: float, each: float) -> float:
    """Seconds per row for reading a field: `few` values, and `each` more where all differ."""
    full = canonical_field(name)
    if full not in collection.table.columns:
        return few + each + _COMPUTED
    key = f"differing:{full}"
    if key not in collection.memo:
        column = collection.table.get_column(full)
        some = column.gather_every(max(1, len(column) // _SAMPLE))
        is_list = isinstance(column.dtype, pl.List)
        collection.memo[key] = 1.0 if is_list else some.n_unique() / max(1, len(some))
    return few + each * float(collection.memo[key])


def _names_text(step: Fields) -> bool:
    names = [getattr(step, key, None) for key in ("field", "distinct_field", "primary_field")]
    # An unknown extra of another step may have such a name, and any value.
    return any(isinstance(name, str) and canonical_field(name) == TEXT for name in names)


def _is_answer_large(plan: Plan, collection: Collection, rows: float) -> bool:
    """Whether an answer with all properties of its documents could be too large."""
    if not rows or not _gives_documents(plan) or RAW not in collection.table.columns:
        return False
    raw = int(collection.table.get_column(RAW).str.len_bytes().sum() or 0)
    return raw * rows / max(1, collection.table.height) > _LARGE_ANSWER


def _reads_long_texts(plan: Plan, collection: Collection) -> bool:
    """Whether the plan reads texts that are so long that each copy of them is large."""
    return any(
        _bytes_of(name, collection) > max(_LARGE, _LONG * collection.table.height)
        for name in named_in(plan).intersection(collection.fields)
    )


def _bytes_of(name: str, collection: Collection) -> int:
    """Bytes of the texts of a column; 0 for other values."""
    column, key = collection.table.get_column(name), f"bytes:{name}"
    if isinstance(column.dtype, pl.List) and column.dtype.inner == pl.String:
        column = column.explode()
    if column.dtype != pl.String:
        return 0
    if key not in collection.memo:
        collection.memo[key] = int(column.str.len_bytes().sum() or 0)
    return int(collection.memo[key])


def _gives_documents(plan: Plan) -> bool:
    """Whether the answer may contain all input documents."""
    last = plan.node(plan.result_node).node_type
    return last in ("QueryDatabase", "QueryVectorDatabase", "Unroll", "Sort", "BasicFilter",
                    "Project", "KMeanClustering", "LLMClustering", "LlmFilter",
                    "LlmExtractEntity", "FieldIn")  # fmt: skip
