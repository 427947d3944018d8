"""What screen 2 shows of a DocSet: its documents, their properties and their first page; the user's
actions are in `documents`.
"""

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.containers import Horizontal, VerticalScroll
from textual.widgets import Static

from workbench.client.errors import MissingExtension, WorkbenchError
from workbench.contract.docsets import DocSetMetadata
from workbench.contract.documents import DocumentMetadata
from workbench.contract.elements import StoredElement
from workbench.contract.tasks import TaskProgress
from workbench.formats import counted
from workbench.pages.raster import page_count
from workbench.sessions.document_list import DocumentList
from workbench.sessions.document_view import DocumentView, Order
from workbench.sessions.schema_examples import condition_example
from workbench.sessions.upload_queue import Upload
from workbench.sessions.workspace import Workspace
from workbench.tui.document_words import about, columns
from workbench.tui.formats import count
from workbench.tui.lines import Line, Span, as_content, dim, line
from workbench.tui.screens.frame import Frame
from workbench.tui.styles import STYLES
from workbench.tui.widgets.cell_table import CellTable
from workbench.tui.widgets.filter_bar import FilterBar
from workbench.tui.widgets.line_list import LineList
from workbench.tui.widgets.notice import Notice
from workbench.tui.widgets.page_view import Leaf, PageView
from workbench.tui.widgets.pane import Pane

_EMPTY = (
    line(Span("This DocSet has no documents yet.", "strong")),
    line(),
    line("Press ", Span("a", "accent"), " and name a file or a folder,"),
    line("or drop files onto the terminal."),
)
_SHOWN_AT_FIRST = 8
_AROUND = 100
_LISTED = 20_000
"""Longer lists are read as views: the contract's own list can only be read from its beginning."""


