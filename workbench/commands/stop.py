"""`workbench stop`: stops the backend of the data folder."""

import argparse

from workbench.commands.common import print_json


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def run(arguments: argparse.Namespace) -> int:
    from workbench.launch import stop

    stopped = stop()
    if arguments.json:
        print_json({"stopped": stopped})
    else:
        message = "Stopped. Open tasks continue at the next start."
        print(message if stopped else "It was not running.")
    return 0
