"""Shared by the scriptable commands: finding the server, and printing answers.

People get a table on a terminal and tab-separated lines in a pipe; programs use `--json` and get
one JSON document on standard output. Progress and notes go to standard error.
"""

import argparse
import json
import os
import sys
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from workbench.client.errors import WorkbenchError
from workbench.contract.numbers import plain_number
from workbench.formats import column_words, is_number
from workbench.harmless import harmless, harmless_json, in_line, raw

if TYPE_CHECKING:
    from workbench.objects import DocSet, Workbench

Row = Mapping[str, Any]
STANDARD = "-"
"""The name of a file that means standard input or output."""
PARTLY = 3
"""Exit code when some of the work failed."""


class CommandFailed(WorkbenchError):
    """A command-line request cannot be fulfilled; the message says why."""


class WrongUsage(CommandFailed):
    """Arguments that do not belong together; the exit code is 2."""


def only_for(arguments: argparse.Namespace, name: str, actions: Collection[str]) -> None:
    """WrongUsage where an argument is given that only other actions take."""
    given = getattr(arguments, name)
    if given and arguments.action not in actions:
        raise WrongUsage(
            f"{arguments.action} does not take the argument {given!r}; these do:"
            f" {', '.join(actions)}."
        )


def add_server_arguments(parser: argparse.ArgumentParser) -> None:
    """`--url`, `--token` and `--json`."""
    parser.add_argument("--url", help="a server other than the bundled backend")
    parser.add_argument("--token", help="its token (default: WORKBENCH_API_KEY)")
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def open_workbench(arguments: argparse.Namespace) -> "Workbench":
    """The given server, else the bundled backend; on a terminal its start is announced."""
    from workbench.objects import connect

    return connect(arguments.url, arguments.token, on_start=_announce_start)


def open_docset(workbench: "Workbench", name_or_id: str, hint: str = "") -> "DocSet":
    """The DocSet; CommandFailed with the names of existing ones and `hint` if it is missing."""
    if (docset := workbench.docsets.get(name_or_id)) is not None:
        return docset
    names = [in_line(name) for name in sorted({docset.name for docset in workbench.docsets})]
    known = f" There are: {', '.join(names[:20])}." if names else " There are none yet."
    raise CommandFailed(f"There is no DocSet {name_or_id!r}.{known} {hint}".rstrip())


def json_file(path: str) -> Any:
    """The content of a JSON file, `-` for standard input."""
    try:
        text = sys.stdin.read() if path == STANDARD else _read(path)
        return json.loads(text)
    except ValueError as error:
        raise CommandFailed(f"{path} is not JSON: {error}.") from error


def refuse_closed_output(advice: str) -> None:
    """CommandFailed where the shell has closed standard output (`>&-`), which leads nowhere."""
    if sys.stdout.name == os.devnull:
        raise CommandFailed(f"Standard output is closed. {advice}.")


def print_json(value: Any) -> None:
    print(harmless_json(json.dumps(value, ensure_ascii=False, indent=2, default=str)))


def print_rows(
    columns: Sequence[str], rows: Iterable[Row], shares: Mapping[str, int] | None = None
) -> None:
    """A table on a terminal, tab-separated lines in a pipe; `shares` have factors for percent."""
    listed = list(rows)
    if not sys.stdout.isatty():
        for line in [columns, *([_cell(row.get(name)) for name in columns] for row in listed)]:
            print("\t".join(map(_printable, line)))
        return
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, header_style="bold", pad_edge=False)
    written: list[list[str]] = []
    for name in columns:
        values = [row.get(name) for row in listed]
        words = column_words(name, values, percent=(shares or {}).get(name, 0))
        table.add_column(
            _printable(name),
            overflow="fold",
            justify="right" if any(map(is_number, values)) else "left",
        )
        written.append([_printable(words(value)) for value in values])
    for cells in zip(*written, strict=True):
        table.add_row(*map(Text, cells))
    Console(file=raw(sys.stdout)).print(table)


def print_value(value: Any, words: str) -> None:
    """An answer of one value: formatted on a terminal, bare in a pipe."""
    print(words if sys.stdout.isatty() else plain_number(value) if is_number(value) else value)


def note(text: str) -> None:
    """A remark for people that is not part of the answer."""
    print(text, file=sys.stderr)


def warn(text: str) -> None:
    """A remark that must not be overlooked, in yellow where colours are available."""
    coloured = sys.stderr.isatty() and not os.environ.get("NO_COLOR")
    text = harmless(text)
    print(f"\x1b[33m{text}\x1b[0m" if coloured else text, file=raw(sys.stderr))


def _announce_start() -> None:
    if sys.stderr.isatty():
        note("Starting the backend …")


def _cell(value: Any) -> str:
    """One line without control characters: document text must not control a terminal."""
    if value is None:
        return ""
    if is_number(value):
        return str(plain_number(value))
    text = json.dumps(value, ensure_ascii=False) if isinstance(value, dict | list) else str(value)
    return _printable(text)


def _printable(text: str) -> str:
    return "".join(c if c.isprintable() else " " for c in " ".join(text.split()))


def _read(path: str) -> str:
    from pathlib import Path

    return Path(path).read_text("utf-8")
