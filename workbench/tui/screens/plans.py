"""Screen 6: a question, its plan as a graph, feedback in words, and what each step gives."""

from collections.abc import Awaitable, Callable
from typing import Any, ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.widgets import Static

from backend.contract.plan_diff import PlanDiff
from workbench.client.errors import WorkbenchError
from workbench.sessions.plan_session import PlanSession
from workbench.sessions.plan_versions import PlanVersion
from workbench.tui.dialogs.choose import Choose
from workbench.tui.dialogs.node_editor import NodeEditor
from workbench.tui.keys import bindings
from workbench.tui.lines import Line, Span, as_content, dim, line
from workbench.tui.plan_choices import document_choices, question_choices, version_choices
from workbench.tui.plan_words import (
    answer_change,
    change_words,
    place_among_versions,
    plan_words,
)
from workbench.tui.provenance import documents_of, place_of
from workbench.tui.screens.frame import Frame
from workbench.tui.screens.plan_output import PlanOutput
from workbench.tui.styles import STYLES
from workbench.tui.widgets.feedback_box import FeedbackBox
from workbench.tui.widgets.line_list import LineList
from workbench.tui.widgets.node_form import node_lines
from workbench.tui.widgets.notice import Notice
from workbench.tui.widgets.pane import Pane
from workbench.tui.widgets.plan_changes import PlanChanges, report_lines
from workbench.tui.widgets.plan_graph import LEGEND, PlanGraph
from workbench.tui.widgets.question_line import QuestionLine

_START = (
    line(Span("Ask something about the documents.", "strong")),
    line(),
    line("Press ", Span("a", "accent"), " and write a question; its plan appears here."),
    line(dim("how many incidents were caused by icing?")),
    line(dim("average damage by state in 2023")),
)


