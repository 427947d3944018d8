"""Screen 2: the documents of the open DocSet, their properties and their first page."""

import asyncio
from collections.abc import Sequence
from typing import Any, ClassVar

from textual import events, on, work
from textual.app import ComposeResult
from textual.containers import Horizontal, VerticalScroll
from textual.widgets import Static

from backend.contract.documents import DocumentMetadata
from backend.contract.elements import StoredElement
from workbench.client.errors import MissingExtension, WorkbenchError
from workbench.pages.raster import page_count
from workbench.sessions.correcting import correct, read, why_not, written
from workbench.sessions.document_list import DocumentList, entity
from workbench.sessions.document_view import DocumentView, Order
from workbench.sessions.gather import gather
from workbench.sessions.upload_queue import Upload
from workbench.sessions.workspace import Workspace
from workbench.tui.dialogs.add_files import AddFiles
from workbench.tui.dialogs.ask import Ask
from workbench.tui.dialogs.choose import Choice, Choose
from workbench.tui.dialogs.confirm import Confirm
from workbench.tui.document_words import about, columns, order_choices, value_choices
from workbench.tui.formats import count, plural, value_text
from workbench.tui.keys import bindings
from workbench.tui.lines import Line, Span, as_content, dim, line
from workbench.tui.saving import save_original
from workbench.tui.screens.frame import Frame
from workbench.tui.styles import STYLES
from workbench.tui.widgets.filter_bar import FilterBar
from workbench.tui.widgets.line_list import LineList
from workbench.tui.widgets.notice import Notice
from workbench.tui.widgets.page_view import Leaf, PageView
from workbench.tui.widgets.pane import Pane
from workbench.tui.widgets.table_list import TableList

_EMPTY = (
    line(Span("This DocSet has no documents yet.", "strong")),
    line(),
    line("Press ", Span("a", "accent"), " and name a file or a folder,"),
    line("or drop files onto the terminal."),
)
_SHOWN_AT_FIRST = 4
_AROUND = 100
_LISTED = 20_000
"""Longer lists are read as views: the contract's own list can only be read from its beginning."""


