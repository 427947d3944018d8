"""SYLK (.slk): the cells of one sheet as lines of text."""

import re

from backend.partition.document import Document, Request
from backend.partition.flow import MAX_CELLS
from backend.partition.formats.numerals import shown, whole
from backend.partition.formats.sheets import add_block, blocks_of

_FIELDS = re.compile(r"(?<!;);(?!;)")
"""A semicolon within a text is written twice."""


def read(request: Request) -> Document:
    flow = request.flow
    texts: dict[int, dict[int, str]] = {}
    row = col = count = 0
    for line in request.text().split("\n"):
        kind, *fields = _FIELDS.split(line)
        if kind not in ("C", "F"):
            continue
        for field in fields:
            if field.startswith("Y"):
                row = max(0, whole(field[1:], 1) - 1)
            elif field.startswith("X"):
                col = max(0, whole(field[1:], 1) - 1)
            elif field.startswith("K") and kind == "C":
                text = _value(field[1:])
                if text.strip():
                    texts.setdefault(row, {})[col] = text
                    count += 1
        if count >= MAX_CELLS:
            flow.notes.append(f"only the first {MAX_CELLS} cells were read")
            break
    for block in blocks_of(texts, {}):
        add_block(flow, block, texts, {})
    request.progress(1, 1)
    return Document(flow.elements)


def _value(field: str) -> str:
    if field.startswith('"'):
        return field.strip('"').replace(";;", ";").replace('""', '"')
    try:
        return shown(float(field))
    except (ValueError, OverflowError):
        return field
