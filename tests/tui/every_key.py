"""What each key of the table does, as a person sees it: one case for each id.

A case gets a `Hand` at the screen of its place, with the focus on the first list and nothing open
above it, and presses `hand.key`. What it leaves behind is for the next case to bear.
"""

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from textual.widgets import Input

from tests.tui.fake_client import FakeClient
from tests.tui.fake_reviews import value
from tests.tui.test_screens import settle, type_in, until
from workbench.client import TaskResult
from workbench.contract.coverage import Merge
from workbench.sessions.rereading_setting import rereads_by_itself
from workbench.sessions.sample_set import SampleSet
from workbench.tui.dialogs.add_files import AddFiles
from workbench.tui.dialogs.answer import Answer
from workbench.tui.dialogs.ask import Ask
from workbench.tui.dialogs.choose import Choose
from workbench.tui.dialogs.confirm import Confirm
from workbench.tui.dialogs.guide import GuideDialog
from workbench.tui.dialogs.help import HelpDialog
from workbench.tui.dialogs.jump import JumpMode
from workbench.tui.dialogs.node_editor import NodeEditor
from workbench.tui.dialogs.properties import Properties
from workbench.tui.dialogs.reading import Reading
from workbench.tui.screens.changes import ChangesScreen
from workbench.tui.screens.evidence import EvidenceScreen
from workbench.tui.screens.review import ReviewScreen
from workbench.tui.screens.viewer import ViewerScreen
from workbench.tui.widgets.facet_column import FacetColumn
from workbench.tui.widgets.filter_bar import FilterBar
from workbench.tui.widgets.line_list import LineList
from workbench.tui.widgets.node_output import NodeOutput
from workbench.tui.widgets.page_view import PageView
from workbench.tui.widgets.plan_changes import PlanChanges


class Hand:
    """Presses keys of a running app and looks at what becomes of it."""

    def __init__(self, pilot: Any, client: FakeClient) -> None:
        self.pilot, self.client, self.app = pilot, client, pilot.app
        self.key = ""

    @property
    def screen(self) -> Any:
        return self.app.screen

    @property
    def list(self) -> LineList[Any]:
        names = {"search": "#hits", "plans": "#graph"}
        place = getattr(self.screen, "place", "")
        return self.screen.query(names.get(place, "LineList")).first(LineList)

    @property
    def query(self) -> Input:
        return self.screen.query_one("#query", Input)

    async def press(self, *keys: str) -> None:
        for key in keys:
            await self.pilot.press(key)
            await settle(self.pilot)

    async def until(self, condition: Callable[[], object]) -> None:
        await until(self.pilot, condition)

    async def opens(self, dialog: type) -> None:
        """Presses the key, which opens that dialog or screen."""
        await self.press(self.key)
        await self.until(lambda: isinstance(self.screen, dialog))

    def called(self, name: str) -> int:
        return sum(call == name for call, _ in self.client.calls)

    async def calls(self, name: str) -> None:
        """Presses the key, which makes the app ask the server for that."""
        before = self.called(name)
        await self.press(self.key)
        await self.until(lambda: self.called(name) > before)

    async def home(self, place: str) -> None:
        """To the screen of a place, with nothing open above it."""
        while len(self.app.screen_stack) > 1:
            self.screen.dismiss(None)
            await self.pilot.pause()
        self.app.action_go(place)
        await settle(self.pilot)
        self.screen.set_focus(self.list)


Case = Callable[[Hand], Awaitable[None]]
CASES: dict[str, Case] = {}


def key(*ids: str) -> Callable[[Case], Case]:
    def register(case: Case) -> Case:
        CASES.update(dict.fromkeys(ids, case))
        return case

    return register


# -- everywhere ---------------------------------------------------------------------------------


@key("app.docsets", "app.documents", "app.uploads", "app.tasks", "app.search", "app.plans")
async def leads_to_its_screen(hand: Hand) -> None:
    await hand.home("settings")
    await hand.press(hand.key)
    places = ["docsets", "documents", "uploads", "tasks", "search", "plans"]
    assert hand.screen.place == places[int(hand.key) - 1]


@key("app.settings")
async def leads_to_the_settings(hand: Hand) -> None:
    await hand.press(hand.key)
    assert hand.screen.place == "settings"


@key("app.guide")
async def opens_the_guide(hand: Hand) -> None:
    await hand.opens(GuideDialog)


@key("app.jump")
async def puts_letters_on_the_panes(hand: Hand) -> None:
    await hand.opens(JumpMode)


