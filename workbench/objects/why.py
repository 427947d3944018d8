"""Traces a row of an output back to the documents behind it and the sources of its values, or to
the documents that an answer leaves out.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from workbench.client import AsyncClient
from workbench.contract.plan_nodes import bare_field
from workbench.formats import counted
from workbench.frames.columns import boxes, inferred, of_type, table_of
from workbench.frames.frame import Rows
from workbench.sessions.evidence import EvidenceLine, EvidenceTrail

if TYPE_CHECKING:
    import polars as pl

_MOST = 100


class Why(Rows[EvidenceLine]):
    """The values behind a row. Columns: doc_id, name, property, value, unit, state (used, doubtful,
    missing), confidence, page, bbox, element_id, text, corrected (by a person), since (what
    happened to the value after the run, such as `changed since, was 11`).

    `doc_ids` are all documents behind the row, `names` those of the documents read so far, `total`
    their number. `text` quotes the source; passages that decided a question in words have no
    property.
    """

    def __init__(self, doc_ids: Sequence[str], lines: Sequence[EvidenceLine], total: int) -> None:
        self.doc_ids = list(doc_ids)
        self._items = [line for line in lines if line.value is not None]
        self.names = {line.doc_id: line.name for line in lines}
        self.total = total

    @property
    def lines(self) -> Sequence[EvidenceLine]:
        return self._items

    def title(self) -> str:
        return f"Why({counted(self.total, 'document')}, {counted(len(self), 'value')})"

    def _table(self) -> "pl.DataFrame":
        def column(name: str) -> list[Any]:
            return [getattr(line.value, name) for line in self.lines]

        passages = [line.is_passage for line in self.lines]
        properties = [
            None if passage else bare_field(name)
            for name, passage in zip(column("field"), passages, strict=True)
        ]
        return table_of(
            {
                "doc_id": of_type([line.doc_id for line in self.lines], "string"),
                "name": of_type([line.name for line in self.lines], "string"),
                "property": of_type(properties, "string"),
                "value": inferred(column("value")),
                "unit": of_type(column("unit"), "string"),
                "state": of_type(column("state"), "string"),
                "confidence": of_type(column("confidence"), "float64"),
                "page": of_type(column("page"), "int32"),
                "bbox": boxes(column("bbox")),
                "element_id": of_type(column("element_id"), "string"),
                "text": of_type(column("quote"), "string"),
                "corrected": of_type(column("corrected"), "bool"),
                "since": of_type([line.since or None for line in self.lines], "string"),
            }
        )


async def trace_back(client: AsyncClient, trail: EvidenceTrail, documents: int) -> Why:
    """The values behind the row of a trail, from the first `documents` of its documents.

    Raises IndexError for a missing row.
    """
    doc_ids: list[str] = []
    if trail.row is not None:
        window = await client.node_output(trail.query_id, trail.node_id, trail.row, 1)
        if not window["rows"]:
            raise IndexError(f"There is no row {trail.row}.")
        doc_ids = _behind(window["rows"][0])
    while trail.documents < documents and not trail.complete:
        before = trail.documents
        await trail.more(min(_MOST, documents - trail.documents))
        if trail.documents == before:
            break
    return Why(doc_ids or _seen(trail), trail.lines, trail.total)


def _behind(row: Mapping[str, Any]) -> list[str]:
    """The documents that a row represents."""
    if row.get("doc_id") is not None:
        return [str(row["doc_id"])]
    return [str(doc_id) for doc_id in row.get("doc_ids") or []]


def _seen(trail: EvidenceTrail) -> list[str]:
    return list(dict.fromkeys(line.doc_id for line in trail.lines))
