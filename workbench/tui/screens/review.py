"""Reviewing values, the least certain first: one key each, with the page and its box in view."""

from collections.abc import Sequence
from typing import Any, ClassVar

from textual import on, work
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.widgets import Static

from workbench.client.errors import Refusal, WorkbenchError
from workbench.contract.coverage import CERTAIN
from workbench.contract.review import ReviewGuess, ReviewValue
from workbench.contract.schema import SchemaProperty
from workbench.formats import counted
from workbench.sessions.correcting import read, why_not, written
from workbench.sessions.page_sources import PageSource, PageSources
from workbench.sessions.readings import as_box
from workbench.sessions.rereading_setting import reread_by_itself, rereads_by_itself
from workbench.sessions.review_session import ReviewSession
from workbench.tui.dialogs.ask import Ask
from workbench.tui.dialogs.choose import Choice as Option
from workbench.tui.dialogs.choose import Choose
from workbench.tui.document_words import kind_words
from workbench.tui.keys import bindings
from workbench.tui.lines import Line, as_content, dim, line
from workbench.tui.review_words import (
    Choice,
    choice_lines,
    choices,
    end_lines,
    progress_line,
    progress_words,
    question_lines,
)
from workbench.tui.screens.frame import Frame
from workbench.tui.styles import STYLES
from workbench.tui.widgets.line_list import LineList
from workbench.tui.widgets.notice import Notice
from workbench.tui.widgets.page_view import Leaf, Mark, PageView
from workbench.tui.widgets.pane import Pane

_DOCUMENTS_AHEAD = 5
_MOST_LINES = 5
"""Lines of a choice: its value, and as much of its quote as one reads."""


_ALWAYS = (
    "The other documents are read again after each correction. What would change waits for you: "
    "press R in the documents."
)
_ON_REQUEST = "Documents are read again when you press r."


