"""What every widget does: share state with the browser, and work in the background.

A browser sends messages `{kind, …}`; each widget lists the kinds it understands. Work goes on in
the background loop, so a cell that takes long does not wait for a widget, nor the other way round.
What goes wrong becomes `trouble`, a sentence that the widget shows.
"""

from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import anywidget
import traitlets

from workbench.client.background import background_loop
from workbench.client.errors import WorkbenchError
from workbench.pages.raster import NoPage

Message = Mapping[str, Any]
Handler = Callable[[Message, Sequence[bytes]], Awaitable[None]]

_FOLDER = Path(__file__).parent


def script(name: str) -> str:
    """The browser side of a widget: the shared `dom.js` and its own file, as one module.

    They are joined here because a widget's module is sent as text and can import nothing.
    """
    return (_FOLDER / "dom.js").read_text("utf-8") + (_FOLDER / f"{name}.js").read_text("utf-8")


STYLE = (_FOLDER / "style.css").read_text("utf-8")


class View(anywidget.AnyWidget):
    """Base of the widgets. `busy` while work goes on, `trouble` says what went wrong last."""

    _css = STYLE
    busy = traitlets.Bool(False).tag(sync=True)
    trouble = traitlets.Unicode("").tag(sync=True)

    def __init__(self, handlers: Mapping[str, Handler], **state: Any) -> None:
        super().__init__(**state)
        self._handlers = handlers
        self.on_msg(self._received)

    def start(self, work: Coroutine[Any, Any, None]) -> "Future[None]":
        """Does `work` in the background."""
        return background_loop().start(self._guarded(work))

    def _received(self, _: Any, content: Any, buffers: Sequence[Any]) -> None:
        kind = content.get("kind") if isinstance(content, dict) else None
        handler = self._handlers.get(kind) if isinstance(kind, str) else None
        if handler is not None:
            pieces = [bytes(buffer) for buffer in buffers or ()]
            self.start(_awaited(handler(content, pieces)))

    async def _guarded(self, work: Coroutine[Any, Any, None]) -> None:
        self.busy, self.trouble = True, ""
        try:
            await work
        except (WorkbenchError, NoPage, LookupError, ValueError) as error:
            self.trouble = str(error)
        finally:
            self.busy = False


async def _awaited(work: Awaitable[None]) -> None:
    await work
