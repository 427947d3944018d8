"""Plans as values: a draft is one version of a plan, editing it returns another draft.

Versions are stored in the session file shared with the terminal app, so a plan begun in a notebook
can be continued there, and undo works across restarts.
"""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from workbench.client import Ambiguous, AsyncClient
from workbench.contract.errors import Choice
from workbench.contract.plan import EditReport, Plan
from workbench.contract.plan_diff import NodeChange, PlanDiff, diff
from workbench.contract.plan_nodes import Node
from workbench.contract.plan_validation import walk
from workbench.frames.html import TABLE, WARNING, Markup, ink, joined, tag
from workbench.frames.notes import not_used
from workbench.objects.choices import PlanChoice, SeveralReadings
from workbench.objects.run import Run, run_of
from workbench.sessions.plan_layout import GraphRow, graph_rows
from workbench.sessions.plan_session import PlanSession
from workbench.sessions.plan_versions import PlanVersion
from workbench.sessions.understanding import understood

if TYPE_CHECKING:
    from workbench.objects.docset import DocSet

_COLOURS = {"added": "#2a7", "removed": "#c44", "changed": "#b80", "moved": "#47c"}


class PlanChanges:
    """The changes from one plan to another, the result of `after - before`."""

    def __init__(self, changes: PlanDiff) -> None:
        self.diff = changes

    @property
    def lines(self) -> list[str]:
        """One line per change, beginning with `+`, `-`, `~` or `>` (moved)."""
        return self.diff.lines

    def __len__(self) -> int:
        return len(self.diff.changes)

    def __iter__(self) -> Iterator[NodeChange]:
        return iter(self.diff.changes)

    def __repr__(self) -> str:
        return f"PlanChanges({'; '.join(self.lines) or 'none'})"

    def _repr_html_(self) -> Markup:
        if not self.diff.changes:
            return tag("div", "The plans are the same.")
        changes = zip(self.diff.changes, self.lines, strict=True)
        return tag("div", joined(_change_html(change, line) for change, line in changes))


class AmbiguousPlan(SeveralReadings["PlanDraft"]):
    """A question or feedback has several readings: `error.choices[0].apply()` selects one."""

    def __init__(self, error: Ambiguous, take: "Callable[[Choice], PlanDraft]") -> None:
        super().__init__(error, [PlanChoice(choice, take) for choice in error.choices])


