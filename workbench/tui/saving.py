"""Writing files where a person wants them, never over one that exists."""

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Any

from workbench.tui.dialogs.ask import Ask
from workbench.whole_files import whole_file

if TYPE_CHECKING:
    from textual.app import App


async def save_original(app: "App[Any]", name: str, data: bytes) -> None:
    """Asks where to save the original file, writes it, and reports the path."""
    path = await ask_path(app, "Save original", Path.cwd() / safe_name(name))
    if path is not None:
        await write(app, path, data)


async def ask_path(app: "App[Any]", title: str, proposed: Path) -> Path | None:
    """A path without a file, or None."""
    answer = await app.push_screen_wait(
        Ask(title, "Where to?", value=str(free_path(proposed)), check=_why_not)
    )
    return _path(answer) if answer else None


async def write(app: "App[Any]", path: Path, data: bytes) -> None:
    try:
        await asyncio.to_thread(_write_new, path, data)
    except OSError as error:
        app.notify(f"{path}: {error.strerror or error}", title="Not saved", severity="error")
        return
    app.notify(str(path), title="Saved")


def safe_name(name: str) -> str:
    """The last part of a name, without anything that could lead elsewhere."""
    last = name.replace("\\", "/").rpartition("/")[2].strip().strip(".")
    return "".join(sign for sign in last if sign.isprintable()) or "document"


def free_path(path: Path) -> Path:
    """`path`, or with a number when there is a file of that name."""
    number = 1
    free = path
    while free.exists():
        number += 1
        free = path.with_name(f"{path.stem}-{number}{path.suffix}")
    return free


def _why_not(text: str) -> str | None:
    path = _path(text)
    if path.is_dir():
        return "That is a folder; add a file name."
    if path.exists():
        return "A file with that name exists; choose another name."
    if not path.parent.is_dir():
        return f"There is no folder {path.parent}."
    return None


def _path(text: str) -> Path:
    return Path(text).expanduser()


def _write_new(path: Path, data: bytes) -> None:
    with whole_file(path, replace=False) as file:
        file.write(data)
