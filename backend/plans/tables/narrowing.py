"""Which fields a plan looks at: only their columns are read, estimated with and kept."""

from collections.abc import Iterator
from dataclasses import replace

import polars as pl

from backend.plans.tables.collection import IDENTITY, ROW, Collection
from backend.plans.tables.mixed_units import mixed_units
from backend.plans.tables.trust import doubted_field
from workbench.contract.coverage import CERTAIN
from workbench.contract.plan import Plan
from workbench.contract.plan_columns import confidence_field, sized_field
from workbench.contract.plan_nodes import canonical_field, row_field


def narrowed(collection: Collection, plan: Plan) -> Collection:
    """The collection with only the columns that the plan may look at: what it names anywhere."""
    named, table = named_in(plan), collection.table
    used = table.select(
        *(c for c in table.columns if c in IDENTITY or c in named),
        *_beside(collection, named),
        *(
            pl.col(array).list.len().fill_null(0).cast(pl.Int64).alias(name)
            for name in sorted(named)
            if (array := sized_field(name, collection.fields)) is not None
        ),
    )
    return replace(collection, table=used.rechunk().with_row_index(ROW))


def _beside(collection: Collection, named: frozenset[str]) -> Iterator[pl.Expr]:
    """Columns about the values of named fields: those that are doubtful, and units that differ."""
    for name in filter(named.__contains__, collection.fields):
        doubted = doubted_field(name) in collection.table.columns
        if doubted:
            yield pl.col(doubted_field(name))
        if confidence_field(name) not in named and (doubted or _has_uncertain(name, collection)):
            yield pl.col(confidence_field(name))
        if (units := mixed_units(name, collection)) is not None:
            yield units


def _has_uncertain(name: str, collection: Collection) -> bool:
    """Whether any value of a field is below what counts as certain."""
    key = confidence_field(name)
    if key not in collection.memo and key in collection.table.columns:
        lowest = collection.table.get_column(key).min()
        collection.memo[key] = isinstance(lowest, float) and lowest < CERTAIN
    return bool(collection.memo.get(key))


def named_in(plan: Plan) -> frozenset[str]:
    """The canonical names of all fields that a plan names, and other texts of its."""
    texts = frozenset(text for node in plan.nodes.values() for text in _texts(node.extras))
    return texts.union(map(canonical_field, texts), map(row_field, texts))


def _texts(value: object) -> Iterator[str]:
    """All strings inside a value, names of fields of foreign queries included."""
    if isinstance(value, str):
        yield value
        yield value.partition("^")[0].removesuffix(".keyword")
    elif isinstance(value, dict):
        for key, inner in value.items():
            yield from _texts(key)
            yield from _texts(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _texts(inner)


def fields_in_use(plan: Plan) -> list[str]:
    """Fields that the plan names: those that samples and kept rows show."""
    names: list[str] = []
    for node in plan.nodes.values():
        for key in ("field", "field_one", "field_two", "distinct_field", "new_field"):
            if isinstance(name := node.extras.get(key), str):
                names += [canonical_field(name), "properties." + name]
        for item in node.extras.get("aggregations") or []:
            if isinstance(item, dict) and isinstance(item.get("field"), str):
                names.append(canonical_field(item["field"]))
        lists = [node.extras.get(key) for key in ("fields", "per")]
        names += [canonical_field(name) for named in lists for name in named or []]
    return list(dict.fromkeys(names))
