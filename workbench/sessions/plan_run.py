"""A run of a plan: the nodes involved, the output of each, and the answer."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from workbench.contract.coverage import Bounds, Coverage, Merge
from workbench.contract.plan import Plan
from workbench.contract.plan_nodes import CATALOGUE
from workbench.contract.plan_validation import walk
from workbench.contract.query import (
    AnswerAccount,
    Event,
    Evidence,
    NodeTrace,
    QueryResult,
    read_step,
)
from workbench.contract.query import NodeProgress as Reported
from workbench.frames.notes import AnswerNotes, reading_of
from workbench.frames.shares import VALUE, percent_columns

RunState = Literal["running", "done", "failed"]
NodeState = Literal["waiting", "running", "done", "failed"]


@dataclass
class NodeProgress:
    """`rows` is the size of the node's output; time in milliseconds; `dropped` counts rows by
    reason.

    `sentence` describes what it did, `coverage` how many documents it could use; `units` are those
    of the columns it computed.
    """

    state: NodeState = "waiting"
    rows: int | None = None
    ms: float | None = None
    approximate: bool = False
    dropped: Mapping[str, int] | None = None
    warnings: tuple[str, ...] = ()
    coverage: tuple[Coverage, ...] = ()
    sentence: str = ""
    units: Mapping[str, str] = field(default_factory=dict)


class PlanRun:
    """One run, from its first event on. `nodes` are those that feed `until_node`, or all that feed
    the result, in the order in which they run.
    """

    def __init__(self, plan: Plan, until_node: int | None, started: float) -> None:
        end = plan.result_node if until_node is None else until_node
        self.until_node = until_node
        self.nodes = {
            node_id: NodeProgress()
            for node_id in walk(plan.model_copy(update={"result_node": end}))
        }
        self.state: RunState = "running"
        self.started = started
        self.query_id: str | None = None
        self.error: str | None = None
        self.result: QueryResult | None = None
        self.summary: str | None = None
        self.latest: int | None = None
        """The step that finished last."""
        self._plan = plan
        self._rows: list[Any] = []
        self._value: Any = None
        self._single = False
        self._citations: list[Evidence] = []
        self._account = AnswerAccount()
        self.labels: dict[str, str] = {}
        """What columns hold, for instance `key` the states."""
        self.bounds: Bounds | None = None
        self.unused: tuple[str, ...] = tuple(plan.edit.unused) if plan.edit else ()

    def take_event(self, event: Event) -> None:
        """Applies an event of the server; `complete` ends the run."""
        match event.name, event.data:
            case "plan", dict(started):
                self.query_id = started.get("query_id")
                self.labels = started.get("labels") or {}
                self._start_next()
            case "status", words:
                if (step := read_step(words)) is not None and step[0] in self.nodes:
                    self._finish_step(*step, event.progress)
            case "result_doc", item:
                self._rows.append(item)
            case "result", value:
                self._value, self._single = value, True
            case "citations", list(items):
                self._citations = [Evidence.model_validate(item) for item in items]
            case "result_summary", str(text):
                self.summary = text
            case "complete", _:
                if event.account is not None:
                    self._account = event.account
                    self.bounds = event.account.bounds
                    self.unused = tuple(event.account.unused)
                self._finish()
            case "error", reason:
                self.fail(str(reason))

    def _finish_step(self, node_id: int, rows: int, reported: Reported | None) -> None:
        progress = self.nodes[node_id]
        progress.state, progress.rows = "done", rows
        if reported is not None and reported.node_id == node_id:
            progress.coverage, progress.sentence = tuple(reported.coverage), reported.sentence
        self.latest = node_id
        self._start_next()

    def _start_next(self) -> None:
        waiting = (progress for progress in self.nodes.values() if progress.state == "waiting")
        if (first := next(waiting, None)) is not None:
            first.state = "running"

    def _finish(self) -> None:
        """The answer has arrived; the details of each node may still follow."""
        self.state = "done"
        for progress in self.nodes.values():
            progress.state = "done"
        self.result = QueryResult(
            query_id=self.query_id or "",
            plan=self._plan,
            result=self._single_result() if self._single else self._rows,
            citations=self._citations,
            labels=self.labels,
        )
        self._complete_result()

    def _single_result(self) -> Any:
        """Converts to a number: the stream sends all values as text."""
        kind = CATALOGUE.get(self._plan.node(self._end).node_type)
        if not isinstance(self._value, str) or (kind is not None and kind.gives == "text"):
            return self._value
        try:
            return json.loads(self._value)
        except ValueError:
            return self._value

    def fail(self, reason: str) -> None:
        """The running step has failed; the output of earlier steps stays."""
        self.error, self.state = reason, "failed"
        for progress in self.nodes.values():
            if progress.state == "running":
                progress.state = "failed"

    def take_trace(self, trace: Mapping[str, Any]) -> None:
        """Adds the trace that the server stores of the run."""
        self.query_id = trace.get("query_id", self.query_id)
        self.labels = trace.get("labels") or self.labels
        if trace.get("status") in ("done", "failed"):
            self.state = trace["status"]
            self.error = trace.get("message") if self.state == "failed" else None
        bounds = trace.get("bounds")
        self.bounds = Bounds.model_validate(bounds) if bounds else None
        merges = [Merge.model_validate(item) for item in trace.get("merges") or ()]
        self._account = self._account.model_copy(
            update={
                "merges": merges,
                "warnings": list(trace.get("warnings") or self._account.warnings),
                "confidence_limit": trace.get("confidence_limit"),
            }
        )
        self.unused = tuple(trace.get("unused", self.unused))
        for item in trace.get("nodes", ()):
            node = NodeTrace.model_validate({"flow": "docs", **item})
            self.nodes[node.node_id] = NodeProgress(
                state="done",
                rows=node.rows_out,
                ms=node.ms,
                approximate=node.approximate,
                dropped=node.dropped or None,
                warnings=tuple(node.warnings),
                coverage=tuple(node.coverage),
                sentence=node.sentence,
                units=node.units,
            )
        self._complete_result()

    def _complete_result(self) -> None:
        """Attaches the account to the answer, as far as the server has sent it."""
        if self.result is None:
            return
        notes = self.notes
        known = {
            "coverage": list(notes.coverage),
            "bounds": notes.bounds,
            "sentences": list(notes.sentences),
            "unused": list(notes.unused),
            "warnings": list(notes.warnings),
        }
        self.result = self.result.model_copy(update={**dict(self._account), **known})

    @property
    def merges(self) -> list[Merge]:
        """Spellings that the answer counts separately and that may be the same value."""
        return self._account.merges

    @property
    def notes(self) -> AnswerNotes:
        """The evidence behind the answer, as far as the server has sent it."""
        return self._notes(list(self.nodes), self.bounds)

    def notes_of(self, node_id: int) -> AnswerNotes:
        """The evidence behind the output of one step, including the steps before it. Bounds belong
        to the answer, so only its last step has them.
        """
        if node_id not in self.nodes:
            return AnswerNotes(unused=self.unused, reading=reading_of(self._plan))
        before = walk(self._plan.model_copy(update={"result_node": node_id}))
        is_end = node_id == self._end
        return self._notes(before, self.bounds if is_end else None)

    def units_of(self, node_id: int) -> dict[str, str]:
        """The units of a step's output columns, by bare name; a single number is `value`."""
        if node_id not in self.nodes:
            return {}
        before = walk(self._plan.model_copy(update={"result_node": node_id}))
        steps = [self.nodes[i] for i in before if i in self.nodes]
        units = {column: unit for step in steps for column, unit in step.units.items()}
        own = list(self.nodes[node_id].units.values())
        return {**units, "value": own[0]} if len(own) == 1 else units

    def _notes(self, node_ids: Sequence[int], bounds: Bounds | None) -> AnswerNotes:
        done = [self.nodes[i] for i in node_ids if i in self.nodes]
        warnings = self._account.warnings if len(done) == len(self.nodes) else []
        return AnswerNotes(
            coverage=tuple(item for progress in done for item in progress.coverage),
            bounds=bounds,
            sentences=tuple(progress.sentence for progress in done),
            unused=self.unused,
            warnings=tuple(dict.fromkeys([*(w for one in done for w in one.warnings), *warnings])),
            reading=reading_of(self._plan),
            percent=percent_columns(self._plan, self._end).get(VALUE, 0),
        )

    @property
    def _end(self) -> int:
        return self._plan.result_node if self.until_node is None else self.until_node

    @property
    def approximate(self) -> bool:
        return any(progress.approximate for progress in self.nodes.values())

    @property
    def rows(self) -> list[Mapping[str, Any]]:
        """The rows of the answer; empty for a number or a text."""
        outcome = self.result.result if self.result else None
        return (
            [row for row in outcome if isinstance(row, Mapping)]
            if isinstance(outcome, list)
            else []
        )

    def outcome(self) -> dict[str, Any] | None:
        """A summary of the answer: `kind` with `value` (number, text) or `total` (rows), and
        `range` where the value is uncertain.
        """
        if self.result is None:
            return None
        outcome, moves = self.result.result, self.notes.range
        words: dict[str, Any] = {"range": moves} if moves else {}
        if isinstance(outcome, list):
            return {"kind": "rows", "total": len(outcome), **words}
        return {"kind": "text" if isinstance(outcome, str) else "number", "value": outcome, **words}
