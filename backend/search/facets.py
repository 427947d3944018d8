"""Facets: which values the properties of the matching documents have, and how often."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

import numpy as np

from backend.search import histograms
from backend.search.filters import Path
from backend.search.filters.names import ENTITY, hint, resolved, schema_paths
from backend.search.filters.parser import parse_path
from backend.search.properties.columns import OTHER, ColumnView, Counts, Mask
from backend.search.properties.table import TableView
from backend.search.properties.values import Scalar
from backend.search.ranking import Numbers
from workbench.contract.errors import Invalid
from workbench.contract.plan_nodes import ENTITY as PREFIX
from workbench.contract.plan_nodes import bare_field
from workbench.contract.plan_values import as_bool, as_date, as_number
from workbench.contract.schema import PropertyShape, Schema
from workbench.contract.search import Facet, FacetRequest, FacetValue, HistogramBin

_DATED: Final = ("date", "datetime")
_NUMBERS: Final = ("int", "float")
_READ: Final[Mapping[str, Callable[[Any], Any]]] = {
    "int": as_number, "float": as_number, "bool": as_bool, "date": as_date, "datetime": as_date,
}  # fmt: skip


def facets_of(
    table: TableView, schema: Schema | None, request: FacetRequest, numbers: Numbers | None
) -> list[Facet]:
    """One facet per field over the documents in `numbers`; None means the whole DocSet.

    Without `fields` there is one per extracted property. Invalid for an unknown field.
    """
    chosen = table.chosen(numbers)
    kinds = property_kinds(table, schema)
    if request.fields is None:
        paths = [path for path in kinds if path.parts[0] == ENTITY]
    else:
        paths = [_known(field, place, kinds) for place, field in enumerate(request.fields)]
    shapes = dict(schema_paths(schema))
    return [_facet(table, path, kinds[path], shapes.get(path), chosen, request) for path in paths]


def property_kinds(table: TableView, schema: Schema | None) -> dict[Path, str]:
    """The kind of every property or list item with values, in the order of the schema."""
    kinds = dict(_promised(schema))
    for parts, column in table.columns.items():
        path = Path(parts)
        if path not in kinds and (kind := table.cache.get(path) or _kind_of(column, table.alive)):
            kinds[path] = table.cache[path] = kind
    return kinds


def counts_of(
    column: ColumnView, kind: str, chosen: Mask, usable: Mask | None = None
) -> tuple[Counts, int]:
    """How many of the chosen documents have each value, and how many have any.

    Times compare as moments, so a moment has one value, however it is written: the longest, since a
    day alone would mean any time of it in a filter. In lists they compare as texts.
    """
    counts, holders = column.counts(chosen, usable)
    if kind != "datetime" or column.has_lists:
        return counts, holders
    places = np.flatnonzero((counts > 0) & ~np.isnat(column.moments))
    lengths = column.texts.gather(places).str.len_chars().to_numpy()
    moments = column.moments[places]
    order = np.lexsort((places, -lengths.astype(np.int64), moments))
    _, firsts, whole = np.unique(moments[order], return_index=True, return_inverse=True)
    together = counts.copy()
    together[places] = 0
    np.add.at(together, places[order][firsts][whole], counts[places[order]])
    return together, holders


def commonest(column: ColumnView, counts: Counts, top: int) -> list[int]:
    """Places of the `top` values with the highest counts above 0; ties in order of value."""
    places = np.flatnonzero(counts)
    if 0 < top < len(places):
        least = np.partition(counts[places], -top)[-top]
        sure, tied = places[counts[places] > least], places[counts[places] == least]
        first = np.argpartition(column.ranks[tied], top - len(sure) - 1)[: top - len(sure)]
        places = np.concatenate([sure, tied[first]])
    order = np.lexsort((column.ranks[places], -counts[places]))
    best: list[int] = places[order][:top].tolist()
    return best


def _usable(column: ColumnView, shape: PropertyShape | None) -> Mask | None:
    """Which values are of the declared type, as plans read it; None if all are.

    Others are left from an earlier type, and are unknown here as in plans.
    """
    read = None if shape is None else _READ.get(shape.kind)
    if read is None:
        return None
    usable = column.values.readable(column.count, read)
    return None if usable.all() and not (column.facts == OTHER).any() else usable


def _facet(
    table: TableView,
    path: Path,
    kind: str,
    shape: PropertyShape | None,
    chosen: Mask,
    request: FacetRequest,
) -> Facet:
    total = int(np.count_nonzero(chosen))
    column = table.columns.get(path.parts)
    if column is None:
        return Facet(field=path.spelt, kind=kind, values=[], missing=total)
    counts, holders = counts_of(column, kind, chosen, _usable(column, shape))
    listed = commonest(column, counts, request.top)
    values = [FacetValue(value=column.value(place), count=int(counts[place])) for place in listed]
    lowest, highest = _bounds(column, counts)
    unit, bins = _histogram(column, counts, kind, request.bins)
    return Facet(
        field=path.spelt,
        kind=kind,
        values=values,
        missing=total - holders,
        other=int(counts.sum()) - sum(value.count for value in values),
        distinct=int(np.count_nonzero(counts)),
        minimum=lowest,
        maximum=highest,
        unit=unit,
        histogram=bins,
    )


def _histogram(
    column: ColumnView, counts: Counts, kind: str, bins: int
) -> tuple[str | None, list[HistogramBin]]:
    if kind in _NUMBERS:
        places = np.flatnonzero((counts > 0) & np.isfinite(column.numbers))
        if len(places):
            return "number", histograms.of_numbers(column.numbers[places], counts[places], bins)
    elif kind in _DATED or (kind == "string" and column.is_dated):
        places = np.flatnonzero((counts > 0) & ~np.isnat(column.days))
        if len(places):
            return histograms.of_days(column.days[places], counts[places], bins)
    return None, []


def _bounds(column: ColumnView, counts: Counts) -> tuple[Scalar | None, Scalar | None]:
    """The lowest and highest number; for text alone, the first and last by code point."""
    numbers = np.flatnonzero((counts > 0) & ~np.isnan(column.numbers))
    if len(numbers):
        within = column.numbers[numbers]
        least, greatest = numbers[within.argmin()], numbers[within.argmax()]
        return column.value(least), column.value(greatest)
    if column.is_dated:
        dated = np.flatnonzero((counts > 0) & ~np.isnat(column.moments))
        if len(dated):
            moments = column.moments[dated]
            return column.value(dated[moments.argmin()]), column.value(dated[moments.argmax()])
    texts: Any = column.texts.filter(counts > 0)
    return texts.min(), texts.max()


def _kind_of(column: ColumnView, alive: Mask) -> str | None:
    """The kind of most values, named as in a schema; None without values."""
    if not alive[column.rows[column.facts != OTHER]].any():
        return None
    numbers, booleans = ~np.isnan(column.numbers), column.booleans >= 0
    kinds = {"number": numbers, "bool": booleans, "string": ~(numbers | booleans)}
    kind = next((name for name, places in kinds.items() if places.all()), None)
    if kind is None:
        counts, _ = column.counts(alive)
        kind = max(kinds, key=lambda name: int(counts[kinds[name]].sum()))
    if kind == "number":
        return "float" if column.values.fractional(column.count).any() else "int"
    return "date" if kind == "string" and column.is_dated else kind


def _promised(schema: Schema | None) -> Iterator[tuple[Path, str]]:
    shapes: dict[Path, PropertyShape] = dict(schema_paths(schema))
    for path, shape in shapes.items():
        if shape.kind != "object":
            item = shape.item_type if shape.kind == "array" else None
            yield path, (item or shape).kind


def _known(field: str, place: int, kinds: dict[Path, str]) -> Path:
    """The property of exactly that name, which may have blanks and signs, or at that path."""
    full = field.startswith("properties.") and not field.startswith(PREFIX)
    name = Path((bare_field(field),), whole=full)
    path = parse_path(field) or name
    known = resolved(name, kinds.__contains__) or resolved(path, kinds.__contains__)
    if known is None:
        msg = f"{field[:80]!r} is not a known property{hint(path, kinds)}"
        raise Invalid.at(("body", "fields", place), msg)
    return known
