"""The readings of a question or feedback, each with a key, below the input."""

from collections.abc import Sequence
from typing import ClassVar

from textual.binding import Binding
from textual.message import Message

from workbench.contract.errors import Choice
from workbench.tui.lines import Line, Span, cut, dim, line, wrap
from workbench.tui.widgets.line_list import LineList

_MOST_LINES = 3
"""Lines of one reading; what does not fit is cut."""
_INDENT = 3
_MOST_KEYS = 9
_ASKED = "This can mean several things. Press a number to choose one, or esc to rephrase."
_NARROW = "Which is meant? Press a number, or esc to rephrase."


class ReadingChoices(LineList[Choice]):
    """Hidden while there is nothing to choose. Takes the focus when it appears. The digits then
    choose readings and open no other screen.
    """

    BINDINGS: ClassVar[list[Binding | tuple[str, str] | tuple[str, str, str]]] = [
        *(
            Binding(str(place + 1), f"choose({place})", f"Reading {place + 1}", show=False)
            for place in range(_MOST_KEYS)
        ),
        Binding("escape", "leave", "Rephrase", show=False),
    ]
    has_header = True

    class Chosen(Message):
        def __init__(self, choice: Choice) -> None:
            super().__init__()
            self.choice = choice

    class Left(Message):
        """Escape was pressed in the list with that id."""

        def __init__(self, place: str | None) -> None:
            super().__init__()
            self.place = place

    def on_mount(self) -> None:
        self.display = False

    def offer(self, choices: Sequence[Choice]) -> None:
        """Shows the readings; the first one is under the cursor."""
        self.show_rows(list(choices))
        self.cursor = 0
        self.display = bool(choices)
        self._lay_out()
        if choices:
            self.focus()

    def put_away(self) -> None:
        self.show_rows([])
        self.display = False

    def key_of(self, row: Choice) -> str:
        return row.words

    def header(self, width: int) -> Line:
        return line(Span(_ASKED if len(_ASKED) <= width else _NARROW, "warn"))

    def draw(self, row: Choice, index: int, width: int) -> Sequence[Line]:
        return _lines(row, index, width)[: self.row_height]

    def on_resize(self) -> None:
        self._lay_out()
        super().on_resize()

    def _lay_out(self) -> None:
        """Gives all readings the height of the longest one."""
        width = max(20, self.scrollable_content_region.width - 1)
        rows = [row for row in self.rows if row is not None]
        self.row_height = max((len(_lines(row, 0, width)) for row in rows), default=1)
        self.styles.height = 1 + self.row_height * len(rows)
        self._measure()
        self.refresh()

    def action_choose(self, place: int) -> None:
        if 0 <= place < len(self.rows):
            self.cursor = place
            self.action_open()

    def action_open(self) -> None:
        if self.current is not None:
            self.post_message(self.Chosen(self.current))

    def clicked(self, chain: int) -> None:
        self.action_open()

    def action_leave(self) -> None:
        self.post_message(self.Left(self.id))


def _lines(choice: Choice, index: int, width: int) -> list[Line]:
    """The number, the sentence, and what the reading assumes or ignores."""
    number = Span(f"{index + 1}".ljust(_INDENT), "accent")
    lines = wrap(line(number, choice.words), width, indent=_INDENT)
    if len(lines) > _MOST_LINES:
        last = line(*lines[_MOST_LINES - 1], " ", *lines[_MOST_LINES])
        lines = [*lines[: _MOST_LINES - 1], cut(last, width)]
    warnings = choice.edit.get("warnings") or []
    for text in warnings[:1]:
        lines.append(cut(line(" " * _INDENT, Span("! ", "warn"), dim(text)), width))
    return lines
