"""A run as it goes on: which node is at work, what it took in and gave out, and what came of it."""

from dataclasses import dataclass
from typing import Any, Literal

from backend.contract.plan import Plan
from backend.contract.plan_validation import walk

NodeState = Literal["waiting", "running", "done", "failed"]
RunState = Literal["running", "done", "failed"]


@dataclass
class NodeProgress:
    """`rows` is what the node has given out so far; times in milliseconds."""

    state: NodeState = "waiting"
    rows: int | None = None
    ms: float | None = None
    approximate: bool = False


class PlanRun:
    """Fed with the events of a streamed run; may be drawn at any moment."""

    def __init__(self, plan: Plan, until_node: int | None) -> None:
        wanted = plan.model_copy(update={"result_node": until_node}) if until_node else plan
        self.order = walk(wanted)
        self.nodes = {node_id: NodeProgress() for node_id in self.order}
        self.state: RunState = "running"
        self.query_id: str | None = None
        self.status = ""
        """The last words of the server about what it is doing."""
        self.error: str | None = None
        self.rows: list[dict[str, Any]] = []
        self.value: float | str | None = None
        self.summary = ""
        self.complete = ""

    def take(self, name: str, data: Any) -> None:
        """Takes in one event."""
        if name == "trace_doc":
            self._progress(int(data["node_id"]))
        elif name == "status":
            self.status = str(data)
        elif name == "plan" and isinstance(data, dict):
            self.query_id = data.get("query_id", self.query_id)
        elif name == "result_doc":
            self.rows.append(data)
        elif name == "result":
            self.value = data
        elif name in ("result_summary", "rag_answer"):
            self.summary += str(data)
        elif name == "complete":
            self.complete = str(data)
            self._end("done")
        elif name == "error":
            self.error = str(data)
            self.break_off()

    def take_trace(self, nodes: dict[int, dict[str, Any]], status: str) -> None:
        """Takes in the finished account of each node."""
        for node_id, trace in nodes.items():
            self.nodes[node_id] = NodeProgress(
                "done", trace.get("rows_out"), trace.get("ms"), bool(trace.get("approximate"))
            )
        self.state = "done" if status == "done" else "failed" if status == "failed" else self.state

    def break_off(self) -> None:
        """The run ended before its end."""
        if self.state == "running":
            self.state = "failed"
            for progress in self.nodes.values():
                if progress.state == "running":
                    progress.state = "failed"

    def outcome(self) -> dict[str, Any]:
        """The answer in a few words: its kind, and its value or how many rows it has."""
        if self.value is not None:
            kind = "text" if isinstance(self.value, str) and not _numeric(self.value) else "number"
            return {"kind": kind, "value": self.value}
        return {"kind": "rows", "total": len(self.rows)}

    def _progress(self, node_id: int) -> None:
        """A row came out of `node_id`, so everything that feeds it has finished."""
        if node_id not in self.nodes:
            return
        for earlier in self.order[: self.order.index(node_id)]:
            if self.nodes[earlier].state != "done":
                self.nodes[earlier].state = "done"
        current = self.nodes[node_id]
        current.state = "running"
        current.rows = (current.rows or 0) + 1

    def _end(self, state: RunState) -> None:
        self.state = state
        for progress in self.nodes.values():
            progress.state = "done"


def _numeric(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
