"""A client without a server: two DocSets in memory, and answers that can be made to fail.

It has the methods of `workbench.client.AsyncClient` that the app and the sessions use.
"""

import asyncio
import io
import re
from collections.abc import AsyncIterator, Callable, Sequence
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

from tests.tui.fake_cluster import ALONE
from tests.tui.fake_reviews import FakeReviews
from workbench.client import NotFound, QueryResult, TaskResult
from workbench.contract.cluster import ClusterState
from workbench.contract.coverage import DocumentEvidence, EvidenceWindow, Merge, ValueEvidence
from workbench.contract.docsets import (
    DocSetMetadata,
    DocSetUpdate,
    DocumentGroup,
    Page,
    SuggestedSchema,
)
from workbench.contract.documents import Document, DocumentMetadata, PropertyUpdates
from workbench.contract.plan import AppliedClause, EditReport, NodeEstimate, Plan
from workbench.contract.plan_diff import diff
from workbench.contract.plan_validation import walk
from workbench.contract.query import Event, step_words
from workbench.contract.schema import Schema
from workbench.contract.search import (
    Completion,
    Completions,
    Facet,
    FacetValue,
    HistogramBin,
    SearchRequest,
    SearchResponse,
)
from workbench.contract.tasks import TaskProgress, TaskSummary

NOW = 1_700_000_000.0

SCHEMA = Schema.model_validate(
    {
        "properties": [
            {"name": "state", "field_type": "string", "description": "two-letter code"},
            {"name": "year", "field_type": "int"},
            {"name": "cause", "field_type": "string", "description": "probable cause, short"},
        ]
    }
)

ENTITY = "properties.entity."
ROWS = (1204, 212, 31, 14, 14, 14, 5)
"""What each step of `plan` gives."""
STATES = ("WA", "AK", "FL", "CA", "TX")
CAUSES = ("icing", "fuel exhaustion", "crosswind", "bird strike")


def docset(docset_id: str, name: str, size: int, *, schema: Schema | None = None) -> DocSetMetadata:
    return DocSetMetadata(
        account_id="wb:a-1",
        docset_id=docset_id,
        name=name,
        created_at=datetime(2024, 5, 17, tzinfo=UTC),
        readonly=False,
        size=size,
        schema_=schema,
    )


def document(docset_id: str, number: int) -> DocumentMetadata:
    entity = {
        "state": STATES[number % 5],
        "year": 2020 + number % 4,
        "cause": CAUSES[number % 4],
    }
    return DocumentMetadata(
        account_id="wb:a-1",
        doc_id=f"wb:f-{number}",
        docset_id=docset_id,
        created_at="2024-05-17T09:00:00+00:00",
        name=f"report-{number:04d}.pdf",
        size=20_480 + 1_371 * number,
        content_type="application/pdf",
        properties={"path": f"report-{number:04d}.pdf", "entity": entity},
    )


def plan(question: str, *, group: str = "city", limit: int | None = None) -> Plan:
    nodes: list[dict[str, Any]] = [
        {"node_type": "QueryDatabase", "description": "all incidents"},
        {
            "node_type": "BasicFilter",
            "field": "properties.entity.year",
            "query": 2023,
            "match": "exact",
        },
        {"node_type": "LlmFilter", "question": "mentions icing"},
        {"node_type": "GroupBy", "field": f"properties.entity.{group}"},
        {"node_type": "AggregateCount"},
        {"node_type": "Sort", "field": "properties.count", "descending": True},
    ]
    if limit is not None:
        nodes.append({"node_type": "Limit", "num_records": limit})
    wired = {
        str(i): {"node_id": i, "inputs": [i - 1] if i else [], **node}
        for i, node in enumerate(nodes)
    }
    return Plan.model_validate({"query": question, "nodes": wired, "result_node": len(nodes) - 1})


@cache
def pdf(pages: int = 1) -> bytes:
    """Pages with a heading and two paragraphs, so that pictures have something to show."""
    from reportlab.pdfgen.canvas import Canvas

    out = io.BytesIO()
    canvas = Canvas(out, pagesize=(595, 842), invariant=1)
    for _ in range(pages):
        canvas.setFont("Helvetica-Bold", 22)
        canvas.drawString(60, 770, "Incident report")
        canvas.setFont("Helvetica", 11)
        for row in range(18):
            text = "Ice was seen on the wing during the approach. " * 2
            canvas.drawString(60, 720 - 16 * row, text)
        canvas.setFillGray(0.6)
        canvas.rect(60, 120, 300, 200, fill=1)
        canvas.showPage()
    canvas.save()
    return out.getvalue()


