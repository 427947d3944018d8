"""Screen 6: a question, its plan as a graph, feedback in words, and what each step gives."""

from collections.abc import Awaitable, Callable
from functools import partial

from textual import on, work

from workbench.client.errors import Ambiguous, WorkbenchError
from workbench.contract.coverage import field_words
from workbench.contract.errors import Choice as Reading
from workbench.contract.plan import Plan
from workbench.contract.plan_nodes import bare_field
from workbench.contract.schema import Schema
from workbench.frames.notes import Footnote
from workbench.sessions.evidence import EvidenceTrail
from workbench.sessions.filter_values import listed_values
from workbench.sessions.merging import agree, merge_choices
from workbench.sessions.plan_layout import graph_rows
from workbench.sessions.plan_session import PlanSession
from workbench.sessions.plan_versions import PlanVersion
from workbench.tui.dialogs.ask import Ask
from workbench.tui.dialogs.choose import Choice, Choose
from workbench.tui.keys import bindings
from workbench.tui.plan_choices import question_choices, version_choices
from workbench.tui.plan_handwork import (
    Values,
    added_node,
    changed_node,
    plan_without,
    revalued_plan,
    values_of,
)
from workbench.tui.screens.plan_frame import PlanFrame
from workbench.tui.widgets.feedback_box import FeedbackBox
from workbench.tui.widgets.line_list import LineList
from workbench.tui.widgets.lockable_input import LockableInput
from workbench.tui.widgets.pane import Pane
from workbench.tui.widgets.question_line import QuestionLine
from workbench.tui.widgets.reading_choices import ReadingChoices
from workbench.tui.widgets.table_list import TableList


