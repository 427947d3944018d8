"""A run of a plan: its result, the output of each step, and the evidence behind a row."""

from collections.abc import Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from workbench.client import AsyncClient, MissingExtension
from workbench.contract.coverage import Bounds, Coverage, Merge
from workbench.contract.plan import Plan
from workbench.contract.plan_nodes import bare_field
from workbench.contract.query import QueryResult
from workbench.contract.schema import Schema
from workbench.formats import MARK, counted, value_words
from workbench.frames.answers import answer_columns, fields_of, flat, key_names
from workbench.frames.columns import table_of
from workbench.frames.frame import Frame
from workbench.frames.html import Markup, facts, remarks, tag
from workbench.frames.notes import AnswerNotes
from workbench.frames.runs import NodeOutput, Trace
from workbench.frames.shares import VALUE, extremes_of, percent_columns
from workbench.objects.engine import Engine
from workbench.objects.why import Why, trace_back
from workbench.sessions.evidence import EvidenceTrail
from workbench.sessions.step_rows import windows_of

if TYPE_CHECKING:
    import polars as pl


class Run(Frame):
    """A finished run. As a frame it is the result: documents, rows, or one row with a value.

    `run[node_id]` is the output of a step, `run.trace` a summary of all steps, `run.why(row)` the
    documents and sources behind a row, `run.left_out()` those that it could not use.
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
        """The id under which the server stores the run."""
        return self.answer.query_id

    @property
    def result(self) -> Any:
        """A list of documents or rows, a number, or a text."""
        return self.answer.result

    @property
    def plan(self) -> Plan | None:
        """The plan that was run."""
        return self.answer.plan

    # -- basis of the answer --------------------------------------------------------------------

    @property
    def coverage(self) -> list[Coverage]:
        """How many documents each step could use; `remarks` mentions incomplete ones."""
        return self.answer.coverage

    @property
    def bounds(self) -> Bounds | None:
        """How far the answer could move if the values left out were known."""
        return self.answer.bounds

    @property
    def sentences(self) -> list[str]:
        """What each step did, in plain words with its counts."""
        return self.answer.sentences

    @property
    def unused(self) -> list[str]:
        """Words of the question that the plan does not reflect."""
        return self.answer.unused

    @property
    def merges(self) -> list[Merge]:
        """Spellings that are counted separately and may be one; `docset.merge` merges them."""
        return self.answer.merges

    @property
    def notes(self) -> AnswerNotes:
        """All of this as text."""
        return AnswerNotes.of(self.answer)

    def remarks(self) -> list[str]:
        """The notes that belong to the answer, one per line; empty for a complete answer without
        sentences.

        Example: run.remarks()
        """
        return self.notes.lines()

    @property
    def outcome(self) -> dict[str, Any]:
        """A summary of the answer: `kind`, and `value` or the `total` of rows."""
        if isinstance(self.result, list):
            return {"kind": "rows", "total": len(self.result)}
        kind = "text" if isinstance(self.result, str) else "number"
        return {"kind": kind, "value": self.result}

    def __len__(self) -> int:
        return len(self.result) if isinstance(self.result, list) else 1

    def __getitem__(self, node_id: int) -> NodeOutput:
        """The complete output of a step; NotFound when it was no part of the run."""
        plan = self.plan
        shares = percent_columns(plan, node_id) if plan is not None else {}
        rows = self._engine.run(lambda client: _output(client, self.query_id, node_id))
        return NodeOutput(
            *rows,
            f"step {node_id}",
            shares=shares,
            keys=key_names(plan, node_id),
            schema=self._schema,
            extremes=extremes_of(plan, node_id),
        )

    def why(self, row: int | None = 0, *, node: int | None = None, documents: int = 20) -> Why:
        """The values behind a row of the result, or of the step `node`, each with confidence and
        source. With `row=None` those behind all of its rows.

        Covers the first `documents` documents.

        Example: run.why(0).to_polars()
        """
        trail = EvidenceTrail(
            *(self._engine.client, self.query_id, self._end(node)),
            row=row,
            citations=self.answer.citations,
        )
        return self._engine.run(lambda client: trace_back(client, trail, documents))

    def left_out(self, field: str | None = None, *, documents: int = 20) -> Why:
        """The documents that the answer could not use because of their value of a property, with
        the withheld guesses; covers the first `documents`. `field` defaults to the property of the
        first remark in `remarks()`.

        Raises LookupError if nothing was left out for it.
        """
        notes = [
            note
            for note in self.notes.footnotes
            if field is None or bare_field(note.field) == bare_field(field)
        ]
        if not notes:
            of = "" if field is None else f" for {field}"
            raise LookupError(f"Nothing was left out{of}.")
        trail = EvidenceTrail(
            *(self._engine.client, self.query_id, notes[0].node_id),
            field=notes[0].field,
            state="left_out",
        )
        return self._engine.run(lambda client: trace_back(client, trail, documents))

    def _end(self, node: int | None) -> int:
        if node is not None:
            return node
        if self.plan is None:
            raise LookupError("The server did not return the plan it ran, so nothing is traceable.")
        return self.plan.result_node

    def title(self) -> str:
        approximate = " ≈" if any(node.get("approximate") for node in self.trace.nodes) else ""
        moves = f" {MARK} {self.notes.range}" if self.notes.range else ""
        return f"Run({self.words()[:80]}{approximate}{moves})"

    @property
    def shares(self) -> Mapping[str, int]:
        """Columns shown in percent, with the factor that makes their values percentages."""
        return {} if self.plan is None else percent_columns(self.plan, self.plan.result_node)

    def words(self) -> str:
        """The answer in one line: a formatted number, a text, or the number of rows.

        Example: run.words()
        """
        result = self.result
        if isinstance(result, list):
            return counted(len(result))
        if result is None:
            return "no value"
        return value_words(result, percent=self.shares.get(VALUE, 0))

    def __repr__(self) -> str:
        return super().__repr__() if isinstance(self.result, list) else self.title()

    def _repr_html_(self) -> str:
        notes = remarks(self.notes)
        if isinstance(self.result, list):
            return tag("div", Markup(super()._repr_html_()), notes)
        return tag("div", facts(self.title(), [("result", self.words())]), notes)

    def _table(self) -> "pl.DataFrame":
        plan, schema = self.plan, self._schema
        keys = {} if plan is None else key_names(plan, plan.result_node)
        extremes = {} if plan is None else extremes_of(plan, plan.result_node)
        if not isinstance(self.result, list):
            value = answer_columns([{VALUE: self.result}], [VALUE], None, schema, extremes)
            return table_of({"result": value[VALUE]})
        rows = [flat(row) for row in self.result]
        return table_of(answer_columns(rows, fields_of(rows, schema), keys, schema, extremes))


async def run_of(engine: Engine, docset_id: str, answer: QueryResult, schema: Schema | None) -> Run:
    """A run with its trace, which servers without that extension lack."""
    trace: Mapping[str, Any] = {}
    with suppress(MissingExtension):
        trace = await engine.client.run_trace(answer.query_id)
    return Run(engine, docset_id, answer, trace, schema)


async def _output(
    client: AsyncClient, query_id: str, node_id: int
) -> tuple[list[str], list[dict[str, Any]]]:
    """The columns and all rows of a step."""
    columns: list[str] = []
    rows: list[dict[str, Any]] = []
    async for window in windows_of(client, query_id, node_id):
        columns = window["columns"]
        rows += window["rows"]
    return columns, rows
