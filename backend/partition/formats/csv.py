"""CSV and TSV: one table, the first row its header."""

import csv
import io

from backend.partition.document import Document, PartitionFailure, Request
from backend.partition.flow import MAX_CELLS, Flow, cells_of_rows

_SAMPLE = 20_000


def read(request: Request) -> Document:
    flow = Flow(request.options)
    text = request.text()
    notes: list[str] = []
    rows: list[list[str]] = []
    cells = 0
    try:
        for row in csv.reader(io.StringIO(text), _dialect(text)):
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


def _dialect(text: str) -> type[csv.Dialect]:
    try:
        return csv.Sniffer().sniff(text[:_SAMPLE], delimiters=",;\t|")
    except csv.Error:
        return csv.excel