ELEMENTS: list[dict[str, Any]] = [
    {
        "id": "e0",
        "type": "Title",
        "text_representation": "Incident report",
        "embedding": None,
        "properties": {"page_number": 1, "score": 0.98},
        "bbox": [0.1, 0.06, 0.45, 0.1],
    },
    {
        "id": "e1",
        "type": "Text",
        "text_representation": "Ice was seen on the wing during the approach.",
        "embedding": None,
        "properties": {"page_number": 1, "score": 0.93},
        "bbox": [0.1, 0.13, 0.92, 0.48],
    },
    {
        "id": "e2",
        "type": "Image",
        "text_representation": None,
        "embedding": None,
        "properties": {"page_number": 1, "score": 0.88},
        "bbox": [0.1, 0.62, 0.6, 0.86],
    },
]


TABLE: dict[str, Any] = {
    "type": "table",
    "bbox": [0.1, 0.5, 0.9, 0.6],
    "properties": {"page_number": 1},
    "table": {
        "num_rows": 3,
        "num_cols": 2,
        "cells": [
            {"content": text, "rows": [row], "cols": [column], "is_header": row == 0}
            for row, texts in enumerate((("What", "How much"), ("Ice", "3 mm"), ("Wind", "20 kt")))
            for column, text in enumerate(texts)
        ],
    },
}
ELEMENTS.append(
    {
        "id": "e3",
        "type": "table",
        "text_representation": "What | How much\nIce | 3 mm\nWind | 20 kt",
        "embedding": None,
        "properties": {"page_number": 1, "score": 0.97},
        "bbox": TABLE["bbox"],
    }
)


