"""A document opened: its page with boxes on the left, its elements on the right."""

from collections.abc import Sequence
from typing import Any

from textual import on, work
from textual.app import ComposeResult
from textual.containers import Horizontal, ScrollableContainer, Vertical
from textual.message import Message
from textual.widgets import Static

from workbench.client.errors import WorkbenchError
from workbench.contract.documents import Document
from workbench.contract.elements import StoredElement
from workbench.sessions.readings import Reading, readings
from workbench.tui.evidence_words import name_width, reading_line
from workbench.tui.keys import bindings
from workbench.tui.lines import Line, Span, as_content, dim, line, width_of
from workbench.tui.saving import save_original
from workbench.tui.screens.frame import Frame
from workbench.tui.styles import STYLES
from workbench.tui.table_words import table_lines, table_of
from workbench.tui.widgets.element_inspector import element_lines, element_notes
from workbench.tui.widgets.line_list import LineList
from workbench.tui.widgets.notice import Notice
from workbench.tui.widgets.page_view import Boxes, Leaf, Mark, PageView
from workbench.tui.widgets.pane import Pane

_MOST_VALUES = 10
_MARGIN = 2
"""The padding of a text, in cells."""
_NEXT: dict[Boxes, Boxes] = {"all": "one", "one": "none", "none": "all"}


class ElementList(LineList[StoredElement]):
    row_height = 2
    roomy = True

    def key_of(self, row: StoredElement) -> str:
        return row.id

    def draw(self, row: StoredElement, index: int, width: int) -> Sequence[Line]:
        page = row.properties.get("page_number", 1)
        text = " ".join((row.text_representation or "").split())
        return (
            line(" ", Span(row.type, "accent"), dim(f"  p{page}")),
            line("   ", text or dim("no text")),
        )


class ValueList(LineList[Reading]):
    def key_of(self, row: Reading) -> str:
        return value_key(row.name, row.value if row.guess else "")

    def draw(self, row: Reading, index: int, width: int) -> Sequence[Line]:
        listed = [reading for reading in self.rows if reading is not None]
        return (reading_line(row, name_width(listed, width), width),)


class ElementScroll(ScrollableContainer):
    """The words of an element; tables may be wider than it."""

    class Resized(Message):
        """There is more or less room than before."""

    def on_resize(self) -> None:
        self.post_message(self.Resized())


def value_key(name: str, guess: object = "") -> str:
    return f"{name}\0{guess}"


