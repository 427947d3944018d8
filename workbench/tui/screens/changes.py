"""What reading the documents again would change: before, after, how sure, and the place; accepted
one by one or all, and undone as one step.
"""

from collections.abc import Sequence
from typing import Any, ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.containers import Horizontal

from workbench.client.errors import WorkbenchError
from workbench.contract.rereading import Change, ChangeOutcome, Rereading
from workbench.formats import counted
from workbench.sessions.page_sources import PageSources
from workbench.sessions.proposed_changes import ProposedChanges
from workbench.sessions.readings import as_box
from workbench.tui.change_words import change_lines, empty_lines, summary
from workbench.tui.formats import count
from workbench.tui.keys import bindings
from workbench.tui.lines import Line, dim, line
from workbench.tui.screens.frame import Frame
from workbench.tui.styles import STYLES
from workbench.tui.widgets.line_list import LineList
from workbench.tui.widgets.notice import Notice
from workbench.tui.widgets.page_view import Leaf, Mark, PageView
from workbench.tui.widgets.pane import Pane


class ChangeList(LineList[Change]):
    row_height = 3

    def key_of(self, row: Change) -> str:
        return str(row.change_id)

    def draw(self, row: Change, index: int, width: int) -> Sequence[Line]:
        return change_lines(row, width)