@key("app.zoom")
async def gives_the_screen_to_one_pane(hand: Hand) -> None:
    beside = hand.screen.query_one("#side")
    await hand.press(hand.key)
    assert not beside.display
    await hand.press(hand.key)
    assert beside.display


@key("table.right", "table.left")
async def goes_to_the_column_beside(hand: Hand) -> None:
    if hand.key == "left":
        await hand.press("right")
    before = hand.list.column
    await hand.press(hand.key)
    assert hand.list.column == before + (1 if hand.key == "right" else -1)


@key("app.help")
async def opens_the_help(hand: Hand) -> None:
    await hand.opens(HelpDialog)


@key("app.quit", "list.quit")
async def ends_the_app(hand: Hand) -> None:
    ended: list[object] = []
    hand.app.exit, kept = lambda *_, **__: ended.append(1), hand.app.exit
    await hand.press(hand.key)
    hand.app.exit = kept
    assert ended


@key("app.reload")
async def asks_the_server_again(hand: Hand) -> None:
    await hand.calls("docsets")


@key("docsets.widen", "documents.widen", "uploads.widen", "tasks.widen")
async def takes_the_filter_away(hand: Hand) -> None:
    await hand.press("slash", "0", "enter")
    await hand.until(lambda: hand.screen.query_one(FilterBar).display)
    await hand.press(hand.key)
    assert not hand.screen.query_one(FilterBar).display


# -- lists --------------------------------------------------------------------------------------


async def moved(hand: Hand, start: int) -> int:
    """Where the cursor goes from `start`."""
    await hand.home("documents")
    hand.list.cursor = start
    await hand.press(hand.key)
    return hand.list.cursor


@key("list.down")
async def goes_down(hand: Hand) -> None:
    assert await moved(hand, 3) == 4


@key("list.up")
async def goes_up(hand: Hand) -> None:
    assert await moved(hand, 3) == 2


@key("list.page_down")
async def goes_a_page_down(hand: Hand) -> None:
    assert 20 < await moved(hand, 3) < 40


@key("list.page_up")
async def goes_a_page_up(hand: Hand) -> None:
    assert 60 < await moved(hand, 100) < 80


@key("list.first")
async def goes_to_the_first(hand: Hand) -> None:
    assert await moved(hand, 50) == 0


@key("list.last")
async def goes_to_the_last(hand: Hand) -> None:
    assert await moved(hand, 3) == 123


@key("list.open")
async def opens_the_row(hand: Hand) -> None:
    await hand.home("documents")
    await hand.opens(ViewerScreen)


# -- DocSets ------------------------------------------------------------------------------------


@key("docsets.new", "docsets.rename", "documents.save", "plans.name", "viewer.save", "search.save")
async def asks_for_a_text(hand: Hand) -> None:
    await hand.opens(Ask)


@key("docsets.properties")
async def asks_for_properties(hand: Hand) -> None:
    await hand.opens(Properties)


@key("docsets.clone")
async def makes_a_copy(hand: Hand) -> None:
    await hand.opens(Ask)
    await hand.press("enter")
    await hand.until(lambda: hand.called("clone_docset"))


@key("docsets.readonly")
async def switches_the_protection(hand: Hand) -> None:
    await hand.calls("set_readonly")


@key("docsets.delete", "documents.delete", "tasks.cancel", "plans.remove")
async def asks_before_it_acts(hand: Hand) -> None:
    if hand.screen.place == "plans":
        await hand.press("j")
    await hand.opens(Confirm)


@key("docsets.filter", "documents.filter", "uploads.filter", "tasks.filter")
async def opens_the_filter(hand: Hand) -> None:
    await hand.press(hand.key)
    assert hand.screen.query_one(FilterBar).has_focus


# -- documents and uploads ----------------------------------------------------------------------


@key("documents.add", "uploads.add")
async def asks_for_files(hand: Hand) -> None:
    await hand.opens(AddFiles)


@key("documents.columns", "documents.sort", "documents.values", "documents.correct")
@key("search.history", "plans.sessions", "plans.history", "plans.diff", "plans.add")
async def offers_a_choice(hand: Hand) -> None:
    await hand.opens(Choose)


@key("documents.export", "search.export", "plans.export")
async def offers_the_forms_to_take_along(hand: Hand) -> None:
    await hand.opens(Choose)
    assert any("Python" in choice.label for choice in hand.list.rows)


@key("documents.mark")
async def marks_the_document(hand: Hand) -> None:
    name = hand.list.current_key
    await hand.press(hand.key)
    assert name in hand.list.marks


