"""A frame with a title for its content and a count."""

from rich.cells import cell_len
from textual.containers import Vertical
from textual.content import Content
from textual.widget import Widget


class Pane(Vertical):
    """A titled frame; its border lights up while something inside has the focus."""

    def __init__(
        self,
        *children: Widget,
        title: str = "",
        id: str | None = None,
        classes: str | None = None,
    ) -> None:
        super().__init__(*children, id=id, classes=classes)
        self._feet: tuple[str, ...] = ("",)
        self.retitle(title)

    def retitle(self, title: str, count: str = "") -> None:
        """`count` is dimmed at the right end of the top border."""
        self.border_title = Content.assemble(title, (f"  {count}" if count else "", "$dim"))

    def foot(self, *texts: str) -> None:
        """Text in the lower border, a hint or remark: the first of several that fits."""
        self._feet = texts
        self._show_foot()

    def on_resize(self) -> None:
        self._show_foot()

    def _show_foot(self) -> None:
        room = self.size.width - 4
        text = next((text for text in self._feet if cell_len(text) <= room), self._feet[-1])
        self.border_subtitle = Content.styled(text, "$dim")