class PlanDraft:
    """One version of a plan for a question about a DocSet."""

    def __init__(self, docset: "DocSet", session: PlanSession, number: int) -> None:
        self.docset = docset
        self.session = session
        self.number = number
        """The version's number, from 1."""

    # -- content --------------------------------------------------------------------------------

    @property
    def question(self) -> str:
        """The question as asked."""
        return self.session.question

    @property
    def plan(self) -> Plan:
        """The plan itself, as a type of the contract."""
        return self.session.versions.all[self.number].plan

    @property
    def report(self) -> EditReport | None:
        """The effect of each clause of the feedback that led to this version."""
        return self.plan.edit

    @property
    def unused(self) -> list[str]:
        """Words of the question that the plan does not reflect."""
        return self.report.unused if self.report else []

    def __repr__(self) -> str:
        steps = " → ".join(self.plan.node(i).node_type for i in walk(self.plan))
        return f"PlanDraft(version {self.number}: {steps})"

    def _repr_html_(self) -> Markup:
        title = f"{self.question} (version {self.number})"
        return tag(
            "div",
            tag("div", title, style="font-weight:600"),
            tag("table", joined(_row_html(row) for row in graph_rows(self.plan)), style=TABLE),
            tag("div", f"Understood as: {self.understood}.", style="opacity:0.8"),
            joined(tag("div", remark, style=WARNING) for remark in self.remarks()),
        )

    def __str__(self) -> str:
        """The plan as lines of text, one per step."""
        return "\n".join(" ".join(_words(row)).rstrip() for row in graph_rows(self.plan))

    def remarks(self) -> list[str]:
        """Unused words and parts of the request that were left out (`✗`), and assumptions (`!`).

        Example: plan.remarks()
        """
        report = self.report
        if report is None:
            return []
        refused = [f"✗ {not_used(report.unused)}"] if report.unused else []
        refused += [f"✗ “{item.clause}”: {item.reason}" for item in report.not_applied]
        return refused + [f"! {warning}" for warning in report.warnings]

    # -- other versions -------------------------------------------------------------------------

    def edit(self, feedback: str) -> "PlanDraft":
        """Changes the plan by `feedback`, a sentence; `.report` lists what was not understood.

        Raises Invalid if nothing of it was understood, and AmbiguousPlan if it has several
        readings, whose `choices` can be applied. This draft itself never changes.

        Example: plan.edit("only those with a wind speed of at least 10")
        """
        self.session.versions.go_to(self.number)
        try:
            return self._at(self.docset.engine.run(lambda _: self.session.feed_back(feedback)))
        except Ambiguous as error:
            raise AmbiguousPlan(
                error, lambda one: self._at(self.session.choose(one, feedback, self.number))
            ) from None

    def replace(self, node: Node) -> "PlanDraft":
        """The plan with `node` instead of the step with the same id.

        Example: plan.replace(plan.plan.node(plan.plan.result_node))
        """
        self.session.versions.go_to(self.number)
        return self._at(self.session.edit_node(node))

    @property
    def changes(self) -> PlanChanges:
        """The changes proposed by the feedback behind this version, including refused ones."""
        self.session.versions.go_to(self.number)
        return PlanChanges(self.session.changes())

    def refuse(self, change: NodeChange) -> "PlanDraft":
        """A version without `change`, one of the `changes`; the others stay.

        Example: edited.refuse(list(edited.changes)[0])
        """
        self.session.versions.go_to(self.number)
        return self._at(self.session.refuse(change))

    def accept(self, change: NodeChange) -> "PlanDraft":
        """Accepts `change`, one of the `changes`; a refused one returns in a new version.

        Example: edited.accept(list(edited.changes)[0])
        """
        self.session.versions.go_to(self.number)
        return self._at(self.session.accept(change))

    def undo(self) -> "PlanDraft":
        """The version that this one was made from.

        Example: edited.undo()
        """
        self.session.versions.go_to(self.number)
        before = self.session.undo()
        if before is None:
            raise LookupError("This is the first version: there is nothing to undo.")
        return self._at(before)

    def redo(self) -> "PlanDraft":
        """The latest version made from this one.

        Example: edited.undo().redo()
        """
        self.session.versions.go_to(self.number)
        after = self.session.redo()
        if after is None:
            raise LookupError("No version was made from this one: there is nothing to redo.")
        return self._at(after)

    @property
    def understood(self) -> str:
        """What the plan does, in one sentence."""
        return understood(self.plan)

    def versions(self) -> list["PlanDraft"]:
        """Every version of this question's plan, in the order they were made.

        Example: plan.versions()
        """
        return [self._at(version) for version in self.session.versions.all.values()]

    def __sub__(self, before: "PlanDraft") -> PlanChanges:
        return PlanChanges(diff(before.plan, self.plan))

    # -- running --------------------------------------------------------------------------------

    def run(self, until: int | None = None, *, confidence_limit: float | None = None) -> Run:
        """Runs the plan, or the part of it that leads to the step `until`.

        Values with less confidence than `confidence_limit` (0 to 1) are left out of the answer and
        counted as doubtful; None means the limit of the DocSet, 0 uses every value.

        Example: plan.run().to_polars()
        """
        return self.docset.engine.run(lambda client: self._run(client, until, confidence_limit))

    async def _run(self, client: AsyncClient, until: int | None, limit: float | None) -> Run:
        plan = self.plan.model_copy(update={"edit": None})
        answer = await client.run_plan(
            self.docset.id, plan, until_node=until, confidence_limit=limit
        )
        if answer.plan is not None:
            read = answer.plan.model_copy(update={"edit": self.report})
            answer = answer.model_copy(update={"plan": read})
        done = await run_of(self.docset.engine, self.docset.id, answer, self.docset.schema)
        outcome = done.outcome if until is None else None
        self.session.versions.keep_run(self.number, done.query_id, outcome)
        return done

    def _at(self, version: PlanVersion) -> "PlanDraft":
        return PlanDraft(self.docset, self.session, version.number)


def _words(row: GraphRow) -> list[str]:
    """The cells of a step: gutter and id, type, description, inputs, mark of the result."""
    kind = row.node.node_type + (" ≈" if row.approximate else "")
    result = "◀ result" if row.is_result else ""
    return [f"{row.gutter}{row.node.node_id}", kind, row.summary, row.link, result]


def _row_html(row: GraphRow) -> Markup:
    return tag("tr", joined(tag("td", cell, style="text-align:left") for cell in _words(row)))


def _change_html(change: NodeChange, line: str) -> Markup:
    style = f"{ink(_COLOURS[change.kind])};font-family:monospace;white-space:pre-wrap"
    return tag("div", line, style=style)
