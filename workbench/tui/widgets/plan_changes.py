"""The typed difference of two plans, a change per line, each to be accepted or refused."""

from collections.abc import Callable, Mapping, Sequence

from workbench.contract.plan import EditReport, Plan
from workbench.contract.plan_diff import NodeChange, PlanDiff
from workbench.frames.notes import not_used
from workbench.sessions.plan_changes import change_key
from workbench.sessions.plan_versions import Decision
from workbench.sessions.understanding import understood
from workbench.tui.lines import Line, Role, Span, dim, fit, line, spread
from workbench.tui.widgets.line_list import LineList

_SIGNS: Mapping[str, tuple[str, Role]] = {
    "added": ("+", "added"),
    "removed": ("-", "removed"),
    "changed": ("~", "changed"),
    "moved": (">", "changed"),
}


class PlanChanges(LineList[NodeChange]):
    """`decided` returns the decision about a change; None shows the difference for reading only.

    `describe` returns what a step does, or did and does now.
    """

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._decided: Callable[[NodeChange], Decision | None] | None = None
        self._describe: Callable[[NodeChange], str] = lambda change: change.line

    def show_changes(
        self,
        changes: PlanDiff,
        decided: Callable[[NodeChange], Decision | None] | None,
        describe: Callable[[NodeChange], str],
    ) -> None:
        self._decided, self._describe = decided, describe
        self.show_rows(changes.changes)
        self.refresh()

    @property
    def can_decide(self) -> bool:
        return self._decided is not None

    def key_of(self, row: NodeChange) -> str:
        return change_key(row)

    def draw(self, row: NodeChange, index: int, width: int) -> Sequence[Line]:
        decision = self._decided(row) if self._decided else None
        words = self._describe(row)
        return (change_line(row, words, decision, width, ask=self._decided is not None),)


def change_line(
    change: NodeChange, words: str, decision: Decision | None, width: int, *, ask: bool
) -> Line:
    """`~ 3 GroupBy  field city → state      y / n`."""
    sign, role = _SIGNS[change.kind]
    node_id = change.after if change.after is not None else change.before
    refused = decision == "refused"
    left = line(
        Span(f"{sign} ", "dim" if refused else role),
        dim(f"{node_id:>2} "),
        fit(line(Span(change.node_type, "dim" if refused else "strong")), 15),
        " ",
        Span(words, "dim" if refused else ""),
    )
    right: Line = ()
    if decision == "accepted":
        right = line(Span(" ✓ accepted ", "good"))
    elif refused:
        right = line(Span(" ✗ rejected ", "bad"))
    elif ask:
        right = line(dim("  y / n "))
    return spread(left, right, width)


def reading_lines(
    plan: Plan, report: EditReport | None, *, beside_answer: bool = False
) -> list[Line]:
    """How a question was read: what the plan does, and the remarks of the report. Beside an answer,
    which describes its steps and unused words, only the rest is shown.
    """
    if beside_answer:
        return report_lines(report.model_copy(update={"unused": []}) if report else None)
    return [line(dim("Understood as: "), f"{understood(plan)}."), *report_lines(report)]


def report_lines(report: EditReport | None) -> list[Line]:
    """Words that the plan does not reflect, assumptions, and what to say instead."""
    if report is None:
        return []
    lines = [line(Span(not_used(report.unused), "caution"))] if report.unused else []
    lines += [line(Span("! ", "warn"), warning) for warning in report.warnings]
    for clause in report.not_applied:
        lines.append(line(Span("✗ ", "bad"), Span(f"“{clause.clause}” ", "strong"), clause.reason))
        if clause.suggestions:
            lines.append(line(dim("  try: " + " · ".join(clause.suggestions))))
    return lines
