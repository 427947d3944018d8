"""From a row of an output back to the documents behind it, and to the places where its values were
read.
"""

import asyncio
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from backend.contract.plan import Plan
from backend.contract.plan_nodes import bare_field
from backend.contract.query import Evidence
from workbench.client import AsyncClient
from workbench.frames.columns import boxes, inferred, of_type, table_of
from workbench.frames.frame import Frame

if TYPE_CHECKING:
    import pyarrow as pa


class Why(Frame):
    """The places behind a row. Columns: doc_id, name, property, value, page, bbox, element_id,
    text.

    `doc_ids` are all documents behind the row, `names` those of the ones looked at. Passages that
    decided a question in words have a text; values of properties have the property's name.
    """

    def __init__(
        self,
        doc_ids: Sequence[str],
        places: Sequence[Mapping[str, Any]],
        names: Mapping[str, str],
    ) -> None:
        self.doc_ids = list(doc_ids)
        self.places = list(places)
        self.names = dict(names)

    def __len__(self) -> int:
        return len(self.places)

    def __repr__(self) -> str:
        return f"Why({len(self.doc_ids):,} documents, {len(self.places):,} places)"

    def _table(self) -> "pa.Table":
        def column(name: str) -> list[Any]:
            return [place.get(name) for place in self.places]

        return table_of(
            {
                "doc_id": of_type(column("doc_id"), "string"),
                "name": of_type([self.names.get(i) for i in column("doc_id")], "string"),
                "property": of_type(column("property"), "string"),
                "value": inferred(column("value")),
                "page": of_type(column("page"), "int32"),
                "bbox": boxes(column("bbox")),
                "element_id": of_type(column("element_id"), "string"),
                "text": of_type(column("text"), "string"),
            }
        )


async def trace_back(
    client: AsyncClient,
    docset_id: str,
    query_id: str,
    plan: Plan,
    node_id: int,
    row: int,
    *,
    citations: Sequence[Evidence] = (),
    documents: int = 20,
) -> Why:
    """What stands behind row `row` of a step. Of its documents the first `documents` are looked at.

    Raises IndexError for a row that there is not.
    """
    window = await client.node_output(query_id, node_id, row, 1)
    if not window["rows"]:
        raise IndexError(f"There is no row {row}.")
    doc_ids = _behind(window["rows"][0])
    cited = [item.model_dump() for item in citations if item.doc_id in doc_ids]
    looked, wanted = doc_ids[:documents], _fields(plan)
    read = await asyncio.gather(*(_places(client, docset_id, i, wanted) for i in looked))
    places = [*cited, *(place for _, found in read for place in found)]
    names = {doc_id: name for doc_id, (name, _) in zip(looked, read, strict=True)}
    return Why(doc_ids, places, names)


async def _places(
    client: AsyncClient, docset_id: str, doc_id: str, wanted: set[str]
) -> tuple[str, list[dict[str, Any]]]:
    """The name of a document, and where its wanted properties were read."""
    evidence, document = await asyncio.gather(
        client.evidence(docset_id, doc_id),
        client.document(docset_id, doc_id, include_elements=False),
    )
    values = document.properties.get("entity") or {}
    return str(document.properties.get("path") or doc_id), [
        {"doc_id": doc_id, "property": name, "value": values.get(name), **place}
        for name, place in evidence.items()
        if name in wanted
    ]


def _behind(row: Mapping[str, Any]) -> list[str]:
    """The documents that a row stands for."""
    if row.get("doc_id") is not None:
        return [str(row["doc_id"])]
    return [str(doc_id) for doc_id in row.get("doc_ids") or []]


def _fields(plan: Plan) -> set[str]:
    """The properties that the steps of the plan look at."""
    used = (node.extras.get("field") for node in plan.nodes.values())
    return {bare_field(field) for field in used if isinstance(field, str)}
