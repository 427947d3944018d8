"""A client whose server counted invoices of which most have no date: an answer that must not be
read alone, with the documents behind it.
"""

from collections.abc import AsyncIterator
from typing import Any

from tests.tui.fake_client import ENTITY, FakeClient
from workbench.contract.coverage import (
    Bounds,
    Coverage,
    DocumentEvidence,
    EvidenceWindow,
    LeftOut,
    Merge,
    ValueEvidence,
)
from workbench.contract.plan import EditReport, Plan
from workbench.contract.plan_validation import walk
from workbench.contract.query import AnswerAccount, Event, NodeProgress, step_words

DATE = f"{ENTITY}invoice_date"
SENTENCES = ("413 documents", "67 invoices", "invoice date is in 2018: 1 of 67", "counted: 1")
STORY = " · ".join(SENTENCES)
FOOTNOTE = "45 of 67 documents have no invoice date, 6 are doubtful."
COVERAGE = Coverage(
    node_id=2,
    field=DATE,
    documents=67,
    missing=45,
    doubtful=6,
    used=16,
    left_out=[LeftOut(doc_id="wb:f-3", value="2018-02-30", confidence=0.31)],
)
PROPOSED = [
    Merge(field="state", values=["CA", "California"], into="California"),
    Merge(field="seller", values=["Acme", "ACME Inc."], into="Acme"),
]
BOUNDS = Bounds(changeable=51, documents=67, low=1, high=46)
_ROWS = (413, 67, 1, 1)


def counting_plan(question: str) -> Plan:
    """Invoices of a year, counted; the word that the plan does not reflect is reported."""
    nodes: list[dict[str, Any]] = [
        {"node_type": "QueryDatabase"},
        {
            "node_type": "BasicFilter",
            "field": f"{ENTITY}state",
            "match": "exact",
            "values": ["California", "CA", "State of California"],
            "kin": {"asked": "California", "added": ["CA", "State of California"]},
        },
        {
            "node_type": "BasicFilter",
            "field": DATE,
            "range_filter": True,
            "start": "2018-01-01",
            "end": "2018-12-31",
            "is_date": True,
        },
        {"node_type": "Count"},
    ]
    wired = {
        str(i): {"node_id": i, "inputs": [i - 1] if i else [], **node}
        for i, node in enumerate(nodes)
    }
    report = EditReport(unused=["sender"], warnings=["“2018” was read as a year"])
    plan = Plan.model_validate({"query": question, "nodes": wired, "result_node": 3})
    return plan.model_copy(update={"edit": report})


class CountingClient(FakeClient):
    """`bounds` and `coverage` are what the server reports of the answer."""

    def __init__(self) -> None:
        super().__init__()
        self.bounds: Bounds | None = BOUNDS
        self.coverage = [COVERAGE]

    async def generate_plan(self, docset_id: str, question: str) -> Plan:
        self._note("generate_plan", question)
        return counting_plan(question)

    async def stream_plan(
        self,
        docset_id: str,
        wanted: Plan,
        *,
        until_node: int | None = None,
        summarize: bool = False,
    ) -> AsyncIterator[Event]:
        self._note("stream_plan", wanted)
        yield Event("plan", {**wanted.model_dump(mode="json"), "query_id": "wb:q-1"})
        for i in walk(wanted):
            words = step_words(wanted.node(i).node_type, i, _ROWS[i], "docs")
            progress = NodeProgress(
                node_id=i,
                state="done",
                rows_in=0,
                rows_out=_ROWS[i],
                coverage=self._coverage(i),
                sentence=SENTENCES[i],
            )
            yield Event("status", words, progress)
        yield Event("result", "1")
        account = AnswerAccount(
            coverage=self.coverage,
            bounds=self.bounds,
            sentences=list(SENTENCES),
            unused=["sender"],
            merges=[one for one in PROPOSED if one not in self.merges],
        )
        yield Event("complete", "1 result", account=account)

    async def run_trace(self, query_id: str) -> dict[str, Any]:
        self._note("run_trace", query_id)
        return {
            "query_id": query_id,
            "status": "done",
            "bounds": self.bounds.model_dump(mode="json") if self.bounds else None,
            "unused": ["sender"],
            "merges": [m.model_dump(mode="json") for m in PROPOSED if m not in self.merges],
            "nodes": [
                {
                    "node_id": i,
                    "node_type": "x",
                    "flow": "docs",
                    "rows_in": 0,
                    "rows_out": rows,
                    "ms": 1.0,
                    "coverage": [item.model_dump(mode="json") for item in self._coverage(i)],
                    "sentence": SENTENCES[i],
                }
                for i, rows in enumerate(_ROWS)
            ],
        }

    def _coverage(self, node_id: int) -> list[Coverage]:
        return [item for item in self.coverage if item.node_id == node_id]

    async def node_output(
        self, query_id: str, node_id: int, offset: int = 0, limit: int = 200
    ) -> dict[str, Any]:
        self._note("node_output", node_id, offset)
        if node_id == 3:
            rows = [{"value": 1, "doc_ids": ["wb:f-1"]}]
            return {"columns": ["value", "doc_ids"], "rows": rows, "total": 1}
        row = {"doc_id": "wb:f-1", "properties.path": "report-0001.pdf", DATE: "2018-03-01"}
        return {"columns": list(row), "rows": [row], "total": 1}

    async def run_evidence(
        self,
        query_id: str,
        node_id: int,
        *,
        row: int | None = None,
        field: str | None = None,
        state: str = "used",
        offset: int = 0,
        limit: int = 100,
    ) -> EvidenceWindow:
        self._note("run_evidence", node_id, row, field, state, offset)
        evidence = _used() if state == "used" else _left_out()
        return EvidenceWindow(documents=evidence[offset : offset + limit], total=len(evidence))


def _used() -> list[DocumentEvidence]:
    value = ValueEvidence(
        field=DATE,
        value="2018-03-01",
        state="used",
        confidence=0.93,
        page=1,
        bbox=[0.1, 0.13, 0.92, 0.2],
        element_id="e1",
        quote="Invoice date: March 1, 2018",
    )
    return [DocumentEvidence(doc_id="wb:f-1", name="report-0001.pdf", values=[value])]


def _left_out() -> list[DocumentEvidence]:
    doubtful = ValueEvidence(
        field=DATE,
        value="2018-02-03",
        state="doubtful",
        confidence=0.31,
        page=2,
        bbox=[0.1, 0.5, 0.9, 0.6],
        element_id="e3",
        quote="due 3.2.",
    )
    missing = [
        DocumentEvidence(
            doc_id=f"wb:f-{n}",
            name=f"report-{n:04d}.pdf",
            values=[ValueEvidence(field=DATE, state="missing")],
        )
        for n in range(4, 49)
    ]
    return [
        DocumentEvidence(doc_id="wb:f-3", name="report-0003.pdf", values=[doubtful]),
        *missing,
    ]
