"""A progress bar for long calls: on a terminal and in a notebook, never in a pipe."""

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from workbench.harmless import harmless, raw
from workbench.objects.adding import ENDED, Addition, OnChange


@contextmanager
def showing_additions(
    files: Sequence[Addition], *, wanted: bool = True, console: Console | None = None
) -> Iterator[OnChange]:
    """Shows how many files are done and which are in progress, and prints each failure once."""
    console = console or Console(file=raw(sys.stderr))
    visible = wanted and (console.is_terminal or console.is_jupyter)
    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=console, disable=not visible) as progress:
        bar = progress.add_task("Adding", total=len(files))
        under_way: dict[int, str] = {}
        ended = 0

        def on_change(place: int, state: Addition) -> None:
            nonlocal ended
            if state.stage in ENDED:
                under_way.pop(place, None)
                ended += 1
            elif place not in under_way:
                under_way[place] = state.name
            else:
                return  # sent bytes change nothing on display
            progress.update(bar, completed=ended, description=_names(list(under_way.values())))
            if state.stage == "failed" and visible:
                console.print(harmless(f"{state.name}: {state.error}"), markup=False, style="red")

        yield on_change
        progress.refresh()  # in a notebook, rich ends without drawing the last state


def _names(names: Sequence[str]) -> str:
    if not names:
        return "Adding"
    more = f" and {len(names) - 1} more" if len(names) > 1 else ""
    return f"{harmless(names[0][:40])}{more}"
