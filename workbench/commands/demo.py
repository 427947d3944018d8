"""`workbench demo`: creates a sample DocSet once, and opens the app on it."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from workbench.commands.common import (
    PARTLY,
    CommandFailed,
    add_server_arguments,
    note,
    open_workbench,
    print_json,
)

if TYPE_CHECKING:
    from workbench.sessions.sample_set import SampleSet


def write_samples(folder: Path) -> "SampleSet":
    """The sample DocSet for the app, with its documents written into `folder`."""
    from workbench.demo.documents import DEMO_SCHEMA, write_documents
    from workbench.demo.loading import MARK, NAME
    from workbench.sessions.sample_set import SampleSet

    files = tuple(document.path for document in write_documents(folder))
    return SampleSet(NAME, DEMO_SCHEMA, MARK, files)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add_server_arguments(parser)
    parser.add_argument("--count", type=int, default=48, help="sample documents (default: all 48)")
    parser.add_argument("--no-app", action="store_true", help="create the DocSet and exit")


def run(arguments: argparse.Namespace) -> int:
    from workbench.demo.documents import REPORTS
    from workbench.demo.loading import load_demo

    if not 1 <= arguments.count <= REPORTS:
        raise CommandFailed(f"There are {REPORTS} sample documents: --count takes 1 to {REPORTS}.")
    with open_workbench(arguments) as workbench:
        loaded = load_demo(workbench, count=arguments.count, progress=not arguments.json)
    if arguments.json:
        print_json(loaded.summary())
    else:
        note(loaded.sentence())
    if loaded.added.failed:
        return PARTLY if len(loaded.docset) else 1
    if not arguments.no_app and not arguments.json:
        from workbench.tui.app import run as run_app

        run_app(docset=loaded.docset.id, write_samples=write_samples)
    return 0
