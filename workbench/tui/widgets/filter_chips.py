"""What narrows the search, each part with a cross to remove it; out of sight without any."""

from dataclasses import dataclass, replace
from typing import ClassVar

from rich.cells import cell_len
from textual import events
from textual.app import RenderResult
from textual.binding import Binding
from textual.content import Content
from textual.message import Message
from textual.widget import Widget

from workbench.contract.plan_nodes import bare_field
from workbench.formats import value_words
from workbench.sessions.facet_choices import Excluded, Pick, Range, bare, range_words
from workbench.sessions.search_session import SearchState

_LONGEST = 40
_CLEAR = "clear all"


@dataclass(frozen=True)
class Chip:
    """`state` is the search without this part."""

    words: str
    state: SearchState
    excluded: bool = False


class FilterChips(Widget, can_focus=True):
    """Posts `Removed` with the resulting search. Left and right move between chips."""

    BINDINGS: ClassVar[list[Binding | tuple[str, str] | tuple[str, str, str]]] = [
        Binding("left", "step(-1)", "Previous", show=False),
        Binding("right", "step(1)", "Next", show=False),
        Binding("enter,space,backspace,delete", "remove", "Remove", show=False),
    ]

    class Removed(Message):
        def __init__(self, state: SearchState) -> None:
            super().__init__()
            self.state = state

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.chips: list[Chip] = []
        self._place = 0
        self.display = False

    def show(self, state: SearchState) -> None:
        self.chips = chips_of(state)
        self._place = min(self._place, max(0, len(self.chips) - 1))
        self.display = bool(self.chips)
        self.refresh()

    def render(self) -> RenderResult:
        pieces: list[Content | str] = []
        for place, chip in enumerate(self.chips):
            here = self.has_focus and place == self._place
            colour = "$error" if chip.excluded else "$primary"
            style = f"{colour} reverse" if here else colour
            pieces += [Content.styled(_text(chip), style), " "]
        return Content.assemble(*pieces)

    def on_focus(self) -> None:
        self.refresh()

    def on_blur(self) -> None:
        self.refresh()

    def on_click(self, event: events.Click) -> None:
        end = 0
        offset = event.get_content_offset(self)
        if offset is None:
            return
        for chip in self.chips:
            start, end = end, end + cell_len(_text(chip)) + 1
            if start <= offset.x < end - 1:
                self.post_message(self.Removed(chip.state))
                return

    def action_step(self, by: int) -> None:
        self._place = (self._place + by) % max(1, len(self.chips))
        self.refresh()

    def action_remove(self) -> None:
        if self.chips:
            self.post_message(self.Removed(self.chips[self._place].state))


def _text(chip: Chip) -> str:
    return f" {chip.words} ✕ " if chip.words != _CLEAR else f" {_CLEAR} "


def chips_of(state: SearchState) -> list[Chip]:
    """The condition and each chosen value; with several parts also one that removes all."""
    chips = [Chip(_short(state.where), replace(state, where=""))] if state.where.strip() else []
    for name, values in state.picks:
        chips += [
            Chip(_pick_words(name, pick), state.toggled(name, pick), isinstance(pick, Excluded))
            for pick in values
        ]
    return [*chips, Chip(_CLEAR, state.unfiltered)] if len(chips) > 1 else chips


def filter_words(state: SearchState) -> str:
    """The condition and the chosen values in one line: `year > 2019 and state = AK or WA`."""
    parts = [state.where.strip()] if state.where.strip() else []
    for name, picks in state.picks:
        chosen = [_value_words(name, pick) for pick in picks if not isinstance(pick, Excluded)]
        parts += [f"{bare_field(name)} = {' or '.join(chosen)}"] if chosen else []
        parts += [_pick_words(name, pick) for pick in picks if isinstance(pick, Excluded)]
    return " and ".join(parts)


def _pick_words(name: str, pick: Pick) -> str:
    sign = "≠" if isinstance(pick, Excluded) else "="
    return _short(f"{bare_field(name)} {sign} {_value_words(name, pick)}")


def _value_words(name: str, pick: Pick) -> str:
    value = bare(pick)
    return range_words(value) if isinstance(value, Range) else value_words(value, name) or "—"


def _short(text: str) -> str:
    text = " ".join(text.split())
    return text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
