"""The `workbench` command: opens the app, or runs one command if there are arguments.

Each command is a module of `workbench.commands` with `add_arguments` and `run`, imported only when
it is the one to run.

Exit codes: 0 done · 1 failed, with a sentence on standard error · 2 wrong usage · 3 done in part
(some files failed) · 130 interrupted · 141 the reader of the output ended first.
"""

import argparse
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Protocol

from workbench.commands.catalogue import COMMANDS
from workbench.harmless import harmless_output

_CUT = 141
"""The exit code that shells give a command that SIGPIPE has ended."""


class CommandModule(Protocol):
    def add_arguments(self, parser: argparse.ArgumentParser) -> None: ...
    def run(self, arguments: argparse.Namespace) -> int: ...


def run(words: Sequence[str]) -> int:
    """Runs the command that the words name and returns its exit code."""
    _open_closed_streams()
    if not words:
        return _open_app()
    with harmless_output():
        return _run_command(words)


def _open_closed_streams() -> None:
    """Streams that the shell has closed (`>&-`) lead nowhere; Python has None in their place."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open(mode))  # noqa: SIM115 (until the end)


def _run_command(words: Sequence[str]) -> int:
    arguments = parsed(words)
    try:
        module = _module(arguments.command)
        code = module.run(arguments)
        sys.stdout.flush()  # raises here if the pipe is closed, not when the interpreter exits
        return code
    except BrokenPipeError:
        sys.stdout = None  # the reader has closed the pipe, which `head` does with what is left
        return _CUT
    except Exception as error:
        if not _is_for_users(error):
            raise
        print(_sentence(error), file=sys.stderr)
        return 2 if _is_wrong_usage(error) else 1


def _open_app() -> int:
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        print("The app needs a terminal. In a script: workbench --help", file=sys.stderr)
        return 2
    from workbench.commands.demo import write_samples
    from workbench.tui import app

    app.run(write_samples=write_samples)
    return 0


def parsed(words: Sequence[str]) -> argparse.Namespace:
    """The arguments in the words; options may be anywhere. Exits with 2 for wrong ones."""
    parser, own = parsers(words[0])
    arguments, left = parser.parse_known_args(words)
    if not left:
        return arguments
    if own is None:
        parser.error(f"unrecognized arguments: {' '.join(left)}")
    # Where an argument may be missing, argparse takes it as missing at the first option: read
    # without the options, all arguments are found.
    return own.parse_intermixed_args(words[1:], argparse.Namespace(command=words[0]))


def parsers(first: str) -> tuple[argparse.ArgumentParser, argparse.ArgumentParser | None]:
    """The parser of all commands, of which only the one named `first` adds its arguments, and the
    parser of that command, if there is such a command.
    """
    from workbench.contract.version import __version__

    parser = argparse.ArgumentParser(
        prog="workbench",
        description="Search, question and correct piles of documents. Without a command: the app.",
        epilog=(__doc__ or "").rpartition("\n\n")[2],
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=__version__)
    commands = parser.add_subparsers(dest="command", metavar="command", required=True)
    chosen: argparse.ArgumentParser | None = None
    for command in COMMANDS:
        own = commands.add_parser(
            command.name,
            help=command.sentence,
            description=f"{command.sentence[0].upper()}{command.sentence[1:]}.",
        )
        if command.name == first:
            _module(command.name).add_arguments(own)
            chosen = own
    return parser, chosen


def _module(name: str) -> CommandModule:
    command = next(one for one in COMMANDS if one.name == name)
    module: CommandModule = import_module(f"workbench.commands.{command.module}")
    return module


def _is_for_users(error: Exception) -> bool:
    """Whether the error has a message for users; all others are bugs and keep their traceback."""
    from pydantic import ValidationError

    from workbench.client.errors import WorkbenchError

    return isinstance(error, WorkbenchError | ValidationError | OSError) or _is_no_text(error)


def _is_wrong_usage(error: Exception) -> bool:
    from workbench.commands.common import WrongUsage

    return isinstance(error, WrongUsage)


def _sentence(error: Exception) -> str:
    """The error's message, without what pydantic adds."""
    from pydantic import ValidationError

    if isinstance(error, ValidationError):
        return "; ".join(fault["msg"].removeprefix("Value error, ") for fault in error.errors())
    if _is_no_text(error):
        return "Names and questions are text in UTF-8; an argument is not."
    if isinstance(error, OSError) and error.strerror:
        return f"{f'{error.filename}: ' if error.filename else ''}{error.strerror}."
    return str(error)


def _is_no_text(error: Exception) -> bool:
    """Whether an argument had bytes that Python could only decode as lone surrogates."""
    return isinstance(error, UnicodeEncodeError) and error.reason == "surrogates not allowed"
