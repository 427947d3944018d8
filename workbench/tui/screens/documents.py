"""Screen 2: the documents of the open DocSet, and the actions on them."""

from textual import on, work

from workbench.contract.documents import DocumentMetadata
from workbench.formats import counted, value_words
from workbench.sessions.correcting import correct, read, why_not, written
from workbench.sessions.document_list import entity
from workbench.sessions.document_view import Order
from workbench.sessions.property_values import listed_values
from workbench.tui.dialogs.ask import Ask
from workbench.tui.dialogs.choose import Choice, Choose
from workbench.tui.dialogs.confirm import Confirm
from workbench.tui.document_words import NO_PROPERTIES, kind_words, order_choices
from workbench.tui.keys import bindings
from workbench.tui.lines import Span, dim, line
from workbench.tui.saving import save_original
from workbench.tui.screens.adding import AddingFrame
from workbench.tui.screens.document_frame import DocumentFrame
from workbench.tui.value_choices import condition_choices, condition_finder
from workbench.tui.widgets.filter_bar import FilterBar
from workbench.tui.widgets.line_list import LineList
from workbench.tui.widgets.notice import Notice
from workbench.tui.widgets.table_list import TableList


class DocumentsScreen(DocumentFrame, AddingFrame):
    BINDINGS = bindings("documents")

    # -- columns, order and values ----------------------------------------------------------------

    @work
    async def action_sort(self) -> None:
        """Chooses the property to sort by."""
        if self._list is None:
            return
        now = self._order
        choices = order_choices(self._names, now)
        answer = await self.app.push_screen_wait(Choose("Sort by", choices))
        if answer is not None:
            await self._order_by(answer[0])

    @on(TableList.OrderChosen)
    @work(exclusive=True, group="order")
    async def _header_clicked(self, event: TableList.OrderChosen) -> None:
        await self._order_by(event.order)

    async def _order_by(self, field: str) -> None:
        """Sorts by the property, in reverse if the list is already sorted by it."""
        now = self._order
        turned = now is not None and now.field == field and not now.descending
        self._order = Order(field, turned) if field else None
        with self.reporting(self.query_one(Notice)):
            await self._narrow_to(self._filter)
            self._set_columns()
            self._table.cursor = 0

    @work
    async def action_values(self) -> None:
        """All values, the commonest of them at once; the one that is chosen becomes the filter."""
        if self.workspace is None or self.docset is None:
            return
        client, docset_id = self.workspace.client, self.docset.docset_id
        with self.reporting(self.query_one(Notice)):
            facets = await listed_values(client, docset_id)
            finder = condition_finder(client, docset_id, facets)
            answer = await self.app.push_screen_wait(
                Choose(
                    "Only documents with",
                    condition_choices(facets),
                    look_up=finder,
                    empty=NO_PROPERTIES,
                )
            )
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
        names = [Choice(name, name, value_words(values[name], name)) for name in values]
        answer = await self.app.push_screen_wait(
            Choose(f"Correct in {row.name}", names, empty=NO_PROPERTIES)
        )
        if not answer:
            return
        name = answer[0]
        words = f"{kind_words(kinds[name])}; leave empty if unknown." if name in kinds else ""
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
        with self.reporting(self.query_one(Notice)):
            await correct(
                workspace.client, docset.docset_id, row.doc_id, name, read(text, kinds.get(name))
            )
            self.notify(f"{name} of {row.name} is now marked as corrected.", title="Corrected")
            self.load()

    def action_review(self) -> None:
        """Reviews the least certain values, of the marked documents if there are any."""
        from workbench.tui.screens.review import ReviewScreen

        if self.docset is None or self.workspace is None:
            return
        marked = [doc_id for doc_id in self._seen if doc_id in self._table.marks]
        about = f"Review of {counted(len(marked), 'document')}" if marked else "Review"
        self.app.push_screen(
            ReviewScreen(self.docset.docset_id, doc_ids=marked or None, about=about)
        )

    def action_changes(self) -> None:
        """What reading the documents again proposes."""
        from workbench.tui.screens.changes import ChangesScreen

        if self.docset is not None and self.workspace is not None:
            self.app.push_screen(ChangesScreen(self.docset.docset_id))

    @work
    async def action_columns(self) -> None:
        if self._list is None:
            return
        chosen = await self.app.push_screen_wait(
            Choose(
                "Columns",
                [Choice(name, name) for name in self._names],
                marked=self._chosen_columns(),
                empty=NO_PROPERTIES,
            )
        )
        if chosen is not None:
            self._shown = chosen
            self._set_columns()

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
        words += [
            line(),
            line(dim("They are deleted from the DocSet. Files on your disk are not touched.")),
        ]
        if not await self.app.push_screen_wait(
            Confirm(f"Delete {counted(len(rows), 'document')}?", *words)
        ):
            return
        with self.reporting(self.query_one(Notice)):
            for row in rows:
                await self.workspace.client.delete_document(self.docset.docset_id, row.doc_id)
                self._table.marks.discard(row.doc_id)
        self.load(hushing=False)

    @work
    async def action_save(self) -> None:
        rows = self._marked()
        if self.workspace is None or self.docset is None:
            return
        for row in rows:
            with self.reporting(self.query_one(Notice)):
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
        many = counted(self._table.total, "document")
        with self.reporting(self.query_one(Notice)):
            await export(self.app, docset.name, frame, copies, many=many)


SCREEN = DocumentsScreen
