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
from workbench.client.errors import WorkbenchError
from workbench.pages.raster import page_count
from workbench.sessions.document_list import DocumentList, entity
from workbench.sessions.gather import gather
from workbench.sessions.upload_queue import Upload
from workbench.sessions.workspace import Workspace
from workbench.tui.dialogs.add_files import AddFiles
from workbench.tui.dialogs.choose import Choice, Choose
from workbench.tui.dialogs.confirm import Confirm
from workbench.tui.formats import byte_size, count, day, plural, value_text
from workbench.tui.keys import bindings
from workbench.tui.lines import Line, Span, as_content, dim, line, wrap
from workbench.tui.saving import save_original
from workbench.tui.screens.frame import Frame
from workbench.tui.styles import STYLES
from workbench.tui.widgets.filter_bar import FilterBar
from workbench.tui.widgets.line_list import LineList
from workbench.tui.widgets.notice import Notice
from workbench.tui.widgets.page_view import Leaf, PageView
from workbench.tui.widgets.pane import Pane
from workbench.tui.widgets.table_list import Column, TableList

_EMPTY = (
    line(Span("This DocSet has no documents yet.", "strong")),
    line(),
    line("Press ", Span("a", "accent"), " and name a file or a folder,"),
    line("or drop files onto the terminal."),
)
_SHOWN_AT_FIRST = 4
_WIDEST = 18


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
                    _columns([]), lambda row: row.doc_id, id="documents"
                )
            with Pane(title="Document", id="side", classes="inspector"):
                yield VerticalScroll(
                    Static(id="about", classes="text"), classes="scroll", can_focus=False
                )
                yield PageView(id="thumbnail")

    def on_mount(self) -> None:
        self._list: DocumentList | None = None
        self._shown: list[str] | None = None
        self._filter = ""
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
            reached = self._table.cursor if self._list else 0
            await fresh.reach(reached)
            same = self._list is not None and self._list.docset_id == docset.docset_id
            if not same:
                self._shown = None
            self._list = fresh
            notice.hush()
            self._set_columns()
            await self._narrow_to(self._filter)
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
        if self._list is None:
            return
        pane = self.query_one("#list-pane", Pane)
        name = self.docset.name if self.docset else "Documents"
        if not text.strip():
            self._table.say(*_EMPTY)
            self._table.show_rows(self._list.rows, self._list.total)
            pane.retitle(name, plural(self._list.total, "document"))
        else:
            rows = await self._list.narrowed(text)
            self._table.say(line(dim("No document fits that.")))
            self._table.show_rows(rows)
            pane.retitle(name, f"{count(len(rows))} of {count(self._list.total)}")

    @on(LineList.Wanted)
    def _reach(self, event: LineList.Wanted) -> None:
        self._fetch(event.index)

    @work(exclusive=True, group="reach")
    async def _fetch(self, index: int) -> None:
        if self._list is not None and self._table.rows is self._list.rows:
            with self.telling(self.query_one(Notice)):
                await self._list.reach(index + 100)
                self._table.append_rows(self._list.total)

    @on(FilterBar.Narrowed)
    def _narrowed(self, event: FilterBar.Narrowed) -> None:
        self._filter = event.text
        self._narrow_later(entered=event.entered)

    @work(exclusive=True, group="narrow")
    async def _narrow_later(self, *, entered: bool) -> None:
        """A half-typed condition is no error; only enter tells what is wrong with it."""
        notice = self.query_one(Notice)
        try:
            await self._narrow_to(self._filter)
            notice.hush()
        except WorkbenchError as error:
            if entered:
                notice.say(str(error), "bad")

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
        self._table.set_columns(_columns(self._shown, self._list.rows))

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
        marked = [row for row in self._table.rows if row.doc_id in self._table.marks]
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


def _columns(
    properties: Sequence[str], rows: Sequence[DocumentMetadata] = ()
) -> list[Column[DocumentMetadata]]:
    """Columns as wide as what stands in them; those at the right give way first."""

    def cell(name: str) -> Column[DocumentMetadata]:
        texts = [value_text(entity(row).get(name)) for row in rows[:200]]
        width = max(map(len, [name, *texts]))
        return Column(name, lambda row: value_text(entity(row).get(name)), min(width, _WIDEST))

    longest = max((len(row.name) for row in rows[:200]), default=12)
    return [
        Column("name", lambda row: row.name, weight=1, least=min(longest, 36)),
        *(cell(name) for name in properties),
        Column("size", lambda row: dim(byte_size(row.size)), 7, "right"),
        Column("added", lambda row: dim(day(row.created_at)), 10),
    ]


def about(row: DocumentMetadata) -> list[Line]:
    """What is known of a document without opening it."""
    suffix = row.name.rpartition(".")[2] if "." in row.name else ""
    kind = suffix.upper() if 0 < len(suffix) < 6 else row.content_type
    lines = [line(dim(f"{byte_size(row.size)} · {kind} · {day(row.created_at)}"))]
    properties = entity(row)
    if properties:
        lines.append(line())
    for name, value in properties.items():
        text = value_text(value)
        said = line(dim(f"{name}  "), text) if text else line(dim(f"{name}  —"))
        lines += wrap(said, 200, indent=2)
    return lines


SCREEN = DocumentsScreen
