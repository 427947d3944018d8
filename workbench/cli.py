"""The `workbench` command: without words it opens the app, with words it does one thing and ends.

Each command is a module of `workbench.commands` with `add_arguments` and `run`. This file imports
none of them before it is known which one is meant.

Exit codes: 0 done · 1 failed, with a sentence on standard error · 2 wrong usage · 3 done in part
(some files failed) · 130 interrupted.
"""

import argparse
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Protocol

from workbench.commands.catalogue import COMMANDS
from workbench.harmless import harmless_output


class CommandModule(Protocol):
    def add_arguments(self, parser: argparse.ArgumentParser) -> None: ...
    def run(self, arguments: argparse.Namespace) -> int: ...


def main(words: Sequence[str] | None = None) -> int:
    """Runs the command and answers its exit code."""
    words = list(sys.argv[1:] if words is None else words)
    if not words:
        return _open_app()
    with harmless_output():
        return _run(words)


def _run(words: Sequence[str]) -> int:
    arguments = _parser(words[0]).parse_args(words)
    try:
        module = _module(arguments.command)
        code = module.run(arguments)
        sys.stdout.flush()  # a closed pipe shows here, not at the end of the interpreter
        return code
    except KeyboardInterrupt:
        print("Interrupted. What the server has accepted goes on.", file=sys.stderr)
        return 130
    except BrokenPipeError:
        sys.stdout = None  # whoever read us has seen enough
        return 0
    except Exception as error:
        if not _told(error):
            raise
        print(_sentence(error), file=sys.stderr)
        return 1


def _open_app() -> int:
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        print("The app needs a terminal. In a script: workbench --help", file=sys.stderr)
        return 2
    from workbench.commands.demo import write_samples
    from workbench.tui.app import run

    run(write_samples=write_samples)
    return 0


def _parser(first: str) -> argparse.ArgumentParser:
    """The parser; only the command that `first` names brings its arguments along."""
    from workbench.contract.version import __version__

    parser = argparse.ArgumentParser(
        prog="workbench",
        description="Search, question and correct piles of documents. Without a command: the app.",
        epilog=(__doc__ or "").rpartition("\n\n")[2],
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=__version__)
    commands = parser.add_subparsers(dest="command", metavar="command", required=True)
    for command in COMMANDS:
        own = commands.add_parser(
            command.name,
            help=command.sentence,
            description=f"{command.sentence[0].upper()}{command.sentence[1:]}.",
        )
        if command.name == first:
            _module(command.name).add_arguments(own)
    return parser


def _module(name: str) -> CommandModule:
    found = next(command.module for command in COMMANDS if command.name == name)
    module: CommandModule = import_module(f"workbench.commands.{found}")
    return module


def _told(error: Exception) -> bool:
    """Whether the error is a sentence for people rather than a fault of ours."""
    from pydantic import ValidationError

    from workbench.client.errors import WorkbenchError

    return isinstance(error, WorkbenchError | ValidationError | OSError) or _is_no_text(error)


def _sentence(error: Exception) -> str:
    """The error's message; of pydantic's the part that a person wrote."""
    from pydantic import ValidationError

    if isinstance(error, ValidationError):
        return "; ".join(fault["msg"].removeprefix("Value error, ") for fault in error.errors())
    if _is_no_text(error):
        return "Names and questions are text in UTF-8; an argument is not."
    return str(error)


def _is_no_text(error: Exception) -> bool:
    """Whether an argument had bytes that Python could only keep as lone surrogates."""
    return isinstance(error, UnicodeEncodeError) and error.reason == "surrogates not allowed"


if __name__ == "__main__":
    sys.exit(main())
