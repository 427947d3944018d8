"""`workbench help`: the pages of the guide."""

import argparse
import sys

from workbench.commands.common import CommandFailed
from workbench.guide import TOPICS, NoSuchPage, page


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("topic", nargs="?", help="a page; without one all pages are listed")


def run(arguments: argparse.Namespace) -> int:
    if arguments.topic is None:
        width = max(map(len, TOPICS))
        for topic, answers in TOPICS.items():
            print(f"{topic:{width}}  {answers}")
        return 0
    try:
        text = page(arguments.topic)
    except NoSuchPage as error:
        raise CommandFailed(str(error)) from error
    if not sys.stdout.isatty():
        print(text, end="")
        return 0
    from rich.console import Console
    from rich.markdown import Markdown

    console = Console()
    with console.pager(styles=True):
        console.print(Markdown(text))
    return 0