class PlansScreen(PlanFrame):
    """The actions on a question and its plan."""

    BINDINGS = bindings("plans")

    # -- asking and feeding back ----------------------------------------------------------------

    def action_ask(self) -> None:
        self._put_choices_away()
        self.query_one(QuestionLine).open()

    def action_feedback(self) -> None:
        box = self.query_one(FeedbackBox)
        box.past = self._session.versions.past_feedback() if self._session else ()
        box.open()

    @on(QuestionLine.Left)
    @on(FeedbackBox.Left)
    def _back(self) -> None:
        if any(field.locked for field in self.query(LockableInput)):
            self.workers.cancel_group(self, "plan")
            self._notice.say("Stopped. Nothing was changed.", "warn")
        self.query_one("#plan-columns").remove_class("-output")
        self._put_choices_away()
        self._refused = False
        self._show_refusal()
        self._graph.focus()

    @on(QuestionLine.Asked)
    def _asked(self, event: QuestionLine.Asked) -> None:
        if self.workspace is None or self.docset is None:
            return
        plans = self.workspace.plans(self.docset.docset_id)

        async def ask() -> None:
            try:
                session = await plans.ask(event.text)
            except Ambiguous as error:
                self._refused = True
                self._offer("#of-question", error, partial(choose, event.text))
                return
            except BaseException:
                self._refused = True
                raise
            planned(session)

        def choose(question: str, choice: Reading) -> None:
            planned(plans.choose(question, choice))

        def planned(session: PlanSession) -> None:
            self._compared, self._refused = None, False
            self._open(session, fresh=True)
            self._graph.focus()

        self._put_choices_away()
        self._do("Planning …  esc stops", ask, self.query_one(QuestionLine).field)

    @on(FeedbackBox.Sent)
    def _fed_back(self, event: FeedbackBox.Sent) -> None:
        session = self._session
        if session is None or session.current is None:
            self._notice.say("Ask a question first: press esc, then a.", "warn")
            return

        base = session.versions.pointer

        async def feed_back() -> None:
            try:
                await session.feed_back(event.text)
            except Ambiguous as error:
                self._offer("#of-feedback", error, choose)
                return
            changed()

        def choose(choice: Reading) -> None:
            session.choose(choice, event.text, base)
            changed()

        def changed() -> None:
            self.query_one("#plan-columns").remove_class("-output")
            self.query_one(FeedbackBox).clear()
            self._changed_version(then_run=True)
            if self._changes.rows:
                self._changes.focus()
            else:
                self._graph.focus()

        self._put_choices_away()
        self._do("Changing the plan …  esc stops", feed_back, self.query_one(FeedbackBox).field)

    # -- readings to choose from ----------------------------------------------------------------

    def _offer(self, place: str, error: Ambiguous, take: Callable[[Reading], None]) -> None:
        """Lists the readings of a request; `take` continues with one of them."""
        self._take_reading = take
        self.query_one(place, ReadingChoices).offer(error.choices)

    @on(ReadingChoices.Chosen)
    def _chosen(self, event: ReadingChoices.Chosen) -> None:
        self._put_choices_away()
        self._take_reading(event.choice)

    @on(ReadingChoices.Left)
    def _rephrase(self, event: ReadingChoices.Left) -> None:
        self._put_choices_away()
        if event.place == "of-question":
            self.query_one(QuestionLine).field.take_focus(unasked=False)
        else:
            self.action_feedback()

    @work(exclusive=True, group="plan")
    async def _do(
        self,
        waiting: str,
        act: Callable[[], Awaitable[None]],
        field: LockableInput | None = None,
    ) -> None:
        """Does something with the server; refusals are shown above the feedback box. Keys
        typed meanwhile do not enter `field`.
        """
        self._notice.say(waiting)
        if field is not None:
            field.locked = True
        try:
            with self.reporting(self._notice):
                await act()
                self._notice.hush()
        finally:
            if field is not None:
                field.locked = False
        self._show()

    def _changed_version(self, *, then_run: bool = False) -> None:
        self._compared, self._refused = None, False
        self._show()
        self._recall()
        self._estimate(then_run=then_run)
        self._show_faults()

    # -- versions -------------------------------------------------------------------------------

    def action_undo(self) -> None:
        self._moved(self._session.undo() if self._session else None, "This is the first version.")

    def action_redo(self) -> None:
        self._moved(self._session.redo() if self._session else None, "This is the newest version.")

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
            self.notify("No change is selected.")
            return
        at = self._changes.cursor
        (session.accept if accept else session.refuse)(change)
        self._changed_version(then_run=True)
        self._changes.cursor = at + 1

    @work
    async def action_history(self) -> None:
        chosen = await self._choose_version("Versions")
        if chosen is not None and self._session is not None:
            self._moved(self._session.versions.go_to(chosen), "")

    @work
    async def action_diff(self) -> None:
        before = self._session.current.base if self._session and self._session.current else None
        chosen = await self._choose_version("Compare with", before)
        if chosen is None or self._session is None:
            return
        self._compared = chosen
        self._show()
        with self.reporting(self._notice):
            if await self._output.compare(chosen, self._session.versions.pointer):
                self.query_one("#plan-columns").add_class("-output")
            else:
                self.query_one("#change-pane", Pane).foot("run both versions to compare their rows")

    async def _choose_version(self, title: str, start: int | None = None) -> int | None:
        """`start` is the version that the cursor begins at, else the one that is shown."""
        if self._session is None or self._session.current is None:
            return None
        versions = self._session.versions
        choices = version_choices(versions)
        current = str(start or versions.pointer)
        answer = await self.app.push_screen_wait(Choose(title, choices, current=current))
        return int(answer[0]) if answer else None

    @work
    async def action_sessions(self) -> None:
        if self.workspace is None or self.docset is None:
            return
        plans = self.workspace.plans(self.docset.docset_id)
        choices = question_choices(plans.asked(), self.workbench.clock())
        if not choices:
            self.notify("No questions about this DocSet yet.")
            return
        answer = await self.app.push_screen_wait(Choose("Questions", choices))
        if answer:
            self._compared = None
            self._open(plans.open(answer[0]))

    @work
    async def action_name(self) -> None:
        """Gives the question a name to find it by."""
        session = self._session
        if session is None or self.workspace is None:
            return
        plans = self.workspace.plans(session.docset_id)
        known = next((one.name for one in plans.asked() if one.id == session.id), None)
        asked = Ask("Name", session.question, value=known or "", may_be_empty=True)
        name = await self.app.push_screen_wait(asked)
        if name is not None:
            plans.rename(session.id, name)

    # -- by hand --------------------------------------------------------------------------------

    @on(LineList.Opened, "#graph")
    def action_edit_node(self) -> None:
        self._edit_node(None)

    def action_rewire(self) -> None:
        self._edit_node("inputs")

    @work
    async def _edit_node(self, focus: str | None) -> None:
        node_id, session = self._graph.node_id, self._session
        if session is not None and session.plan is not None and node_id is not None:
            values = await self._values(session)
            self._by_hand(
                await changed_node(
                    self.app, session.plan, node_id, self._schema, values, focus=focus
                )
            )

    @work
    async def action_add_node(self) -> None:
        node_id, session = self._graph.node_id, self._session
        if session is not None and session.plan is not None and node_id is not None:
            values = await self._values(session)
            plan, schema = session.plan, self._schema
            try:
                self._by_hand(await added_node(self.app, plan, node_id, schema, values))
            except ValueError as error:
                self._notice.say(str(error), "warn")

    @work
    async def action_values(self) -> None:
        """Which listed values a filter takes: the step's, else the first such step's."""
        node_id, session = self._graph.node_id, self._session
        if session is None or session.plan is None or node_id is None:
            return
        plan = session.plan
        with_list = [row.node.node_id for row in graph_rows(plan) if listed_values(row.node)]
        if with_list and node_id not in with_list:
            node_id = with_list[0]
        try:
            self._by_hand(await revalued_plan(self.app, plan, node_id))
        except ValueError as error:
            self._notice.say(str(error), "warn")

    @work
    async def action_remove_node(self) -> None:
        node_id, session = self._graph.node_id, self._session
        if session is None or session.plan is None or node_id is None:
            return
        try:
            self._by_hand(await plan_without(self.app, session.plan, node_id))
        except ValueError as error:
            self._notice.say(str(error), "warn")

    @property
    def _schema(self) -> Schema | None:
        return self.docset.schema_ if self.docset else None

    async def _values(self, session: PlanSession) -> Values:
        """The commonest values of the properties, as proposals; none if the server has none."""
        try:
            return values_of(await session.client.facets(session.docset_id))
        except WorkbenchError:
            return {}

    def _by_hand(self, plan: Plan | None) -> None:
        if plan is not None and self._session is not None:
            self._session.edit_by_hand(plan)
            self._changed_version(then_run=True)

    # -- running --------------------------------------------------------------------------------

    def action_run(self) -> None:
        self._run(None)

    def action_run_to(self) -> None:
        self._run(self._graph.node_id)

    def action_summary(self) -> None:
        self._run(None, summarize=True)

    def action_stop(self) -> None:
        """Leaves the stream of the run, which ends it on the server."""
        run = self._output.run
        if run is not None and run.state == "running":
            self.workers.cancel_group(self, "plan")
            self._notice.say(
                "Stopped. Finished steps keep their rows; press o to see them.", "warn"
            )
            self.call_later(self._show)
        else:
            self.notify("Nothing is running.")

    def run_quietly(self) -> None:
        if self._output.run is None:  # otherwise it has run, or is running
            self._run(None, in_sight=not self._changes.rows)

    def _run(
        self, until_node: int | None, *, summarize: bool = False, in_sight: bool = True
    ) -> None:
        """`in_sight` brings the output up where a narrow terminal shows one pane at a time."""
        session = self._session
        if session is None or session.plan is None:
            self.notify("Ask a question first: press a.")
            return
        result_node = session.plan.result_node

        async def run() -> None:
            await session.run(
                until_node=until_node, summarize=summarize, on_change=self._step_changed
            )
            if in_sight:
                self.query_one("#plan-columns").add_class("-output")
            self._show()
            await self._output.fetch(result_node if until_node is None else until_node)

        self._do("Running …", run)
        self.call_later(self._show)

    def action_output(self) -> None:
        """The rows of the node under the cursor; in narrow terminals the pane comes and goes."""
        self.unzoom()
        right = self.query_one("#plan-columns")
        if self._output.table.has_focus:
            self._back()
            return
        node_id = self._graph.node_id
        right.add_class("-output")
        self._output.table.focus()
        if node_id is not None and (node_id != self._output.node_id or self._output.comparing):
            self._load_output(node_id)

    @work(exclusive=True, group="output")
    async def _load_output(self, node_id: int) -> None:
        with self.reporting(self._notice):
            await self._output.fetch(node_id)

    @on(LineList.Wanted, "#output")
    @work(exclusive=True, group="more")
    async def _more_output(self) -> None:
        with self.reporting(self._notice):
            await self._output.more()

    def action_sort(self) -> None:
        """Sorts the rows by the column under the cursor."""
        column = self._output.table.current_column
        if column is not None and column.order:
            self._sort(column.order)
        else:
            self.notify("There are no rows to sort. Press r to run the plan.")

    @on(TableList.OrderChosen, "#output")
    def _header_clicked(self, event: TableList.OrderChosen) -> None:
        self._sort(event.order)

    @work(exclusive=True, group="more")
    async def _sort(self, name: str) -> None:
        with self.reporting(self._notice):
            if not await self._output.sort_by(name):
                self.notify("Too many rows to sort here. Press i to add a Sort step to the plan.")

    @on(LineList.Opened, "#output")
    def action_trace(self) -> None:
        """From the number or the row to the documents behind it."""
        output, row = self._output, self._output.table.current
        if row is None or output.node_id is None:
            self.notify("Run the plan first: r.")
        elif row.change is not None and row.change.place is None:
            self.notify("This row is gone. Open the version before to see its documents.")
        else:
            place = row.place if row.change is None else row.change.place
            trail = output.trail(output.node_id, None if output.is_number else place, row.values)
            title = f"Behind {output.words_of(row.values)}"
            self._show_evidence(trail, title, "There are no documents behind this.")

    @work
    async def action_left_out(self) -> None:
        """From what an answer could not use to those documents, each with the reason."""
        chosen = await self._chosen_remark()
        if chosen is not None:
            trail = self._output.trail(chosen.node_id, field=chosen.field)
            self._show_evidence(
                trail, f"Left out for {field_words(chosen.field)}", "Nothing was left out."
            )

    @work
    async def action_review(self) -> None:
        """From what an answer could not use to a review of those values."""
        from workbench.tui.screens.review import ReviewScreen

        session, chosen = self._session, await self._chosen_remark()
        trail = self._output.trail(chosen.node_id, field=chosen.field) if chosen else None
        if session is None or chosen is None or trail is None:
            return
        with self.reporting(self._notice):
            doc_ids = await trail.document_ids()
            screen = ReviewScreen(
                session.docset_id,
                fields=[bare_field(chosen.field)],
                doc_ids=doc_ids,
                below=None,  # values that are certainly missing are left out of answers as well
                about=f"Review of {field_words(chosen.field)}",
            )
            await self.app.push_screen_wait(screen)
            self._notice.say("Press r to run the plan with the values as they are now.", "good")

    async def _chosen_remark(self) -> Footnote | None:
        """The remark about values that were left out; asks which if there are several."""
        notes = self._output.notes.footnotes
        if not notes:
            ran = self._output.node_id is not None
            self.notify("Nothing was left out of this." if ran else "Run the plan first: r.")
            return None
        if len(notes) == 1:
            return notes[0]
        choices = [Choice(str(place), note.text) for place, note in enumerate(notes)]
        answer = await self.app.push_screen_wait(Choose("Left out", choices))
        return notes[int(answer[0])] if answer else None

    @work
    async def action_merge(self) -> None:
        """Which proposed and agreed spellings count as one; then the plan runs anew."""
        session, run = self._session, self._output.run
        if session is None:
            self.notify("Ask a question first: press a.")
            return
        with self.reporting(self._notice):
            merges = await merge_choices(
                session.client, session.docset_id, run.merges if run else []
            )
            if not merges:
                self.notify("No spellings look alike in this answer, and none were merged.")
                return
            rows = [
                Choice(str(place), one.words, "agreed" if one.agreed else "proposed")
                for place, one in enumerate(merges)
            ]
            marked = [str(place) for place, one in enumerate(merges) if one.agreed]
            chosen = await self.app.push_screen_wait(
                Choose("Spellings that count as one", rows, marked=marked)
            )
            wanted = set(map(int, chosen or []))
            if chosen is not None and await agree(
                session.client, session.docset_id, merges, wanted
            ):
                self._run(None)

    def _show_evidence(self, trail: EvidenceTrail | None, title: str, empty: str) -> None:
        from workbench.tui.screens.evidence import EvidenceScreen

        if trail is not None and self._session is not None:
            self.app.push_screen(EvidenceScreen(self._session.docset_id, trail, title, empty))

    @work
    async def action_export(self) -> None:
        """Exports the plan, or its output, to a file or the clipboard."""
        from workbench.tui.plan_export import export_plan

        session = self._session
        if session is None or session.plan is None:
            self.notify("Ask a question first: press a.")
            return
        with self.reporting(self._notice):
            await export_plan(self.app, session, self._output)


SCREEN = PlansScreen
