"""`workbench cluster`: nodes, places and queue of a server, and what work waits for."""

import argparse
from typing import TYPE_CHECKING

from workbench.commands.common import add_server_arguments, open_workbench, print_json, print_rows
from workbench.sessions.place_words import places_words, shards_words, tasks_words

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
    print(places_words(state))
    print(tasks_words(state))
    if state.nodes:
        print_rows(["name", "address", "places"], [node.model_dump() for node in state.nodes])
    if state.shards:
        print(shards_words(state))
    if state.servers:
        print_rows(["name", "running"], [server.model_dump() for server in state.servers])
    for reason in state.waits_for:
        print(reason)
