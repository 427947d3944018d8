"""`workbench doctor`: what the workbench finds on this machine, and what to do about it.

With `--data` it also has the server hold all that is stored against each other.
"""

import argparse
import importlib.metadata
import importlib.util
import json
import os
import platform
import shutil
import sqlite3
import stat
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal

from workbench.commands.common import print_json
from workbench.contract.processes import importable, python_module

_ENOUGH_SPACE = 2**30
_MODEL_SECONDS = 180


@dataclass(frozen=True)
class Finding:
    """One thing that was looked at. `advice` says what to do, where something is to be done."""

    check: str
    status: Literal["ok", "note", "fault"]
    found: str
    advice: str = ""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    parser.add_argument(
        "--data",
        action="store_true",
        help="check what is stored as well: database, files, indexes (starts the backend)",
    )
    parser.add_argument(
        "--files",
        action="store_true",
        help="check the bytes of every file too, which takes longer",
    )
    parser.add_argument(
        "--repair", action="store_true", help="check what is stored and mend what can be mended"
    )


def run(arguments: argparse.Namespace) -> int:
    """Exit code 1 when there is a fault. Without options it starts and changes nothing."""
    findings = list(examine())
    if arguments.data or arguments.files or arguments.repair:
        findings += stored(read_files=arguments.files, repair=arguments.repair)
    if arguments.json:
        print_json([asdict(finding) for finding in findings])
    else:
        marks = {"ok": "✓", "note": "·", "fault": "✗"}
        for finding in findings:
            print(f"{marks[finding.status]} {finding.check}: {finding.found}")
            if finding.advice:
                print(f"    {finding.advice}")
    return 1 if any(finding.status == "fault" for finding in findings) else 0


def examine() -> Iterator[Finding]:
    """Everything that is looked at, in order."""
    from workbench.contract.location import data_dir, settings_file

    folder = data_dir()
    yield Finding("python", "ok", f"{platform.python_version()} at {sys.executable}")
    yield _settings(settings_file())
    yield from _folder(folder)
    yield _token(folder)
    yield from _backend(folder)
    yield Finding("sqlite", "ok", f"{sqlite3.sqlite_version} (sessions)")
    yield _terminal()
    yield _program("tesseract", "a second OCR engine, used when installed")
    yield _notebook()
    yield from _models()


def stored(*, read_files: bool, repair: bool) -> Iterator[Finding]:
    """What the backend finds in its storage."""
    from workbench.client.errors import WorkbenchError
    from workbench.contract.storage import StorageCheck
    from workbench.objects import connect

    wanted = StorageCheck(read_files=read_files, repair=repair)
    try:
        with connect() as workbench:
            report = workbench.engine.run(lambda client: client.check_storage(wanted))
    except WorkbenchError as error:
        yield Finding("stored data", "fault", f"could not be looked at: {error}")
        return
    for fault in report.faults:
        status: Literal["note", "fault"] = "note" if fault.repaired else "fault"
        found = f"{fault.subject}: {fault.found}" + (" (mended)" if fault.repaired else "")
        yield Finding(f"stored {fault.part}", status, found, fault.advice)
    if not report.faults:
        found = f"{report.documents} documents, {report.files} files, {report.docsets} DocSets"
        yield Finding("stored data", "ok", f"{found}: all in order")


