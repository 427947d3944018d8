"""A run of a plan: which nodes took part, what each of them gave out, and what came of it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from backend.contract.plan import Plan
from backend.contract.plan_validation import walk

if TYPE_CHECKING:
    from backend.contract.query import QueryResult

RunState = Literal["running", "done", "failed"]


@dataclass
class NodeProgress:
    """`rows` is what the node gave out; time in milliseconds; `dropped` counts rows by reason."""

    state: RunState = "running"
    rows: int | None = None
    ms: float | None = None
    approximate: bool = False
    dropped: Mapping[str, int] | None = None
    warnings: tuple[str, ...] = ()


class PlanRun:
    """One run. `nodes` are those that feed `until_node`, or all that feed the result."""

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

    def finish(self, result: "QueryResult") -> None:
        """The answer is here; what each node did may still follow."""
        self.result, self.query_id, self.state = result, result.query_id, "done"
        for progress in self.nodes.values():
            progress.state = "done"

    def fail(self, reason: str) -> None:
        self.error, self.state = reason, "failed"
        for progress in self.nodes.values():
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
