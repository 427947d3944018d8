"""A run of a plan: its result, what each step gave, and what stands behind a row."""

import asyncio
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from backend.contract.plan import Plan
from backend.contract.plan_nodes import bare_field
from backend.contract.query import QueryResult
from backend.contract.schema import Schema
from workbench.client import AsyncClient
from workbench.frames.columns import boxes, inferred, of_type, property_columns, table_of
from workbench.frames.frame import Frame
from workbench.frames.html import facts
from workbench.frames.runs import NodeOutput, Trace, counted
from workbench.objects.engine import Engine

if TYPE_CHECKING:
    import pyarrow as pa

_WINDOW = 1000


class Run(Frame):
    """A finished run. As a frame it is the result: documents, rows, or one row with a value.

    `run[node_id]` is the output of a step, `run.trace` what all of them did, `run.why(row)` the
    documents and places behind a row.
    """

    def __init__(
        self,
        engine: Engine,
        docset_id: str,
        answer: QueryResult,
        trace: Mapping[str, Any],
        schema: Schema | None = None,
    ) -> None:
        self._engine = engine
        self._docset_id = docset_id
        self._schema = schema
        self.answer = answer
        self.trace = Trace(trace.get("nodes") or [])

    @property
    def query_id(self) -> str:
        return self.answer.query_id

    @property
    def result(self) -> Any:
        """A list of documents or rows, a number, or a text."""
        return self.answer.result

    @property
    def plan(self) -> Plan | None:
        """The plan as it was run."""
        return self.answer.plan

    @property
    def outcome(self) -> dict[str, Any]:
        """The answer in a few words: `kind`, and `value` or the `total` of rows."""
        if isinstance(self.result, list):
            return {"kind": "rows", "total": len(self.result)}
        kind = "text" if isinstance(self.result, str) else "number"
        return {"kind": kind, "value": self.result}

    def __len__(self) -> int:
        return len(self.result) if isinstance(self.result, list) else 1

    def __getitem__(self, node_id: int) -> NodeOutput:
        """Everything that a step gave; NotFound when it was no part of the run."""
        return self._engine.run(lambda client: _output(client, self.query_id, node_id, None))

    def why(self, row: int = 0, *, documents: int = 20) -> "Why":
        """Where the values behind a row of the result stand, in its first `documents`."""
        return self._engine.run(lambda client: self._why(client, row, documents))

    def __repr__(self) -> str:
        result = self.result
        words = counted(len(result)) if isinstance(result, list) else " ".join(str(result).split())
        approximate = " ≈" if any(node.get("approximate") for node in self.trace.nodes) else ""
        return f"Run({words[:80]}{approximate})"

    def _repr_html_(self) -> str:
        if isinstance(self.result, list):
            return super()._repr_html_()
        pairs = [("result", self.result), *(("note", note) for note in self.answer.warnings)]
        return facts(repr(self), pairs)

    def _table(self) -> "pa.Table":
        if not isinstance(self.result, list):
            return table_of({"result": inferred([self.result])})
        rows: list[Mapping[str, Any]] = self.result
        properties = [dict(row.get("properties") or {}) for row in rows]
        entities = [bag.pop("entity", None) or {} for bag in properties]
        columns = {name: inferred([row.get(name) for row in rows]) for name in _present(rows)}
        columns |= {
            name: inferred([bag.get(name) for bag in properties])
            for name in dict.fromkeys(name for bag in properties for name in bag)
        }
        return table_of(columns | property_columns(entities, self._shapes(entities), columns))

    def _shapes(self, entities: Sequence[Mapping[str, Any]]) -> Schema | None:
        """The schema's types of the properties that the result has; rows of groups have none."""
        if self._schema is None:
            return None
        found = {name for entity in entities for name in entity}
        return Schema(properties=[prop for prop in self._schema.properties if prop.name in found])

    async def _why(self, client: AsyncClient, row: int, documents: int) -> "Why":
        plan = self.plan
        if plan is None:
            raise LookupError("The server did not say which plan it ran, so nothing can be traced.")
        window = await _output(client, self.query_id, plan.result_node, row)
        if not window.rows:
            raise IndexError(f"The result has no row {row}.")
        doc_ids = _behind(window.rows[0])
        cited = [item.model_dump() for item in self.answer.citations if item.doc_id in doc_ids]
        read = await asyncio.gather(
            *(self._places(client, doc_id, _fields(plan)) for doc_id in doc_ids[:documents])
        )
        return Why(doc_ids, [*cited, *(place for places in read for place in places)])

    async def _places(
        self, client: AsyncClient, doc_id: str, wanted: set[str]
    ) -> list[dict[str, Any]]:
        """Where the wanted properties of a document were read."""
        evidence, document = await asyncio.gather(
            client.evidence(self._docset_id, doc_id),
            client.document(self._docset_id, doc_id, include_elements=False),
        )
        values = document.properties.get("entity") or {}
        return [
            {"doc_id": doc_id, "property": name, "value": values.get(name), **place}
            for name, place in evidence.items()
            if name in wanted
        ]


class Why(Frame):
    """The places behind a row. Columns: doc_id, property, value, page, bbox, element_id, text.

    `doc_ids` are all documents behind the row. Passages that decided a question in words have a
    text; values of properties have the property's name.
    """

    def __init__(self, doc_ids: Sequence[str], places: Sequence[Mapping[str, Any]]) -> None:
        self.doc_ids = list(doc_ids)
        self.places = list(places)

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
                "property": of_type(column("property"), "string"),
                "value": inferred(column("value")),
                "page": of_type(column("page"), "int32"),
                "bbox": boxes(column("bbox")),
                "element_id": of_type(column("element_id"), "string"),
                "text": of_type(column("text"), "string"),
            }
        )


async def _output(client: AsyncClient, query_id: str, node_id: int, row: int | None) -> NodeOutput:
    """All rows of a step, window by window, or only one of them."""
    offset, limit = (0, _WINDOW) if row is None else (row, 1)
    window = await client.node_output(query_id, node_id, offset, limit)
    rows = list(window["rows"])
    while row is None and window["rows"] and len(rows) < window["total"]:
        window = await client.node_output(query_id, node_id, len(rows), _WINDOW)
        rows += window["rows"]
    return NodeOutput(window["columns"], rows, f"step {node_id}")


def _behind(row: Mapping[str, Any]) -> list[str]:
    """The documents that a row stands for."""
    if row.get("doc_id") is not None:
        return [str(row["doc_id"])]
    return [str(doc_id) for doc_id in row.get("doc_ids") or []]


def _fields(plan: Plan) -> set[str]:
    """The properties that the steps of the plan look at."""
    used = (node.extras.get("field") for node in plan.nodes.values())
    return {bare_field(field) for field in used if isinstance(field, str)}


def _present(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """The keys of documents that are columns: all but the nested ones."""
    names = dict.fromkeys(name for row in rows for name in row)
    return [name for name in names if name not in ("properties", "evidence", "elements")]
