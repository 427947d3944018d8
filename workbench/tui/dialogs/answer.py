"""An answer in words with its basis; a citation leads to its page."""

from collections.abc import Sequence

from textual import on
from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from workbench.contract.query import Evidence
from workbench.sessions.direct_answer import DirectAnswer
from workbench.tui.dialogs.dialog import Dialog
from workbench.tui.formats import count
from workbench.tui.lines import Line, Span, as_content, dim, line
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
    """Returns the citation that is to be opened."""

    shape = "-tall"

    def __init__(self, question: str, answer: DirectAnswer, where: str = "") -> None:
        super().__init__(f"≈ {question}", "enter open page  y copy  esc close")
        self._answer = answer
        self._where = where

    def body(self) -> ComposeResult:
        yield Static(as_content([among_line(self._answer, self._where)]), id="among")
        with VerticalScroll(classes="answer", can_focus=False):
            yield Static(Content(self._answer.text))
        yield Static(Content.styled("Sources", "$dim"), classes="hint")
        yield CitationList(self._answer.names)

    def on_mount(self) -> None:
        citations = self.query_one(CitationList)
        citations.say(line(dim("No sources are cited.")))
        citations.show_rows(self._answer.citations)
        citations.focus()

    @on(LineList.Opened)
    def _open(self) -> None:
        self.dismiss(self.query_one(CitationList).current)

    def key_y(self) -> None:
        self.app.copy_to_clipboard(self._answer.text)
        self.notify("Copied.")


def among_line(answer: DirectAnswer, where: str) -> Line:
    """Which documents the answer was read from."""
    if answer.among is None:
        return line(dim("From all documents"))
    one = answer.among == 1
    fitting = "the 1 document that fits" if one else f"the {count(answer.among)} documents that fit"
    return line("Among ", Span(fitting, "accent"), dim(f"  {where}"))
