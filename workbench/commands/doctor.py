"""`workbench doctor`: checks the installation on this machine, with advice on problems.

With `--data` the server also checks the integrity of everything stored.
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
    """The result of one check. `advice` says what to do, if anything."""

    check: str
    status: Literal["ok", "note", "fault"]
    found: str
    advice: str = ""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    parser.add_argument(
        "--data",
        action="store_true",
        help="also check stored data: database, files, indexes (starts the backend)",
    )
    parser.add_argument(
        "--files",
        action="store_true",
        help="also check the content of every file, which takes longer",
    )
    parser.add_argument(
        "--repair", action="store_true", help="check stored data and repair what is possible"
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
    """All checks, in order."""
    from workbench.contract.location import data_dir, settings_file

    folder = data_dir()
    yield Finding("python", "ok", f"{platform.python_version()} at {sys.executable}")
    yield from _settings(settings_file())
    yield from _folder(folder)
    yield _token(folder)
    yield from _backend(folder)
    yield Finding("sqlite", "ok", f"{sqlite3.sqlite_version} (sessions)")
    yield _terminal()
    yield _ocr()
    yield _notebook()
    yield from _models()


def stored(*, read_files: bool, repair: bool) -> Iterator[Finding]:
    """The faults that the backend finds in its storage."""
    from workbench.client.errors import WorkbenchError
    from workbench.contract.storage import StorageCheck
    from workbench.objects import connect

    wanted = StorageCheck(read_files=read_files, repair=repair)
    try:
        with connect() as workbench:
            report = workbench.engine.run(lambda client: client.check_storage(wanted))
    except WorkbenchError as error:
        yield Finding("stored data", "fault", f"could not be checked: {error}")
        return
    for fault in report.faults:
        status: Literal["note", "fault"] = "note" if fault.repaired else "fault"
        problem = f"{fault.subject}: {fault.found}" + (" (repaired)" if fault.repaired else "")
        yield Finding(f"stored {fault.part}", status, problem, fault.advice)
    if not report.faults:
        counts = f"{report.documents} documents, {report.files} files, {report.docsets} DocSets"
        yield Finding("stored data", "ok", f"{counts}: no faults")


def _settings(file: Path) -> Iterator[Finding]:
    import tomllib

    from workbench.contract.setting_names import unknown_settings

    if not file.exists():
        yield Finding("settings", "ok", f"{file} (missing: defaults are used)")
    else:
        try:
            tomllib.loads(file.read_text("utf-8"))
        except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
            yield Finding("settings", "fault", f"{file}: {error}", "Fix it or move it away.")
        else:
            yield Finding("settings", "ok", str(file))
    for sentence in unknown_settings(file, os.environ):
        yield Finding("settings", "fault", sentence, "Correct the name, or remove it.")


def _folder(folder: Path) -> Iterator[Finding]:
    existing = next(place for place in (folder, *folder.parents) if place.exists())
    if not existing.is_dir() or not os.access(existing, os.W_OK):
        problem = (
            "is not writable" if existing.is_dir() else f"cannot be created: {existing} is a file"
        )
        advice = "Set WORKBENCH_DATA_DIR to a folder of yours."
        yield Finding("data folder", "fault", f"{folder} {problem}", advice)
        return
    yield Finding(
        "data folder", "ok", str(folder) + ("" if existing == folder else " (not created yet)")
    )
    free = shutil.disk_usage(existing).free
    status: Literal["ok", "note"] = "ok" if free >= _ENOUGH_SPACE else "note"
    advice = "" if status == "ok" else "Documents need space, and so do index and vectors."
    yield Finding("free space", status, f"{free / 2**30:.1f} GiB", advice)


def _token(folder: Path) -> Finding:
    from workbench.contract.location import token_path

    if os.environ.get("WORKBENCH_API_KEY"):
        return Finding("token", "ok", "from WORKBENCH_API_KEY")
    file = token_path(folder)
    if not file.exists():
        return Finding("token", "ok", "created at the first start")
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
    running = find(folder)
    if running is not None:
        yield Finding("backend", "ok", f"{running.url}, process {running.pid}")
        if running.version != __version__:
            advice = "Another version is running: workbench stop, then start again."
            problem = f"{running.version}, not {__version__}"
            yield Finding("backend version", "fault", problem, advice)
    elif run is not None and alive(run.pid):
        advice = f"See {log_path(folder)}; if it hangs, end process {run.pid}."
        yield Finding("backend", "fault", f"does not answer at {run.url}", advice)
    else:
        yield Finding("backend", "ok", "not running (starts when needed)")


def _terminal() -> Finding:
    if not sys.stdout.isatty():
        return Finding("terminal", "note", "standard output is not a terminal")
    size = shutil.get_terminal_size()
    name = f"{os.environ.get('TERM', 'unknown')}, {size.columns} x {size.lines}"
    if size.columns < 80 or size.lines < 24:
        return Finding("terminal", "note", name, "The app needs 80 x 24 or more.")
    return Finding("terminal", "ok", name)


def _ocr() -> Finding:
    if importlib.util.find_spec("onnxruntime") is None:
        advice = "For scans and pictures: pip install 'docset-workbench[ocr]'"
        return Finding("OCR", "note", "onnxruntime not installed", advice)
    return Finding("OCR", "ok", f"onnxruntime {importlib.metadata.version('onnxruntime')}")


def _notebook() -> Finding:
    missing = [name for name in ("jupyterlab", "ipywidgets", "anywidget")
               if importlib.util.find_spec(name) is None]  # fmt: skip
    if missing:
        advice = "For notebooks: pip install 'docset-workbench[notebook]'"
        return Finding("notebooks", "note", f"{', '.join(missing)} not installed", advice)
    return Finding("notebooks", "ok", f"JupyterLab {importlib.metadata.version('jupyterlab')}")


def _models() -> Iterator[Finding]:
    """Checks the configured models, in a process that reads the settings as the backend does."""
    command, environment = python_module("backend.inference.checking"), importable(os.environ)
    try:
        done = subprocess.run(
            command, env=environment, capture_output=True, text=True, timeout=_MODEL_SECONDS
        )
    except subprocess.TimeoutExpired:
        yield Finding("models", "fault", f"no answer within {_MODEL_SECONDS} s")
        return
    if done.returncode:
        last = (done.stderr.strip() or "no message").splitlines()
        yield Finding("models", "fault", " ".join(line.strip() for line in last)[-500:])
        return
    models = json.loads(done.stdout)
    for model in models:
        status: Literal["ok", "fault"] = "ok" if model["ok"] else "fault"
        yield Finding(model["name"], status, model["result"], model["advice"])
    if all(model["name"] != "chat model" for model in models):
        yield from _local_models()


def _local_models() -> Iterator[Finding]:
    """Local servers with language models that could be used, with the settings to add."""
    import asyncio

    from workbench.contract.location import settings_file
    from workbench.sessions.local_models import USUAL_PORTS, local_models

    models_here = asyncio.run(local_models(USUAL_PORTS))
    for server in dict.fromkeys(one.server for one in models_here):
        models = [one for one in models_here if one.server == server]
        setting = "\n      ".join(models[0].setting.splitlines())
        yield Finding(
            "local language model",
            "note",
            f"{server} at {models[0].url}: {', '.join(one.model for one in models)}",
            f"To use it, add to {settings_file()} and restart (workbench stop):\n      {setting}",
        )
