"""The unit or currency of each number of a property.

A number keeps the unit it was read with. An amount of money without one gets it from a property
that contains only currencies: an analyst who extracts `total` and `currency` means them together.
"""

from collections.abc import Sequence

import polars as pl

from backend.language.units import AMOUNT_WORDS, currency_code
from backend.language.words import words
from backend.plans.tables.collection import Collection
from workbench.contract.plan_columns import NUMERIC, unit_field
from workbench.contract.plan_nodes import ENTITY

_MONEY = AMOUNT_WORDS.union(
    "total subtotal net gross vat due turnover discount".split()  # noqa: SIM905
)
"""Words in the name or description of an amount of money."""


def units_beside(name: str, collection: Collection) -> pl.Expr | None:
    """The units of a field as a column; None if none is known."""
    if collection.fields.get(name) not in NUMERIC:
        return None
    columns = [pl.col(unit_field(name))] if _has_units(name, collection) else []
    if _is_money(name, collection) and (stated := _currencies(collection)) is not None:
        field, codes = stated
        columns.append(pl.col(field).replace_strict(codes, return_dtype=pl.String))
    return pl.coalesce(columns).alias(unit_field(name)) if columns else None


def stated_beside(names: frozenset[str], collection: Collection) -> frozenset[str]:
    """The property with the currencies of these fields, if any of them is an amount of money."""
    amounts = (n for n in names if collection.fields.get(n) in NUMERIC and _is_money(n, collection))
    stated = _currencies(collection) if any(amounts) else None
    return frozenset() if stated is None else frozenset({stated[0]})


def parted_units(read: pl.Series) -> tuple[list[str], dict[str, int]]:
    """The units of some numbers, and the wrong ones with their frequencies.

    If most units are currencies the others are mistakes, such as an amount read as percent beside a
    rate.
    """
    counts = dict(sorted(read.drop_nulls().value_counts().iter_rows()))
    money = [unit for unit in counts if currency_code(unit) is not None]
    if 2 * sum(counts[unit] for unit in money) <= sum(counts.values()):
        return [*counts], {}
    return money, {unit: number for unit, number in counts.items() if unit not in money}


def currencies_of(name: str, collection: Collection) -> frozenset[str]:
    """The known currency codes of a field's values."""
    if _has_units(name, collection):
        units = collection.table.get_column(unit_field(name)).drop_nulls().unique()
        return frozenset(code for code in map(currency_code, units) if code is not None)
    if not _is_money(name, collection) or (stated := _currencies(collection)) is None:
        return frozenset()
    return frozenset(code.lower() for code in stated[1].values())


def _has_units(name: str, collection: Collection) -> bool:
    """Whether any value of a field was read with its unit."""
    own, table = unit_field(name), collection.table
    return own in table.columns and table.get_column(own).null_count() < table.height


def _currencies(collection: Collection) -> tuple[str, dict[str, str]] | None:
    """The property all of whose values are currencies, and the code of each value."""
    if "currencies" not in collection.memo:
        field = next((f for f in collection.fields if _is_currency(f, collection)), None)
        values: Sequence[str] = (
            collection.table.get_column(field).drop_nulls().unique().to_list() if field else []
        )
        codes = {value: (currency_code(value) or value).upper() for value in values}
        collection.memo["currencies"] = (field, codes) if field else None
    stated: tuple[str, dict[str, str]] | None = collection.memo["currencies"]
    return stated


def _is_money(name: str, collection: Collection) -> bool:
    bare = name.removeprefix(ENTITY)
    described = [p.description or "" for p in collection.schema.properties if p.name == bare]
    label = words(" ".join([bare.replace("_", " "), *described]))
    return not _MONEY.isdisjoint(word.lower() for word in label)


def _is_currency(name: str, collection: Collection) -> bool:
    """Whether all values of a property are currencies."""
    kind = collection.fields[name]
    if kind not in ("string", "choice") or name not in collection.table.columns:
        return False  # the table of a run has only the columns that it reads
    column = collection.table.get_column(name)
    longest = column.str.len_bytes().max()
    if not isinstance(longest, int) or longest > _LONGEST:
        return False  # long texts are not even read: they would take memory for the whole column
    values = column.drop_nulls().unique().head(_MOST).to_list()
    return bool(values) and all(map(currency_code, values))


_MOST = 100
"""Distinct values that are checked: no collection has more currencies."""
_LONGEST = 100
"""Bytes of the longest name of a currency, and more."""
