"""The input that a person finds ready where nothing was asked yet."""

from textual import events

from workbench.tui.widgets.lockable_input import LockableInput

_LEADING = frozenset([*"1234567", "slash", "question_mark"])
"""The keys of the screens, of this line itself and of help: no text begins with them."""


class EntryInput(LockableInput):
    """Letters can be typed at once. While it is empty and got the focus automatically, the numbers
    of the screens still open them, and `/` and `?` act as elsewhere.
    """

    unasked = False
    """Whether it got the focus automatically."""

    def take_focus(self, *, unasked: bool) -> None:
        self.unasked = unasked
        self.focus()

    def check_consume_key(self, key: str, character: str | None) -> bool:
        return not self._leads_away(key) and super().check_consume_key(key, character)

    async def on_key(self, event: events.Key) -> None:
        binding = self.screen.active_bindings.get(event.key)
        if binding is not None and self._leads_away(event.key):
            event.stop()
            event.prevent_default()
            await self.app.run_action(binding.binding.action)

    def _leads_away(self, key: str) -> bool:
        return self.unasked and not self.value and key in _LEADING
