"""Ends the workers of a screen before its widgets are removed.

Textual removes the widgets of a screen first, and only then cancels its workers. If an answer
arrives in between, while the app ends or a dialog closes, the worker has no widget left to show it
in, and the app ends with a traceback.
"""

from typing import cast

from textual.dom import DOMNode
from textual.messages import Prune


class EndsItsWork:
    """A screen whose workers are cancelled as soon as its removal begins.

    It is no node itself: a screen has the styles of its first base that is one.
    """

    async def on_prune(self, event: Prune) -> None:
        screen = cast(DOMNode, self)
        screen.workers.cancel_node(screen)
