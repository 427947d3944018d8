"""A frame around one thing, with a title that says what it holds and how much."""

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
        self.retitle(title)

    def retitle(self, title: str, count: str = "") -> None:
        """`count` stands at the right end of the top border's title, dimmed."""
        self.border_title = Content.assemble(title, (f"  {count}" if count else "", "$dim"))

    def foot(self, text: str) -> None:
        """Words in the lower border: how to go on, or what was left out."""
        self.border_subtitle = Content.styled(text, "$dim")
