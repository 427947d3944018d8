"""The question, and which version of its plan is shown."""

from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal
from textual.content import Content
from textual.message import Message
from textual.widgets import Input, Static

from workbench.tui.widgets.entry_input import EntryInput


class QuestionLine(Horizontal):
    """Enter asks. Escape restores the previous question."""

    BINDINGS: ClassVar[list[Binding | tuple[str, str] | tuple[str, str, str]]] = [
        Binding("escape", "leave", "to the plan", show=True)
    ]

    class Asked(Message):
        def __init__(self, text: str) -> None:
            super().__init__()
            self.text = text

    class Left(Message):
        """Escape was pressed."""

    def __init__(self) -> None:
        super().__init__()
        self._question = ""

    def compose(self) -> ComposeResult:
        yield Static(Content.styled("Q", "bold $primary"), classes="mark")
        yield EntryInput(placeholder="ask something about the documents")
        yield Static(id="version")

    def show(self, question: str, version: str, *, keep_typed: bool = False) -> None:
        """Shows a question and its version. `keep_typed` leaves the input alone, where the user has
        yet to choose a reading of another question.
        """
        self._question = question
        field = self.query_one(Input)
        if not (field.has_focus or keep_typed):
            field.value = question
        self.query_one("#version", Static).update(Content.styled(version, "$dim"))

    @property
    def field(self) -> EntryInput:
        return self.query_one(EntryInput)

    def wait(self) -> None:
        """Takes the focus before the first question."""
        self.query_one(EntryInput).take_focus(unasked=True)

    def open(self) -> None:
        field = self.query_one(EntryInput)
        field.clear()
        field.take_focus(unasked=False)

    @on(Input.Submitted)
    def _ask(self, event: Input.Submitted) -> None:
        event.stop()
        if event.value.strip():
            self.post_message(self.Asked(event.value.strip()))

    def action_leave(self) -> None:
        self.query_one(Input).value = self._question
        self.post_message(self.Left())
