"""The snapshot of a widget as an output below it, kept current for when no kernel runs any more.

A reopened notebook has no model of the widget and would show an error message in its place; the
snapshot replaces it. While the widget lives, its browser side hides the snapshot.
"""

from collections.abc import Callable

from IPython.display import display

from workbench.frames.html import Markup, tag


class SavedSnapshot:
    """`kind` is the type of widget, `number` distinguishes its outputs from those of others."""

    def __init__(self, kind: str, number: str, draw: Callable[[], Markup]) -> None:
        self._kind = kind
        self._number = number
        self._draw = draw
        self._shown: Markup | None = None

    def show(self) -> None:
        """Displays it in the cell that runs."""
        self._publish(self._draw(), update=False)

    def refresh(self) -> None:
        """Updates the snapshot wherever it was displayed, if anything has changed."""
        if self._shown is not None and (drawn := self._draw()) != self._shown:
            self._publish(drawn, update=True)

    def _publish(self, drawn: Markup, *, update: bool) -> None:
        self._shown = drawn
        place = f"wb-snapshot-{self._number}"
        # The output above has either the live widget or a message that there is none.
        above = f".jp-OutputArea-child:not(:has(.wb)):has(+ .jp-OutputArea-child .{place})"
        style = tag("style", Markup(f"{above}{{display:none}}"))
        html = tag("div", style, drawn, **{"class": f"wb-snapshot {place}", "data-of": self._kind})
        display({"text/html": html}, raw=True, display_id=place, update=update)  # type: ignore[no-untyped-call]
