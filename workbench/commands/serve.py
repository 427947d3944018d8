"""`workbench serve`: runs the backend in the foreground, until ctrl+c."""

import argparse
import os
import signal
import sys

from workbench.contract.processes import importable, python_module


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--host", help="address to listen on (default: 127.0.0.1)")
    parser.add_argument("--port", type=int, help="port to listen on (default: any free one)")


def run(arguments: argparse.Namespace) -> int:
    """Becomes the backend; does not return."""
    environment = importable(os.environ)
    for name in ("host", "port"):
        if (value := getattr(arguments, name)) is not None:
            environment[f"WORKBENCH_{name.upper()}"] = str(value)
    # Between here and its own handler, Python would answer ctrl+c with a traceback.
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    os.execve(sys.executable, python_module("backend", "serve"), environment)