class PlansScreen(Frame):
    place = "plans"
    CSS_PATH: ClassVar[Any] = [STYLES / "inputs.tcss", STYLES / "plans.tcss"]
    needs_docset = True
    BINDINGS = bindings("plans")

    def body(self) -> ComposeResult:
        yield QuestionLine()
        with Horizontal(classes="columns", id="plan-columns"):
            with Vertical(id="plan-left"):
                with Pane(title="Plan", id="graph-pane"):
                    yield PlanGraph(id="graph")
                with Pane(title="Node", id="node-pane", classes="inspector"):
                    yield VerticalScroll(Static(id="node", classes="text"), can_focus=False)
            with Vertical(id="plan-right"):
                with Pane(title="Change", id="change-pane"):
                    yield PlanChanges(id="changes")
                    yield Static(id="report", classes="text")
                yield PlanOutput()
        yield Notice()
        yield FeedbackBox()

    def on_mount(self) -> None:
        self._session: PlanSession | None = None
        self._compared: int | None = None
        self._graph.focus()
        self.query_one("#graph-pane", Pane).foot(LEGEND)

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

    def show_waiting(self, words: Line) -> None:
        self._graph.show_rows([])
        self._graph.say(words)

    # -- the session ----------------------------------------------------------------------------

    def load(self) -> None:
        if self.workspace is None or self.docset is None:
            return
        plans = self.workspace.plans(self.docset.docset_id)
        self._graph.say(*_START)
        if self._session is None or self._session.docset_id != self.docset.docset_id:
            self._open(plans.latest())

    def _open(self, session: PlanSession | None) -> None:
        self._session = session
        self._output.session = session
        self._show()
        self._recall()

    @work(exclusive=True, group="recall")
    async def _recall(self) -> None:
        """What the last run of this version did, when there was one."""
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

    def _show(self) -> None:
        """Draws everything that follows from the session."""
        session = self._session
        current = session.current if session else None
        self.query_one(QuestionLine).show(
            session.question if session else "", place_among_versions(session)
        )
        changes = self._shown_changes()
        run = session.runs.get(current.number) if session and current else None
        kept = [c for c in changes.changes if session and session.decision(c) != "refused"]
        self._graph.show_plan(current.plan if current else None, run, PlanDiff(changes=kept))
        self.query_one("#graph-pane", Pane).retitle("Plan", plan_words(current, run))
        self._show_changes(changes)
        self._show_node()
        if run is None or run.query_id is None:
            self._output.clear()

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
        report = report_lines(session.report) if session and current and not comparing else []
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
        # A first version has nothing before it: what there is to say is how it was read.
        self._changes.display = bool(changes.changes) or comparing
        self._changes.styles.height = max(1, min(10, len(changes.changes)))
        self.query_one("#report", Static).update(as_content(report))
        self.query_one("#report", Static).display = bool(report)
        before = self._compared if comparing else current.base
        said = f"“{current.feedback}”" if current.feedback and not comparing else ""
        title = "How it was read" if before is None else f"Change  v{before} → v{current.number}"
        pane.retitle(title, said)
        pane.foot(answer_change(session.versions.all.get(before or 0), current))

    @on(LineList.Highlighted, "#graph")
    def _show_node(self) -> None:
        row = self._graph.current
        session = self._session
        pane = self.query_one("#node-pane", Pane)
        if row is None or session is None:
            pane.retitle("Node")
            self.query_one("#node", Static).update("")
            return
        run = session.runs.get(session.versions.pointer)
        progress = run.nodes.get(row.node.node_id) if run else None
        pane.retitle(f"Node {row.node.node_id}  {row.node.node_type}")
        pane.foot("enter changes the fields")
        self.query_one("#node", Static).update(as_content(node_lines(row.node, progress)))

    # -- asking and feeding back ----------------------------------------------------------------

    def action_ask(self) -> None:
        self.query_one(QuestionLine).open()

    def action_feedback(self) -> None:
        self.query_one(FeedbackBox).open()

    @on(QuestionLine.Left)
    @on(FeedbackBox.Left)
    def _back(self) -> None:
        self.query_one("#plan-right").remove_class("-output")
        self._graph.focus()

    @on(QuestionLine.Asked)
    def _asked(self, event: QuestionLine.Asked) -> None:
        if self.workspace is None or self.docset is None:
            return
        plans = self.workspace.plans(self.docset.docset_id)

        async def ask() -> None:
            session = plans.new(event.text)
            try:
                await session.ask()
            except BaseException:
                plans.forget(session.id)
                raise
            self._compared = None
            self._open(session)
            self._graph.focus()

        self._do("Planning …", ask)

    @on(FeedbackBox.Sent)
    def _fed_back(self, event: FeedbackBox.Sent) -> None:
        session = self._session
        if session is None or session.current is None:
            self._notice.say("Ask a question first: press esc, then a.", "warn")
            return

        async def feed_back() -> None:
            await session.feed_back(event.text)
            self.query_one("#plan-right").remove_class("-output")
            self.query_one(FeedbackBox).clear()
            self._changed_version()
            if self._changes.rows:
                self._changes.focus()

        self._do("Rewriting the plan …", feed_back)

    @work(exclusive=True, group="plan")
    async def _do(self, waiting: str, act: Callable[[], Awaitable[None]]) -> None:
        """Does something with the server; what it refuses is said above the feedback box."""
        self._notice.say(waiting)
        with self.telling(self._notice):
            await act()
            self._notice.hush()
        self._show()

    def _changed_version(self) -> None:
        self._compared = None
        self._show()
        self._recall()
        session = self._session
        faults = session.faults() if session and session.current else []
        if faults:
            words = "; ".join(fault.msg for fault in faults)
            self._notice.say(f"This plan cannot run yet: {words}.", "warn")

    # -- versions -------------------------------------------------------------------------------

    def action_undo(self) -> None:
        self._moved(self._session.undo() if self._session else None, "This is the first version.")

    def action_redo(self) -> None:
        self._moved(self._session.redo() if self._session else None, "Nothing to go forward to.")

    def _moved(self, version: PlanVersion | None, otherwise: str) -> None:
        if version is None:
            self.notify(otherwise)
        else:
            self._notice.hush()
            self._changed_version()

    def action_accept(self) -> None:
        self._decide(accept=True)

    def action_refuse(self) -> None:
        self._decide(accept=False)

    def _decide(self, *, accept: bool) -> None:
        session, change = self._session, self._changes.current
        if session is None or change is None or not self._changes.can_decide:
            self.notify("There is no change to decide about.")
            return
        at = self._changes.cursor
        (session.accept if accept else session.refuse)(change)
        self._changed_version()
        self._changes.cursor = at + 1

    @work
    async def action_history(self) -> None:
        chosen = await self._choose_version("Versions")
        if chosen is not None and self._session is not None:
            self._moved(self._session.versions.go_to(chosen), "")

    @work
    async def action_diff(self) -> None:
        chosen = await self._choose_version("Compare with")
        if chosen is not None:
            self._compared = chosen
            self._show()

    async def _choose_version(self, title: str) -> int | None:
        if self._session is None or self._session.current is None:
            return None
        versions = self._session.versions
        choices = version_choices(versions)
        current = str(versions.pointer)
        answer = await self.app.push_screen_wait(Choose(title, choices, current=current))
        return int(answer[0]) if answer else None

    @work
    async def action_sessions(self) -> None:
        if self.workspace is None or self.docset is None:
            return
        plans = self.workspace.plans(self.docset.docset_id)
        choices = question_choices(plans.asked(), self.workbench.clock())
        if not choices:
            self.notify("Nothing was asked about this DocSet yet.")
            return
        answer = await self.app.push_screen_wait(Choose("Questions", choices))
        if answer:
            self._compared = None
            self._open(plans.open(answer[0]))

    @on(LineList.Opened, "#graph")
    @work
    async def action_edit_node(self) -> None:
        row = self._graph.current
        if row is None or self._session is None:
            return
        node = await self.app.push_screen_wait(NodeEditor(row.node))
        if node is not None and node != row.node:
            self._session.edit_node(node)
            self._changed_version()

    # -- running --------------------------------------------------------------------------------

    def action_run(self) -> None:
        self._run(None)

    def action_run_to(self) -> None:
        self._run(self._graph.node_id)

    def _run(self, until_node: int | None) -> None:
        session = self._session
        if session is None or session.plan is None:
            self.notify("Ask a question first: press a.")
            return
        result_node = session.plan.result_node

        async def run() -> None:
            await session.run(until_node=until_node)
            self.query_one("#plan-right").add_class("-output")  # in sight in narrow terminals too
            self._show()
            await self._output.fetch(result_node if until_node is None else until_node)

        self._do("Running …", run)
        self.call_later(self._show)

    def action_output(self) -> None:
        """The rows of the node under the cursor; in narrow terminals the pane comes and goes."""
        right = self.query_one("#plan-right")
        if self._output.table.has_focus:
            self._back()
            return
        node_id = self._graph.node_id
        right.add_class("-output")
        self._output.table.focus()
        if node_id is not None and node_id != self._output.node_id:
            self._load_output(node_id)

    @work(exclusive=True, group="output")
    async def _load_output(self, node_id: int) -> None:
        with self.telling(self._notice):
            await self._output.fetch(node_id)

    @on(LineList.Wanted, "#output")
    @work(exclusive=True, group="more")
    async def _more_output(self) -> None:
        with self.telling(self._notice):
            await self._output.more()

    @on(LineList.Opened, "#output")
    @work
    async def action_trace(self) -> None:
        """From the row to the documents behind it, and to the page where it was read."""
        from workbench.tui.screens.viewer import ViewerScreen

        row, session = self._output.table.row, self._session
        if row is None or session is None:
            self.notify("Select a row of an output first: o.")
            return
        documents = documents_of(row)
        if not documents:
            self.notify("No document stands behind this row.")
            return
        run, doc_id = self._output.run, documents[0]
        with self.telling(self._notice):
            names = await self._output.names_of(documents)
            if len(documents) > 1:
                choices = document_choices(documents, names, row, run)
                answer = await self.app.push_screen_wait(
                    Choose("Documents behind the row", choices)
                )
                if not answer:
                    return
                doc_id = answer[0]
            place = place_of(doc_id, row, run)
            self.app.push_screen(
                ViewerScreen(
                    session.docset_id,
                    doc_id,
                    names.get(doc_id, doc_id),
                    page=place.page,
                    element_id=place.element_id,
                )
            )

    @work
    async def action_export(self) -> None:
        from workbench.tui.dialogs.export import export_rows

        session = self._session
        if session is None or self._output.node_id is None:
            self.notify("Run the plan first; its output is exported.")
            return
        with self.telling(self._notice):
            rows = await self._output.all_rows()
            await export_rows(self.app, "result", rows, session.as_python())


SCREEN = PlansScreen
