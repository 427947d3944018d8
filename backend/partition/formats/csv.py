"""CSV and TSV: one table, the first row its header."""

import csv
import io
from collections import Counter
from collections.abc import Iterator
from itertools import chain, islice

from backend.partition.document import Document, PartitionFailure, Request
from backend.partition.flow import MAX_CELLS, cells_of_rows
from workbench.contract.formula_texts import unquoted

_DELIMITERS = ",;\t|"
_LOOK = 50
"""Rows that determine the delimiter."""
_MAX_VALUE = 10_000_000

_END = "\ufdd0"
"""A line behind the last one, of no character that texts have: an open quote swallows it."""

# The limit of the module is for all readers in the process, and too low for texts in cells.
csv.field_size_limit(_MAX_VALUE)


def read(request: Request) -> Document:
    flow = request.flow
    text = request.text()
    rows: list[list[str]] = []
    cells = 0
    try:
        for row in _rows(text, _delimiter(text), flow.notes):
            if not any(value.strip() for value in row):
                continue
            cells += len(row)
            if cells > MAX_CELLS:
                flow.notes.append(f"only the first {len(rows)} rows were read")
                break
            rows.append([unquoted(value).strip() for value in row])
    except csv.Error as error:
        raise PartitionFailure(f"The CSV file could not be read: {error}.", 422) from None
    flow.table(cells_of_rows(rows, 1 if len(rows) > 1 else 0))
    request.progress(1, 1)
    return Document(flow.elements)


def _rows(text: str, delimiter: str, notes: list[str]) -> Iterator[list[str]]:
    """The rows of a table. A quotation mark that nothing closes would swallow all that follows: its
    line is read without quotes, and noted.
    """
    lines = list(io.StringIO(text))
    start = 0
    for quoting in (csv.QUOTE_MINIMAL, csv.QUOTE_MINIMAL, csv.QUOTE_NONE):
        following = chain(islice(lines, start, None), [_END])
        reader = csv.reader(following, delimiter=delimiter, quoting=quoting)
        read = 0
        for row in reader:
            if row == [_END]:
                return
            if row and row[-1].endswith(_END):
                break
            yield row
            read = reader.line_num
        start += read
        notes.append(f"the quotation mark in line {start + 1} is never closed")
        yield from csv.reader([lines[start]], delimiter=delimiter, quoting=csv.QUOTE_NONE)
        start += 1


def _delimiter(text: str) -> str:
    """The sign that cuts most rows into the same number of values, several if it can.

    The guess of the standard library also guesses how quotes are written, and is wrong where a
    sample has none."""
    return max(_DELIMITERS, key=lambda sign: _agreement(text, sign))


def _agreement(text: str, delimiter: str) -> tuple[float, int]:
    try:
        rows = list(islice(csv.reader(io.StringIO(text), delimiter=delimiter), _LOOK))
    except csv.Error:
        return 0.0, 0
    lengths = Counter(len(row) for row in rows if row)
    if not lengths:
        return 0.0, 0
    length, times = max(lengths.items(), key=lambda item: (item[1], item[0]))
    return (times / lengths.total() if length > 1 else 0.0), length