class ChoiceList(LineList[Choice]):
    """Each choice with as much of its quote as there is room for."""

    row_height = 2

    def key_of(self, row: Choice) -> str:
        return row.key

    def draw(self, row: Choice, index: int, width: int) -> Sequence[Line]:
        return choice_lines(row, width, self.row_height)

    def show_rows(self, rows: Sequence[Choice | None], total: int | None = None) -> None:
        self._share_height(len(rows))
        super().show_rows(rows, total)

    def on_resize(self) -> None:
        self._share_height(self.total)
        super().on_resize()

    def _share_height(self, number: int) -> None:
        self.row_height = max(2, min(_MOST_LINES, self.size.height // max(1, number)))


class ReviewScreen(Frame):
    """Values below a confidence, or all unchecked ones (`below=None`), optionally only those of
    `fields` and `doc_ids`. `about` describes them in the title.
    """

    place = "review"
    CSS_PATH: ClassVar[Any] = STYLES / "review.tcss"
    BINDINGS = bindings("review")
    numbers_lead_away = False  # they choose among the alternatives

    def __init__(
        self,
        docset_id: str,
        *,
        fields: Sequence[str] | None = None,
        doc_ids: Sequence[str] | None = None,
        below: float | None = CERTAIN,
        about: str = "Review",
    ) -> None:
        super().__init__()
        self._docset_id = docset_id
        self._fields = fields
        self._doc_ids = doc_ids
        self._below = below
        self._about = about
        self._session: ReviewSession | None = None
        self._sources: PageSources | None = None
        self._changed = 0
        """Values that former sessions of this screen have changed."""

    def body(self) -> ComposeResult:
        yield Notice()
        with Horizontal(classes="columns"):
            with Pane(title=self._about, id="value-pane"):
                yield Static(id="question", classes="text")
                yield ChoiceList(id="choices")
            with Pane(title="Page", id="page-pane"):
                yield PageView(id="page")

    def on_mount(self) -> None:
        self._choices.focus()
        self._show_foot()

    def on_unmount(self) -> None:
        if self._sources is not None:
            self._sources.close()

    @property
    def _choices(self) -> ChoiceList:
        return self.query_one(ChoiceList)

    @property
    def _notice(self) -> Notice:
        return self.query_one(Notice)

    def show_waiting(self, words: Line) -> None:
        self._choices.say(words)

    def unsaved(self) -> list[str]:
        unsent = self._session.unsent if self._session else 0
        return [f"{counted(unsent, 'decision')} not sent to the server yet."] * bool(unsent)

    # -- reading --------------------------------------------------------------------------------

    @work(exclusive=True, group="load")
    async def load(self) -> None:
        """Opens the queue; unsent decisions are sent first."""
        assert self.workspace is not None
        if self._session is not None and self._session.unsent:
            self._send()
            return
        if self._session is not None:
            self._changed += self._session.changed
        session = self._session = ReviewSession(
            self.workspace.client,
            self._docset_id,
            fields=self._fields,
            doc_ids=self._doc_ids,
            below=self._below,
        )
        self._sources = self._sources or PageSources(self.workspace.originals, self._docset_id)
        self._choices.show_rows([])
        self._choices.say(line(dim("Looking for the least certain values …")))
        with self.reporting(self._notice):
            await session.reach()
            self._notice.hush()
        if session is self._session:
            self._show()

    @work(exclusive=True, group="reach")
    async def _reach(self) -> None:
        """Fetches further values while the person looks at the present one."""
        if self._session is None or self.workspace is None:
            return
        waiting = self._session.current is None
        self._session.client = self.workspace.client
        with self.reporting(self._notice):
            await self._session.reach()
        if waiting:
            self._show()

    @work(exclusive=True, group="send")
    async def _send(self) -> None:
        """Sends the decisions; a broken line keeps them for the next time."""
        session = self._session
        if session is None or self.workspace is None:
            return
        session.client = self.workspace.client
        while session.unsent:
            try:
                await session.send()
                self._notice.hush()
            except Refusal as refusal:  # of one decision, which was dropped
                self._notice.say(self.words_for(refusal), "bad")
            except WorkbenchError as error:
                self._notice.say(self.words_for(error), "bad")
                return

    # -- showing --------------------------------------------------------------------------------

    def _show(self) -> None:
        session = self._session
        if session is None:
            return
        pane = self.query_one("#value-pane", Pane)
        pane.retitle(self._about, progress_words(session))
        value = session.current
        self._choices.show_rows([] if value is None else choices(value, session.decision))
        self._choices.cursor = 0
        if value is None:
            waits = (line(dim("Fetching more values …")),)
            self._choices.say(*(end_lines(session) if session.at_end else waits))
        width = max(20, pane.size.width - 4)
        lines = [] if value is None else question_lines(value, self._shape(value), width)
        bar = [progress_line(session, width), line()] if session.total else []
        self.query_one("#question", Static).update(as_content([*bar, *lines, line()]))
        if not session.at_end:
            self._reach()
        self._show_page()
        if self._sources is not None:
            self._sources.prefetch(session.upcoming(_DOCUMENTS_AHEAD))

    def _shape(self, value: ReviewValue) -> SchemaProperty | None:
        schema = self.docset.schema_ if self.docset else None
        return schema.get(value.field) if schema else None

    @on(LineList.Highlighted, "#choices")
    def _moved(self) -> None:
        self.when_at_rest(self._show_page)

    @work(exclusive=True, group="preview")
    async def _show_page(self) -> None:
        """Shows the page of the choice under the cursor."""
        value = self._session.current if self._session else None
        choice, view, sources = self._choices.current, self.query_one(PageView), self._sources
        pane = self.query_one("#page-pane", Pane)
        if value is None or choice is None or sources is None:
            pane.retitle("Page")
            view.say(())
            return
        source = sources.ready(value.doc_id)
        if source is None:
            view.say(line(dim("Loading the page …")))
            try:
                source = await sources.get(value.doc_id)
            except WorkbenchError as error:
                view.say(line(dim(self.words_for(error))))
                return
        self._draw(view, source, choice.guess, value)
        page = choice.guess.page or value.page or _first_page(value)
        pane.retitle(value.name, f"page {page} of {source.pages}" if source.pages else "")

    def _draw(
        self, view: PageView, source: PageSource, guess: ReviewGuess, value: ReviewValue
    ) -> None:
        """For a value without a source the best guess is shown, with its number."""
        label = value.field
        if guess.page is None:
            numbered = enumerate(value.alternatives, 1)
            number, guess = next(((n, one) for n, one in numbered if one.page), (0, guess))
            label = f"{number}?"
        page, box = guess.page or 1, as_box(guess.bbox)
        mark = Mark(page, box, label) if box is not None and guess.page else None
        view.boxes = "none" if source.pages else "one"
        view.show(Leaf(source.data, page, source.elements, guess.element_id, mark=mark))

    # -- deciding -------------------------------------------------------------------------------

    def _go_on(self, moved: bool, *, decided: bool = True) -> None:
        if not moved:
            return
        self._show()
        if decided:
            self._send()

    @on(LineList.Opened, "#choices")
    def _chosen(self) -> None:
        session, choice = self._session, self._choices.current
        if session is not None and choice is not None:
            self._go_on(session.decide(choice.guess.value))

    def action_take(self, number: int) -> None:
        if self._session is not None:
            self._go_on(self._session.take(number))

    def action_none(self) -> None:
        if self._session is not None:
            self._go_on(self._session.decide(None))

    def action_skip(self) -> None:
        if self._session is not None:
            self._go_on(self._session.skip(), decided=False)

    def action_previous(self) -> None:
        if self._session is not None:
            self._go_on(self._session.back(), decided=False)

    @work
    async def action_type(self) -> None:
        """Enters a value that is not among the choices."""
        session = self._session
        value = session.current if session else None
        if session is None or value is None:
            return
        shape = self._shape(value)
        if few := _few(shape):
            options = [Option(str(place), label) for place, (label, _) in enumerate(few)]
            picked = await self.app.push_screen_wait(Choose(value.field, options))
            if picked and session.current is value:
                self._go_on(session.decide(few[int(picked[0])][1]))
        else:
            answer = await self.app.push_screen_wait(
                Ask(
                    value.field,
                    f"{kind_words(value.kind)}; leave empty if there is none.",
                    value=written(choices(value, session.decision)[0].guess.value),
                    check=lambda text: why_not(text, value.kind),
                    may_be_empty=True,
                )
            )
            if answer is not None and session.current is value:
                self._go_on(session.decide(read(answer, value.kind)))

    def action_property(self) -> None:
        """Only the property in view; pressed again all properties."""
        value = self._session.current if self._session else None
        if self._fields is not None and len(self._fields) == 1:
            self._fields = None
        elif value is not None:
            self._fields = [value.field]
        else:
            return
        self.load()

    def action_certain(self) -> None:
        """The certain values too, or only the uncertain ones."""
        self._below = CERTAIN if self._below is None else None
        self.load()

    @work
    async def action_reread(self) -> None:
        """Rereads all documents with the decisions, once the server has all of them."""
        from workbench.tui.screens.changes import ChangesScreen

        if self._session is None:
            return
        await self._send().wait()
        if not self._session.unsent:
            self.app.push_screen(ChangesScreen(self._docset_id, start=True))

    @work(exclusive=True, group="always")
    async def action_always(self) -> None:
        """Turns automatic rereading after each correction on or off."""
        docset, workspace = self.docset, self.workspace
        if docset is None or workspace is None:
            return
        with self.reporting(self._notice):
            wanted = not rereads_by_itself(await workspace.client.docset(self._docset_id))
            self.workbench.docset = await reread_by_itself(
                workspace.client, self._docset_id, wanted
            )
            self._show_foot()
            self.notify(_ALWAYS if wanted else _ON_REQUEST, title="Re-reading")

    def _show_foot(self) -> None:
        always = self.docset is not None and rereads_by_itself(self.docset)
        how = "enter or a number decides"
        feet = (f"{how} · re-reads after each", how) if always else (how,)
        self.query_one("#value-pane", Pane).foot(*feet)

    def action_open(self) -> None:
        """The whole document at the place of the choice under the cursor."""
        from workbench.tui.screens.viewer import ViewerScreen

        value = self._session.current if self._session else None
        choice = self._choices.current
        if value is None or choice is None:
            return
        guess = choice.guess
        box = as_box(guess.bbox)
        page = guess.page or _first_page(value)
        mark = Mark(page, box, value.field) if box is not None else None
        self.app.push_screen(
            ViewerScreen(
                self._docset_id,
                value.doc_id,
                value.name,
                page=page,
                element_id=guess.element_id,
                mark=mark,
            )
        )

    def action_back(self) -> None:
        self.dismiss(None)


def _first_page(value: ReviewValue) -> int:
    """The page to show for a value without a source."""
    return value.page or next((one.page for one in value.alternatives if one.page), None) or 1


def _few(shape: SchemaProperty | None) -> list[tuple[str, Any]]:
    """The values of a property that can have few, each with its words."""
    if shape is not None and shape.kind == "choice":
        return [(str(one), one) for one in shape.choices or ()]
    if shape is not None and shape.kind == "bool":
        return [("yes", True), ("no", False)]
    return []


SCREEN = ReviewScreen
