"""Screen 1: the DocSets, and the contents of the one under the cursor."""

from typing import TYPE_CHECKING, Any

from textual import on, work
from textual.app import ComposeResult
from textual.containers import Horizontal, VerticalScroll
from textual.widgets import Static

from workbench.formats import counted, value_words
from workbench.tui.formats import count, day
from workbench.tui.keys import bindings
from workbench.tui.lines import Line, Span, as_content, dim, line
from workbench.tui.screens.frame import Frame
from workbench.tui.widgets.line_list import LineList
from workbench.tui.widgets.notice import Notice
from workbench.tui.widgets.pane import Pane
from workbench.tui.widgets.table_list import Column, TableList

if TYPE_CHECKING:
    from collections.abc import Callable

    from workbench.contract.docsets import DocSetMetadata, SuggestedSchema
    from workbench.contract.schema import Schema
    from workbench.tui.widgets.filter_bar import FilterBar

_EMPTY = (
    line(Span("No DocSets yet.", "strong")),
    line(),
    line("Press ", Span("n", "accent"), " to make one and add your files,"),
    line("or ", Span("D", "accent"), " to try it on sample documents."),
)


class DocSetsScreen(Frame):
    """Opens a DocSet for all screens; makes, copies, renames and deletes DocSets."""

    place = "docsets"
    BINDINGS = bindings("docsets")

    def body(self) -> ComposeResult:
        yield Notice()
        with Horizontal(classes="columns"):
            with Pane(title="DocSets", id="list-pane"):
                yield TableList["DocSetMetadata"](_COLUMNS, lambda row: row.docset_id, id="docsets")
            yield Pane(
                VerticalScroll(Static(id="about", classes="text"), classes="scroll"),
                title="DocSet",
                id="side",
                classes="inspector",
            )

    def on_mount(self) -> None:
        self._all: list[DocSetMetadata] = []
        self._order: tuple[str, bool] | None = None
        self._text = ""
        self._is_start = True
        self._load_error = ""
        self._table.focus()

    @property
    def _table(self) -> "TableList[DocSetMetadata]":
        return self.query_one("#docsets", TableList)

    def show_waiting(self, words: Line) -> None:
        self._table.say(words)

    def on_screen_resume(self) -> None:
        if self.workspace is not None:
            self.load()

    # -- reading --------------------------------------------------------------------------------

    @work(exclusive=True, group="load")
    async def load(self) -> None:
        assert self.workspace is not None
        notice = self.query_one(Notice)
        failed = True
        with self.reporting(notice):
            self._all = [docset async for docset in self.workspace.client.docsets()]
            if notice.mood != "bad" or notice.words == self._load_error:
                notice.hush()  # other refusals of the server stay visible until something works
            self._table.say(*_EMPTY)
            self._show(self._text)
            self._open_wanted()
            failed = False
        self._load_error = notice.words if failed else ""

    def _open_wanted(self) -> None:
        """Opens the DocSet that was requested or last open, and refreshes the open one."""
        app = self.workbench
        last = self.workspace.last_docset if self.workspace and self._is_start else None
        wanted = app.wanted_docset or (app.docset.docset_id if app.docset else last)
        start, self._is_start = self._is_start, False
        match = next((d for d in self._all if wanted in (d.docset_id, d.name)), None)
        if match is not None:
            self._table.move_to(match.docset_id)
            app.docset = match
            if app.wanted_docset is not None or start:
                app.wanted_docset = None
                if self.is_current:  # otherwise the person has left this screen meanwhile
                    app.action_go("documents")
        elif app.wanted_docset is not None:
            self.query_one(Notice).say(f"There is no DocSet called {app.wanted_docset}.", "bad")
            app.wanted_docset = None

    def _show(self, text: str = "") -> None:
        self._text = text
        rows = [row for row in self._all if text.lower() in row.name.lower()]
        if self._order is not None:
            name, descending = self._order
            rows.sort(key=_ORDERS[name], reverse=descending)
        self._table.show_rows(rows)
        shown = f"{len(rows)} of {len(self._all)}" if text else count(len(self._all))
        self.query_one("#list-pane", Pane).retitle("DocSets", shown if self._all else "")
        self._about()

    @on(LineList.Highlighted)
    def _moved(self) -> None:
        self.when_at_rest(self._about)

    def _about(self) -> None:
        row = self._table.current
        pane = self.query_one("#side", Pane)
        pane.retitle(row.name if row else "DocSet")
        self.query_one("#about", Static).update(as_content(about(row) if row else []))

    @on(TableList.OrderChosen)
    def _order_chosen(self, event: TableList.OrderChosen) -> None:
        """A click on a header sorts by it, a second one the other way round."""
        turned = self._order is not None and self._order == (event.order, False)
        self._order = (event.order, turned)
        self._show(self._text)

    def on_filter_bar_narrowed(self, event: "FilterBar.Narrowed") -> None:
        self._table.say(line(dim("No match.")))
        self._show(event.text)

    # -- acting ---------------------------------------------------------------------------------

    @on(LineList.Opened)
    def _open(self) -> None:
        row = self._table.current
        if row is not None:
            self.workbench.open_docset(row)
            self.workbench.action_go("documents")

    async def action_filter(self) -> None:
        from workbench.tui.widgets.filter_bar import FilterBar  # inputs load late: see the frame

        if not self.query(FilterBar):
            pane = self.query_one("#list-pane")
            await pane.mount(FilterBar("part of a name"), before=0)
        self.query_one(FilterBar).open()

    @work
    async def action_new(self) -> None:
        from workbench.tui.dialogs.ask import Ask

        if self.workspace is None:
            self.notify("The backend is not ready yet.", severity="warning")
            return
        name = await self.app.push_screen_wait(
            Ask("New DocSet", "A DocSet is a collection of documents.", placeholder="name")
        )
        if name:
            with self.reporting(self.query_one(Notice)):
                made = await self.workspace.client.create_docset(name)
                self.workbench.open_docset(made)
                self.workbench.action_go("documents")

    @work
    async def action_rename(self) -> None:
        from workbench.contract.docsets import DocSetUpdate
        from workbench.tui.dialogs.ask import Ask

        row = self._table.current
        if row is None or self.workspace is None:
            return
        name = await self.app.push_screen_wait(Ask("Rename", value=row.name))
        if name and name != row.name:
            with self.reporting(self.query_one(Notice)):
                await self.workspace.client.update_docset(row.docset_id, DocSetUpdate(name=name))
                self.query_one(Notice).hush()
                self.load()

    @work
    async def action_clone(self) -> None:
        from workbench.contract.docsets import DocSetUpdate
        from workbench.tui.dialogs.ask import Ask

        row, workspace = self._table.current, self.workspace
        if row is None or workspace is None:
            return
        words = "Documents, properties and schema are copied."
        name = await self.app.push_screen_wait(
            Ask(f"Clone {row.name}", words, value=f"{row.name} (copy)", placeholder="name")
        )
        if name:
            notice = self.query_one(Notice)
            notice.say(f"Copying {row.name} …")
            with self.reporting(notice):
                made = await workspace.client.clone_docset(row.docset_id)
                if made.name != name:
                    await workspace.client.update_docset(made.docset_id, DocSetUpdate(name=name))
                notice.hush()
                self.load()

    @work
    async def action_demo(self) -> None:
        """Makes a DocSet of sample documents, or opens the one that is there."""
        import asyncio

        workspace, write = self.workspace, self.workbench.write_samples
        if workspace is None or write is None:
            self.notify("The backend is not ready yet." if write else "No sample documents here.")
            return
        notice = self.query_one(Notice)
        notice.say("Writing sample documents …")
        with self.reporting(notice):
            folder = workspace.file.path.parent / "sample-documents"
            samples = await asyncio.to_thread(write, folder)
            known = next((d for d in self._all if d.name == samples.name), None)
            if known is None:
                made = await workspace.client.create_docset(
                    samples.name, schema=samples.schema, properties=samples.properties
                )
                workspace.queue.add(made.docset_id, samples.files)
                workspace.uploader.wake()
            notice.hush()
            self.workbench.open_docset(known or made)
            self.workbench.action_go("documents" if known else "uploads")

    @work
    async def action_readonly(self) -> None:
        row = self._table.current
        if row is not None and self.workspace is not None:
            with self.reporting(self.query_one(Notice)):
                await self.workspace.client.set_readonly(row.docset_id, not row.readonly)
                self.query_one(Notice).hush()
                self.load()

    @work
    async def action_delete(self) -> None:
        from workbench.tui.dialogs.confirm import Confirm

        row = self._table.current
        if row is None or self.workspace is None:
            return
        question = Confirm(
            f"Delete {row.name}?",
            line(
                Span(counted(row.size or 0, "document"), "bad"),
                " and their properties will be deleted.",
            ),
            line(
                "Files on your disk are not touched. To confirm, type ",
                Span(row.name, "strong"),
                ".",
            ),
            typed=row.name,
        )
        if await self.app.push_screen_wait(question):
            with self.reporting(self.query_one(Notice)):
                await self.workspace.client.delete_docset(row.docset_id)
                if self.docset is not None and self.docset.docset_id == row.docset_id:
                    self.workbench.docset = None
                self.load()

    @work
    async def action_properties(self) -> None:
        from workbench.sessions.wanting import wanted_of_empty
        from workbench.tui.dialogs.properties import Properties

        row, workspace = self._table.current, self.workspace
        if row is None or workspace is None:
            return

        async def suggest(known: "Schema") -> "SuggestedSchema":
            return await workspace.client.suggest_properties(
                row.docset_id, sample_ratio=1.0, existing_schema=known
            )

        schema = await self.app.push_screen_wait(Properties(row.name, row.schema_, suggest))
        if schema is not None:
            with self.reporting(self.query_one(Notice)):
                number = counted(len(schema.properties), "property")
                if await wanted_of_empty(workspace.client, row.docset_id, schema):
                    words = f"{number} will be read from each document that is added."
                    self.load()
                else:
                    await workspace.client.submit_extract_properties(row.docset_id, schema)
                    documents = counted(row.size or 0, "document")
                    words = f"Extracting {number} from {documents}. Press 4 to follow."
                self.query_one(Notice).say(words, "good")


