"""The input that a person finds ready where nothing was asked yet."""

from textual import events

from workbench.tui.widgets.lockable_input import LockableInput

_SCREENS = frozenset("1234567")


class EntryInput(LockableInput):
    """Letters are typed at once; the numbers of the screens still lead there while it is empty and
    has the focus of its own accord.
    """

    unasked = False
    """Whether it has the focus of its own accord."""

    def take_focus(self, *, unasked: bool) -> None:
        self.unasked = unasked
        self.focus()

    def check_consume_key(self, key: str, character: str | None) -> bool:
        return not self._leads_away(key) and super().check_consume_key(key, character)

    async def on_key(self, event: events.Key) -> None:
        found = self.screen.active_bindings.get(event.key)
        if found is not None and self._leads_away(event.key):
            event.stop()
            event.prevent_default()
            await self.app.run_action(found.binding.action)

    def _leads_away(self, key: str) -> bool:
        return self.unasked and not self.value and key in _SCREENS
