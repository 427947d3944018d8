"""An input for paths: tab completes, and the owner gets what may follow."""

from typing import ClassVar

from textual.binding import Binding
from textual.message import Message
from textual.widgets import Input

from workbench.sessions.path_completion import PathChoices, path_choices


class PathInput(Input):
    """Tells `Several` when tab was pressed and more than one name fits."""

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
