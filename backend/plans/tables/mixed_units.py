"""The unit or currency of each number of a property.

A number keeps the unit it was read with. An amount of money without one gets it from a property
that contains only currencies: an analyst who extracts `total` and `currency` means them together.
"""

from collections import Counter
from collections.abc import Sequence
from operator import itemgetter

import polars as pl

from backend.language.units import AMOUNT_WORDS, currency_code, measure_of, unit_word
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

    If most units are currencies, or measure the same, the others are mistakes, such as an amount
    read as percent beside a rate.
    """
    counts = dict(sorted(read.drop_nulls().value_counts().iter_rows()))
    measured = Counter[str | None]()
    for unit, number in counts.items():
        measured[_measured(unit)] += number
    kind, most = max(measured.items(), key=itemgetter(1), default=(None, 0))
    if kind is None or 2 * most <= measured.total():
        return [*counts], {}
    right = [unit for unit in counts if _measured(unit) == kind]
    return right, {unit: number for unit, number in counts.items() if unit not in right}


def _measured(unit: str) -> str | None:
    """What a unit measures: money, length, mass …"""
    return measure_of(currency_code(unit) or unit_word(unit.lower()) or unit)


def currencies_of(name: str, collection: Collection) -> frozenset[str]:
    """The known currency codes of a field's values."""
    if _has_units(name, collection):
        units = collection.table.get_column(unit_field(name)).drop_nulls().unique()
        return frozenset(code for code in map(currency_code, units) if code is not None)
    if not _is_money(name, collection) or (stated := _currencies(collection)) is None:
        return frozenset()
    return frozenset(code.lower() for code in stated[1].values())


def stated_as(code: str, collection: Collection) -> tuple[str, list[str]] | None:
    """The property that states currencies, and its values for one; None if it never states it."""
    field, codes = _currencies(collection) or ("", {})
    values = sorted(value for value, one in codes.items() if one.lower() == code)
    return (field, values) if values else None


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