class FakeClient(FakeReviews):
    """`fail[name]` makes the method of that name raise; `calls` records what was asked."""

    base_url = "http://127.0.0.1:8000"

    def __init__(self, *, empty: bool = False) -> None:
        super().__init__()
        self.all: dict[str, DocSetMetadata] = {}
        self.files: dict[str, list[DocumentMetadata]] = {}
        if not empty:
            for made, size in (
                (docset("wb:ds-1", "incidents", 124, schema=SCHEMA), 124),
                (docset("wb:ds-2", "invoices 2024", 0), 0),
            ):
                self.all[made.docset_id] = made
                self.files[made.docset_id] = [document(made.docset_id, n) for n in range(size)]
        self.fail: dict[str, Exception] = {}
        self.pages = 1
        """How many pages the original of every document has."""
        self.calls: list[tuple[str, Any]] = []
        self.groups: list[DocumentGroup] = []
        self.progress: list[TaskProgress] = []
        self.places = ALONE
        self.results: dict[str, TaskResult] = {}
        self.sent: list[Any] = []
        self.views: dict[str, list[dict[str, Any]]] = {}
        self.states: Sequence[str] = STATES
        self.most_values = 1000
        """How many values of a property the facets list, whatever is asked for."""
        self.merges: list[Merge] = []
        self.gate = asyncio.Event()
        """A run goes on from step to step while this is set."""
        self.gate.set()

    def _note(self, name: str, *details: Any) -> None:
        self.calls.append((name, details))
        if name in self.fail:
            raise self.fail[name]

    async def aclose(self) -> None:
        self.calls.append(("aclose", ()))

    # -- DocSets --------------------------------------------------------------------------------

    async def docsets(self, **_: Any) -> AsyncIterator[DocSetMetadata]:
        self._note("docsets")
        for item in self.all.values():
            yield item.model_copy(update={"size": len(self.files[item.docset_id])})

    async def docset(self, docset_id: str) -> DocSetMetadata:
        self._note("docset", docset_id)
        return self.all[docset_id].model_copy(update={"size": len(self.files[docset_id])})

    async def create_docset(self, name: str, **_: Any) -> DocSetMetadata:
        self._note("create_docset", name)
        made = docset(f"wb:ds-{len(self.all) + 1}", name, 0)
        self.all[made.docset_id] = made
        self.files[made.docset_id] = []
        return made

    async def update_docset(self, docset_id: str, update: DocSetUpdate) -> DocSetMetadata:
        self._note("update_docset", docset_id, update)
        changes = {name: value for name, value in dict(update).items() if value is not None}
        self.all[docset_id] = self.all[docset_id].model_copy(update=changes)
        return self.all[docset_id]

    async def set_readonly(self, docset_id: str, readonly: bool) -> DocSetMetadata:
        self._note("set_readonly", docset_id, readonly)
        self.all[docset_id] = self.all[docset_id].model_copy(update={"readonly": readonly})
        return self.all[docset_id]

    async def clone_docset(self, docset_id: str) -> DocSetMetadata:
        self._note("clone_docset", docset_id)
        made = await self.create_docset(self.all[docset_id].name + " (copy)")
        self.files[made.docset_id] = list(self.files[docset_id])
        return made

    async def delete_docset(self, docset_id: str) -> DocSetMetadata:
        self._note("delete_docset", docset_id)
        return self.all.pop(docset_id)

    async def suggest_properties(self, docset_id: str, **_: Any) -> SuggestedSchema:
        self._note("suggest_properties", docset_id)
        return SuggestedSchema(properties=SCHEMA.properties, groups=self.groups)

    async def submit_extract_properties(self, docset_id: str, schema: Schema) -> str:
        self._note("submit_extract_properties", docset_id, schema)
        return "wb:t-job"

    # -- documents ------------------------------------------------------------------------------

    async def documents(self, docset_id: str, **_: Any) -> AsyncIterator[DocumentMetadata]:
        self._note("documents", docset_id)
        for item in self.files[docset_id]:
            yield item

    async def documents_page(
        self,
        docset_id: str,
        page_size: int = 100,
        page_token: str | None = None,
        *,
        among: Sequence[str] | None = None,
    ) -> Page[DocumentMetadata]:
        self._note("documents_page", docset_id, page_token, among)
        start = int(page_token or 0)
        files = [f for f in self.files[docset_id] if among is None or f.doc_id in among]
        end = start + page_size
        token = str(end) if end < len(files) else None
        return Page[DocumentMetadata](items=files[start:end], next_page_token=token)

    async def document(self, docset_id: str, doc_id: str, **_: Any) -> Document:
        self._note("document", doc_id)
        result = next((f for f in self.files[docset_id] if f.doc_id == doc_id), None)
        if result is None:
            raise NotFound(404, "There is no such document.")
        properties = {**(result.properties or {}), "_original_elements": [TABLE]}
        return Document.model_validate(
            {
                "id": doc_id,
                "elements": ELEMENTS,
                "properties": properties,
                "remarks": result.remarks,
            }
        )

    async def binary(self, docset_id: str, doc_id: str) -> bytes:
        self._note("binary", doc_id)
        return pdf(self.pages)

    async def delete_document(self, docset_id: str, doc_id: str) -> DocumentMetadata:
        self._note("delete_document", doc_id)
        document_metadata = next(f for f in self.files[docset_id] if f.doc_id == doc_id)
        self.files[docset_id].remove(document_metadata)
        return document_metadata

    async def submit_document(
        self,
        docset_id: str,
        source: Any,
        *,
        name: str | None = None,
        options: Any = None,
        on_sent: Callable[[int, int], None] | None = None,
    ) -> str:
        self._note("submit_document", source)
        size = source.stat().st_size if isinstance(source, Path) else 0
        if on_sent is not None:
            on_sent(size, size)
        self.sent.append(source)
        task_id = f"wb:t-{len(self.sent)}"
        self.results[task_id] = TaskResult(False, 200, {"doc_id": f"wb:f-new{len(self.sent)}"})
        return task_id

    # -- tasks ----------------------------------------------------------------------------------

    async def task_events(
        self, after: int | None = None, *, reconnects: int = 0
    ) -> AsyncIterator[TaskProgress]:
        self._note("task_events", after)
        shown = 0
        while True:
            while shown < len(self.progress):
                shown += 1
                yield self.progress[shown - 1]
            await asyncio.sleep(0.02)

    async def tasks(self, *_: Any) -> dict[str, TaskSummary]:
        self._note("tasks")
        return {
            p.task_id: TaskSummary(action=p.action, task_status=p.status) for p in self.progress
        }

    async def result(self, task_id: str) -> TaskResult:
        self._note("result", task_id)
        if task_id not in self.results:
            raise NotFound(404, "No such task.")
        return self.results[task_id]

    async def cancel(self, task_id: str) -> None:
        self._note("cancel", task_id)

    # -- search ---------------------------------------------------------------------------------

    async def search(
        self,
        docset_id: str,
        request: SearchRequest,
        *,
        page_size: int = 100,
        page_token: str | None = None,
    ) -> SearchResponse:
        self._note("search", request)
        start = int(page_token or 0)
        test = re.fullmatch(r"\(?([\w.]+) = \"?([^\")]+)\"?\)?", request.properties_filter or "")
        if request.include_fields == ["$.doc_id"] and test is not None:
            return self._fitting(docset_id, test[1].removeprefix(ENTITY), test[2])
        return SearchResponse(
            results=[hit(n, request.return_type) for n in range(start, min(start + page_size, 24))]
        )

    def _fitting(self, docset_id: str, name: str, value: str) -> SearchResponse:
        entities = {f.doc_id: (f.properties or {})["entity"] for f in self.files[docset_id]}
        ids = [doc_id for doc_id, known in entities.items() if str(known[name]) == value]
        return SearchResponse(results=[{"doc_id": doc_id} for doc_id in ids])

    async def cluster(self) -> ClusterState:
        return self.places

    async def health(self) -> dict[str, Any]:
        return {"status": "ok", "version": "0.1.0", "pid": 4711}

    async def capabilities(self) -> dict[str, Any]:
        return {"embedding": "static", "limits": {"workers": 2}}

    async def facets(
        self,
        docset_id: str,
        fields: list[str] | None = None,
        *,
        search: SearchRequest | None = None,
        top: int = 20,
    ) -> list[Facet]:
        self._note("facets", fields, search)
        states = [FacetValue(value=s, count=max(3, 24 - 4 * i)) for i, s in enumerate(self.states)]
        years = [FacetValue(value=2020 + i, count=[4, 9, 31, 18][i]) for i in range(4)]
        hours = [3, 14, 22, 17, 9, 6, 2, 0, 1]
        results = [
            Facet(
                field=f"{ENTITY}state",
                kind="string",
                values=states[: min(top, self.most_values)],
                missing=3,
                distinct=len(states),
            ),
            Facet(field=f"{ENTITY}year", kind="int", values=years, missing=0, distinct=4),
            Facet(
                field=f"{ENTITY}hours",
                kind="float",
                values=[FacetValue(value=12.5, count=2)],
                missing=0,
                other=72,
                distinct=61,
                unit="number",
                histogram=[
                    HistogramBin(start=1000 * n, end=1000 * (n + 1), count=c)
                    for n, c in enumerate(hours)
                ],
            ),
        ]
        return [facet for facet in results if fields is None or facet.field in fields]

    async def complete(
        self, docset_id: str, filter_text: str, cursor: int | None = None, *, limit: int = 20
    ) -> Completions:
        self._note("complete", filter_text, cursor)
        head = filter_text[:cursor]
        start = head.rfind(" ") + 1
        if head.endswith("!"):
            problem = "expected a comparison, found '!'"
            return Completions(start=start, end=start, items=[], problem=problem)
        if value := re.fullmatch(r'\S*state = "(.*)', head):
            results = [s for s in self.states if s.lower().startswith(value[1].lower())]
            completions = [
                Completion(text=f'"{s}"', kind="value", count=3) for s in results[:limit]
            ]
            return Completions(start=start, end=len(filter_text), items=completions)
        items = [
            Completion(text=name, kind="property", detail=kind, count=number)
            for name, kind, number in (("state", "string", 121), ("year", "int", 124))
            if name.startswith(head[start:])
        ]
        return Completions(start=start, end=len(filter_text), items=items)

    # -- plans ----------------------------------------------------------------------------------

    async def generate_plan(self, docset_id: str, question: str) -> Plan:
        self._note("generate_plan", question)
        return plan(question)

    async def edit_plan(
        self, docset_id: str, before: Plan, feedback: str, question: str | None = None
    ) -> Plan:
        self._note("edit_plan", feedback)
        after = plan(before.query, group="state", limit=5)
        report = EditReport(
            applied=[AppliedClause(clause=feedback, op="set_group", node=3)],
            warnings=['"most" was read as: count, largest first'],
            diff=diff(before, after),
        )
        return after.model_copy(update={"edit": report})

    async def stream_plan(
        self,
        docset_id: str,
        wanted: Plan,
        *,
        until_node: int | None = None,
        summarize: bool = False,
    ) -> AsyncIterator[Event]:
        self._note("stream_plan", until_node)
        yield Event("plan", {**wanted.model_dump(mode="json"), "query_id": "wb:q-1"})
        for node_id in walk(wanted):
            node = wanted.node(node_id)
            yield Event("status", step_words(node.node_type, node_id, ROWS[node_id], "docs"))
            await self.gate.wait()
        for state, number in (("WA", 14), ("AK", 9), ("FL", 5)):
            yield Event("result_doc", {"properties": {"key": state, "count": number}})
        if summarize:
            yield Event("result_summary", "Most were in WA.")
        yield Event("complete", "3 results")

    async def run_plan(self, docset_id: str, wanted: Plan) -> QueryResult:
        """Only views of documents are run without a stream."""
        self._note("run_plan", wanted)
        rows = self.views["wb:q-view"] = self._seen(docset_id, wanted)
        return QueryResult(query_id="wb:q-view", plan=wanted, result=len(rows))

    def _seen(self, docset_id: str, wanted: Plan) -> list[dict[str, Any]]:
        """The rows of a view: narrowed by `NAME >= NUMBER` or a part of the name, and sorted."""
        rows = [
            {
                "doc_id": item.doc_id,
                "properties.path": item.name,
                **{ENTITY + k: v for k, v in (item.properties or {})["entity"].items()},
            }
            for item in self.files[docset_id]
        ]
        for node in wanted.nodes.values():
            if limit := re.fullmatch(r"(\w+) >= (\d+)", node.extras.get("properties_filter") or ""):
                rows = [row for row in rows if row[ENTITY + limit[1]] >= int(limit[2])]
            if node.node_type == "BasicFilter":
                rows = [row for row in rows if node.extras["query"] in row["properties.path"]]
            if node.node_type == "Sort":
                name, down = node.extras["field"], node.extras["descending"]
                rows.sort(key=lambda row: row[name], reverse=down)
        return rows

    async def patch_properties(
        self, docset_id: str, doc_id: str, updates: PropertyUpdates
    ) -> Document:
        self._note("patch_properties", doc_id, updates.operations)
        return await self.document(docset_id, doc_id)

    async def evidence(self, docset_id: str, doc_id: str) -> dict[str, dict[str, Any]]:
        self._note("evidence", doc_id)
        patches = [details for name, details in self.calls if name == "patch_properties"]
        changed = [
            change.path for where, changes in patches if where == doc_id for change in changes
        ]
        return {path.rpartition("/")[2]: {"corrected": True} for path in changed}

    async def stream_answer(
        self, docset_id: str, question: str, *, among: Sequence[str] | None = None
    ) -> AsyncIterator[Event]:
        self._note("stream_answer", question, among)
        place = {
            "doc_id": "wb:f-2" if among is None else among[0],
            "element_id": "e1",
            "page": 1,
            "bbox": [0, 0, 1, 1],
        }
        yield Event("rag_source", {**place, "text": "Ice was seen on the wing."})
        yield Event("rag_answer", "Ice on the wing. [1]")
        yield Event("complete", "1 result")

    async def estimate_plan(self, docset_id: str, wanted: Plan) -> list[NodeEstimate]:
        self._note("estimate_plan")
        return [
            NodeEstimate(node_id=i, rows=ROWS[i], exact=i < 2, texts_read=212 * (i == 2), ms=1.0)
            for i in walk(wanted)
        ]

    async def run_trace(self, query_id: str) -> dict[str, Any]:
        self._note("run_trace", query_id)
        return {
            "query_id": query_id,
            "status": "done",
            "nodes": [
                {
                    "node_id": i,
                    "node_type": "x",
                    "rows_in": ROWS[max(0, i - 1)],
                    "rows_out": ROWS[i],
                    "ms": (12.0, 1.2, 640.0, 1.0, 0.4, 0.3, 0.1)[i],
                    "approximate": i == 2,
                    "dropped": {"below the threshold 0.45": 181} if i == 2 else {},
                    "samples": [],
                    "warnings": [],
                }
                for i in range(7)
            ],
        }

    async def run_evidence(self, query_id: str, node_id: int, **how: Any) -> EvidenceWindow:
        self._note("run_evidence", node_id, how)
        value = ValueEvidence(
            field=f"{ENTITY}state",
            value="AK",
            state="used",
            confidence=0.97,
            page=1,
            bbox=[0.1, 0.13, 0.5, 0.2],
            element_id="e1",
            quote="Nome, AK",
        )
        document = DocumentEvidence(doc_id="wb:f-1", name="report-0001.pdf", values=[value])
        return EvidenceWindow(documents=[document], total=1)

    async def merged_values(self, docset_id: str) -> list[Merge]:
        return list(self.merges)

    async def merge_values(self, docset_id: str, merge: Merge) -> list[Merge]:
        self._note("merge_values", merge)
        self.merges.append(merge)
        return list(self.merges)

    async def undo_merge(self, docset_id: str, number: int) -> list[Merge]:
        self._note("undo_merge", number)
        del self.merges[number]
        return list(self.merges)

    async def node_output(
        self, query_id: str, node_id: int, offset: int = 0, limit: int = 200
    ) -> dict[str, Any]:
        self._note("node_output", node_id, offset)
        if (view := self.views.get(query_id)) is not None:
            return {"columns": [], "rows": view[offset : offset + limit], "total": len(view)}
        rows = [
            {
                "doc_id": f"wb:f-{n}",
                "state": STATES[n % 5],
                "city": ("Yakima", "Nome", "Ocala")[n % 3],
                "score": round(0.93 - n * 0.013, 3),
                "page": 1,
                "evidence": "ice accretion on the leading edge of the wing",
            }
            for n in range(offset, min(31, offset + limit))
        ]
        columns = ["score", "doc_id", "state", "city", "evidence"]
        return {"columns": columns, "rows": rows, "total": 31}


