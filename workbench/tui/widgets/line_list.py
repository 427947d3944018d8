"""A list of any length that draws only its visible rows.

Textual's DataTable builds every row beforehand; this one asks its subclass for the lines of a
row when the row comes into view. Rows that are not loaded yet are drawn as placeholders and
asked for once.
"""

from collections.abc import Sequence
from typing import Any, Generic, TypeVar

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.geometry import Region, Size
from textual.message import Message
from textual.reactive import reactive
from textual.scroll_view import ScrollView
from textual.strip import Strip

from workbench.sessions.windows import Windows
from workbench.tui.keys import bindings
from workbench.tui.lines import Line, Span, fit, line, width_of, wrap
from workbench.tui.role_styles import role_style

Row = TypeVar("Row")


class LineList(ScrollView, Generic[Row], can_focus=True):
    """Base of all lists. Subclasses draw a row as `row_height` lines and name it by a key.

    The cursor stays on the row with the same key when rows change. `say()` shows a message in place
    of rows: loading, an error, or what to do first.
    """

    BINDINGS = bindings("list")
    ALLOW_SELECT = False
    row_height: int = 1
    roomy: bool = False
    """Whether a blank line follows each row at comfortable density."""
    has_header: bool = False

    cursor: reactive[int] = reactive(0, repaint=False)

    class RowMessage(Message):
        """Base of the messages of a list; `index` is a row."""

        def __init__(self, sender: "LineList[Any]", index: int) -> None:
            super().__init__()
            self.list, self.index = sender, index

        @property
        def control(self) -> "LineList[Any]":
            return self.list

    class Highlighted(RowMessage):
        """The cursor has moved to another row."""

    class Opened(RowMessage):
        """Enter or a double click on a row."""

    class Wanted(RowMessage):
        """Rows from `first` up to `index` are visible but not loaded."""

        def __init__(self, sender: "LineList[Any]", first: int, index: int) -> None:
            super().__init__(sender, index)
            self.first = first

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self.rows: Sequence[Row | None] = ()
        self.total = 0
        self.marks: set[str] = set()
        self._words: tuple[Line, ...] = ()
        self._styles: dict[str, Style] = {}
        self._asked = range(0)
        self._blank = 0

    def on_mount(self) -> None:
        self.set_density()

    def set_density(self) -> None:
        """Applies the density of the settings to the rows."""
        preferences = getattr(self.app, "preferences", None)
        comfortable = self.roomy and getattr(preferences, "density", "") == "comfortable"
        if self._blank != int(comfortable):
            self._blank = int(comfortable)
            self._measure()
            self._bring_into_sight(self.cursor)
            self.refresh()

    @property
    def _pitch(self) -> int:
        """Height of a row with its spacing, in lines."""
        return self.row_height + self._blank

    # -- for subclasses -------------------------------------------------------------------------

    def draw(self, row: Row, index: int, width: int) -> Sequence[Line]:
        """The lines of a row, at most `width` cells wide."""
        return (line(str(row)),)

    def key_of(self, row: Row) -> str:
        """The key of a row."""
        return str(id(row))

    def header(self, width: int) -> Line:
        """The line that stays above the rows, where `has_header` is true."""
        return ()

    # -- for owners -----------------------------------------------------------------------------

    def show_rows(self, rows: Sequence[Row | None], total: int | None = None) -> None:
        """Shows `rows` out of `total`; None stands for a row that is not loaded yet."""
        kept = self.current_key
        self.rows = rows
        self.total = max(len(rows), total if total is not None else 0)
        self._asked = range(0)
        index = self._index_of(kept) if kept is not None else None
        self._measure()
        wanted = min(self.cursor if index is None else index, max(0, self.total - 1))
        moved = wanted != self.cursor
        self.cursor = wanted
        if not moved and self.current_key != kept:
            self.post_message(self.Highlighted(self, self.cursor))
        self.refresh()

    def append_rows(self, total: int | None = None) -> None:
        """Redraws after the owner has extended or filled the sequence it gave to `show_rows`."""
        arrived = self.current_key is not None and self.cursor in self._asked
        self.total = max(len(self.rows), total if total is not None else 0)
        self._asked = range(0)
        self._measure()
        self.refresh()
        if arrived:
            self.post_message(self.Highlighted(self, self.cursor))

    def say(self, *words: Line) -> None:
        """Shows a message in place of the rows while there are none."""
        self._words = words
        self.refresh()

    @property
    def current(self) -> Row | None:
        """The row under the cursor, if it is loaded."""
        return self._row_at(self.cursor)

    def _row_at(self, index: int) -> Row | None:
        return self.rows[index] if 0 <= index < len(self.rows) else None

    @property
    def current_key(self) -> str | None:
        row = self.current
        return None if row is None else self.key_of(row)

    def move_to(self, key: str) -> bool:
        """Moves the cursor to the row with that key; False if there is none."""
        index = self._index_of(key)
        if index is not None:
            self.cursor = index
        return index is not None

    def toggle_mark(self) -> None:
        """Toggles the mark of the row under the cursor, and moves on to the next."""
        key = self.current_key
        if key is not None:
            self.marks ^= {key}
            self.action_down()
            self.refresh()

    def _index_of(self, key: str) -> int | None:
        if self.current_key == key:
            return self.cursor
        loaded = self.rows.loaded() if isinstance(self.rows, Windows) else enumerate(self.rows)
        return next((i for i, row in loaded if row is not None and self.key_of(row) == key), None)

    # -- moving ---------------------------------------------------------------------------------

    def validate_cursor(self, cursor: int) -> int:
        return max(0, min(cursor, self.total - 1))

    def watch_cursor(self, before: int, after: int) -> None:
        self._bring_into_sight(after)
        for index in (before, after):
            self._refresh_row(index)
        if before != after:
            self.post_message(self.Highlighted(self, after))

    def action_down(self) -> None:
        self.cursor += 1

    def action_up(self) -> None:
        self.cursor -= 1

    def action_page_down(self) -> None:
        self.cursor += self._page

    def action_page_up(self) -> None:
        self.cursor -= self._page

    def action_first(self) -> None:
        self.cursor = 0

    def action_last(self) -> None:
        self.cursor = self.total - 1

    def action_open(self) -> None:
        if self.current is not None:
            self.post_message(self.Opened(self, self.cursor))

    @property
    def _header_height(self) -> int:
        return int(self.has_header)

    @property
    def _page(self) -> int:
        return max(1, (self.size.height - self._header_height) // self._pitch)

    def _bring_into_sight(self, index: int) -> None:
        top = index * self._pitch
        room = self.size.height - self._header_height
        scroll = round(self.scroll_y)
        if top < scroll:
            self.scroll_to(y=top, animate=False, immediate=True)
        elif top + self._pitch > scroll + room > 0:
            self.scroll_to(y=top + self._pitch - room, animate=False, immediate=True)

    def _refresh_row(self, index: int) -> None:
        y = index * self._pitch - round(self.scroll_y) + self._header_height
        self.refresh(Region(0, y, self.size.width, self._pitch))

    def _measure(self) -> None:
        height = self.total * self._pitch + self._header_height
        self.virtual_size = Size(self.scrollable_content_region.width, height)

    def on_resize(self) -> None:
        self._measure()
        self._bring_into_sight(self.cursor)

    def on_click(self, event: events.Click) -> None:
        offset = event.get_content_offset_capture(self)
        y = offset.y - self._header_height
        index = (y + round(self.scroll_y)) // self._pitch
        if y < 0:
            self.header_clicked(offset.x - 1)
        elif index < self.total:
            self.cursor = index
            self.pointed_at(offset.x - 1)
            self.clicked(event.chain)

    def pointed_at(self, x: int) -> None:
        """A row was clicked, `x` cells from its start."""

    def clicked(self, chain: int) -> None:
        """The row under the cursor was clicked, `chain` times in a row: a double click opens."""
        if chain == 2:
            self.action_open()

    def header_clicked(self, x: int) -> None:
        """The header was clicked, `x` cells from its start."""

    # -- drawing --------------------------------------------------------------------------------

    def notify_style_update(self) -> None:
        super().notify_style_update()
        self._styles.clear()

    def render_line(self, y: int) -> Strip:
        width = self.scrollable_content_region.width
        if not self.total:
            return self._strip(self._word_line(y), width, "")
        if self.has_header:
            if y == 0:
                return self._strip(line(" ", self.header(width - 1)), width, "panel")
            y -= 1
        index, part = divmod(y + round(self.scroll_y), self._pitch)
        if index >= self.total or part >= self.row_height:
            return self._strip((), width, "")
        row = self._row_at(index)
        if row is None:
            self._ask_for(index)
            return self._strip(line(Span("  ·", "dim") if part == 0 else ""), width, "")
        lines = self.draw(row, index, width - 1)
        shown = lines[part] if part < len(lines) else ()
        under_cursor = index == self.cursor
        bar = "▌" if under_cursor else "◆" if self.key_of(row) in self.marks else " "
        ground = ("cursor" if self.has_focus else "cursor-blurred") if under_cursor else ""
        return self._strip(shown, width, ground, bar=bar)

    def _ask_for(self, index: int) -> None:
        """Requests all visible rows that are not loaded, once."""
        if index not in self._asked:
            last = (round(self.scroll_y) + self.size.height) // self._pitch
            self._asked = range(index, max(index, min(self.total - 1, last)) + 1)
            # Lines are rendered on behalf of the screen, which would not hear its own message.
            self.call_later(self._post_wanted)

    def _post_wanted(self) -> None:
        if self._asked:
            self.post_message(self.Wanted(self, self._asked.start, self._asked.stop - 1))

    def _word_line(self, y: int) -> Line:
        """Line `y` of the words in the middle of the list."""
        width = max(8, self.size.width - 4)
        lines = [piece for words in self._words for piece in wrap(words, width)]
        top = max(0, (self.size.height - len(lines)) // 2)
        if not top <= y < top + len(lines):
            return ()
        shown = lines[y - top]
        return line(" " * max(0, (self.size.width - width_of(shown)) // 2), shown)

    def _strip(self, spans: Line, width: int, ground: str, *, bar: str = "") -> Strip:
        segments = [Segment(bar, self._style(ground, "bar"))] if bar else []
        text, role = "", ""
        for span in fit(spans, width - len(bar)):
            if span.role != role and text:
                segments.append(Segment(text, self._style(ground, role)))
                text = ""
            text, role = text + span.text, span.role
        if text:
            segments.append(Segment(text, self._style(ground, role)))
        return Strip(segments, width)

    def _style(self, ground: str, role: str) -> Style:
        key = f"{ground}/{role}"
        style = self._styles.get(key)
        if style is None:
            style = self.rich_style
            for name in filter(None, (ground, role)):
                style += role_style(name, self.app.theme_variables)
            self._styles[key] = style
        return style
