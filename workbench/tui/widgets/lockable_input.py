"""An input that can be locked while its text is being processed."""

from textual import events
from textual.widgets import Input


class LockableInput(Input):
    """While `locked`, drops keys and pasted text, except keys that lead away such as escape."""

    locked = False

    async def on_event(self, event: events.Event) -> None:
        keyed = isinstance(event, events.Key) and not self._leaves(event.key)
        if self.locked and (keyed or isinstance(event, events.Paste)):
            event.stop()
            event.prevent_default()
            return
        await super().on_event(event)

    def _leaves(self, key: str) -> bool:
        """Whether a key acts outside the input and is not a letter of a text."""
        binding = self.screen.active_bindings.get(key)
        return len(key) > 1 and binding is not None and binding.node is not self
