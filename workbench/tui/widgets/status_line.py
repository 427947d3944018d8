"""The last line: the keys that act here, and how the server and its work are doing."""

from itertools import chain

from textual import events
from textual.app import RenderResult
from textual.binding import ActiveBinding
from textual.content import Content
from textual.reactive import reactive
from textual.widget import Widget
from textual.widgets import Input

from workbench.tui.keys import KEYS, shown
from workbench.tui.lines import Line, as_content, width_of

_ORDER = {key.id: place for place, key in enumerate(chain(*KEYS.values()))}
"""A rebound key keeps its place among the hints."""


_CHARACTERS = {"slash": "/", "question_mark": "?", "minus": "-", "space": " ",
               "left_square_bracket": "[", "right_square_bracket": "]"}  # fmt: skip
"""The character that each of these keys types."""


class StatusLine(Widget):
    """Hints come from the bindings that are active; `state` is written by the app."""

    state: reactive[Line] = reactive(())

    def __init__(self) -> None:
        super().__init__()
        self._places: list[tuple[range, str]] = []

    def on_click(self, event: events.Click) -> None:
        """A click on a hint presses its key."""
        for cells, key in self._places:
            if event.x in cells:
                self.app.simulate_key(key)

    def on_mount(self) -> None:
        self.screen.bindings_updated_signal.subscribe(self, lambda _: self.refresh())

    def render(self) -> RenderResult:
        right = as_content([self.state])
        room = self.size.width - width_of(self.state) - 3
        hints = self._hints(room)
        gap = max(1, self.size.width - hints.cell_length - right.cell_length - 1)
        return Content.assemble(hints, " " * gap, right)

    def _acts(self, active: ActiveBinding) -> bool:
        """Whether the key has the effect of its hint: an input types `/` and letters itself."""
        field = self.screen.focused
        if not isinstance(field, Input) or active.node is field:
            return True
        key = active.binding.key
        character = _CHARACTERS.get(key, key if len(key) == 1 else None)
        return character is None or not field.check_consume_key(key, character)

    def _hints(self, room: int) -> Content:
        """As many hints as fit, the way to the rest last."""
        pieces: list[Content] = []
        used = 0
        self._places = []
        active = list(self.screen.active_bindings.values())
        seen: set[str] = set()
        hints = [a.binding for a in active if a.binding.show and a.enabled and self._acts(a)]
        hints.sort(key=lambda binding: _ORDER.get(binding.id or "", len(_ORDER)))
        last = [b for b in hints if b.action == "help"]
        for binding in [*(b for b in hints if b.action != "help"), *last]:
            if (name := binding.id or binding.action) in seen:
                continue
            seen.add(name)
            key = shown(binding.key)
            size = len(key) + len(binding.description) + 3
            spare = 0 if binding in last else sum(len(b.description) + 5 for b in last)
            if used + size + spare > room:
                continue
            self._places.append((range(used, used + size), binding.key))
            used += size
            pieces.append(
                Content.assemble(" ", (key, "bold $primary"), " ", (binding.description, "$dim"))
            )
        return Content.assemble(*(Content.assemble(piece, " ") for piece in pieces))
