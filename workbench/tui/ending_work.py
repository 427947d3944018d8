"""Screens end their work before their widgets go.

Textual removes the widgets of a screen first, and only then cancels its workers. A worker that goes
on in between, when an answer arrives while the app ends or a dialog closes, finds no widget to show
it in, and the app ends with a traceback.
"""

from textual.dom import DOMNode
from textual.messages import Prune


class EndsItsWork(DOMNode):
    """A screen whose workers are cancelled as soon as it is going to be removed."""

    async def on_prune(self, event: Prune) -> None:
        self.workers.cancel_node(self)