class DocumentsScreen(Frame):
    place = "documents"
    CSS_PATH: ClassVar[Any] = [STYLES / "inputs.tcss", STYLES / "documents.tcss"]
    needs_docset = True
    BINDINGS = bindings("documents")

    def body(self) -> ComposeResult:
        yield Notice()
        with Horizontal(classes="columns"):
            with Pane(title="Documents", id="list-pane"):
                yield FilterBar("part of a name, or a condition such as  year >= 2022")
                yield TableList[DocumentMetadata](
                    columns([]), lambda row: row.doc_id, id="documents"
                )
            with Pane(title="Document", id="side", classes="inspector"):
                yield VerticalScroll(
                    Static(id="about", classes="text"), classes="scroll", can_focus=False
                )
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
    def _table(self) -> TableList[DocumentMetadata]:
        return self.query_one("#documents", TableList)

    def show_waiting(self, words: Line) -> None:
        self._table.show_rows([])
        self._table.say(words)

    def on_screen_resume(self) -> None:
        if self.workspace is not None and self.docset is not None:
            self.load()

    # -- reading --------------------------------------------------------------------------------

    @work(exclusive=True, group="load")
    async def load(self) -> None:
        workspace, docset = self.workspace, self.docset
        if workspace is None or docset is None:
            return
        self._listen(workspace)
        notice = self.query_one(Notice)
        with self.telling(notice):
            docset = await workspace.client.docset(docset.docset_id)
            fresh = DocumentList(workspace.client, docset.docset_id, docset.size)
            reached = self._table.cursor if self._list and self._view is None else 0
            await fresh.reach(reached)
            same = self._list is not None and self._list.docset_id == docset.docset_id
            if not same:
                self._shown, self._order = None, None
            self._list = fresh
            notice.hush()
            self._set_columns()
            await self._narrow_to(self._filter)
            self._about()
            self.workbench.docset = docset

    def _listen(self, workspace: Workspace) -> None:
        """Hears of uploads that became documents; several within a second are shown at once."""
        if self._heard is not workspace:
            self._heard = workspace
            workspace.uploader.listen(self._uploaded)

    def _uploaded(self, upload: Upload) -> None:
        here = self.docset is not None and upload.docset_id == self.docset.docset_id
        if upload.state == "done" and here and self.is_current and not self._due:
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
            pane.retitle(name, plural(self._list.total, "document"))
            return
        rows = await self._narrowed_rows(self._list, text)
        self._table.say(line(dim("No document fits that.")))
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
        with self.telling(self.query_one(Notice)):
            if view is not None and shown is view.rows:
                await view.reach(first - _AROUND, last + _AROUND)
                self._table.append_rows()
                self._complete(view)
            elif listed is not None and shown is listed.rows:
                await listed.reach(last + _AROUND)
                self._table.append_rows(listed.total)

    @work(exclusive=True, group="details")
    async def _complete(self, view: DocumentView) -> None:
        """What a view does not know of its documents follows after its rows."""
        with self.telling(self.query_one(Notice)):
            if await view.complete() and self._table.rows is view.rows:
                self._table.append_rows()
                self.when_at_rest(self._about)

    @on(FilterBar.Narrowed)
    def _narrowed(self, event: FilterBar.Narrowed) -> None:
        self._narrow_later(event.text, entered=event.entered)

    @work(exclusive=True, group="narrow")
    async def _narrow_later(self, text: str, *, entered: bool) -> None:
        """A half-typed condition is no error; only enter tells what is wrong with it, and the last
        one that could be read stays in force.
        """
        notice = self.query_one(Notice)
        try:
            await self._narrow_to(text)
            self._filter = text
            notice.hush()
        except WorkbenchError as error:
            if entered:
                notice.say(self.words_for(error), "bad")

    # -- what is shown --------------------------------------------------------------------------

    def _set_columns(self) -> None:
        if self._list is None:
            return
        schema = self.docset.schema_ if self.docset else None
        names = [item.name for item in schema.properties] if schema else []
        names += [name for name in self._list.property_names() if name not in names]
        self._names = names
        if self._shown is None:
            self._shown = names[:_SHOWN_AT_FIRST]
        ordered = [self._order.field] if self._order and self._order.field in names else []
        shown = list(dict.fromkeys([*ordered, *self._shown]))
        self._table.set_columns(columns(shown, self._list.rows, self._order))

    @work
    async def action_sort(self) -> None:
        """Chooses the order; the property in force is turned round."""
        if self._list is None:
            return
        now = self._order
        choices = order_choices(self._names, now)
        answer = await self.app.push_screen_wait(Choose("Put in order by", choices))
        if answer is None:
            return
        turned = now is not None and now.field == answer[0] and not now.descending
        self._order = Order(answer[0], turned) if answer[0] else None
        with self.telling(self.query_one(Notice)):
            await self._narrow_to(self._filter)
            self._set_columns()
            self._table.cursor = 0

    @work
    async def action_values(self) -> None:
        """The commonest values with their counts; the one that is chosen becomes the filter."""
        if self.workspace is None or self.docset is None:
            return
        with self.telling(self.query_one(Notice)):
            facets = await self.workspace.client.facets(self.docset.docset_id)
            choices = value_choices(facets)
            answer = await self.app.push_screen_wait(Choose("Only documents with", choices))
            if answer:
                bar = self.query_one(FilterBar)
                bar.display = True
                bar.value = answer[0]

    @work
    async def action_correct(self) -> None:
        """Changes a property of the document by hand; it is marked as corrected."""
        row, workspace, docset = self._table.current, self.workspace, self.docset
        if row is None or workspace is None or docset is None:
            return
        values = entity(row)
        schema = docset.schema_.properties if docset.schema_ else []
        kinds = {item.name: item.kind for item in schema}
        names = [Choice(name, name, value_text(values[name])) for name in values]
        answer = await self.app.push_screen_wait(Choose(f"Correct in {row.name}", names))
        if not answer:
            return
        name = answer[0]
        words = f"A {kinds[name]}; empty: nothing is known." if name in kinds else ""
        asked = Ask(
            name,
            words,
            value=written(values[name]),
            check=lambda text: why_not(text, kinds.get(name)),
            may_be_empty=True,
        )
        text = await self.app.push_screen_wait(asked)
        if text is None:
            return
        with self.telling(self.query_one(Notice)):
            await correct(
                workspace.client, docset.docset_id, row.doc_id, name, read(text, kinds.get(name))
            )
            self.notify(f"{name} of {row.name} is marked as corrected.", title="Corrected")
            self.load()

    @work
    async def action_columns(self) -> None:
        if self._list is None:
            return
        chosen = await self.app.push_screen_wait(
            Choose(
                "Columns",
                [Choice(name, name) for name in self._names],
                marked=self._shown or [],
            )
        )
        if chosen is not None:
            self._shown = chosen
            self._set_columns()

    @on(LineList.Highlighted)
    def _moved(self) -> None:
        self.when_at_rest(self._about)

    def _about(self) -> None:
        row = self._table.current
        self.query_one("#side", Pane).retitle(row.name if row else "Document")
        self.query_one("#about", Static).update(as_content(about(row) if row else []))
        self._show_page(row)

    @work(exclusive=True, group="thumbnail")
    async def _show_page(self, row: DocumentMetadata | None) -> None:
        view = self.query_one(PageView)
        if row is None or self.workspace is None or self.docset is None:
            view.say(())
            return
        await asyncio.sleep(0.15)  # the cursor may be running
        if not view.is_on_screen:
            return
        try:
            data = await self.workspace.originals.get(self.docset.docset_id, row.doc_id)
            elements: list[StoredElement] = []
            pages = await asyncio.to_thread(page_count, data)
            if not pages or self.workbench.draws_maps:  # then the words are the page
                found = await self.workspace.client.document(self.docset.docset_id, row.doc_id)
                elements = found.elements
        except WorkbenchError as error:
            view.say(line(dim(str(error))))
            return
        view.show(Leaf(data, 1, elements))
        self._show_evidence(row)

    @work(exclusive=True, group="evidence")
    async def _show_evidence(self, row: DocumentMetadata) -> None:
        """Marks what a person has corrected, where the server tells."""
        if self.workspace is None:
            return
        try:
            evidence = await self.workspace.client.evidence(row.docset_id, row.doc_id)
        except WorkbenchError:
            return
        corrected = {name for name, told in evidence.items() if told.get("corrected")}
        if corrected and self._table.current is row:
            self.query_one("#about", Static).update(as_content(about(row, corrected)))

    # -- acting ---------------------------------------------------------------------------------

    @on(LineList.Opened)
    def _open(self) -> None:
        from workbench.tui.screens.viewer import ViewerScreen

        row = self._table.current
        if row is not None and self.docset is not None:
            self.app.push_screen(ViewerScreen(self.docset.docset_id, row.doc_id, row.name))

    def action_filter(self) -> None:
        self.query_one(FilterBar).open()

    def action_mark(self) -> None:
        row = self._table.current
        if row is not None:
            self._seen[row.doc_id] = row
            self._table.toggle_mark()

    def action_add(self) -> None:
        self._add("")

    def on_paste(self, event: events.Paste) -> None:
        """Files that are dropped onto the terminal arrive as pasted paths."""
        if gather(event.text).files:
            self._add(event.text)

    @work
    async def _add(self, text: str) -> None:
        if self.docset is None or self.workspace is None:
            return
        docset = self.docset
        sources = await self.app.push_screen_wait(AddFiles(docset.name, text))
        if sources:
            self.workspace.queue.add(docset.docset_id, sources)
            self.workspace.uploader.wake()
            self.workbench.action_go("uploads")

    def _marked(self) -> list[DocumentMetadata]:
        marked = [self._seen[doc_id] for doc_id in self._seen if doc_id in self._table.marks]
        current = self._table.current
        return marked or ([current] if current is not None else [])

    @work
    async def action_delete(self) -> None:
        rows = self._marked()
        if not rows or self.workspace is None or self.docset is None:
            return
        words = [line(Span(row.name, "strong")) for row in rows[:8]]
        if len(rows) > 8:
            words.append(line(dim(f"… and {len(rows) - 8:,} more")))
        words += [line(), line(dim("The copies in the DocSet go; files on your disk stay."))]
        if not await self.app.push_screen_wait(
            Confirm(f"Delete {plural(len(rows), 'document')}?", *words)
        ):
            return
        notice = self.query_one(Notice)
        with self.telling(notice):
            for row in rows:
                await self.workspace.client.delete_document(self.docset.docset_id, row.doc_id)
                self._table.marks.discard(row.doc_id)
        self.load()

    @work
    async def action_save(self) -> None:
        rows = self._marked()
        if self.workspace is None or self.docset is None:
            return
        for row in rows:
            with self.telling(self.query_one(Notice)):
                data = await self.workspace.originals.get(self.docset.docset_id, row.doc_id)
                await save_original(self.app, row.name, data)

    @work
    async def action_export(self) -> None:
        from workbench.frames.documents import Documents
        from workbench.tui.dialogs.export import Copy, export

        listed, docset = self._list, self.docset
        if listed is None or docset is None:
            return

        async def frame() -> Documents:
            return Documents(await listed.narrowed(self._filter), docset.schema_)

        code = (
            "import workbench as wb\n\nclient = wb.connect()\n"
            f"docset = client.docsets[{docset.docset_id!r}]\n"
            "docset.documents().to_polars()\n"
        )
        copies = [Copy("python", "Copy as Python", "all documents", lambda: code)]
        many = plural(self._table.total, "document")
        with self.telling(self.query_one(Notice)):
            await export(self.app, docset.name, frame, copies, many=many)


SCREEN = DocumentsScreen
