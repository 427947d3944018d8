"""`workbench models`: lists, installs, removes and switches embedding models."""

import argparse
import os
import subprocess
import sys
from typing import TYPE_CHECKING

from workbench.commands.common import (
    CommandFailed,
    add_server_arguments,
    note,
    only_for,
    open_docset,
    open_workbench,
    print_json,
    print_rows,
)
from workbench.contract.processes import importable, python_module
from workbench.harmless import in_line

if TYPE_CHECKING:
    from workbench.contract.tasks import TaskProgress
    from workbench.objects import Workbench

_MIB = 2**20


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_server_arguments(parser)
    parser.add_argument(
        "action",
        nargs="?",
        default="list",
        choices=["list", "install", "remove", "use"],
        help="default: list; use recomputes all vectors of a DocSet",
    )
    parser.add_argument("name", nargs="?", help="of the model, as listed")
    parser.add_argument("docset", nargs="?", help="for use: name or id of the DocSet")
    parser.add_argument("--from", dest="wheel", metavar="FILE", help="install without internet")


def run(arguments: argparse.Namespace) -> int:
    only_for(arguments, "name", ("install", "remove", "use"))
    only_for(arguments, "docset", ("use",))
    action = arguments.action
    if action != "list" and not arguments.name:
        raise CommandFailed(f"Which model? workbench models {action} NAME")
    if action in ("install", "remove"):
        return _files(arguments)
    with open_workbench(arguments) as workbench:
        return _use(workbench, arguments) if action == "use" else _list(workbench, arguments.json)


def _list(workbench: "Workbench", as_json: bool) -> int:
    models = workbench.models()
    if as_json:
        print_json([model.model_dump(mode="json") for model in models])
        return 0
    rows = [
        {
            "name": model.name + (" (default)" if model.default else ""),
            "state": "ready" if model.ready else model.detail,
            "size": None if model.size is None else f"{model.size / _MIB:.0f} MiB",
            "licence": model.licence,
            "takes": model.cost,
            "identity": model.identity,
        }
        for model in models
    ]
    print_rows(["name", "state", "size", "licence", "takes", "identity"], rows)
    return 0


def _files(arguments: argparse.Namespace) -> int:
    """Changes the data folder of this machine; a running backend notices by itself."""
    if arguments.url:
        raise CommandFailed(f"To {arguments.action} it there, run this on the server's machine.")
    command = python_module("backend.inference.installing", arguments.action, arguments.name)
    if arguments.wheel:
        command += ["--from", arguments.wheel]
    return subprocess.run(command, check=False, env=importable(os.environ)).returncode


def _use(workbench: "Workbench", arguments: argparse.Namespace) -> int:
    if not arguments.docset:
        raise CommandFailed(f"Which DocSet? workbench models use {arguments.name} DOCSET")
    docset = open_docset(workbench, arguments.docset)
    task = docset.submit_model(arguments.name)
    note(f"Task {task.id}: searches use the old vectors until the new ones are complete.")
    for progress in task:
        _report(progress)
    if task.last is not None and task.last.status == "cancelled":
        note("Cancelled: searches are unchanged; finished vectors are kept.")
        return 1
    task.result()
    state = docset.embedding()
    if arguments.json:
        print_json(state.model_dump(mode="json"))
    else:
        print(f"{in_line(docset.name)}: {state.identity}")
    return 0


def _report(progress: "TaskProgress") -> None:
    if progress.total and sys.stderr.isatty():
        note(f"{progress.done} of {progress.total} {progress.unit}")
