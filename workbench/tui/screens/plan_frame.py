"""The layout of screen 6: the graph of a question, the proposed change, the node under the cursor,
and the output. Actions are in `plans`.
"""

from collections.abc import Sequence
from typing import Any, ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.widgets import Static

from workbench.client.errors import WorkbenchError
from workbench.contract.plan_diff import PlanDiff
from workbench.contract.search import Facet
from workbench.sessions.plan_run import PlanRun
from workbench.sessions.plan_session import PlanSession
from workbench.sessions.schema_examples import question_examples
from workbench.tui.lines import Line, Span, as_content, dim, line, wrap
from workbench.tui.plan_words import (
    answer_change,
    change_words,
    is_quick,
    place_among_versions,
    plan_words,
)
from workbench.tui.screens.frame import WIDE, Frame
from workbench.tui.screens.plan_output import PlanOutput
from workbench.tui.styles import STYLES
from workbench.tui.widgets.feedback_box import FeedbackBox
from workbench.tui.widgets.line_list import LineList
from workbench.tui.widgets.node_form import node_lines
from workbench.tui.widgets.notice import Notice
from workbench.tui.widgets.pane import Pane
from workbench.tui.widgets.plan_changes import PlanChanges, reading_lines
from workbench.tui.widgets.plan_graph import LEGENDS, PlanGraph
from workbench.tui.widgets.question_line import QuestionLine
from workbench.tui.widgets.reading_choices import ReadingChoices

_START = (
    line(Span("Ask something about the documents.", "strong")),
    line(),
    line("Type a question in the line above. Its plan appears here."),
)


_FRAME = 2
"""Lines used by the border of a pane."""
_AROUND = 5
_MOST_ABOUT = 10
"""Maximum lines for the step under the cursor; it scrolls."""
_EXTRA_LINES = 2
"""Lines that a run adds to the description of a step."""
_LEAST = 8
_MOST_PERCENT = 45