@key("uploads.retry")
async def sends_it_again(hand: Hand) -> None:
    hand.list.move_to(upload(hand, "broken.pdf").id)
    await hand.calls("submit_document")


@key("uploads.retry_all")
async def sends_all_failed_again(hand: Hand) -> None:
    hand.app.workspace.queue.change(upload(hand, "torn.pdf").id, "failed", reason="A fault.")
    await hand.calls("submit_document")


@key("uploads.cancel")
async def stops_the_upload(hand: Hand) -> None:
    working = upload(hand, "with-the-server.pdf")
    hand.client.results["wb:t-long"] = TaskResult(True, 202, {})
    hand.app.workspace.queue.change(working.id, "partitioning", task_id="wb:t-long")
    hand.screen._show()
    hand.list.move_to(working.id)
    await hand.opens(Confirm)
    await hand.press("y")
    await hand.until(lambda: upload(hand, working.name).state == "cancelled")
    assert hand.called("cancel")


@key("uploads.clear")
async def forgets_what_is_done(hand: Hand) -> None:
    assert upload(hand, "accepted.pdf")
    await hand.press(hand.key)
    assert upload(hand, "accepted.pdf") is None


@key("uploads.forget")
async def forgets_the_upload(hand: Hand) -> None:
    queue = hand.app.workspace.queue
    torn = queue.uploads()[0]  # which are left depends on what was done before `clear`
    queue.change(torn.id, "failed", reason="The PDF is torn.")
    hand.screen._show()
    hand.list.move_to(torn.id)
    await hand.press(hand.key)
    assert queue.get(torn.id) is None


def upload(hand: Hand, name: str) -> Any:
    return next((one for one in hand.app.workspace.queue.uploads() if one.name == name), None)


# -- tasks --------------------------------------------------------------------------------------


@key("tasks.result")
async def shows_what_it_came_to(hand: Hand) -> None:
    hand.list.move_to("wb:t-3")
    await hand.opens(Reading)


@key("tasks.follow")
async def keeps_the_newest_in_sight(hand: Hand) -> None:
    await hand.press(hand.key)
    assert "newest task stays selected" in str(hand.screen.query_one("#list-pane").border_subtitle)


@key("tasks.copy")
async def copies_the_id(hand: Hand) -> None:
    await hand.press(hand.key)
    assert hand.app.clipboard == hand.list.current_key


# -- search -------------------------------------------------------------------------------------


@key("search.query", "search.where")
async def leads_to_its_input(hand: Hand) -> None:
    await hand.press(hand.key)
    assert hand.app.focused.id == {"slash": "query", "c": "where"}[hand.key]


@key("search.kind", "search.return")
async def asks_in_another_way(hand: Hand) -> None:
    before = hand.screen._session.state
    await hand.calls("search")
    assert hand.screen._session.state != before


@key("docsets.demo")
async def makes_sample_documents(hand: Hand) -> None:
    def write(folder: Path) -> SampleSet:
        folder.mkdir(exist_ok=True)
        (folder / "sample.txt").write_text("a sample")
        return SampleSet("Samples", {"properties": []}, {}, (folder / "sample.txt",))

    hand.app.write_samples = write
    await hand.calls("create_docset")
    hand.client.all = {k: d for k, d in hand.client.all.items() if d.name != "Samples"}


@key("search.facets")
async def leads_to_the_values(hand: Hand) -> None:
    await hand.press(hand.key)
    assert hand.screen.query_one(FacetColumn).has_focus


@key("search.toggle", "search.exclude", "search.clear")
async def changes_the_filters(hand: Hand) -> None:
    session = hand.screen._session
    await hand.press("f", "j")
    assert hand.screen.query_one(FacetColumn).has_focus
    if hand.key == "C":
        await hand.press("space")
    before = session.state.filter_text
    await hand.press(hand.key)
    assert session.state.filter_text != before
    hand.screen._narrow_by(session.state.unfiltered)
    await settle(hand.pilot)
    await hand.press("f")


@key("search.answer")
async def answers_in_words(hand: Hand) -> None:
    await hand.opens(Answer)


@key("search.why")
async def shows_why_it_ranks_here(hand: Hand) -> None:
    await hand.opens(Reading)


@key("search.next", "search.previous")
async def goes_to_the_next_hit_or_back(hand: Hand) -> None:
    hits = hand.screen.query_one("#hits")
    hits.cursor = 5
    await hand.press(hand.key)
    assert hits.cursor == {"right_square_bracket": 6, "left_square_bracket": 4}[hand.key]


