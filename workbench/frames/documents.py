"""The documents of a DocSet as a frame, with a column for each of their properties."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from backend.contract.documents import DocumentMetadata
from backend.contract.schema import Schema
from workbench.frames.columns import instants, of_type, property_columns, table_of
from workbench.frames.frame import Frame

if TYPE_CHECKING:
    import pyarrow as pa


class Documents(Frame):
    """Columns: doc_id, name, size (bytes), content_type, created_at (UTC), then the properties."""

    def __init__(self, items: Sequence[DocumentMetadata], schema: Schema | None = None) -> None:
        self._items = list(items)
        self._schema = schema

    def __len__(self) -> int:
        return len(self._items)

    def __iter__(self) -> Iterator[DocumentMetadata]:
        return iter(self._items)

    def __getitem__(self, row: int) -> DocumentMetadata:
        return self._items[row]

    def __repr__(self) -> str:
        return f"Documents({len(self):,})"

    def _table(self) -> "pa.Table":
        items = self._items
        columns = {
            "doc_id": of_type([item.doc_id for item in items], "string"),
            "name": of_type([item.name for item in items], "string"),
            "size": of_type([item.size for item in items], "int64"),
            "content_type": of_type([item.content_type for item in items], "string"),
            "created_at": instants([item.created_at for item in items]),
        }
        entities = [(item.properties or {}).get("entity") or {} for item in items]
        return table_of(columns | property_columns(entities, self._schema, columns))
