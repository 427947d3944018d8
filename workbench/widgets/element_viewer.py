"""A page of a document with the boxes of its elements; a click chooses one, here and in Python."""

import asyncio
from collections.abc import Sequence
from io import BytesIO
from typing import Any, Self

import traitlets
from PIL import Image

from workbench.client.errors import WorkbenchError
from workbench.contract.elements import StoredElement
from workbench.formats import confidence_words, unit_words, value_words
from workbench.frames.html import Markup, image, joined, table, tag
from workbench.frames.tables import TableFrame, tables_by_text
from workbench.objects import DocSet
from workbench.pages.marked import marked_page
from workbench.pages.raster import page_count, page_png
from workbench.sessions.readings import Reading, readings
from workbench.widgets.message import Message
from workbench.widgets.search_box import SearchBox
from workbench.widgets.view import View, script

_WIDTH = 1000  # pixels; twice what is shown, for sharp screens
_SNAPSHOT = 640  # pixels
_ROWS = 100  # of a table


class ElementViewer(View):
    """`viewer.chosen` is the element that was clicked; setting `selected` lights one up."""

    _esm = script("sheet", "element_viewer")
    title = traitlets.Unicode("").tag(sync=True)
    page = traitlets.Int(1).tag(sync=True)
    pages = traitlets.Int(1).tag(sync=True)
    picture = traitlets.Bytes(b"").tag(sync=True)
    boxes: traitlets.List[Any] = traitlets.List().tag(sync=True)
    selected = traitlets.Unicode("").tag(sync=True)
    remarks: traitlets.List[Any] = traitlets.List().tag(sync=True)
    values: traitlets.List[Any] = traitlets.List().tag(sync=True)
    mark = traitlets.Dict().tag(sync=True)

    def __init__(self, docset: DocSet, doc_id: str = "", *, element_id: str = "") -> None:
        self._docset = docset
        self._doc_id = self._wanted = ""
        self._file = b""
        self._elements: dict[str, StoredElement] = {}
        self._tables: dict[str, TableFrame] = {}
        self._readings: list[Reading] = []
        super().__init__({"page": self._turn, "value": self._show_value})
        if doc_id:
            self.show(doc_id, element_id)

    @property
    def chosen(self) -> StoredElement | None:
        return self._elements.get(self.selected)

    def snapshot(self) -> Markup:
        if not self.title:
            return tag("div", "No document yet")
        title = f"{self.title} · page {self.page} of {self.pages}"
        chosen = self.chosen
        text = None if chosen is None else tag("div", chosen.text_representation or "")
        remarks = joined(tag("div", f"! {remark}") for remark in self.remarks)
        heading = tag("div", title, style="font-weight:600")
        return tag("div", heading, remarks, self._page_snapshot(), text)

    def _page_snapshot(self) -> Markup:
        """The page with its boxes, or the text of a file without pages."""
        if not self.picture:
            return joined(_read_snapshot(box) for box in self.boxes)
        full = Image.open(BytesIO(self.picture))
        page = full.resize((_SNAPSHOT, round(full.height * _SNAPSHOT / full.width)))
        boxes = {box["id"]: box["box"] for box in self.boxes}
        drawn = marked_page(page, boxes.values(), boxes.get(self.selected))
        return image(drawn, f"Page {self.page} of {self.title}", style="max-width:100%")

    def show(self, doc_id: str, element_id: str = "") -> None:
        """Opens a document, at the page of an element when one is named."""
        self._wanted = doc_id
        self.selected = element_id
        if doc_id != self._doc_id:
            self.start(self._open(doc_id))

    def follow(self, box: SearchBox) -> Self:
        """From now on shows each hit chosen in the search box on its page; an element chosen here
        is chosen there too, if it is a hit.
        """

        def hit_chosen(_: Any) -> None:
            if (hit := box.chosen) is not None:
                self.show(hit.doc_id, hit.element_id or "")

        def element_chosen(change: Any) -> None:
            box.choose(change["new"])

        box.observe(hit_chosen, "selected")
        self.observe(element_chosen, "selected")
        return self

    @traitlets.observe("selected")
    def _go_to_selected(self, change: Any) -> None:
        """Turns to the page of an element that was chosen from Python."""
        element = self._elements.get(change["new"])
        if element is not None:
            self.mark = {}
        if element is not None and _page(element) != self.page:
            self.start(self._show(_page(element)))

    async def _open(self, doc_id: str) -> None:
        client = self._docset.engine.client
        document, file, evidence = await asyncio.gather(
            client.document(self._docset.id, doc_id, include_original_elements=True),
            client.binary(self._docset.id, doc_id),
            self._evidence(doc_id),
        )
        pictures = await asyncio.to_thread(page_count, file)
        if self._wanted != doc_id:
            return  # meanwhile another document was requested
        self._doc_id, self._file = doc_id, file
        self._elements = {element.id: element for element in document.elements}
        self._tables = tables_by_text(document)
        self.pages = max([pictures, 1, *map(_page, document.elements)])
        self.title = str(document.properties.get("path") or doc_id)
        self.remarks = document.remarks
        self._readings = readings(document.properties.get("entity") or {}, evidence)
        self.mark, self.values = {}, [_shown(reading) for reading in self._readings]
        await self._show(_page(self.chosen) if self.chosen else 1)

    async def _evidence(self, doc_id: str) -> dict[str, dict[str, Any]]:
        """The confidence and source of each value; empty if the server does not provide them."""
        try:
            return await self._docset.engine.client.evidence(self._docset.id, doc_id)
        except WorkbenchError:
            return {}

    async def _show_value(self, message: Message, _: Sequence[bytes]) -> None:
        """Shows the page of a value with its box."""
        reading = message.item("place", self._readings)
        if reading.page is None:
            raise LookupError(f"{reading.name} was not read from the document.")
        if reading.page != self.page:
            await self._show(reading.page)
        box = None if reading.bbox is None else list(reading.bbox)
        self.mark = {"page": reading.page, "box": box, "name": reading.name}

    def _box(self, element: StoredElement, drawn: bool) -> dict[str, Any]:
        """An element as the browser shows it; a table as one where no picture shows it."""
        text = element.text_representation or ""
        shown = {"id": element.id, "kind": element.type, "box": element.bbox, "text": text}
        table = None if drawn or element.type != "table" else self._tables.get(text)
        return shown if table is None else shown | {"table": _grid(table)}

    async def _turn(self, message: Message, _: Sequence[bytes]) -> None:
        await self._show(max(1, min(self.pages, message.number("page"))))

    async def _show(self, page: int) -> None:
        """Elements are there in any case; files without pages have no picture but are read."""
        pictures = await asyncio.to_thread(page_count, self._file)
        drawn = page <= pictures
        picture = await asyncio.to_thread(page_png, self._file, page, _WIDTH) if drawn else b""
        with self.hold_sync():
            self.page, self.picture = page, picture
            self.boxes = [self._box(e, drawn) for e in self._elements.values() if _page(e) == page]


def _read_snapshot(box: dict[str, Any]) -> Markup:
    if "table" in box:
        return table(box["table"]["columns"], box["table"]["rows"])
    return tag("p", box["text"])


def _grid(frame: TableFrame) -> dict[str, Any]:
    """The first rows of a table as printed in the document."""
    texts = frame.as_text().to_polars().head(_ROWS)
    rows = [[value or "" for value in row] for row in texts.rows()]
    return {"columns": texts.columns, "rows": rows, "left": len(frame) - len(rows)}


def _shown(reading: Reading) -> dict[str, Any]:
    """A property, or a guess at it, as the browser shows it."""
    words = value_words(reading.value, reading.name)
    sure = "corrected by hand" if reading.corrected else confidence_words(reading.confidence)
    return {
        "name": reading.name,
        "words": f"{words} {unit_words(reading.value, reading.unit)}".strip() or "—",
        "sure": sure,
        "doubtful": reading.doubtful,
        "guess": reading.guess,
        "page": reading.page,
    }


def _page(element: StoredElement) -> int:
    return int(element.properties.get("page_number") or 1)
