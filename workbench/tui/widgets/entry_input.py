"""The input that a person finds ready where nothing was asked yet."""

from textual import events
from textual.widgets import Input

_SCREENS = frozenset("1234567")


class EntryInput(Input):
    """Letters are typed at once; the numbers of the screens still lead there while it is empty and
    has the focus of its own accord.
    """

    unasked = False
    """Whether it has the focus of its own accord."""

    def take_focus(self, *, unasked: bool) -> None:
        self.unasked = unasked
        self.focus()

    def on_key(self, event: events.Key) -> None:
        if self.unasked and not self.value and event.key in _SCREENS:
            event.stop()
            event.prevent_default()
            self.screen.set_focus(None)  # else the key would come back here
            self.app.simulate_key(event.key)
