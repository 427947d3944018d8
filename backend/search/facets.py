"""Facets: what values the properties of the found documents hold, and how often."""

from collections.abc import Iterator, Sequence
from typing import Final

from sqlalchemy import ColumnElement, Connection, and_, func, select

from backend.contract.errors import Invalid
from backend.contract.schema import PropertyShape, Schema
from backend.contract.search import Facet, FacetValue
from backend.search.dialects import Scalar, listed, property_counts
from backend.search.docset import DocSet
from backend.search.filters import Path, to_sql
from backend.search.filters.names import ENTITY, schema_paths
from backend.search.filters.parser import parse_path
from backend.search.filters.tree import IsNull
from backend.search.selection import held_names
from backend.store.tables import documents

MOST_VALUES: Final = 1000
"""Values of one facet at most."""


def facets_of(
    connection: Connection,
    docset: DocSet,
    fields: Sequence[str] | None,
    numbers: set[int] | None,
    top: int,
) -> list[Facet]:
    """One facet per field, or per known property without `fields`, over the documents in `numbers`.

    None stands for all documents of the DocSet. A field is spelt as in a filter; Invalid otherwise.
    """
    if not 1 <= top <= MOST_VALUES:
        raise Invalid.at(("query", "top"), f"top goes from 1 to {MOST_VALUES}")
    among: ColumnElement[bool] = documents.c.docset_id == docset.docset_id
    if numbers is not None:
        among = and_(among, listed(connection, documents.c.number, numbers))
    total = connection.scalar(select(func.count()).select_from(documents).where(among)) or 0
    kinds = dict(_kinds(docset.schema))
    chosen = _paths(connection, docset, fields, kinds)
    return [_facet(connection, path, kinds.get(path), among, total, top) for path in chosen]


def _facet(
    connection: Connection,
    path: Path,
    kind: str | None,
    among: ColumnElement[bool],
    total: int,
    top: int,
) -> Facet:
    counts = list(property_counts(connection, path, among))
    counts.sort(key=lambda item: (-item[1], str(item[0])))
    missing = connection.scalar(
        select(func.count()).select_from(documents).where(among, to_sql(IsNull(path), documents))
    )
    lowest, highest = _bounds([value for value, _ in counts])
    return Facet(
        field=path.spelt,
        kind=kind or _kind_of(counts),
        values=[FacetValue(value=value, count=count) for value, count in counts[:top]],
        missing=min(missing or 0, total),
        minimum=lowest,
        maximum=highest,
    )


def _bounds(values: Sequence[Scalar]) -> tuple[Scalar | None, Scalar | None]:
    """The least and greatest number; of texts alone, the first and last by code point (as for
    dates).
    """
    numbers = [value for value in values if type(value) in (int, float)]
    texts = [value for value in values if isinstance(value, str)]
    if numbers:
        return min(numbers), max(numbers)
    return (min(texts), max(texts)) if texts else (None, None)


def _kind_of(counts: Sequence[tuple[Scalar, int]]) -> str:
    """The kind of the commonest value, in the words of the schema."""
    names = {bool: "bool", int: "int", float: "float", str: "string"}
    return names[type(counts[0][0])] if counts else "string"


def _kinds(schema: Schema | None) -> Iterator[tuple[Path, str]]:
    shapes: dict[Path, PropertyShape] = dict(schema_paths(schema))
    for path, shape in shapes.items():
        if shape.kind != "object":
            item = shape.item_type if shape.kind == "array" else None
            yield path, (item or shape).kind


def _paths(
    connection: Connection, docset: DocSet, fields: Sequence[str] | None, kinds: dict[Path, str]
) -> list[Path]:
    held = list(held_names(connection, docset.docset_id))
    if fields is None:
        entities = [path for path in held if path.parts[0] == ENTITY]
        return list(dict.fromkeys([*kinds, *entities]))
    known = {*kinds, *held}
    chosen: list[Path] = []
    for field in fields:
        path = parse_path(field)
        extracted = Path((ENTITY, *path.parts))
        chosen.append(extracted if path not in known and extracted in known else path)
    return chosen
