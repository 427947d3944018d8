"""A plan in a notebook cell: its graph, feedback in words, changes to decide on, its run."""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

import traitlets
from ipywidgets import widget_serialization

from workbench.client.errors import Ambiguous, MissingExtension, WorkbenchError
from workbench.contract.coverage import field_words
from workbench.contract.errors import Choice
from workbench.contract.plan import Plan
from workbench.contract.plan_nodes import CATALOGUE, Node, bare_field
from workbench.formats import MARK, counted
from workbench.frames.html import Markup, preview, remarks, tag
from workbench.frames.notes import AnswerNotes
from workbench.objects import DocSet, PlanDraft, Run
from workbench.objects.run import run_of
from workbench.pages.raster import page_count, page_png
from workbench.sessions.evidence import EvidenceTrail, passages_of
from workbench.sessions.filter_values import with_places
from workbench.sessions.merging import MergeChoice, agree, merge_choices
from workbench.sessions.node_form import faults, read
from workbench.sessions.plan_changes import change_key
from workbench.sessions.plan_run import PlanRun
from workbench.sessions.plan_session import PlanSession
from workbench.sessions.plan_surgery import fresh_node, put_behind, take_out
from workbench.widgets import answer_view, plan_view
from workbench.widgets.message import Message, gone
from workbench.widgets.reviewer import Reviewer
from workbench.widgets.view import View, script

_SHOWN = 100
_SNAPSHOT = 20
_DOCUMENTS = 20
_WIDTH = 1000  # pixels of a page


