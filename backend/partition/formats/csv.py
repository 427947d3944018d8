"""CSV and TSV: one table, the first row its header."""

import csv
import io
from collections import Counter
from itertools import islice

from backend.partition.document import Document, PartitionFailure, Request
from backend.partition.flow import MAX_CELLS, cells_of_rows

_DELIMITERS = ",;\t|"
_LOOK = 50
"""Rows that decide what stands between the values."""
_MAX_VALUE = 10_000_000

# The limit of the module is for all readers in the process, and too low for texts in cells.
csv.field_size_limit(_MAX_VALUE)


def read(request: Request) -> Document:
    flow = request.flow
    text = request.text()
    notes: list[str] = []
    rows: list[list[str]] = []
    cells = 0
    try:
        for row in csv.reader(io.StringIO(text), delimiter=_delimiter(text)):
            if not any(value.strip() for value in row):
                continue
            cells += len(row)
            if cells > MAX_CELLS:
                notes.append(f"only the first {len(rows)} rows were read")
                break
            rows.append([value.strip() for value in row])
    except csv.Error as error:
        raise PartitionFailure(f"The CSV file could not be read: {error}.", 422) from None
    flow.table(cells_of_rows(rows, 1 if len(rows) > 1 else 0))
    request.progress(1, 1)
    return Document(flow.elements, notes=notes)


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
