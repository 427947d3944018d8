"""`workbench cluster`: nodes, places and queue of a server, and what work waits for."""

import argparse
from typing import TYPE_CHECKING

from workbench.commands.common import add_server_arguments, open_workbench, print_json, print_rows

if TYPE_CHECKING:
    from workbench.contract.cluster import ClusterState


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_server_arguments(parser)
    parser.add_argument("action", nargs="?", default="status", choices=["status"])


def run(arguments: argparse.Namespace) -> int:
    with open_workbench(arguments) as workbench:
        state = workbench.engine.run(lambda client: client.cluster())
    if arguments.json:
        print_json(state.model_dump())
    else:
        _print(state)
    return 0


def _print(state: "ClusterState") -> None:
    where = "this machine"
    if state.engine == "ray":
        where = f"Ray at {state.head}" + ("" if state.connected else " (no answer)")
    starting = f", {state.starting} starting" if state.starting else ""
    print(f"places: {state.busy} of {state.places} busy{starting}, on {where}")
    queued = state.tasks.get("queued", 0)
    oldest = f", the oldest for {state.oldest_queued_seconds:.0f} s" if queued else ""
    print(f"tasks: {state.tasks.get('running', 0)} running, {queued} queued{oldest}")
    if state.nodes:
        print_rows(["name", "address", "places"], [node.model_dump() for node in state.nodes])
    if state.servers:
        print_rows(["name", "running"], [server.model_dump() for server in state.servers])
    for reason in state.waits_for:
        print(reason)
