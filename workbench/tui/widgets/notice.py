"""A line about an error or a pending answer, shown where it occurred."""

from typing import Literal

from textual.widgets import Static

from workbench.tui.lines import Role, Span, as_content, line

Mood = Literal["wait", "good", "warn", "bad"]

_MARKS: dict[Mood, tuple[str, Role]] = {
    "wait": ("◐ ", "accent"),
    "good": ("✓ ", "good"),
    "warn": ("! ", "warn"),
    "bad": ("✗ ", "bad"),
}


class Notice(Static):
    """Takes no space while it is empty."""

    words = ""
    mood: Mood = "wait"

    def say(self, text: str, mood: Mood = "wait") -> None:
        self.words, self.mood = text, mood
        mark, role = _MARKS[mood]
        self.update(as_content([line(Span(mark, role), Span(text, "" if mood != "bad" else role))]))
        self.display = bool(text)

    def hush(self) -> None:
        self.words = ""
        self.display = False

    def on_mount(self) -> None:
        self.display = bool(self.words)
