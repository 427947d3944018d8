"""Where the work is done and what waits for what, below the list of tasks."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.cells import cell_len, set_cell_size
from textual.app import ComposeResult
from textual.widgets import Static

from workbench.formats import counted
from workbench.sessions.place_words import is_shared, places_words, shards_words, tasks_words
from workbench.tui.lines import Line, Span, as_content, dim, line
from workbench.tui.widgets.pane import Pane

if TYPE_CHECKING:
    from workbench.contract.cluster import ClusterState

_MOST_ROWS = 6
"""Machines that are listed; `workbench cluster status` lists all."""


class Places(Pane):
    """Hidden on a single machine, where the list of tasks shows everything."""

    def compose(self) -> ComposeResult:
        yield Static(classes="text")

    def on_mount(self) -> None:
        self.display = False

    def show_state(self, state: "ClusterState | None") -> None:
        """Shows the state of the server; None if it does not report one."""
        self.display = state is not None and is_shared(state)
        if state is not None:
            self.retitle("Places", tasks_words(state))
            self.query_one(Static).update(as_content(places_lines(state)))


def places_lines(state: "ClusterState") -> list[Line]:
    """Places, shards, what waits for what, machines and servers."""
    shards = [line(shards_words(state))] if state.shards else []
    waits = [line(Span("! ", "warn"), reason) for reason in state.waits_for]
    nodes = [(node.name, node.address, counted(node.places, "place")) for node in state.nodes]
    servers = [(one.name, "server", f"{one.running} running") for one in state.servers]
    return [line(places_words(state)), *shards, *waits, *_table(nodes + servers)]


def _table(rows: Sequence[tuple[str, str, str]]) -> list[Line]:
    shown, more = rows[:_MOST_ROWS], len(rows) - _MOST_ROWS
    widths = [max(cell_len(row[i]) for row in shown) for i in (0, 1)] if shown else []
    lines = [
        line(
            set_cell_size(name, widths[0]), "  ", dim(set_cell_size(kind, widths[1])), f"  {words}"
        )
        for name, kind, words in shown
    ]
    if more > 0:
        lines.append(line(dim(f"and {more} more: workbench cluster status")))
    return lines
