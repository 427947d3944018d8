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
    """The names of the screens can be clicked. The DocSet is named if there is room."""

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
        left = Content.assemble(*map(self._tab, range(len(SCREENS))))
        room = self.size.width - left.cell_length - 3
        if room < 8 or not self.docset:
            return left
        shown = Content(self.docset).truncate(room, ellipsis=True)
        gap = self.size.width - left.cell_length - shown.cell_length - 1
        return Content.assemble(left, " " * gap, shown.stylize("$dim"))

    def _tab(self, place: int) -> Content:
        """A screen with its number; the current one is highlighted, with a blank on each side."""
        here, former = (
            0 <= index < len(SCREENS) and SCREENS[index][0] == self._current
            for index in (place, place - 1)
        )
        ground = " on $cursor" if here else ""
        key = str(place + 1) if self._numbered else " "
        last = (" ", "on $cursor" if here else "") if place == len(SCREENS) - 1 else ""
        return Content.assemble(
            (" ", "on $cursor" if here or former else ""),
            (f"{key} ", f"{'$primary' if here else '$dim'}{ground}"),
            (SCREENS[place][1], f"bold $primary{ground}" if here else "$foreground"),
            last,
        )

    def on_click(self, event: events.Click) -> None:
        end = 0
        for name, label in SCREENS:
            end += len(label) + 3
            if event.x < end:
                self.post_message(self.Chosen(name))
                return