class ViewerScreen(Frame):
    """Opens at `page`, or at the element with `element_id`; the place of a value is highlighted as
    `mark` until another element or value is chosen.
    """

    place = "viewer"
    CSS_PATH = STYLES / "viewer.tcss"
    BINDINGS = bindings("viewer")

    def __init__(
        self,
        docset_id: str,
        doc_id: str,
        name: str,
        *,
        page: int = 1,
        element_id: str | None = None,
        mark: Mark | None = None,
    ) -> None:
        super().__init__()
        self._docset_id = docset_id
        self._doc_id = doc_id
        self._file_name = name
        self._page = page
        self._wanted = element_id
        self._mark = mark
        self._marked_at = element_id
        self._data: bytes | None = None
        self._pages = 0
        self._drawable = False
        self._elements: list[StoredElement] = []
        self._originals: list[dict[str, Any]] = []

    def body(self) -> ComposeResult:
        yield Notice()
        with Horizontal(classes="columns"):
            with Pane(title=self._file_name, id="page-pane"):
                yield PageView(id="page")
            with Vertical(id="elements-side"):
                with Pane(title="Values", id="values-pane"):
                    yield ValueList(id="values")
                with Pane(title="Elements", id="elements-pane"):
                    yield ElementList(id="elements")
                with Pane(title="Element", id="element-pane"):
                    yield PageView(id="figure")
                    yield ElementScroll(Static(id="element", classes="text"))

    def on_mount(self) -> None:
        self._opened_in = self._open_docset_id()
        self._list.focus()

    def on_screen_resume(self) -> None:
        """A document of a DocSet that was left meanwhile gives way to the list of the new one."""
        if self._open_docset_id() != self._opened_in:
            self.call_later(self.action_back)

    def _open_docset_id(self) -> str | None:
        return self.docset.docset_id if self.docset else None

    @property
    def _list(self) -> ElementList:
        return self.query_one(ElementList)

    @property
    def _values(self) -> ValueList:
        return self.query_one(ValueList)

    def show_waiting(self, words: Line) -> None:
        self._list.say(words)

    @work(exclusive=True, group="load")
    async def load(self) -> None:
        assert self.workspace is not None
        client = self.workspace.client
        self._list.say(line(dim("Loading the document …")))
        with self.reporting(self.query_one(Notice)):
            document = await client.document(
                self._docset_id, self._doc_id, include_original_elements=True
            )
            self._elements = document.elements
            self._originals = document.properties.get("_original_elements") or []
            self._remark(document.remarks)
            self._list.say(line(dim("The document has no elements.")))
            self._list.show_rows(self._elements)
            self.query_one("#elements-pane", Pane).retitle("Elements", str(len(self._elements)))
            if self._wanted is not None:
                self._list.move_to(self._wanted)
            elif self._page > 1:
                self._move_to_page(self._page)
            self._marked_at = self._list.current_key
            self._show()
            self._show_values(document)
        try:
            self._data = await self.workspace.originals.get(self._docset_id, self._doc_id)
        except WorkbenchError as error:
            self.query_one(Notice).say(self.words_for(error), "bad")
            return
        await self._count_pages(self._data)
        self._show()

    def _remark(self, remarks: Sequence[str]) -> None:
        """What could not be read, or was read in another way, above page and elements."""
        if remarks:
            more = f" (and {len(remarks) - 1} more)" if len(remarks) > 1 else ""
            self.query_one(Notice).say(f"{remarks[0]}{more}", "warn")

    @work(exclusive=True, group="values")
    async def _show_values(self, document: Document) -> None:
        """The properties with confidence and place, as far as the server provides them."""
        assert self.workspace is not None
        values = document.properties.get("entity") or {}
        try:
            evidence = await self.workspace.client.evidence(self._docset_id, self._doc_id)
        except WorkbenchError:
            evidence = {}
        listed = readings(values, evidence)
        self._values.say(line(dim("No properties yet.")))
        self._values.show_rows(listed)
        pane = self.query_one("#values-pane", Pane)
        doubtful = sum(reading.doubtful for reading in listed if not reading.guess)
        pane.retitle("Values", f"{len(values)}" + (f" · {doubtful} doubtful" if doubtful else ""))
        self._values.styles.max_height = max(1, min(_MOST_VALUES, len(listed)))
        if self._mark is not None:
            self._values.move_to(value_key(self._mark.label))

    async def _count_pages(self, data: bytes) -> None:
        import asyncio

        from workbench.pages.raster import page_count

        self._pages = await asyncio.to_thread(page_count, data)
        self._drawable = self._pages > 0
        if not self._drawable:
            self._pages = max((_page_of(e) for e in self._elements), default=1)

    # -- showing --------------------------------------------------------------------------------

    @on(LineList.Highlighted, "#elements")
    def _moved(self) -> None:
        if self._list.current_key != self._marked_at:
            self._mark = None
        self.when_at_rest(self._element_chosen)

    @on(LineList.Highlighted, "#values")
    @on(LineList.Opened, "#values")
    def _value_moved(self) -> None:
        if self._values.has_focus:
            self.when_at_rest(self._value_chosen)

    def _value_chosen(self) -> None:
        """Shows the place of the value: its page, and its box on it."""
        reading = self._values.current
        if reading is None or reading.page is None:
            self._mark = None
        else:
            self._page = reading.page
            self._mark = (
                None if reading.bbox is None else Mark(reading.page, reading.bbox, reading.name)
            )
            if reading.element_id is not None:
                self._list.move_to(reading.element_id)
            self._marked_at = self._list.current_key
        self._show()

    @on(PageView.Clicked)
    def _box_clicked(self, event: PageView.Clicked) -> None:
        self._mark = None
        self._list.move_to(event.element_id)

    def _element_chosen(self) -> None:
        current = self._list.current
        if self._mark is not None:
            self._page = self._mark.page
        elif current is not None:
            self._page = _page_of(current)
        self._show()

    def _show(self) -> None:
        current = self._list.current
        self.query_one("#page", PageView).show(
            Leaf(
                self._data,
                self._page,
                self._elements,
                current.id if current else None,
                mark=self._mark,
            )
        )
        of = f"page {self._page} of {self._pages}" if self._pages else f"page {self._page}"
        self.query_one("#page-pane", Pane).retitle(self._file_name, of)
        self.query_one("#element-pane", Pane).retitle(current.type if current else "Element")
        self._show_words()
        self._show_figure(current)

    def _show_figure(self, element: StoredElement | None) -> None:
        """The picture that an element is, cut out of its page, where pages can be drawn."""
        figure = self.query_one("#figure", PageView)
        drawable = self._data is not None and self._drawable and not self.workbench.draws_maps
        figure.display = drawable and element is not None and element.type == "Image"
        if figure.display and element is not None:
            x1, y1, x2, y2 = element.bbox
            figure.show(Leaf(self._data, _page_of(element), part=(x1, y1, x2, y2)))

    @on(ElementScroll.Resized)
    def _show_words(self) -> None:
        """The words of an element; a table has rows and columns that scroll sideways."""
        element, words = self._list.current, self.query_one("#element", Static)
        table = table_of(element, self._originals) if element else None
        room = self.query_one(ElementScroll).size.width - _MARGIN
        rows = table_lines(table, max(20, room)) if table else []
        wide = max(map(width_of, rows), default=0)
        words.styles.width = wide + _MARGIN if wide > room else "100%"
        self.query_one("#element-pane", Pane).foot("tab, then ← → scroll" if wide > room else "")
        if element is None or table is None:
            words.update(as_content(element_lines(element) if element else []))
        else:
            words.update(as_content([*rows, line(), *element_notes(element)]))

    def _turn(self, step: int) -> None:
        page = self._page + step
        if 1 <= page <= max(1, self._pages):
            self._page = page
            if not self._move_to_page(page):
                self._show()

    def _move_to_page(self, page: int) -> bool:
        """Moves the cursor to the first element of the page; returns whether there is one."""
        for element in self._elements:
            if _page_of(element) == page:
                return self._list.move_to(element.id)
        return False

    def action_next_page(self) -> None:
        self._turn(1)

    def action_previous_page(self) -> None:
        self._turn(-1)

    def action_boxes(self) -> None:
        view = self.query_one("#page", PageView)
        view.set_boxes(_NEXT[view.boxes])

    def action_values(self) -> None:
        """To the values and back; in narrow terminals they take the place of the elements."""
        self.unzoom()
        side = self.query_one("#elements-side")
        shown = not self._values.has_focus
        side.set_class(shown, "-values")
        (self._values if shown else self._list).focus()

    @work
    async def action_save(self) -> None:
        if self._data is not None:
            await save_original(self.app, self._file_name, self._data)

    def action_back(self) -> None:
        self.dismiss(None)


def _page_of(element: StoredElement) -> int:
    return int(element.properties.get("page_number", 1))
