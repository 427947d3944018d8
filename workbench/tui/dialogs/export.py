"""Exports what is on the screen: as a file, or as code on the clipboard."""

import asyncio
import io
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from workbench.frames.files import FORMATS, notes_beside, write_table
from workbench.tui.dialogs.choose import Choice, Choose
from workbench.tui.saving import ask_path, free_path, safe_name, write

if TYPE_CHECKING:
    from textual.app import App

    from workbench.frames.frame import Frame

_NOTES = {
    "parquet": "types kept",
    "csv": "lists and objects as text",
    "jsonl": "one object a line",
    "xlsx": "a sheet, and one of notes",
    "arrow": "types kept, opens instantly",
}


@dataclass(frozen=True)
class Copy:
    """Text for the clipboard, built when it is chosen."""

    key: str
    label: str
    note: str
    text: Callable[[], str]


@dataclass(frozen=True)
class TextFile:
    """A text to write into a file of its own kind."""

    key: str
    label: str
    name: str
    text: Callable[[], str]


def code_copies(
    python: Callable[[], str], cell: Callable[[], str], curl: Callable[[], str]
) -> list[Copy]:
    """The three ways to take a call along as code."""
    return [
        Copy("python", "Copy as Python", "reruns it and returns a data frame", python),
        Copy("cell", "Copy as a notebook cell", "continues in a widget", cell),
        Copy("curl", "Copy as curl", "for a shell; without the token", curl),
    ]


async def export(
    app: "App[Any]",
    name: str,
    frame: Callable[[], Awaitable["Frame"]] | None,
    others: Sequence[Copy | TextFile] = (),
    *,
    many: str = "",
    without: str = "",
) -> None:
    """Asks for the format, then for the file. `frame` fetches the rows once a file is requested;
    `many` is their number. `without` explains why there are none.
    """
    choices = [
        Choice(form, label, " · ".join(filter(None, (many, _NOTES.get(form)))))
        for form, label in (FORMATS.items() if frame is not None else ())
    ]
    choices += [
        Choice(one.key, one.label, one.note if isinstance(one, Copy) else one.name)
        for one in others
    ]
    answer = await app.push_screen_wait(Choose(f"Export{without and ': '}{without}", choices))
    if not answer:
        return
    other = next((one for one in others if one.key == answer[0]), None)
    if isinstance(other, Copy):
        app.copy_to_clipboard(other.text())
        app.notify(f"{other.label.removeprefix('Copy ').capitalize()}.", title="Copied")
    elif other is not None:
        path = await ask_path(app, "Export", Path.cwd() / safe_name(other.name))
        if path is not None:
            await write(app, path, other.text().encode())
    elif frame is not None:
        await _write_frame(app, name, answer[0], frame)


async def _write_frame(
    app: "App[Any]", name: str, form: str, frame: Callable[[], Awaitable["Frame"]]
) -> None:
    path = await ask_path(app, "Export", Path.cwd() / f"{safe_name(name)}.{form}")
    if path is None:
        return
    try:
        rows = await frame()
        data, remarks = await asyncio.to_thread(as_file, rows, form)
    except ValueError as error:
        app.notify(str(error), title="Not saved", severity="error")
        return
    await write(app, path, data)
    for remark in remarks:
        app.notify(remark, title="Not all saved", severity="warning")
    if notes := notes_beside(rows.remarks(), form):
        await write(app, free_path(path.with_name(f"{path.name}.notes")), notes.encode())


def as_file(frame: "Frame", form: str) -> tuple[bytes, list[str]]:
    """The bytes of a file in that format, and remarks on losses. ValueError for too many rows."""
    out = io.BytesIO()
    remarks = write_table(frame.to_polars(), form, out, frame.remarks())
    return out.getvalue(), remarks
