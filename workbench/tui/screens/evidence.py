"""The documents behind a number or a row, or those it leaves out: value, confidence, quote; enter
opens the page with the box of the value.
"""

import asyncio
from collections.abc import Sequence
from typing import Any, ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.containers import Horizontal

from workbench.client.errors import WorkbenchError
from workbench.formats import counted
from workbench.sessions.evidence import EvidenceLine, EvidenceTrail
from workbench.sessions.readings import as_box
from workbench.tui.evidence_words import evidence_lines
from workbench.tui.formats import count
from workbench.tui.keys import bindings
from workbench.tui.lines import Line, dim, line
from workbench.tui.screens.frame import Frame
from workbench.tui.styles import STYLES
from workbench.tui.widgets.line_list import LineList
from workbench.tui.widgets.notice import Notice
from workbench.tui.widgets.page_view import Leaf, Mark, PageView
from workbench.tui.widgets.pane import Pane


class EvidenceList(LineList[EvidenceLine]):
    row_height = 2
    roomy = True
    question = ""
    """What passages were judged by."""

    def key_of(self, row: EvidenceLine) -> str:
        return row.key

    def draw(self, row: EvidenceLine, index: int, width: int) -> Sequence[Line]:
        return evidence_lines(row, width, self.question)


class EvidenceScreen(Frame):
    """`title` names what the documents support; `empty` is shown if there are none."""

    place = "evidence"
    CSS_PATH: ClassVar[Any] = STYLES / "evidence.tcss"
    BINDINGS = bindings("evidence")

    def __init__(self, docset_id: str, trail: EvidenceTrail, title: str, empty: str) -> None:
        super().__init__()
        self._docset_id = docset_id
        self._trail = trail
        self._about = title
        self._empty = empty

    def body(self) -> ComposeResult:
        yield Notice()
        with Horizontal(classes="columns"):
            with Pane(title=self._about, id="list-pane"):
                yield EvidenceList(id="evidence")
            with Pane(title="Page", id="side", classes="inspector"):
                yield PageView(id="preview")

    def on_mount(self) -> None:
        self._list.focus()

    @property
    def _list(self) -> EvidenceList:
        return self.query_one(EvidenceList)

    def show_waiting(self, words: Line) -> None:
        self._list.say(words)

    @work(exclusive=True, group="load")
    async def load(self) -> None:
        self._list.question = self._trail.question
        self._list.say(line(dim("Loading the documents …")))
        with self.reporting(self.query_one(Notice)):
            if not self._trail.lines:
                await self._trail.more()
            self._list.say(line(dim(self._empty)))
        self._show()

    @on(LineList.Wanted)
    @work(exclusive=True, group="more")
    async def _more(self) -> None:
        if not self._trail.complete:
            with self.reporting(self.query_one(Notice)):
                await self._trail.more()
            self._show()

    def _show(self) -> None:
        trail = self._trail
        waiting = max(0, trail.total - trail.documents)
        self._list.show_rows(trail.lines, len(trail.lines) + waiting)
        pane = self.query_one("#list-pane", Pane)
        pane.retitle(self._about, counted(trail.total, "document"))
        known = f"{count(trail.documents)} of {count(trail.total)} here" if waiting else ""
        pane.foot(" · ".join(filter(None, [known, "enter  the page"])))

    @on(PageView.Appeared)
    @on(LineList.Highlighted)
    def _moved(self) -> None:
        self.when_at_rest(self._show_page)

    @work(exclusive=True, group="preview")
    async def _show_page(self) -> None:
        """Shows the page of the value, if there is room."""
        row, view = self._list.current, self.query_one(PageView)
        self.query_one("#side", Pane).retitle(row.name if row else "Page")
        if row is None or self.workspace is None or not view.is_on_screen:
            view.say(())
            return
        await asyncio.sleep(0.1)  # the cursor may be running
        try:
            data = await self.workspace.originals.get(self._docset_id, row.doc_id)
            document = await self.workspace.client.document(self._docset_id, row.doc_id)
        except WorkbenchError as error:
            view.say(line(dim(str(error))))
            return
        chosen = row.value.element_id if row.value else None
        view.show(Leaf(data, row.page, document.elements, chosen, mark=mark_of(row)))

    @on(LineList.Opened)
    def _open(self) -> None:
        from workbench.tui.screens.viewer import ViewerScreen

        row = self._list.current
        if row is not None:
            element = row.value.element_id if row.value else None
            self.app.push_screen(
                ViewerScreen(
                    self._docset_id,
                    row.doc_id,
                    row.name,
                    page=row.page,
                    element_id=element,
                    mark=mark_of(row),
                )
            )

    def action_back(self) -> None:
        self.dismiss(None)


def mark_of(row: EvidenceLine) -> Mark | None:
    """The box of a value on its page, with its label."""
    box = as_box(row.value.bbox) if row.value else None
    if row.value is None or row.value.page is None or box is None:
        return None
    return Mark(row.value.page, box, row.value.field.rpartition(".")[2])


SCREEN = EvidenceScreen
