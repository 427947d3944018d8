"""Which fields a plan uses: only their columns are read, sampled and stored."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

import polars as pl

from backend.plans.tables.collection import IDENTITY, RAW, ROW, SEQUENCE, Collection
from backend.plans.tables.derived_values import with_derived
from backend.plans.tables.mixed_units import stated_beside, units_beside
from backend.plans.tables.trust import decided_none
from workbench.contract.coverage import CERTAIN
from workbench.contract.derived_fields import sources_of
from workbench.contract.plan import Plan
from workbench.contract.plan_columns import confidence_field, doubted_field, sized_field
from workbench.contract.plan_nodes import canonical_field, row_field
from workbench.contract.plan_validation import names_in

_JOINED = 1_000_000
"""Up to this many documents the pieces of a table are copied into one, which steps read faster.
With more the copy takes longer than the steps, and needs memory for mapped files.
"""
_JOINED_BYTES = 2**28
"""Bytes of the tables that are copied so. Larger ones have long texts, in few documents."""
_WITHOUT_DOCUMENTS = frozenset(
    {"Count", "Aggregate", "AggregateCount", "TopK", "Math", "SummarizeData"}
)
"""Steps that do not output documents."""


def narrowed(collection: Collection, plan: Plan) -> Collection:
    """The collection with only the columns that the plan names anywhere. The size of an array needs
    the array itself to tell whether it is known.
    """
    named, table = named_in(plan), collection.table
    sizes = _sizes(named, collection)
    named |= frozenset(sizes.values())
    used = table.select(
        *(c for c in table.columns if c in IDENTITY or c in named),
        *_trust_columns_of(collection, named),
        *(pl.col(array).list.len().cast(pl.Int64).alias(name) for name, array in sizes.items()),
    )
    derived = with_derived(used, named, collection.fields)
    if derived.height <= _JOINED and derived.estimated_size() <= _JOINED_BYTES:
        derived = derived.rechunk()
    return replace(collection, table=derived.with_row_index(ROW), files=())


def columns_of_run(collection: Collection, plan: Plan) -> list[str]:
    """The columns that a run reads: those for `narrowed`, and all if it may list documents."""
    named = named_in(plan)
    named |= frozenset(_sizes(named, collection).values())
    named |= stated_beside(named, collection)
    always = {SEQUENCE, *IDENTITY}
    if plan.node(plan.result_node).node_type not in _WITHOUT_DOCUMENTS:
        always.add(RAW)
    parts = tuple(f"{name}." for name in named)
    return [
        name
        for name in collection.table.columns
        if name in always or name in named or name.startswith(parts)
    ]


def _sizes(named: Iterable[str], collection: Collection) -> dict[str, str]:
    """The names that mean the size of an array, with that array."""
    sized = {name: sized_field(name, collection.fields) for name in sorted(named)}
    return {name: array for name, array in sized.items() if array is not None}


def _trust_columns_of(collection: Collection, named: frozenset[str]) -> Iterator[pl.Expr]:
    """The trust columns of named fields: their doubtful values, confidences, and units."""
    for name in filter(named.__contains__, collection.fields):
        doubted = doubted_field(name) in collection.table.columns
        if doubted:
            yield pl.col(doubted_field(name))
        if confidence_field(name) not in named and (doubted or _worth_showing(name, collection)):
            yield pl.col(confidence_field(name))
        if (units := units_beside(name, collection)) is not None:
            yield units


def _worth_showing(name: str, collection: Collection) -> bool:
    """Whether any value of a field is uncertain, or was decided to be missing."""
    key = confidence_field(name)
    if key not in collection.memo and key in collection.table.columns:
        lowest = collection.table.get_column(key).min()
        uncertain = isinstance(lowest, float) and lowest < CERTAIN
        missing = collection.table.select(decided_none(name).any()).item()
        collection.memo[key] = uncertain or missing
    return bool(collection.memo.get(key))


def named_in(plan: Plan) -> frozenset[str]:
    """The canonical names of all fields that a plan names, among other texts in it."""
    texts = frozenset(names_in(plan))
    sources = (source for text in texts if "." in text for source in sources_of(text))
    return texts.union(map(canonical_field, texts), map(row_field, texts), sources)


def fields_in_use(plan: Plan) -> list[str]:
    """The fields that the plan names, which samples and stored rows show."""
    names: list[str] = []
    for node in plan.nodes.values():
        for key in _SINGLE:
            if isinstance(name := node.extras.get(key), str):
                names += [*sources_of(name), canonical_field(name), "properties." + name]
        for key in ("aggregations", "then"):
            for item in node.extras.get(key) or []:
                names += _named_in(item)
        alternatives = node.extras.get("any_of")
        for condition in alternatives if isinstance(alternatives, list) else []:
            names += _named_in(condition)
        lists = [node.extras.get(key) for key in ("fields", "per")]
        named = [name for listed in lists for name in listed or []]
        names += [full for name in named for full in (*sources_of(name), canonical_field(name))]
    return list(dict.fromkeys(names))


def _named_in(item: object) -> list[str]:
    """The fields of an aggregation or a condition, and of the conditions inside it."""
    if not isinstance(item, dict):
        return []
    single = [item.get(key) for key in ("field", "start_field", "end_field")]
    names = [full for name in single if isinstance(name, str)
             for full in (*sources_of(name), canonical_field(name))]  # fmt: skip
    where = item.get("where")
    tests = where if isinstance(where, list) else []
    return [*names, *(name for test in tests for name in _named_in(test))]


_SINGLE = (
    "field", "field_one", "field_two", "distinct_field", "new_field", "start_field", "end_field",
)  # fmt: skip
