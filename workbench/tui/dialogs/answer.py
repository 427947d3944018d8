"""An answer in words with what it rests on; a citation leads to its page."""

from collections.abc import Sequence

from textual import on
from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from backend.contract.query import Evidence
from workbench.sessions.direct_answer import DirectAnswer
from workbench.tui.dialogs.dialog import Dialog
from workbench.tui.lines import Line, Span, dim, line
from workbench.tui.widgets.line_list import LineList


class CitationList(LineList[Evidence]):
    row_height = 2

    def __init__(self, names: dict[str, str]) -> None:
        super().__init__()
        self._names = names

    def key_of(self, row: Evidence) -> str:
        return f"{row.doc_id} {row.element_id}"

    def draw(self, row: Evidence, index: int, width: int) -> Sequence[Line]:
        name = self._names.get(row.doc_id, row.doc_id)
        return (
            line(dim(f"{index + 1:>2}  "), Span(name, "accent"), dim(f" · p{row.page}")),
            line("    ", " ".join(row.text.split())),
        )


class Answer(Dialog[Evidence]):
    """Answers the citation that is to be opened."""

    shape = "-tall"

    def __init__(self, question: str, answer: DirectAnswer) -> None:
        super().__init__(f"≈ {question}", "enter opens the page  y copies  esc")
        self._answer = answer

    def body(self) -> ComposeResult:
        with VerticalScroll(classes="answer", can_focus=False):
            yield Static(Content(self._answer.text))
        yield Static(Content.styled("read at", "$dim"), classes="hint")
        yield CitationList(self._answer.names)

    def on_mount(self) -> None:
        citations = self.query_one(CitationList)
        citations.say(line(dim("Nothing is cited.")))
        citations.show_rows(self._answer.citations)
        citations.focus()

    @on(LineList.Opened)
    def _open(self) -> None:
        self.dismiss(self.query_one(CitationList).current)

    def key_y(self) -> None:
        self.app.copy_to_clipboard(self._answer.text)
        self.notify("Copied.")
