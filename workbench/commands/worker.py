"""`workbench worker`: gives the places of this machine to a cluster, until ctrl+c."""

import argparse
import os
import sys

from workbench.contract.processes import importable, python_module


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--places", type=int, help="jobs at once (default: one for each core)")
    parser.add_argument("--head", action="store_true", help="be the head of the cluster as well")
    parser.add_argument("--address", help="address of this machine for the other nodes")


def run(arguments: argparse.Namespace) -> int:
    """Becomes the node; does not return."""
    words = ["worker"]
    if arguments.places is not None:
        words += ["--places", str(arguments.places)]
    if arguments.address is not None:
        words += ["--address", arguments.address]
    if arguments.head:
        words.append("--head")
    command = python_module("backend.main", *words)
    os.execve(sys.executable, command, importable(os.environ))