def _settings(file: Path) -> Finding:
    if not file.exists():
        return Finding("settings", "ok", f"{file} (not there: defaults)")
    import tomllib

    try:
        tomllib.loads(file.read_text("utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        return Finding("settings", "fault", f"{file}: {error}", "Mend it or move it away.")
    return Finding("settings", "ok", str(file))


def _folder(folder: Path) -> Iterator[Finding]:
    existing = next(place for place in (folder, *folder.parents) if place.exists())
    if not existing.is_dir() or not os.access(existing, os.W_OK):
        found = (
            "cannot be written" if existing.is_dir() else f"cannot be made: {existing} is a file"
        )
        advice = "Set WORKBENCH_DATA_DIR to a folder of yours."
        yield Finding("data folder", "fault", f"{folder} {found}", advice)
        return
    yield Finding(
        "data folder", "ok", str(folder) + ("" if existing == folder else " (not made yet)")
    )
    free = shutil.disk_usage(existing).free
    status: Literal["ok", "note"] = "ok" if free >= _ENOUGH_SPACE else "note"
    advice = "" if status == "ok" else "Documents need room: the index and vectors come on top."
    yield Finding("free space", status, f"{free / 2**30:.1f} GiB", advice)


def _token(folder: Path) -> Finding:
    from workbench.contract.location import token_path

    if os.environ.get("WORKBENCH_API_KEY"):
        return Finding("token", "ok", "from WORKBENCH_API_KEY")
    file = token_path(folder)
    if not file.exists():
        return Finding("token", "ok", "made at the first start")
    mode = stat.S_IMODE(file.stat().st_mode)
    if sys.platform != "win32" and mode & 0o077:
        advice = f"Others can read it: chmod 600 {file}"
        return Finding("token", "fault", f"{file} has mode {mode:o}", advice)
    return Finding("token", "ok", str(file))


def _backend(folder: Path) -> Iterator[Finding]:
    from workbench.contract.location import read_run_file
    from workbench.contract.version import __version__
    from workbench.launch import alive, find, log_path

    run = read_run_file(folder)
    found = find(folder)
    if found is not None:
        yield Finding("backend", "ok", f"{found.url}, process {found.pid}")
        if found.version != __version__:
            advice = "Another version runs: workbench stop, then start again."
            yield Finding("backend version", "fault", f"{found.version}, not {__version__}", advice)
    elif run is not None and alive(run.pid):
        advice = f"Look at {log_path(folder)}; if it hangs, end process {run.pid}."
        yield Finding("backend", "fault", f"does not answer at {run.url}", advice)
    else:
        yield Finding("backend", "ok", "not running (starts when needed)")


def _terminal() -> Finding:
    if not sys.stdout.isatty():
        return Finding("terminal", "note", "standard output is not a terminal")
    size = shutil.get_terminal_size()
    name = f"{os.environ.get('TERM', 'unknown')}, {size.columns} x {size.lines}"
    if size.columns < 80 or size.lines < 24:
        return Finding("terminal", "note", name, "The app wants 80 x 24 or more.")
    return Finding("terminal", "ok", name)


def _program(name: str, use: str) -> Finding:
    place = shutil.which(name)
    return Finding(name, "ok" if place else "note", place or f"not installed ({use})")


def _notebook() -> Finding:
    missing = [name for name in ("jupyterlab", "ipywidgets", "anywidget")
               if importlib.util.find_spec(name) is None]  # fmt: skip
    if missing:
        advice = "For notebooks: pip install 'docset-workbench[notebook]'"
        return Finding("notebooks", "note", f"{', '.join(missing)} not installed", advice)
    return Finding("notebooks", "ok", f"JupyterLab {importlib.metadata.version('jupyterlab')}")


def _models() -> Iterator[Finding]:
    """Asks the models of the settings, in a process that reads them as the backend does."""
    command, environment = python_module("backend.inference.checking"), importable(os.environ)
    try:
        done = subprocess.run(
            command, env=environment, capture_output=True, text=True, timeout=_MODEL_SECONDS
        )
    except subprocess.TimeoutExpired:
        yield Finding("models", "fault", f"no answer within {_MODEL_SECONDS} s")
        return
    if done.returncode:
        last = (done.stderr.strip() or "no word").splitlines()
        yield Finding("models", "fault", " ".join(line.strip() for line in last)[-500:])
        return
    models = json.loads(done.stdout)
    for model in models:
        status: Literal["ok", "fault"] = "ok" if model["ok"] else "fault"
        yield Finding(model["name"], status, model["found"], model["advice"])
    if all(model["name"] != "chat model" for model in models):
        yield from _local_models()


def _local_models() -> Iterator[Finding]:
    """Servers of this machine whose language models could be used, with what to write for it."""
    import asyncio

    from workbench.contract.location import settings_file
    from workbench.sessions.local_models import USUAL_PORTS, local_models

    found = asyncio.run(local_models(USUAL_PORTS))
    for server in dict.fromkeys(one.server for one in found):
        models = [one for one in found if one.server == server]
        setting = "\n      ".join(models[0].setting.splitlines())
        yield Finding(
            "local language model",
            "note",
            f"{server} at {models[0].url}: {', '.join(one.model for one in models)}",
            f"To use it, add to {settings_file()} and restart (workbench stop):\n      {setting}",
        )
