"""`workbench lab`: opens JupyterLab on a copy of the tours."""

import argparse
import importlib.util
import os
import sys
from pathlib import Path

from workbench.commands.common import CommandFailed, note
from workbench.contract.location import make_private
from workbench.contract.processes import python_module
from workbench.whole_files import whole_file

_QUIET = (
    "--LabApp.news_url=None",
    "--LabApp.check_for_updates_class=jupyterlab.handlers.announcements.NeverCheckForUpdate",
)
"""By default JupyterLab looks for news and updates on the internet."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--folder", type=Path, help="where the tours go (default: data folder)")
    parser.add_argument("--no-browser", action="store_true", help="do not open a browser")
    parser.add_argument("--copy-only", action="store_true", help="copy the tours and exit")


def run(arguments: argparse.Namespace) -> int:
    """Becomes JupyterLab; the first `workbench.connect()` starts the backend."""
    folder = arguments.folder or _default_folder()
    copied = copy_tours(folder)
    note(f"Tours are in {folder} ({len(copied)} new).")
    if arguments.copy_only:
        return 0
    if importlib.util.find_spec("jupyterlab") is None:
        raise CommandFailed("JupyterLab is not installed: pip install 'docset-workbench[notebook]'")
    command = python_module("jupyterlab", f"--ServerApp.root_dir={folder}", *_QUIET)
    if arguments.no_browser:
        command.append("--no-browser")
    os.execv(sys.executable, command)


def copy_tours(folder: Path) -> list[Path]:
    """Copies the tours that `folder` lacks; existing ones may contain a person's work."""
    make_private(folder)
    copied = []
    for tour in sorted(_tours().glob("*.ipynb")):
        if not (folder / tour.name).exists():
            copied.append(folder / tour.name)
            with whole_file(copied[-1], replace=False, private=True) as copy:
                copy.write(tour.read_bytes())
    return copied


def _tours() -> Path:
    """The notebooks: in the installed package, or beside it in a checkout."""
    package = Path(__file__).resolve().parent.parent
    inside = package / "tours"
    return inside if inside.is_dir() else package.parent / "notebooks"


def _default_folder() -> Path:
    from workbench.contract.location import data_dir

    return data_dir() / "notebooks"