class PlanEditor(View):
    """`editor.draft` is the version on the screen, `editor.run` the last run of the editor.

    The session is shared with the terminal app: each shows the other's changes. Without a plan or a
    question, the editor opens the latest question.
    """

    _esm = script("sheet", "plan_graph", "plan_form", "plan_editor")
    quiet = frozenset({"check", "form"})
    question = traitlets.Unicode("").tag(sync=True)
    questions: traitlets.List[Any] = traitlets.List().tag(sync=True)
    version = traitlets.Unicode("").tag(sync=True)
    versions: traitlets.List[Any] = traitlets.List().tag(sync=True)
    comparison = traitlets.Dict().tag(sync=True)
    steps: traitlets.List[Any] = traitlets.List().tag(sync=True)
    changes: traitlets.List[Any] = traitlets.List().tag(sync=True)
    choices = traitlets.Dict().tag(sync=True)
    remarks: traitlets.List[Any] = traitlets.List().tag(sync=True)
    can_undo = traitlets.Bool(False).tag(sync=True)
    can_redo = traitlets.Bool(False).tag(sync=True)
    running = traitlets.Bool(False).tag(sync=True)
    form = traitlets.Dict().tag(sync=True)
    faults = traitlets.Dict().tag(sync=True)
    filter_values: traitlets.List[Any] = traitlets.List().tag(sync=True)
    output = traitlets.Dict().tag(sync=True)
    notes = traitlets.Dict().tag(sync=True)
    merges: traitlets.List[Any] = traitlets.List().tag(sync=True)
    lineage = traitlets.Dict().tag(sync=True)
    place = traitlets.Dict().tag(sync=True)
    picture = traitlets.Bytes(b"").tag(sync=True)
    reading: traitlets.List[Any] = traitlets.List().tag(sync=True)
    reviewer = traitlets.Instance(Reviewer, allow_none=True).tag(sync=True, **widget_serialization)

    def __init__(self, docset: DocSet, plan: PlanDraft | str | None = None) -> None:
        self._docset = docset
        self._asked = docset.engine.plans(docset.id)
        self._session: PlanSession | None = None
        self._unlisten: Callable[[], None] = _nothing
        self._under_run: asyncio.Task[None] | None = None
        self._planning = asyncio.Lock()
        """Locked while a question or feedback is read: a run waits for the resulting plan."""
        self._trail: EvidenceTrail | None = None
        self._mergeable: list[MergeChoice] = []
        self._readings: Sequence[Choice] = ()
        self._take_reading: Callable[[Choice], None] = _ignore
        self._behind = ""
        self._shown: tuple[str, int] | None = None
        self._answer: str | None = None
        self.run: Run | None = None
        kinds = (
            "ask", "open", "feedback", "undo", "redo", "decide", "go_to", "compare", "form",
            "check", "save", "insert", "remove", "values", "run", "stop", "output", "why",
            "left_out", "review", "more", "look", "merge", "choose",
        )  # fmt: skip
        super().__init__({kind: getattr(self, f"_{kind}") for kind in kinds})
        news = docset.engine.workspace.news
        self.until_closed(
            news.listen(lambda: self.soon(self._heard)),
            docset.engine.news.hold(),
            lambda: self._unlisten(),
        )
        if isinstance(plan, PlanDraft):
            plan.session.versions.go_to(plan.number)
            self._take(plan.session)
        elif plan is not None:
            self.start(self._asked_for(plan))
        else:
            self._take(self._asked.latest())

    @property
    def draft(self) -> PlanDraft:
        """The version on the screen. Raises LookupError while there is no plan."""
        session = self._wanted()
        return PlanDraft(self._docset, session, session.versions.pointer)

    @draft.setter
    def draft(self, draft: PlanDraft) -> None:
        draft.session.versions.go_to(draft.number)
        self._take(draft.session)

    def review(self, field: str | None = None) -> Reviewer:
        """The values that the answer could not use, for review: those of `field`, or those of the
        first remark. Run the plan again afterwards. Raises LookupError before a run, and if nothing
        was left out.
        """
        ran, notes = self._ran(), self._notes().footnotes
        matching = [note for note in notes if field in (None, note.field, bare_field(note.field))]
        if not matching:
            raise LookupError("Nothing was left out of this answer that could be reviewed.")
        trail = self._left_out_trail(str(ran.query_id), matching[0].node_id, matching[0].field)
        ids = self._docset.engine.run(lambda _: trail.document_ids())
        return _reviewer_of(self._docset, matching[0].field, ids)

    def snapshot(self) -> Markup:
        session = self._session
        if session is None or session.current is None:
            return tag("div", self.question or "No question yet")
        output = self.output
        result = None
        if output and output.get("number"):
            moves = f"{MARK} " if self.notes.get("range") else ""
            words = f"{output['title']}  {moves}{output['number']['words']}"
            result = tag("div", words, style="font-weight:600")
        elif output:
            rows = output["rows"][:_SNAPSHOT]
            result = preview(output["title"], output["columns"], rows, output["total"])
        return tag("div", self.draft._repr_html_(), result, remarks(self._notes()))

    # -- questions and versions -----------------------------------------------------------------

    async def _ask(self, message: Message, _: Sequence[bytes]) -> None:
        await self._asked_for(message.text("text"))

    async def _asked_for(self, text: str) -> None:
        question = text.strip()
        self.question, self.choices = question, {}
        try:
            async with self._planning:
                session = await self._asked.ask(question)
        except Ambiguous as error:
            self._show()
            self._offer(
                "question", question, error,
                lambda one: self._take(self._asked.choose(question, one)),
            )  # fmt: skip
            return
        except BaseException:
            self._show()  # the question that the answer on the screen belongs to
            raise
        self._take(session)

    async def _open(self, message: Message, _: Sequence[bytes]) -> None:
        """Opens an earlier question, which may come from the terminal app."""
        session = self._asked.open(message.text("id"))
        if session is None:
            raise gone()
        self._take(session)

    async def _feedback(self, message: Message, _: Sequence[bytes]) -> None:
        session, feedback = self._wanted(), message.text("text")
        base, self.choices = session.versions.pointer, {}

        def take(choice: Choice) -> None:
            session.choose(choice, feedback, base)
            self._moved()

        try:
            async with self._planning:
                await session.feed_back(feedback)
        except Ambiguous as error:
            self._offer("feedback", feedback, error, take)
            return
        self._moved()

    def _offer(
        self, of: str, request: str, error: Ambiguous, take: Callable[[Choice], None]
    ) -> None:
        """Shows the readings of an ambiguous question or remark; `take` continues with one."""
        self._readings, self._take_reading = error.choices, take
        self.choices = plan_view.choices(of, request, error.choices)

    async def _choose(self, message: Message, _: Sequence[bytes]) -> None:
        """Continues with the reading at that index, or with none."""
        reading = message.item("place", self._readings) if message.has("place") else None
        self.choices, self._readings = {}, ()
        if reading is not None:
            self._take_reading(reading)

    async def _undo(self, message: Message, _: Sequence[bytes]) -> None:
        self._wanted().undo()
        self._moved()

    async def _redo(self, message: Message, _: Sequence[bytes]) -> None:
        self._wanted().redo()
        self._moved()

    async def _go_to(self, message: Message, _: Sequence[bytes]) -> None:
        if self._wanted().versions.go_to(message.number("number")) is None:
            raise gone()
        self._moved()

    async def _compare(self, message: Message, _: Sequence[bytes]) -> None:
        """Shows the changes from another version to this one; 0 closes the comparison."""
        number, session = message.number("number"), self._wanted()
        if not number:
            self.comparison = {}
            return
        if number not in session.versions.all:
            raise gone()
        rows = await session.compare_results(number, session.versions.pointer)
        self.comparison = plan_view.comparison(session, number, rows)

    async def _decide(self, message: Message, _: Sequence[bytes]) -> None:
        """Accepts or refuses the change that the browser knows by this key."""
        session = self._wanted()
        key, accept = message.text("key"), message.flag("accept")
        change = next((c for c in session.changes().changes if change_key(c) == key), None)
        if change is None:
            raise gone()
        if accept:
            session.accept(change)
        else:
            session.refuse(change)
        self._moved()

    # -- a step by hand -------------------------------------------------------------------------

    async def _form(self, message: Message, _: Sequence[bytes]) -> None:
        """Shows the form of a step; without `node` it closes the form."""
        self._show_form(_step(message, self.draft.plan) if message.has("node") else None)

    def _show_form(self, node_id: int | None) -> None:
        schema = self._docset.schema
        form = {} if node_id is None else plan_view.node_form(self.draft, node_id, schema)
        with self.hold_sync():
            self.faults, self.form = {}, form

    async def _check(self, message: Message, _: Sequence[bytes]) -> None:
        """Reports the faults of a half-typed step."""
        plan, node = self._typed(message)
        self.faults = faults(plan, node, self._docset.schema)

    async def _save(self, message: Message, _: Sequence[bytes]) -> None:
        """Makes a version in which the step has these fields. It starts from the version in the
        form: another program may have moved on meanwhile.
        """
        before, node = self._typed(message)
        # A plan with a cycle cannot be drawn.
        if "inputs" in (wrong := faults(before, node, self._docset.schema)):
            raise ValueError(f"Step {node.node_id} cannot have these inputs: {wrong['inputs']}.")
        nodes = {**before.nodes, str(node.node_id): node}
        self._change_by_hand(before.model_copy(update={"nodes": nodes}))

    async def _insert(self, message: Message, _: Sequence[bytes]) -> None:
        """Adds a step after another one, and shows its form."""
        plan, kind = self.draft.plan, message.text("step")
        behind = _step(message, plan)
        if kind not in CATALOGUE:
            raise gone()
        node = fresh_node(plan, kind, [behind])
        self._change_by_hand(put_behind(plan, behind, node))
        self._show_form(node.node_id)

    async def _remove(self, message: Message, _: Sequence[bytes]) -> None:
        """Removes a step; its inputs feed the steps after it."""
        self._change_by_hand(take_out(self.draft.plan, _step(message, self.draft.plan)))

    async def _values(self, message: Message, _: Sequence[bytes]) -> None:
        """Reduces a filter to some of its listed values."""
        plan = self.draft.plan
        node = with_places(plan.node(_step(message, plan)), message.numbers("places"))
        nodes = {**plan.nodes, str(node.node_id): node}
        self._change_by_hand(plan.model_copy(update={"nodes": nodes}))

    def _change_by_hand(self, plan: Plan) -> None:
        session = self._wanted()
        base = int(self.form.get("version") or session.versions.pointer)
        if plan.nodes != session.versions.all[base].plan.nodes:
            session.versions.go_to(base)
            session.edit_by_hand(plan)
        self._moved()

    def _typed(self, message: Message) -> tuple[Plan, Node]:
        """The plan of the form, with its step as typed."""
        version = self._wanted().versions.all.get(self.form.get("version", 0))
        if version is None:
            raise gone()
        plan = version.plan
        node = read(plan, _step(message, plan), message.texts("fields"), self._docset.schema)
        if not message.has("inputs"):
            return plan, node
        inputs = [int(piece) for piece in message.text("inputs").replace(",", " ").split()]
        return plan, node.model_copy(update={"inputs": inputs})

    # -- running --------------------------------------------------------------------------------

    async def _run(self, message: Message, _: Sequence[bytes]) -> None:
        """Runs the plan, or up to the step in `until`, and shows the output."""
        plan = self.draft.plan
        await self._run_until(_step(message, plan, "until") if message.has("until") else None)

    async def _run_until(self, until: int | None) -> None:
        async with self._planning:
            pass
        self._under_run = asyncio.ensure_future(self._work(until))
        try:
            await self._under_run
        except asyncio.CancelledError:
            raise ValueError("Stopped. What ran before is kept.") from None
        finally:
            self._under_run, self.running = None, False
            self._show()

    async def _stop(self, message: Message, _: Sequence[bytes]) -> None:
        if self._under_run is not None:
            self._under_run.cancel()

    async def _work(self, until: int | None) -> None:
        session = self._wanted()
        self.running = True
        done = await session.run(until_node=until, on_change=lambda _: self.soon(self._show))
        if done.result is None:
            return
        engine, docset = self._docset.engine, self._docset
        self.run = await run_of(engine, docset.id, done.result, docset.schema)
        end = self.draft.plan.result_node if until is None else until
        try:
            await self._show_output(end, 0)
        except (LookupError, MissingExtension):  # a server that keeps no outputs of steps
            self._show_answer(end)

    async def _output(self, message: Message, _: Sequence[bytes]) -> None:
        """Shows some rows of the output of a step in the last run."""
        await self._show_output(
            message.number("node"), message.number("offset") if message.has("offset") else 0
        )

    def _show_answer(self, node_id: int) -> None:
        """Shows the first rows of the answer itself."""
        if self.run is not None:
            rows = self.run.to_polars().head(_SHOWN).to_dicts()
            window = {"columns": self.run.columns, "rows": rows, "total": len(rows)}
            title = f"Result: {counted(len(self.run))}"
            facts = answer_view.ColumnFacts(shares=self.run.shares)
            self.output = answer_view.output(title, node_id, window, facts, 0, _SHOWN)
            self.notes = answer_view.notes(self.run.notes)
            self._shown = self._wanted().id, self._wanted().versions.pointer

    async def _show_output(self, node_id: int, offset: int) -> None:
        session = self._wanted()
        if session.current is None or session.current.query_id is None:
            raise LookupError("Run the plan first.")
        asked = session.id, session.versions.pointer
        window = await session.output(node_id, offset=offset, limit=_SHOWN)
        if (session.id, session.versions.pointer) != asked or session is not self._session:
            return  # meanwhile another version is shown
        plan = session.current.plan
        name = "Result" if node_id == plan.result_node else f"Step {node_id}"
        done = session.runs.get(session.versions.pointer)
        facts = answer_view.column_facts(plan, node_id, done)
        output = answer_view.output(name, node_id, window, facts, offset, _SHOWN)
        if output["number"] is None:
            output["title"] = f"{name}: {counted(window['total'])}"
        with self.hold_sync():
            self._close_lineage()
            self._shown, self._answer = asked, session.current.query_id
            self.output = output
            self.notes = answer_view.notes(self._notes())
        if node_id == plan.result_node:
            await self._offer_merges(done)

    # -- from a row to its places ---------------------------------------------------------------

    async def _why(self, message: Message, _: Sequence[bytes]) -> None:
        """Shows the documents behind a row of the output, or behind its number."""
        node_id = message.number("node")
        row = message.number("row") if message.has("row") else None
        run = self._ran()
        values = self.output.get("number") or {}
        words = values.get("words") if row is None else f"row {row + 1}"
        await self._follow(
            EvidenceTrail(
                self._docset.engine.client,
                str(run.query_id),
                node_id,
                row=row,
                citations=passages_of({}, run.result),
            ),
            f"Behind {words}",
        )

    async def _left_out(self, message: Message, _: Sequence[bytes]) -> None:
        """Shows the documents that a step could not use, each with the reason."""
        field, query_id = message.text("field"), str(self._ran().query_id)
        trail = self._left_out_trail(query_id, message.number("node"), field)
        await self._follow(trail, f"Left out for {field_words(field)}")

    async def _review(self, message: Message, _: Sequence[bytes]) -> None:
        """Opens the review of the values that a step could not use. Without `field` it closes the
        review, and runs the plan again if a value was changed.
        """
        if not message.has("field"):
            if self.reviewer is not None and await self.reviewer.finish():
                await self._run_until(None)
            self._close_review()
            return
        field, node_id = message.text("field"), message.number("node")
        trail = self._left_out_trail(str(self._ran().query_id), node_id, field)
        ids = await trail.document_ids()
        self._close_review()
        self.reviewer = _reviewer_of(self._docset, field, ids)

    def _close_review(self) -> None:
        reviewer, self.reviewer = self.reviewer, None
        if reviewer is not None:
            reviewer.close()

    def _left_out_trail(self, query_id: str, node_id: int, field: str) -> EvidenceTrail:
        client = self._docset.engine.client
        return EvidenceTrail(client, query_id, node_id, field=field, state="left_out")

    async def _more(self, message: Message, _: Sequence[bytes]) -> None:
        """More of the documents on display."""
        if self._trail is not None:
            await self._trail.more(_DOCUMENTS)
            self.lineage = answer_view.lineage(self._behind, self._trail)

    async def _merge(self, message: Message, _: Sequence[bytes]) -> None:
        """Merges the spellings at these indexes and no others, then runs again."""
        client, docset_id = self._docset.engine.client, self._docset.id
        wanted = set(message.numbers("places"))
        if await agree(client, docset_id, self._mergeable, wanted):
            await self._run_until(None)

    async def _offer_merges(self, run: PlanRun | None) -> None:
        """Lists spellings that may be merged and those that are; none on servers without merges."""
        self._mergeable = []
        with suppress(MissingExtension):
            client = self._docset.engine.client
            proposed = run.merges if run is not None else []
            self._mergeable = await merge_choices(client, self._docset.id, proposed)
        self.merges = answer_view.merges(self._mergeable)

    async def _follow(self, trail: EvidenceTrail, title: str) -> None:
        await trail.more(_DOCUMENTS)
        with self.hold_sync():
            self._close_lineage()
            self._trail, self._behind = trail, title
            self.lineage = answer_view.lineage(title, trail)

    def _ran(self) -> PlanRun:
        """The run of the version that is shown."""
        run = self._wanted().runs.get(self.draft.number)
        if run is None or run.query_id is None:
            raise LookupError("Run the plan first.")
        return run

    def _notes(self) -> AnswerNotes:
        """The documents and values behind the output on display."""
        session = self._session
        run = session.runs.get(session.versions.pointer) if session is not None else None
        node_id = self.output.get("node")
        return run.notes_of(node_id) if run and node_id is not None else AnswerNotes()

    async def _look(self, message: Message, _: Sequence[bytes]) -> None:
        """Shows the page of a source; files without pages show the text around it."""
        docset, doc_id, page = self._docset, message.text("document"), message.number("page")
        element, field = message.content.get("element"), message.content.get("field")
        file = await docset.engine.workspace.originals.get(docset.id, doc_id)
        drawn = page <= await asyncio.to_thread(page_count, file)
        picture = await asyncio.to_thread(page_png, file, page, _WIDTH) if drawn else b""
        document = None if drawn else await docset.engine.client.document(docset.id, doc_id)
        box = message.content.get("box")
        with self.hold_sync():
            place = {"document": doc_id, "page": page, "box": box, "element": element}
            self.place = place | {"field": field}
            self.picture = picture
            self.reading = plan_view.reading(document.elements, element) if document else []

    def _close_place(self) -> None:
        self.place, self.picture, self.reading = {}, b"", []

    def _close_lineage(self) -> None:
        self._trail, self.lineage = None, {}
        self._close_place()

    def _clear_output(self) -> None:
        self._shown, self.output, self.notes, self.merges = None, {}, {}, []
        self._close_lineage()
        self._close_review()

    # -- display ---------------------------------------------------------------------------------

    def _wanted(self) -> PlanSession:
        if self._session is None or self._session.current is None:
            raise LookupError("There is no plan yet: ask a question first.")
        return self._session

    def _take(self, session: PlanSession | None) -> None:
        """Shows another question."""
        self._unlisten()
        self._session, self.run = session, None
        if session is not None:
            self._unlisten = session.listen(lambda: self.soon(self._heard))
        with self.hold_sync():
            self.form, self.faults, self.comparison, self.choices = {}, {}, {}, {}
        self._show()
        self.start(self._recall(), quiet=True)

    def _heard(self) -> None:
        """Shows what another program did, including a run of the version on the screen."""
        self._show()
        current = self._session.current if self._session is not None else None
        if (
            current is not None
            and not self.running
            and current.query_id not in (None, self._answer)
        ):
            self._answer = current.query_id
            self._shown = None
            self.start(self._recall(), quiet=True)

    async def _recall(self) -> None:
        """The estimated output of each step, and its actual output in the last run of the version.
        The server keeps only the newest runs.
        """
        session = self._session
        if session is None or session.current is None:
            return
        with suppress(WorkbenchError):
            await session.estimate()
            run = await session.last_run()
            current = session.current
            if run is not None and self._shown is None and session is self._session:
                end = current.plan.result_node if run.until_node is None else run.until_node
                await self._show_output(end, 0)
        self._show()

    def _moved(self) -> None:
        """Shows another version."""
        self.form, self.faults, self.comparison, self.choices = {}, {}, {}, {}
        self._show()
        self.start(self._recall(), quiet=True)

    def _show(self) -> None:
        """Redraws everything that depends on the session."""
        session = self._session
        with self.hold_sync():
            self.questions = plan_view.questions(self._asked.asked(), session.id if session else "")
            if session is None or session.current is None:
                self.question = session.question if session else ""
                self.steps, self.changes, self.versions, self.version = [], [], [], ""
                self.filter_values = []
                self._clear_output()
                return
            versions = session.versions
            self.question = session.question
            self.version = f"version {versions.pointer} of {len(versions.all)}"
            self.versions = plan_view.versions(session)
            self.can_undo, self.can_redo = versions.can_undo, versions.can_redo
            self.steps = plan_view.steps(session)
            self.changes = plan_view.changes(session)
            self.remarks = plan_view.remarks(session)
            self.filter_values = plan_view.filter_values(session)
            # An answer belongs to the version that gave it, and to no other.
            if self._shown is not None and self._shown != (session.id, versions.pointer):
                self._clear_output()


def _reviewer_of(docset: DocSet, field: str, ids: Sequence[str]) -> Reviewer:
    """Answers also leave out values that are certainly missing, so all are reviewed."""
    return Reviewer(docset, [bare_field(field)], doc_ids=ids, below=None)


def _step(message: Message, plan: Plan, name: str = "node") -> int:
    """The step that a message is about. LookupError if the plan has it no more."""
    node_id = message.number(name)
    if str(node_id) not in plan.nodes:
        raise gone()
    return node_id


def _nothing() -> None:
    return None


def _ignore(_: Choice) -> None:
    return None