class ChangesScreen(Frame):
    """The newest reading of a DocSet; with `start` the documents are read again first."""

    place = "changes"
    CSS_PATH: ClassVar[Any] = STYLES / "review.tcss"
    BINDINGS = bindings("changes")

    def __init__(self, docset_id: str, *, start: bool = False) -> None:
        super().__init__()
        self._docset_id = docset_id
        self._start = start
        self._proposed: ProposedChanges | None = None
        self._sources: PageSources | None = None

    def body(self) -> ComposeResult:
        yield Notice()
        with Horizontal(classes="columns"):
            with Pane(title="Changes", id="value-pane"):
                yield ChangeList(id="changes")
            with Pane(title="Page", id="page-pane"):
                yield PageView(id="page")

    def on_mount(self) -> None:
        self._list.focus()

    def on_unmount(self) -> None:
        if self._sources is not None:
            self._sources.close()

    @property
    def _list(self) -> ChangeList:
        return self.query_one(ChangeList)

    @property
    def _notice(self) -> Notice:
        return self.query_one(Notice)

    def show_waiting(self, words: Line) -> None:
        self._list.say(words)

    @work(exclusive=True, group="load")
    async def load(self) -> None:
        """Shows the newest reading, and follows it while it is under way."""
        assert self.workspace is not None
        client = self.workspace.client
        proposed = self._proposed or ProposedChanges(client, self._docset_id)
        proposed.client, self._proposed = client, proposed
        self._sources = self._sources or PageSources(self.workspace.originals, self._docset_id)
        self._list.say(line(dim("Loading the changes …")))
        with self.reporting(self._notice):
            if self._start:
                self._start = False
                await proposed.start()
            else:
                await proposed.refresh()
            await proposed.finished(self._show_progress)
            self._notice.hush()
        self._show()

    def _show_progress(self, reading: Rereading) -> None:
        total = self.docset.size if self.docset else None
        of = f" of {count(total)}" if total else ""
        self._notice.say(f"Reading the documents again: {count(reading.documents)}{of} …")

    def _show(self) -> None:
        proposed = self._proposed
        if proposed is None:
            return
        pane = self.query_one("#value-pane", Pane)
        pane.retitle("Changes", summary(proposed.reading))
        self._list.say(*empty_lines(proposed.reading))
        self._list.show_rows(proposed.changes, max(proposed.total, len(proposed.changes)))
        pane.foot("enter  the document" if proposed.changes else "")
        self._show_page()

    @on(LineList.Wanted)
    @work(exclusive=True, group="more")
    async def _more(self) -> None:
        if self._proposed is not None:
            with self.reporting(self._notice):
                await self._proposed.more()
            self._list.append_rows(max(self._proposed.total, len(self._proposed.changes)))

    @on(LineList.Highlighted)
    def _moved(self) -> None:
        self.when_at_rest(self._show_page)

    @work(exclusive=True, group="preview")
    async def _show_page(self) -> None:
        """The page of the new value, or of the old one if there is no new one."""
        change, view, sources = self._list.current, self.query_one(PageView), self._sources
        pane = self.query_one("#page-pane", Pane)
        if change is None or sources is None:
            pane.retitle("Page")
            view.say(())
            return
        guess = change.after if change.after.page else change.before
        try:
            source = await sources.get(change.doc_id)
        except WorkbenchError as error:
            view.say(line(dim(self.words_for(error))))
            return
        page, box = guess.page or 1, as_box(guess.bbox)
        pane.retitle(change.name, f"page {page} of {source.pages}" if source.pages else "")
        view.boxes = "none" if source.pages else "one"
        mark = Mark(page, box, change.field) if box is not None else None
        view.show(Leaf(source.data, page, source.elements, guess.element_id, mark=mark))

    # -- deciding -------------------------------------------------------------------------------

    def _outcome(self, outcome: ChangeOutcome, words: str) -> None:
        passed = outcome.passed_over
        kept = f" {counted(passed, 'value')} had changed since and were left as they are."
        rest = kept if passed else ""
        self.notify(f"{counted(outcome.done, 'change')} {words}.{rest}", title="Changes")

    async def _reload(self) -> None:
        assert self._proposed is not None
        await self._proposed.refresh()
        self._show()

    @work(group="decide")
    async def action_accept(self) -> None:
        """The document gets the value, which then counts as checked."""
        await self._decide_one("accept")

    @work(group="decide")
    async def action_refuse(self) -> None:
        await self._decide_one("refuse")

    async def _decide_one(self, verb: str) -> None:
        change, proposed = self._list.current, self._proposed
        if change is None or proposed is None or proposed.reading is None:
            return
        with self.reporting(self._notice):
            act = proposed.accept if verb == "accept" else proposed.refuse
            outcome = await act([change])
            if outcome.passed_over:
                self._notice.say("The value has changed since, so it was kept.", "warn")
            proposed.changes = [one for one in proposed.changes if one is not change]
            reading = proposed.reading
            named = "accepted" if verb == "accept" else "refused"
            counts = {"open": reading.open - 1, named: getattr(reading, named) + outcome.done}
            proposed.reading = reading.model_copy(update=counts)
            self._show()

    @work(group="decide")
    async def action_accept_all(self) -> None:
        from workbench.tui.dialogs.confirm import Confirm

        proposed = self._proposed
        if proposed is None or not proposed.total:
            return
        words = line(dim("Press u to undo all of them, also after a restart."))
        if await self.app.push_screen_wait(
            Confirm(f"Accept {counted(proposed.total, 'change')}?", words)
        ):
            with self.reporting(self._notice):
                self._outcome(await proposed.accept(), "accepted")
                await self._reload()

    @work(group="decide")
    async def action_undo(self) -> None:
        proposed = self._proposed
        if proposed is None or proposed.reading is None or not proposed.reading.accepted:
            self.notify("No change was accepted.")
            return
        with self.reporting(self._notice):
            self._outcome(await proposed.undo(), "undone")
            await self._reload()

    def action_reread(self) -> None:
        self._start = True
        self.load()

    @on(LineList.Opened)
    def action_open(self) -> None:
        """The whole document at the place of the value."""
        from workbench.tui.screens.viewer import ViewerScreen

        change = self._list.current
        if change is None:
            return
        guess = change.after if change.after.page else change.before
        page, box = guess.page or 1, as_box(guess.bbox)
        mark = Mark(page, box, change.field) if box is not None else None
        self.app.push_screen(
            ViewerScreen(
                self._docset_id,
                change.doc_id,
                change.name,
                page=page,
                element_id=guess.element_id,
                mark=mark,
            )
        )

    def action_back(self) -> None:
        self.dismiss(None)


SCREEN = ChangesScreen