def _name(row: "DocSetMetadata") -> Line:
    return line(row.name, dim("  write-protected") if row.readonly else "")


def _properties(row: "DocSetMetadata") -> str:
    return count(len(row.schema_.properties)) if row.schema_ else ""


_COLUMNS: list[Column["DocSetMetadata"]] = [
    Column("name", _name, order="name"),
    Column("documents", lambda row: count(row.size or 0), 9, "right", order="documents"),
    Column("properties", _properties, 10, "right", from_width=60, order="properties"),
    Column("created", lambda row: dim(day(row.created_at)), 10, from_width=48, order="created"),
]
_ORDERS: dict[str, "Callable[[DocSetMetadata], Any]"] = {
    "name": lambda row: row.name.casefold(),
    "documents": lambda row: row.size or 0,
    "properties": lambda row: len(row.schema_.properties) if row.schema_ else 0,
    "created": lambda row: row.created_at,
}


def about(docset: "DocSetMetadata") -> list[Line]:
    """The contents of a DocSet."""
    # These load pydantic, which the first paint must not wait for.
    from workbench.contract.rereading import REREAD_AFTER_CORRECTIONS
    from workbench.sessions.rereading_setting import rereads_by_itself

    lines = [
        line(Span(counted(docset.size or 0, "document"), "accent")),
        line(dim(docset.docset_id)),
        line(dim(f"created {day(docset.created_at)}")),
        line(),
        line(Span("Properties", "strong")),
    ]
    known = docset.schema_.properties if docset.schema_ else []
    for item in known:
        lines.append(line(item.name, "  ", Span(item.custom_type or item.kind, "accent")))
        if item.description:
            lines.append(line("  ", dim(item.description)))
    if not known:
        lines.append(line(dim("none yet; press p to extract some")))
    for purpose, prompt in docset.prompts.items():
        lines += [line(), line(Span(f"Prompt {purpose}", "strong")), line(dim(prompt))]
    if rereads_by_itself(docset):
        lines += [line(), line(dim("re-read by itself after each correction"))]
    for name, value in (docset.properties or {}).items():
        if name == REREAD_AFTER_CORRECTIONS:
            continue
        lines += [line(), line(Span(name, "strong"), "  ", dim(value_words(value)))]
    return lines


SCREEN = DocSetsScreen