# -- plans --------------------------------------------------------------------------------------


@key("plans.ask", "plans.feedback")
async def leads_to_the_line_to_write_in(hand: Hand) -> None:
    await hand.press(hand.key)
    assert isinstance(hand.app.focused, Input)


@key("plans.edit", "plans.rewire")
async def opens_the_form_of_the_node(hand: Hand) -> None:
    await hand.press("j")
    await hand.opens(NodeEditor)


@key("plans.run", "plans.run_to", "plans.summary")
async def runs_the_plan(hand: Hand) -> None:
    await hand.calls("stream_plan")


@key("plans.stop")
async def stops_the_run(hand: Hand) -> None:
    hand.client.gate.clear()
    await hand.pilot.press("r")
    run = hand.screen._output
    await hand.until(lambda: run.run is not None and run.run.state == "running")
    await hand.pilot.press(hand.key)
    await hand.until(lambda: run.run is None or run.run.state != "running")
    hand.client.gate.set()


@key("plans.refuse", "plans.accept")
async def decides_about_a_change(hand: Hand) -> None:
    await hand.press(*["u"] * hand.screen._session.versions.pointer, "e")
    await type_in(hand.pilot, "by state, top 5")
    changes = hand.screen.query_one(PlanChanges)
    session = hand.screen._session
    if hand.key == "y":
        await hand.press("n")
        changes.cursor = 0
    before = session.plan
    await hand.press(hand.key)
    assert session.plan != before


@key("plans.undo", "plans.redo")
async def goes_through_the_versions(hand: Hand) -> None:
    versions = hand.screen._session.versions
    if hand.key == "U":
        await hand.press("u")
    before = versions.pointer
    await hand.press(hand.key)
    assert versions.pointer != before


@key("plans.output")
async def shows_the_rows(hand: Hand) -> None:
    await hand.press("r", hand.key)
    output = hand.screen.query_one(NodeOutput)
    assert output.has_focus
    assert output.total


@key("plans.trace")
async def leads_to_the_documents_behind_the_row(hand: Hand) -> None:
    await hand.press("r")
    hand.list.cursor = 2
    await hand.press("o", "j")
    await hand.opens(EvidenceScreen)


@key("plans.merge")
async def offers_what_was_merged(hand: Hand) -> None:
    hand.client.merges = [Merge(field="state", values=["CA", "California"], into="California")]
    await hand.opens(Choose)
    hand.client.merges = []


@key("plans.values")
async def says_that_the_step_has_no_list(hand: Hand) -> None:
    await hand.press(hand.key)
    assert "no list of values" in hand.screen._notice.words


@key("plans.left_out", "plans.review")
async def says_that_nothing_was_left_out(hand: Hand) -> None:
    notices: list[str] = []
    kept, hand.screen.notify = hand.screen.notify, lambda words, **_: notices.append(words)
    await hand.press("r", hand.key)
    hand.screen.notify = kept
    assert notices == ["Nothing was left out of this."]


@key("plans.sort")
async def sorts_the_rows_by_the_column(hand: Hand) -> None:
    await hand.press("r", "o", "right")
    before = [row.place for row in hand.screen._output.table.rows]
    await hand.press(hand.key)
    assert [row.place for row in hand.screen._output.table.rows] != before


@key("evidence.back")
async def leads_back_to_the_answer(hand: Hand) -> None:
    await hand.press("r", "t")
    await hand.until(lambda: isinstance(hand.screen, EvidenceScreen))
    await hand.press(hand.key)
    assert hand.screen.place == "plans"


@key("viewer.values")
async def leads_to_the_values_of_the_document(hand: Hand) -> None:
    await hand.until(lambda: hand.screen._values.rows)
    await hand.press(hand.key)
    assert hand.screen._values.has_focus


# -- review -------------------------------------------------------------------------------------


@key("documents.review")
async def opens_the_review(hand: Hand) -> None:
    await hand.opens(ReviewScreen)
    await hand.until(lambda: hand.list.rows)


@key("review.none", *(f"review.take_{number}" for number in range(1, 6)))
async def decides_on_the_value(hand: Hand) -> None:
    await hand.until(lambda: hand.list.rows)
    session = hand.screen._session
    session.values[session.position] = value(5).model_copy(
        update={"alternatives": [value(4).alternatives[0]] * 5}
    )
    before = session.position
    await hand.calls("decide")
    assert session.position == before + 1
    wanted = None if hand.key == "n" else "Florida"
    assert hand.client.decided[-1].value == wanted


