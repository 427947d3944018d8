"""The documents of a DocSet as a frame, with one column per property."""

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from workbench.contract.documents import DocumentMetadata
from workbench.contract.schema import Schema
from workbench.frames.columns import (
    instants,
    of_type,
    property_columns,
    property_titles,
    table_of,
)
from workbench.frames.frame import Rows

if TYPE_CHECKING:
    import polars as pl


class Documents(Rows[DocumentMetadata]):
    """Columns: doc_id, name, the properties, pages, size (bytes), content_type, created_at (UTC).

    With `confidences`, by document id and property, each property `state` is followed by
    `state_confidence`: 0 to 1, null for values without one.
    """

    def __init__(
        self,
        items: Sequence[DocumentMetadata],
        schema: Schema | None = None,
        confidences: Mapping[str, Mapping[str, float]] | None = None,
    ) -> None:
        self._items = list(items)
        self._schema = schema
        self._confidences = confidences

    def title(self) -> str:
        return f"Documents({len(self):,})"

    def _table(self) -> "pl.DataFrame":
        items = self._items
        names = {
            "doc_id": of_type([item.doc_id for item in items], "string"),
            "name": of_type([item.name for item in items], "string"),
        }
        about_file = {
            "pages": of_type([item.pages for item in items], "int32"),
            "size": of_type([item.size for item in items], "int64"),
            "content_type": of_type([item.content_type for item in items], "string"),
            "created_at": instants([item.created_at for item in items]),
        }
        entities = [(item.properties or {}).get("entity") or {} for item in items]
        fixed = names | about_file
        properties = property_columns(entities, self._schema, fixed)
        if self._confidences is None:
            return table_of(names | properties | about_file)
        values: dict[str, pl.Series] = {}
        for title, name, _ in property_titles(self._schema, _names(entities), fixed):
            values[title] = properties[title]
            sure = f"{title}_confidence"
            if sure not in properties and sure not in fixed:
                known = [self._confidences.get(item.doc_id, {}).get(name) for item in items]
                values[sure] = of_type(known, "float64")
        return table_of(names | values | about_file)


def _names(entities: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    return (name for entity in entities for name in entity)