def hit(number: int, return_type: str) -> dict[str, Any]:
    texts = (
        "The pilot reported ice on the wing during the approach and asked for a lower altitude.",
        "Probable cause: the pilot's failure to maintain airspeed while the wing carried ice.",
        "Carburetor icing led to a partial loss of power shortly after take-off.",
    )
    text = texts[number % 3]
    positions = [match.span() for match in re.finditer(r"\b(?:ice|icing|wing|approach)\b", text)]
    shown = document("wb:ds-1", number)
    common = {
        "doc_id": shown.doc_id,
        "text_representation": text,
        "name": shown.name,
        "_search": {
            "rank": number + 1,
            "score": round(0.0328 - number * 0.0004, 4),
            "lists": {
                name: {"rank": rank, "score": score, "weight": 1.0, "share": 1 / (60 + rank)}
                for name, rank, score in (
                    ("lexical", number + 1, 8.4 - number * 0.2),
                    ("vector", (number * 7) % 24 + 1, 0.71 - number * 0.01),
                )
            },
            "fusion": {"method": "reciprocal rank", "k": 60},
            "element_id": "e1",
            "page_number": 1,
            "snippet": text,
            "snippet_start": 0,
            "terms": list(dict.fromkeys(text[start:end] for start, end in positions)),
            "positions": positions,
        },
    }
    if return_type == "doc":
        return {**common, "properties": shown.properties}
    element = ELEMENTS[number % 3 if number % 3 != 2 else 1]
    return {
        **common,
        "id": f"{element['id']}-{number}",
        "type": element["type"],
        "bbox": element["bbox"],
        "properties": {**(shown.properties or {}), "page_number": 1, "score": 0.9},
    }


def task(number: int, status: str = "running", **fields: Any) -> TaskProgress:
    values: dict[str, Any] = {
        "task_id": f"wb:t-{number}",
        "action": "/v1/storage/docsets/wb:ds-1/docs",
        "status": status,
        "submitted": NOW - 60 * number,
        "started": NOW - 50 * number,
        "name": f"report-{number:04d}.pdf",
        "docset_id": "wb:ds-1",
        "docset_name": "incidents",
        "sequence": number,
    }
    return TaskProgress(**{**values, **fields})