@key("review.type")
async def asks_for_the_value(hand: Hand) -> None:
    await hand.until(lambda: hand.list.rows)
    await hand.opens(Ask)
    await type_in(hand.pilot, "Nevada")
    await hand.until(lambda: hand.client.decided[-1:] and hand.client.decided[-1].value == "Nevada")


@key("review.skip", "review.previous")
async def goes_on_or_back_without_a_decision(hand: Hand) -> None:
    await hand.until(lambda: hand.list.rows)
    session, decided = hand.screen._session, len(hand.client.decided)
    before = session.position
    back = hand.key in ("b", "backspace")
    await hand.press(*(["s", hand.key] if back else [hand.key]))
    assert session.position == before + (0 if back else 1)
    assert len(hand.client.decided) == decided


@key("review.property", "review.certain")
async def asks_for_other_values(hand: Hand) -> None:
    await hand.until(lambda: hand.list.rows)
    await hand.calls("values_to_review")
    _, (fields, _, below, _) = [c for c in hand.client.calls if c[0] == "values_to_review"][-1]
    assert (fields, below) == ((["state"], 0.8) if hand.key == "p" else (None, None))


@key("review.always")
async def has_the_docset_reread_by_itself(hand: Hand) -> None:
    await hand.until(lambda: hand.list.rows)
    await hand.calls("update_docset")
    await hand.until(lambda: rereads_by_itself(hand.client.all["wb:ds-1"]))


@key("review.open")
async def opens_the_document_at_the_value(hand: Hand) -> None:
    await hand.until(lambda: hand.list.rows)
    await hand.opens(ViewerScreen)


@key("documents.changes")
async def opens_the_changes(hand: Hand) -> None:
    await hand.opens(ChangesScreen)


@key("review.reread", "changes.reread")
async def has_the_documents_read_again(hand: Hand) -> None:
    await hand.calls("reread")
    await hand.until(lambda: isinstance(hand.screen, ChangesScreen))


async def _changes(hand: Hand) -> None:
    """The open changes, all of them."""
    hand.client.read_again = True
    for one in hand.client.proposed:
        one.state = "open"
    hand.screen.load()
    await hand.until(lambda: len(hand.list.rows) == 12)


@key("changes.accept", "changes.refuse")
async def decides_on_one_change(hand: Hand) -> None:
    await _changes(hand)
    await hand.calls("accept_changes" if hand.key == "y" else "refuse_changes")
    await hand.until(lambda: len(hand.list.rows) == 11)


@key("changes.accept_all", "changes.undo")
async def decides_on_all_changes(hand: Hand) -> None:
    await _changes(hand)
    await hand.press("A")
    await hand.until(lambda: isinstance(hand.screen, Confirm))
    await hand.press("enter" if hand.screen.query("Input") else "y")
    await hand.until(lambda: not hand.list.rows)
    if hand.key == "u":
        await hand.calls("undo_changes")
        await hand.until(lambda: len(hand.list.rows) == 12)


# -- viewer -------------------------------------------------------------------------------------


@key("viewer.next_page", "viewer.previous_page")
async def turns_the_page(hand: Hand) -> None:
    await hand.until(lambda: hand.screen._pages == 2)
    back = hand.key.startswith("left")
    if back:
        await hand.press("right_square_bracket")
    await hand.press(hand.key)
    assert hand.screen._page == (1 if back else 2)


@key("viewer.boxes")
async def shows_fewer_boxes(hand: Hand) -> None:
    before = hand.screen.query_one(PageView).boxes
    await hand.press(hand.key)
    assert hand.screen.query_one(PageView).boxes != before


@key("viewer.back", "review.back", "changes.back")
async def leads_back(hand: Hand) -> None:
    await hand.press(hand.key)
    assert hand.screen.place == "documents"


def papers(folder: Path) -> Callable[[Any], None]:
    """An upload in each state that a key acts on."""

    def prepare(workspace: Any) -> None:
        names = ("accepted", "broken", "torn", "with-the-server")
        files = [folder / f"{name}.pdf" for name in names]
        for file in files:
            file.write_bytes(file.name.encode())
        done, broken, torn, working = workspace.queue.add("wb:ds-1", files)
        workspace.queue.change(done.id, "done", doc_id="wb:f-1")
        workspace.queue.change(broken.id, "failed", reason="The PDF is encrypted.")
        workspace.queue.change(torn.id, "failed", reason="The PDF is torn.")
        workspace.queue.change(working.id, "failed", reason="The server was full.")

    return prepare
