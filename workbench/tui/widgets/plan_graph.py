"""A plan as a list with gutters: one node per line, its state in front, rows and time behind."""

from collections.abc import Mapping, Sequence

from workbench.contract.plan import NodeEstimate, Plan
from workbench.contract.plan_diff import PlanDiff
from workbench.sessions.plan_layout import GraphRow, graph_rows
from workbench.sessions.plan_run import NodeProgress, PlanRun
from workbench.tui.formats import count, duration
from workbench.tui.lines import Line, Role, Span, dim, fit, line, spread, width_of
from workbench.tui.widgets.line_list import LineList

_GLYPHS: Mapping[str, tuple[str, Role]] = {
    "waiting": ("○", "dim"),
    "running": ("◐", "accent"),
    "done": ("●", "good"),
    "failed": ("✗", "bad"),
}
_MARKS: Mapping[str, str] = {"added": "+", "changed": "~", "moved": ">"}
LEGENDS = (
    "○ not run  ◐ running  ● done  ✗ failed  ≈ approximate",
    "○ not run ◐ runs ● done ✗ failed ≈ about",
    "○ not run ● done ✗ failed",
)
"""What the glyphs mean, for panes of less and less width."""


class PlanGraph(LineList[GraphRow]):
    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._run: PlanRun | None = None
        self._marks: dict[int, str] = {}
        self._kind_width = 0
        self._estimates: Mapping[int, NodeEstimate] = {}

    def show_plan(
        self,
        plan: Plan | None,
        run: PlanRun | None,
        changes: PlanDiff,
        estimates: Mapping[int, NodeEstimate],
    ) -> None:
        """`estimates` stand where a step has not told yet how many rows it gives."""
        self._run, self._estimates = run, estimates
        self._marks = {
            change.after: _MARKS[change.kind]
            for change in changes.changes
            if change.after is not None and change.kind in _MARKS
        }
        rows = graph_rows(plan) if plan is not None else []
        self._kind_width = max((len(_kind(row)) for row in rows), default=0)
        self.show_rows(rows)
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
        return (node_line(row, progress, mark, self._kind_width, width, estimate),)


def node_line(
    row: GraphRow,
    progress: NodeProgress | None,
    mark: str,
    kind_width: int,
    width: int,
    estimate: NodeEstimate | None = None,
) -> Line:
    """One node in `width` cells: state, id, type, what it does; rows and time at the right end."""
    glyph, role = _GLYPHS[progress.state if progress else "waiting"]
    left = line(
        Span(f"{glyph} ", role),
        dim(row.gutter + (" " if row.gutter else "")),
        dim(f"{row.node.node_id:>2} "),
        fit(line(Span(_kind(row), "strong")), min(kind_width, max(8, width // 3))),
        Span(f" {mark or ' '} ", "changed"),
        Span(row.summary, "changed" if mark else ""),
        dim(f" {row.link}" if row.link else ""),
        dim(" ⎇" if row.shared else ""),
    )
    right: list[Span] = [Span(" ◀ ", "accent")] if row.is_result else []
    if progress is not None and progress.rows is not None:
        rows = ("~" if progress.approximate else "") + count(progress.rows)
        partial = any(not item.complete for item in progress.coverage)
        right.append(Span(f" {rows:>5}", "warn" if partial else "accent" if row.is_result else ""))
        took = "" if progress.ms is None else duration(progress.ms / 1000)
        right.append(dim(f" {took:>6}"))
    elif estimate is not None:
        about = ("" if estimate.exact else "~") + count(estimate.rows)
        right.append(dim(f" {about:>5} {'est.':>6}"))
    tail = line(*right, " ")
    return spread(left, tail, width) if width_of(tail) < width // 2 else left


def _kind(row: GraphRow) -> str:
    return row.node.node_type + (" ≈" if row.approximate else "")
