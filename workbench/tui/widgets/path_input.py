"""An input for paths: tab completes, and the owner gets what may follow."""

import shlex
from typing import ClassVar

from textual.binding import Binding
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Input

from workbench.sessions.gather import split_words
from workbench.sessions.path_completion import PathChoices, path_choices


class PathInput(Input):
    """Posts `Several` when tab was pressed and more than one name fits."""

    BINDINGS: ClassVar[list[Binding | tuple[str, str] | tuple[str, str, str]]] = [
        Binding("tab", "complete", "Complete", show=False)
    ]

    class Several(Message):
        def __init__(self, choices: PathChoices) -> None:
            super().__init__()
            self.choices = choices

    def action_complete(self) -> None:
        choices = path_choices(self.value)
        if not choices.names:
            self.app.bell()
            return
        self.value = choices.completed
        self.cursor_position = len(self.value)
        if len(choices.names) > 1:
            self.post_message(self.Several(choices))


def text_for(field: Widget | None, pasted: str) -> str:
    """The part of a pasted text for `field`: an input has one line, which Textual fills with the
    first. Lines become words, or quoted paths if they name files.
    """
    lines = [line for line in pasted.splitlines() if line.strip()]
    if len(lines) < 2 or not isinstance(field, Input):
        return pasted
    return shlex.join(split_words(pasted)) if isinstance(field, PathInput) else " ".join(lines)