class DocumentFrame(Frame):
    """Reads the list or a view of it, depending on filter and order."""

    place = "documents"
    CSS_PATH: ClassVar[Any] = [STYLES / "inputs.tcss", STYLES / "documents.tcss"]
    needs_docset = True

    def body(self) -> ComposeResult:
        yield Notice()
        with Horizontal(classes="columns"):
            with Pane(title="Documents", id="list-pane"):
                yield FilterBar("part of a name, or a condition")
                yield CellTable[DocumentMetadata](
                    columns([]), lambda row: row.doc_id, id="documents"
                )
            with Pane(title="Document", id="side", classes="inspector"):
                yield VerticalScroll(Static(id="about", classes="text"), classes="scroll")
                yield PageView(id="thumbnail")

    def on_mount(self) -> None:
        self._list: DocumentList | None = None
        self._view: DocumentView | None = None
        self._order: Order | None = None
        self._shown: list[str] | None = None
        self._filter = ""
        self._names: list[str] = []
        self._seen: dict[str, DocumentMetadata] = {}
        self._heard: Workspace | None = None
        self._due = False
        self._table.focus()

    @property
    def _table(self) -> CellTable[DocumentMetadata]:
        return self.query_one("#documents", CellTable)

    def show_waiting(self, words: Line) -> None:
        self._table.show_rows([])
        self._table.say(words)

    def on_screen_resume(self) -> None:
        if self.workspace is not None and self.docset is not None:
            self.load()

    # -- reading --------------------------------------------------------------------------------

    @work(exclusive=True, group="load")
    async def load(self, *, hushing: bool = True) -> None:
        """`hushing` removes the notice; not after a refusal, which must be read."""
        workspace, docset = self.workspace, self.docset
        if workspace is None or docset is None:
            return
        self._listen(workspace)
        notice = self.query_one(Notice)
        with self.reporting(notice):
            docset = await workspace.client.docset(docset.docset_id)
            fresh = DocumentList(workspace.client, docset.docset_id, docset.size)
            reached = self._table.cursor if self._list and self._view is None else 0
            await fresh.reach(reached)
            same = self._list is not None and self._list.docset_id == docset.docset_id
            if not same:
                self._shown, self._order = None, None
            self._list = fresh
            if hushing:
                notice.hush()
            self._set_columns()
            self._suggest_condition(docset)
            await self._narrow_to(self._filter)
            self._about()
            self.workbench.docset = docset

    def _suggest_condition(self, docset: DocSetMetadata) -> None:
        example = condition_example(docset.schema_)
        such_as = f" such as  {example}" if example else ""
        self.query_one(FilterBar).placeholder = f"part of a name, or a condition{such_as}"

    def _listen(self, workspace: Workspace) -> None:
        """Hears of uploads and tasks that ended, and shows several within a second at once."""
        if self._heard is not workspace:
            self._heard = workspace
            workspace.uploader.listen(self._uploaded)
            workspace.watch.listen(self._task_changed)

    def _uploaded(self, upload: Upload) -> None:
        if upload.state == "done":
            self._changed(upload.docset_id)

    def _task_changed(self, task: TaskProgress) -> None:
        if task.status in ("done", "cancelled"):
            self._changed(task.docset_id)

    def _changed(self, docset_id: str | None) -> None:
        here = self.docset is not None and docset_id == self.docset.docset_id
        if here and self.is_current and not self._due:
            self._due = True
            self.set_timer(1.0, self._load_again)

    def _load_again(self) -> None:
        self._due = False
        self.load()

    async def _narrow_to(self, text: str) -> None:
        """All documents as they came, or a view of the server: narrowed, ordered, or both."""
        if self._list is None:
            return
        pane = self.query_one("#list-pane", Pane)
        name = self.docset.name if self.docset else "Documents"
        if not text.strip() and self._order is None and self._list.total <= _LISTED:
            self._view = None
            self._table.say(*_EMPTY)
            self._table.show_rows(self._list.rows, self._list.total)
            pane.retitle(name, counted(self._list.total, "document"))
            return
        rows = await self._narrowed_rows(self._list, text)
        self._table.say(line(dim("No match.")))
        self._table.show_rows(rows)
        pane.retitle(name, f"{count(len(rows))} of {count(self._list.total)}")
        if self._view is not None:
            self._complete(self._view)

    async def _narrowed_rows(
        self, listed: DocumentList, text: str
    ) -> Sequence[DocumentMetadata | None]:
        view = DocumentView(
            listed.client,
            listed.docset_id,
            text=text,
            order=self._order,
            properties=self._names,
        )
        try:
            await view.open()
        except MissingExtension:  # then the whole list is read, and stays as it came
            self._view = self._order = None
            return await listed.narrowed(text) if text.strip() else listed.rows
        self._view = view
        return view.rows

    @on(LineList.Wanted)
    def _reach(self, event: LineList.Wanted) -> None:
        self._fetch(event.first, event.index)

    @work(exclusive=True, group="reach")
    async def _fetch(self, first: int, last: int) -> None:
        """Fetches what came into sight, and a little more to both sides."""
        shown, listed, view = self._table.rows, self._list, self._view
        with self.reporting(self.query_one(Notice)):
            if view is not None and shown is view.rows:
                await view.reach(first - _AROUND, last + _AROUND)
                self._table.append_rows()
                self._complete(view)
            elif listed is not None and shown is listed.rows:
                await listed.reach(last + _AROUND)
                self._table.append_rows(listed.total)

    @work(exclusive=True, group="details")
    async def _complete(self, view: DocumentView) -> None:
        """Loads the details that a view lacks after its rows."""
        with self.reporting(self.query_one(Notice)):
            if await view.complete() and self._table.rows is view.rows:
                self._table.append_rows()
                self.when_at_rest(self._about)

    @on(FilterBar.Narrowed)
    def _narrowed(self, event: FilterBar.Narrowed) -> None:
        self._narrow_later(event.text, entered=event.entered)

    @work(exclusive=True, group="narrow")
    async def _narrow_later(self, text: str, *, entered: bool) -> None:
        """Only enter reports faults of a condition; the last valid one stays active."""
        notice = self.query_one(Notice)
        try:
            await self._narrow_to(text)
            self._filter = text
            notice.hush()
        except WorkbenchError as error:
            if entered:
                notice.say(self.words_for(error), "bad")

    # -- display ---------------------------------------------------------------------------------

    def _set_columns(self) -> None:
        if self._list is None:
            return
        schema = self.docset.schema_ if self.docset else None
        names = [item.name for item in schema.properties] if schema else []
        names += [name for name in self._list.property_names() if name not in names]
        self._names = names
        ordered = [self._order.field] if self._order and self._order.field in names else []
        shown = list(dict.fromkeys([*ordered, *self._chosen_columns()]))
        self._table.set_columns(columns(shown, self._list.rows, self._order))

    def _chosen_columns(self) -> list[str]:
        """The properties chosen as columns; until somebody chooses, the first ones."""
        return self._names[:_SHOWN_AT_FIRST] if self._shown is None else self._shown

    @on(LineList.Highlighted)
    def _moved(self) -> None:
        self.when_at_rest(self._about)

    @on(PageView.Appeared)
    def _about(self) -> None:
        row = self._table.current
        self.query_one("#side", Pane).retitle(row.name if row else "Document")
        self._show_about(row)
        self._show_page(row)

    def _show_about(
        self, row: DocumentMetadata | None, evidence: Mapping[str, Mapping[str, Any]] | None = None
    ) -> None:
        words = self.query_one("#about", Static)
        lines = about(row, evidence, max(20, words.content_size.width)) if row else []
        words.update(as_content(lines))

    def on_resize(self) -> None:
        if self._list is not None:
            self.when_at_rest(self._about)

    @work(exclusive=True, group="thumbnail")
    async def _show_page(self, row: DocumentMetadata | None) -> None:
        view = self.query_one(PageView)
        if row is None or self.workspace is None or self.docset is None:
            view.say(())
            return
        await asyncio.sleep(0.15)  # the cursor may be running
        if not view.is_on_screen:
            return
        self._show_evidence(row)
        try:
            data = await self.workspace.originals.get(self.docset.docset_id, row.doc_id)
            elements: list[StoredElement] = []
            pages = await asyncio.to_thread(page_count, data)
            if not pages or self.workbench.draws_maps:  # then the words are the page
                document = await self.workspace.client.document(self.docset.docset_id, row.doc_id)
                elements = document.elements
        except WorkbenchError as error:
            view.say(line(dim(str(error))))
            return
        view.show(Leaf(data, 1, elements))

    @work(exclusive=True, group="evidence")
    async def _show_evidence(self, row: DocumentMetadata) -> None:
        """The confidence of each value, and corrections by a person, if the server has them."""
        if self.workspace is None:
            return
        try:
            evidence = await self.workspace.client.evidence(row.docset_id, row.doc_id)
        except WorkbenchError:
            return
        if self._table.current is row:
            self._show_about(row, evidence)
