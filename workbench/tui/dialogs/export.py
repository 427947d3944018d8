"""Taking what is on the screen along: as a file, or as Python for a notebook."""

import asyncio
import csv
import io
import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from workbench.tui.dialogs.choose import Choice, Choose
from workbench.tui.formats import plural
from workbench.tui.saving import ask_path, safe_name, write

if TYPE_CHECKING:
    from textual.app import App

Row = Mapping[str, object]


async def export_rows(app: "App[Any]", name: str, rows: Sequence[Row], code: str) -> None:
    """Asks for the form, then for the file; `code` is what "as Python" copies."""
    many = plural(len(rows), "row")
    choices = [
        Choice("parquet", "Parquet", f"{many}, types kept"),
        Choice("csv", "CSV", f"{many}, nested values as JSON"),
        Choice("jsonl", "JSON lines", many),
        Choice("python", "Copy as Python", "for a notebook"),
    ]
    answer = await app.push_screen_wait(Choose("Export", choices))
    if not answer:
        return
    form = answer[0]
    if form == "python":
        app.copy_to_clipboard(code)
        app.notify("Copied; paste it into a notebook cell.")
        return
    path = await ask_path(app, "Export", Path.cwd() / f"{safe_name(name)}.{form}")
    if path is not None:
        await write(app, path, await asyncio.to_thread(WRITERS[form], rows))


def as_csv(rows: Sequence[Row]) -> bytes:
    """One column per key that occurs."""
    names = list(dict.fromkeys(name for row in rows for name in row))
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(names)
    for row in rows:
        writer.writerow([_cell(row.get(name)) for name in names])
    return out.getvalue().encode()


def as_jsonl(rows: Sequence[Row]) -> bytes:
    return "".join(json.dumps(row, ensure_ascii=False, default=str) + "\n" for row in rows).encode()


def as_parquet(rows: Sequence[Row]) -> bytes:
    import pyarrow  # on first use: it costs time that most sessions never need
    import pyarrow.parquet

    try:
        table = pyarrow.Table.from_pylist([dict(row) for row in rows])
    except (pyarrow.ArrowInvalid, pyarrow.ArrowTypeError):  # a column with values of several kinds
        texts = [{name: _cell(value) for name, value in row.items()} for row in rows]
        table = pyarrow.Table.from_pylist([{k: str(v) for k, v in row.items()} for row in texts])
    out = io.BytesIO()
    pyarrow.parquet.write_table(table, out)
    return out.getvalue()


WRITERS: dict[str, Callable[[Sequence[Row]], bytes]] = {
    "parquet": as_parquet,
    "csv": as_csv,
    "jsonl": as_jsonl,
}


def _cell(value: object) -> object:
    if isinstance(value, list | dict):
        return json.dumps(value, ensure_ascii=False, default=str)
    return "" if value is None else value
