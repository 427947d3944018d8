"""A run of a plan: which nodes took part, what each of them gave out, and what came of it."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from backend.contract.plan import Plan
from backend.contract.plan_nodes import CATALOGUE
from backend.contract.plan_validation import walk
from backend.contract.query import Event, Evidence, QueryResult, read_step

RunState = Literal["running", "done", "failed"]
NodeState = Literal["waiting", "running", "done", "failed"]


@dataclass
class NodeProgress:
    """`rows` is what the node gave out; time in milliseconds; `dropped` counts rows by reason."""

    state: NodeState = "waiting"
    rows: int | None = None
    ms: float | None = None
    approximate: bool = False
    dropped: Mapping[str, int] | None = None
    warnings: tuple[str, ...] = ()


class PlanRun:
    """One run, from its first event on. `nodes` are those that feed `until_node`, or all that feed
    the result; steps run one after the other, in that order.
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
        """The step that was done last."""
        self._plan = plan
        self._rows: list[Any] = []
        self._value: Any = None
        self._single = False
        self._citations: list[Evidence] = []
        self.labels: dict[str, str] = {}
        """What columns hold, for instance `key` the states."""

    def take_event(self, event: Event) -> None:
        """Takes in what the server tells while it runs; `complete` ends the run."""
        match event.name, event.data:
            case "plan", dict(told):
                self.query_id = told.get("query_id")
                self.labels = told.get("labels") or {}
                self._start_next()
            case "status", words:
                if (step := read_step(words)) is not None and step[0] in self.nodes:
                    self._finish_step(*step)
            case "result_doc", item:
                self._rows.append(item)
            case "result", value:
                self._value, self._single = value, True
            case "citations", list(items):
                self._citations = [Evidence.model_validate(item) for item in items]
            case "result_summary", str(text):
                self.summary = text
            case "complete", _:
                self._finish()
            case "error", reason:
                self.fail(str(reason))

    def _finish_step(self, node_id: int, rows: int) -> None:
        progress = self.nodes[node_id]
        progress.state, progress.rows = "done", rows
        self.latest = node_id
        self._start_next()

    def _start_next(self) -> None:
        waiting = (progress for progress in self.nodes.values() if progress.state == "waiting")
        if (first := next(waiting, None)) is not None:
            first.state = "running"

    def _finish(self) -> None:
        """The answer is here; what each node did in detail may still follow."""
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

    def _single_result(self) -> Any:
        """A number as a number, though the stream writes all values as text."""
        end = self._plan.result_node if self.until_node is None else self.until_node
        kind = CATALOGUE.get(self._plan.node(end).node_type)
        if not isinstance(self._value, str) or (kind is not None and kind.gives == "text"):
            return self._value
        try:
            return json.loads(self._value)
        except ValueError:
            return self._value

    def fail(self, reason: str) -> None:
        """The step that was under way has failed; what came before it stays."""
        self.error, self.state = reason, "failed"
        for progress in self.nodes.values():
            if progress.state == "running":
                progress.state = "failed"

    def take_trace(self, trace: Mapping[str, Any]) -> None:
        """Takes in the account that the server keeps of the run."""
        self.query_id = trace.get("query_id", self.query_id)
        if trace.get("status") in ("done", "failed"):
            self.state = trace["status"]
            self.error = trace.get("message") if self.state == "failed" else None
        for node in trace.get("nodes", ()):
            self.nodes[int(node["node_id"])] = NodeProgress(
                state="done",
                rows=node.get("rows_out"),
                ms=node.get("ms"),
                approximate=bool(node.get("approximate")),
                dropped=node.get("dropped") or None,
                warnings=tuple(node.get("warnings") or ()),
            )

    @property
    def approximate(self) -> bool:
        return any(progress.approximate for progress in self.nodes.values())

    @property
    def rows(self) -> list[Mapping[str, Any]]:
        """The rows of the answer; none for a number or a text."""
        found = self.result.result if self.result else None
        return [row for row in found if isinstance(row, Mapping)] if isinstance(found, list) else []

    def outcome(self) -> dict[str, Any] | None:
        """The answer in a few words: `kind` with `value` (number, text) or `total` (rows)."""
        if self.result is None:
            return None
        found = self.result.result
        if isinstance(found, list):
            return {"kind": "rows", "total": len(found)}
        return {"kind": "text" if isinstance(found, str) else "number", "value": found}
