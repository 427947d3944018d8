"""`workbench help`: shows the pages of the guide."""

import argparse
import sys

from workbench.commands.common import CommandFailed, print_json
from workbench.guide import TOPICS, NoSuchPage, page


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("topic", nargs="?", help="a page; without one all pages are listed")
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def run(arguments: argparse.Namespace) -> int:
    if arguments.topic is None and arguments.json:
        print_json(TOPICS)
        return 0
    if arguments.topic is None:
        width = max(map(len, TOPICS))
        for topic, description in TOPICS.items():
            print(f"{topic:{width}}  {description}")
        return 0
    try:
        text = page(arguments.topic)
    except NoSuchPage as error:
        raise CommandFailed(str(error)) from error
    if arguments.json:
        print_json({"topic": arguments.topic, "text": text})
        return 0
    if not sys.stdout.isatty():
        print(text, end="")
        return 0
    from rich.console import Console
    from rich.markdown import Markdown

    console = Console()
    with console.pager(styles=True):
        console.print(Markdown(text))
    return 0