class PlanFrame(Frame):
    """Draws the session; `_compared` is the version under comparison."""

    place = "plans"
    CSS_PATH: ClassVar[Any] = [STYLES / "inputs.tcss", STYLES / "plans.tcss"]
    needs_docset = True

    def body(self) -> ComposeResult:
        yield QuestionLine()
        yield ReadingChoices(id="of-question")
        with Vertical(id="plan-columns"):
            with Horizontal(id="plan-top"):
                with Vertical(id="plan-left"):
                    with Pane(title="Plan", id="graph-pane"):
                        yield PlanGraph(id="graph")
                    with Pane(title="Step", id="node-pane", classes="inspector"):
                        yield VerticalScroll(Static(id="node", classes="text"))
                with Pane(title="Change", id="change-pane"):
                    yield PlanChanges(id="changes")
                    yield VerticalScroll(Static(id="report", classes="text"), id="report-scroll")
            yield PlanOutput()
        yield Notice()
        yield ReadingChoices(id="of-feedback")
        yield FeedbackBox()

    def on_mount(self) -> None:
        self._session: PlanSession | None = None
        self._compared: int | None = None
        self._refused = False
        """Whether the question line has a refused question, unlike the plan below."""
        self._due = False
        self._graphed = ""
        """The session whose plan is drawn."""
        self._report: list[Line] = []
        """How the question was read, shown beside the plan."""
        self._graph.focus()
        self.query_one("#graph-pane", Pane).foot(*LEGENDS)

    @property
    def _graph(self) -> PlanGraph:
        return self.query_one(PlanGraph)

    @property
    def _changes(self) -> PlanChanges:
        return self.query_one(PlanChanges)

    @property
    def _output(self) -> PlanOutput:
        return self.query_one(PlanOutput)

    @property
    def _notice(self) -> Notice:
        return self.query_one(Notice)

    def on_resize(self) -> None:
        self._share_out()

    def zoom(self) -> None:
        super().zoom()
        self._share_out()

    def _share_out(self) -> None:
        """Gives plan and change the lines they need, and the rest of the screen to the output."""
        top = self.query_one("#plan-top")
        self.query_one("#plan-columns").set_class(self._session is None, "-unasked")
        if self.query(".-zoomed") or self.size.width < WIDE or self._session is None:
            top.styles.clear_rule("height")
            return
        rows = len(self._graph.rows)
        steps = [len(node_lines(row.node, None)) for row in self._graph.rows if row is not None]
        about = min(_MOST_ABOUT, max([0, *steps]) + _EXTRA_LINES)
        left = rows + _FRAME + about + _FRAME
        width = self.size.width // 2 - _AROUND
        report = sum(len(wrap(words, width)) for words in self._report)
        right = len(self._changes.rows) + report + _FRAME
        most = max(_LEAST, self.size.height * _MOST_PERCENT // 100)
        top.styles.height = min(most, max(left, right))
        self.query_one("#graph-pane").styles.height = min(rows + _FRAME, most - _FRAME - 2)

    def show_waiting(self, words: Line) -> None:
        self._graph.show_rows([])
        self._graph.say(words)

    # -- the session ----------------------------------------------------------------------------

    def load(self) -> None:
        if self.workspace is None or self.docset is None:
            return
        plans = self.workspace.plans(self.docset.docset_id)
        self._suggest([])
        self._count_values()
        if self._session is None or self._session.docset_id != self.docset.docset_id:
            self._open(plans.latest())
            self._begin()

    def _suggest(self, facets: Sequence[Facet]) -> None:
        """Suggested questions about this DocSet, shown in place of a plan."""
        if self.docset is not None:
            examples = question_examples(self.docset.schema_, facets)
            self._graph.say(*_START, *(line(dim(example)) for example in examples))

    @work(exclusive=True, group="values")
    async def _count_values(self) -> None:
        """Improves the suggestions where the server counts values."""
        if self.workspace is None or self.docset is None or self._session is not None:
            return
        try:
            self._suggest(await self.workspace.client.facets(self.docset.docset_id))
        except WorkbenchError:
            return

    def on_screen_resume(self) -> None:
        self._begin()

    def _begin(self) -> None:
        """Starts with the question line before anything was asked."""
        if self._session is None and self.workspace is not None and self.docset is not None:
            self.query_one(QuestionLine).wait()

    def _put_choices_away(self) -> None:
        for choices in self.query(ReadingChoices):
            choices.put_away()

    def _open(self, session: PlanSession | None, *, fresh: bool = False) -> None:
        if session is not self._session:
            self._put_choices_away()
        self._session = self._output.session = session
        self._show()
        self._recall()
        self._estimate(then_run=fresh)
        self._show_faults()

    def _show_faults(self) -> None:
        """Why a plan that was changed by hand cannot run yet."""
        session = self._session
        faults = session.faults() if session and session.current else []
        if faults:
            words = "; ".join(fault.msg for fault in faults)
            self._notice.say(f"This plan cannot run yet: {words}.", "warn")

    def unsaved(self) -> list[str]:
        run = self._output.run
        typed = self.query_one(FeedbackBox).field.value.strip()
        running = ["A plan is still running. Quitting stops it."]
        return [
            *(running if run is not None and run.state == "running" else []),
            *([f"Your feedback has not been sent: {typed}"] if typed else []),
        ]

    def take_news(self) -> None:
        """Redraws after a notebook or another window has changed the questions."""
        if self.workspace is None or self.docset is None:
            return
        if self._session is None:
            self._open(self.workspace.plans(self.docset.docset_id).latest())
        elif self._session.current is not None:
            self._open(self._session)

    @work(exclusive=True, group="estimate")
    async def _estimate(self, *, then_run: bool = False) -> None:
        """The estimated cost of the plan, if known; `then_run` runs a cheap plan at once."""
        session = self._session
        if session is None or session.current is None:
            return
        try:
            await session.estimate()
        except WorkbenchError:
            return  # an estimate is optional; the run will report errors
        self._show_graph()
        current = session.current if session is self._session else None
        wanted = then_run and self.workbench.preferences.auto_run and current is not None
        if wanted and is_quick(session.estimates) and not session.faults():
            self.run_quietly()

    def run_quietly(self) -> None:
        """Runs the plan without moving the focus; the subclass with the actions implements it."""

    @work(exclusive=True, group="recall")
    async def _recall(self) -> None:
        """The last run of this version, if there was one."""
        session = self._session
        if session is None or session.current is None:
            return
        try:
            run = await session.last_run()
        except WorkbenchError:
            return  # the server keeps only the newest runs; the plan can be run again
        if run is not None and session is self._session:
            self._show()
            if session.plan is not None:
                await self._output.fetch(
                    session.plan.result_node if run.until_node is None else run.until_node
                )
                if not self._changes.rows:  # otherwise a narrow terminal shows the open changes
                    self.query_one("#plan-columns").add_class("-output")

    def _show(self) -> None:
        """Redraws everything that depends on the session."""
        session = self._session
        current = session.current if session else None
        self.query_one(QuestionLine).show(
            session.question if session else "",
            place_among_versions(session),
            keep_typed=self._refused,
        )
        self._show_graph()
        self._show_changes(self._shown_changes())
        self._show_node()
        self._show_refusal()
        self._share_out()
        run = self._output.run if current else None
        if run is None or run.query_id is None or not self._output.is_current:
            self._output.clear()

    def _show_refusal(self) -> None:
        """Greys plan and answer when they belong to another question, and names it."""
        of = self._other_question
        self.query_one("#plan-columns").set_class(bool(of), "-of-another")
        self._output.name_question(of)
        self._title_plan()

    @property
    def _other_question(self) -> str:
        """The question that plan and answer belong to, if it differs from the one above them."""
        return self._session.question if self._refused and self._session else ""

    def _title_plan(self) -> None:
        session, of = self._session, self._other_question
        current = session.current if session else None
        run = session.runs.get(current.number) if session and current else None
        words = plan_words(current, run, session.estimates if session else {})
        self.query_one("#graph-pane", Pane).retitle(f"Plan of “{of}”" if of else "Plan", words)

    def _show_graph(self) -> None:
        session = self._session
        current = session.current if session else None
        run = session.runs.get(current.number) if session and current else None
        estimates = session.estimates if session else {}
        changes = self._shown_changes().changes
        kept = [c for c in changes if session and session.decision(c) != "refused"]
        plan = current.plan if current else None
        anew = session is not None and session.id != self._graphed
        self._graph.show_plan(plan, run, PlanDiff(changes=kept), estimates, anew=anew)
        self._graphed = session.id if session else ""
        self._title_plan()

    # -- while it runs --------------------------------------------------------------------------

    def _step_changed(self, _: PlanRun) -> None:
        """Draws steps that finish in quick succession together."""
        if not self._due:
            self._due = True
            self.set_timer(0.1, self._show_progress)

    @work(exclusive=True, group="progress")
    async def _show_progress(self) -> None:
        """The progress of the run, and the rows of the last finished step."""
        self._due = False
        run = self._output.run
        if run is None or run.state != "running":
            return
        self._show_graph()
        self._show_node()
        if run.latest is not None:
            try:
                await self._output.fetch(run.latest)
            except WorkbenchError:
                return  # the run itself continues, or will report why not

    def _shown_changes(self) -> PlanDiff:
        session = self._session
        if session is None or session.current is None:
            return PlanDiff()
        if self._compared is not None and self._compared in session.versions.all:
            return session.diff(self._compared, session.versions.pointer)
        return session.changes()

    def _show_changes(self, changes: PlanDiff) -> None:
        session = self._session
        pane = self.query_one("#change-pane", Pane)
        current = session.current if session else None
        comparing = self._compared is not None
        report = reading_lines(current.plan, session.report) if session and current else []
        report = [] if comparing else report
        pane.set_class(not (changes.changes or report or comparing), "-empty")
        if session is None or current is None:
            return
        self._changes.say(line(dim("No difference.")))
        older = session.versions.all[self._compared or current.base or current.number]
        newer = session.versions.all[current.number if comparing else current.proposal or 0]
        self._changes.show_changes(
            changes,
            None if comparing else session.decision,
            lambda change: change_words(change, older.plan, newer.plan),
        )
        # A first version has no change to show, so this shows how the question was read.
        self._changes.display = bool(changes.changes) or comparing
        self._changes.styles.height = max(1, min(10, len(changes.changes)))
        self._report = report
        self.query_one("#report", Static).update(as_content(report))
        self.query_one("#report-scroll").display = bool(report)
        self._output.show_reading(reading_lines(current.plan, session.report, beside_answer=True))
        before = self._compared if comparing else current.base
        sentence = f"“{current.feedback}”" if current.feedback and not comparing else ""
        title = "How it was read" if before is None else f"Change  v{before} → v{current.number}"
        pane.retitle(title, sentence)
        pane.foot(answer_change(session.versions.all.get(before or 0), current))

    @on(LineList.Highlighted, "#graph")
    def _show_node(self) -> None:
        row = self._graph.current
        session = self._session
        pane = self.query_one("#node-pane", Pane)
        if row is None or session is None:
            pane.retitle("Step")
            self.query_one("#node", Static).update("")
            return
        run = session.runs.get(session.versions.pointer)
        progress = run.nodes.get(row.node.node_id) if run else None
        pane.retitle(f"Step {row.node.node_id}", row.node.node_type)
        pane.foot("enter edits it")
        self.query_one("#node", Static).update(as_content(node_lines(row.node, progress)))
