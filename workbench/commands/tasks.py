"""`workbench tasks`: lists the server's tasks; follow, wait for or cancel them."""

import argparse
from typing import TYPE_CHECKING

from workbench.commands.common import (
    CommandFailed,
    add_server_arguments,
    only_for,
    open_workbench,
    print_json,
    print_rows,
)
from workbench.harmless import harmless_json

if TYPE_CHECKING:
    from workbench.contract.tasks import TaskProgress
    from workbench.objects import Workbench


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_server_arguments(parser)
    parser.add_argument(
        "action",
        nargs="?",
        default="list",
        choices=["list", "follow", "result", "wait", "cancel"],
        help="default: list; follow prints changes as they come (--json: one object per line)",
    )
    parser.add_argument("task", nargs="?", help="id of the task, for result, wait and cancel")


def run(arguments: argparse.Namespace) -> int:
    only_for(arguments, "task", ("result", "wait", "cancel"))
    with open_workbench(arguments) as workbench:
        return _do(workbench, arguments)


def _do(workbench: "Workbench", arguments: argparse.Namespace) -> int:
    if arguments.action == "list":
        return _list(workbench, arguments.json)
    if arguments.action == "follow":
        return _follow(workbench, arguments.json)
    if not arguments.task:
        raise CommandFailed(f"Which task? workbench tasks {arguments.action} ID")
    if arguments.action == "cancel":
        return _cancel(workbench, arguments.task, arguments.json)
    return _result(workbench, arguments.task, wait=arguments.action == "wait")


def _list(workbench: "Workbench", as_json: bool) -> int:
    rows = [
        {"task_id": task_id, "status": task.task_status, "action": task.action}
        for task_id, task in workbench.tasks.summaries.items()
    ]
    if as_json:
        print_json(rows)
    else:
        print_rows(["status", "action", "task_id"], rows)
    return 0


def _follow(workbench: "Workbench", as_json: bool) -> int:
    for progress in workbench.task_events():
        line = harmless_json(progress.model_dump_json()) if as_json else _line(progress)
        print(line, flush=True)
    return 0


def _line(progress: "TaskProgress") -> str:
    counted = f" {progress.done}/{progress.total} {progress.unit or ''}" if progress.total else ""
    words = [progress.status + counted, progress.name or progress.action, progress.message or ""]
    return "\t".join(words).rstrip()


def _cancel(workbench: "Workbench", task_id: str, as_json: bool) -> int:
    workbench.cancel(task_id)
    if as_json:
        print_json({"cancelled": task_id})
    else:
        print("Cancelled. Finished work is kept.")
    return 0


def _result(workbench: "Workbench", task_id: str, *, wait: bool) -> int:
    """Prints the body of the finished call; exit code 1 when the call failed."""
    result = workbench.result(task_id, wait=wait)
    if result.pending:
        raise CommandFailed(f"Task {task_id} is pending. workbench tasks wait {task_id}")
    print_json(result.body)
    return 0 if result.failure is None else 1
