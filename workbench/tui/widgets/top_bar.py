"""The first line: the screens with their numbers, and the DocSet that is open."""

from textual import events
from textual.app import RenderResult
from textual.content import Content
from textual.message import Message
from textual.reactive import reactive
from textual.widget import Widget

SCREENS: tuple[tuple[str, str], ...] = (
    ("docsets", "DocSets"),
    ("documents", "Documents"),
    ("uploads", "Uploads"),
    ("tasks", "Tasks"),
    ("search", "Search"),
    ("plans", "Plans"),
    ("settings", "Settings"),
)


class TopBar(Widget):
    """The names of the screens can be clicked. The DocSet is named where there is room."""

    docset: reactive[str] = reactive("")

    class Chosen(Message):
        """The name of a screen was clicked."""

        def __init__(self, name: str) -> None:
            super().__init__()
            self.name = name

    def __init__(self, current: str, *, numbered: bool = True) -> None:
        """Without numbers where these keys do something else."""
        super().__init__()
        self._current = current
        self._numbered = numbered

    def render(self) -> RenderResult:
        pieces: list[Content] = []
        for number, (name, label) in enumerate(SCREENS, 1):
            here = name == self._current
            key = str(number) if self._numbered else " "
            pieces.append(
                Content.assemble(
                    ("▌" if here else " ", "$primary"),
                    (f"{key} ", "$primary" if here else "$dim"),
                    (label, "bold $primary" if here else "$foreground"),
                )
            )
        left = Content.assemble(*pieces)
        room = self.size.width - left.cell_length - 3
        if room < 8 or not self.docset:
            return left
        shown = Content(self.docset).truncate(room, ellipsis=True)
        gap = self.size.width - left.cell_length - shown.cell_length - 1
        return Content.assemble(left, " " * gap, shown.stylize("$dim"))

    def on_click(self, event: events.Click) -> None:
        end = 0
        for name, label in SCREENS:
            end += len(label) + 3
            if event.x < end:
                self.post_message(self.Chosen(name))
                return
