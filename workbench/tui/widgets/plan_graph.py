"""A plan as a list with gutters: one step per line, what it does and how many rows it keeps."""

from collections.abc import Mapping, Sequence

from workbench.contract.plan import NodeEstimate, Plan
from workbench.contract.plan_diff import PlanDiff
from workbench.contract.plan_nodes import Node
from workbench.sessions.plan_layout import GraphRow, graph_rows
from workbench.sessions.plan_run import NodeProgress, PlanRun
from workbench.sessions.step_sentences import what_it_does
from workbench.tui.formats import count, duration
from workbench.tui.lines import Line, Role, Span, cut, dim, line, spread, width_of
from workbench.tui.widgets.line_list import LineList

_GLYPHS: Mapping[str, tuple[str, Role]] = {
    "waiting": ("○", "dim"),
    "running": ("◐", "accent"),
    "done": ("●", "good"),
    "failed": ("✗", "bad"),
}
_MARKS: Mapping[str, str] = {"added": "+", "changed": "~", "moved": ">"}
_NARROWS = frozenset({"BasicFilter", "LlmFilter", "Limit", "FieldIn"})
"""Steps that keep some of the rows they are given."""
LEGENDS = (
    "○ not run  ◐ running  ● done  ✗ failed  ≈ approximate",
    "○ not run ◐ runs ● done ✗ failed ≈ about",
    "○ not run ● done ✗ failed",
)
"""Explanations of the symbols, for ever narrower panes."""


class PlanGraph(LineList[GraphRow]):
    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._run: PlanRun | None = None
        self._result: str | None = None
        self._marks: dict[int, str] = {}
        self._estimates: Mapping[int, NodeEstimate] = {}

    def show_plan(
        self,
        plan: Plan | None,
        run: PlanRun | None,
        changes: PlanDiff,
        estimates: Mapping[int, NodeEstimate],
        *,
        anew: bool = False,
    ) -> None:
        """`estimates` are shown for steps whose number of rows is unknown. The cursor starts at the
        step with the answer, also for another plan that is shown `anew`, and follows that step
        until the user moves it.
        """
        self._run, self._estimates = run, estimates
        self._marks = {
            change.after: _MARKS[change.kind]
            for change in changes.changes
            if change.after is not None and change.kind in _MARKS
        }
        follows = anew or self.current_key in (None, self._result)
        self._result = None if plan is None else str(plan.result_node)
        self.show_rows(graph_rows(plan) if plan is not None else [])
        if follows and self._result is not None:
            self.move_to(self._result)
        self.refresh()

    def key_of(self, row: GraphRow) -> str:
        return str(row.node.node_id)

    @property
    def node_id(self) -> int | None:
        """The node under the cursor."""
        return self.current.node.node_id if self.current else None

    def draw(self, row: GraphRow, index: int, width: int) -> Sequence[Line]:
        progress = self._run.nodes.get(row.node.node_id) if self._run else None
        mark = self._marks.get(row.node.node_id, "")
        estimate = self._estimates.get(row.node.node_id)
        return (node_line(row, progress, mark, width, estimate, self._rows_into(row.node)),)

    def _rows_into(self, node: Node) -> int | None:
        """The number of input rows of the step, if it has one input that has run."""
        if self._run is None or len(node.inputs) != 1:
            return None
        before = self._run.nodes.get(node.inputs[0])
        return before.rows if before else None


def node_line(
    row: GraphRow,
    progress: NodeProgress | None,
    mark: str,
    width: int,
    estimate: NodeEstimate | None = None,
    rows_in: int | None = None,
) -> Line:
    """One step in `width` cells: its state and number, what it does and how many rows it outputs;
    at the right end, dimmed, its type in plans, and the time it took. `rows_in` is the number of
    its input rows.
    """
    glyph, role = _GLYPHS[progress.state if progress else "waiting"]
    head = line(
        Span(f"{glyph} ", role),
        dim(row.gutter + (" " if row.gutter else "")),
        dim(f"{row.node.node_id:>2} "),
        Span(f"{mark} ", "changed") if mark else "",
        Span(what_it_does(row.node), "changed" if mark else "strong" if row.is_result else ""),
        dim(f" {row.link}" if row.link else ""),
        dim(" ⎇" if row.shared else ""),
    )
    rows = line(*_rows(row, progress, estimate, rows_in))
    took = duration(progress.ms / 1000) if progress and progress.ms is not None else ""
    kind = row.node.node_type + (" ≈" if row.approximate else "")
    for tail in (line(dim(f"  {kind}"), dim(f" {took:>7} ")), line(dim(f" {took:>7} ")), ()):
        if width_of(head) + width_of(rows) + width_of(tail) <= width:
            return spread(line(head, rows), tail, width)
    return spread(head, rows, width) if width_of(rows) < width // 2 else cut(head, width)


def _rows(
    row: GraphRow,
    progress: NodeProgress | None,
    estimate: NodeEstimate | None,
    rows_in: int | None,
) -> list[Span]:
    """` · 12 of 48`; before the run ` · about 12`."""
    if progress is not None and progress.rows is not None:
        partial = any(not item.complete for item in progress.coverage)
        words = ("~" if progress.approximate else "") + count(progress.rows)
        narrows = row.node.node_type in _NARROWS and rows_in is not None
        of = f" of {count(rows_in or 0)}" if narrows else ""
        role: Role = "warn" if partial else "accent"
        return [dim(" · "), Span(words, role), dim(of)]
    if estimate is not None:
        return [dim(f" · {'' if estimate.exact else 'about '}{count(estimate.rows)}")]
    return []
