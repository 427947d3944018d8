"""The part of adding a document that runs in a worker process.

Bytes to elements, properties, vectors.

Functions here are jobs of `backend.tasks.worker`: they get JSON and bytes and return JSON and
bytes, because what comes back from a process that has read a hostile file must not be more than
data.
"""

import json
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from backend.contract.elements import Element, Table
from backend.contract.partition_options import PartitionOptions
from backend.contract.schema import Schema
from backend.extraction.engine import Extracted, extract
from backend.extraction.suggestions import suggest
from backend.inference.embeddings import Identity, embedder_for
from backend.partition import partition
from backend.tasks.worker import Report


def prepare_document(
    data: dict[str, Any], _blobs: Sequence[bytes], report: Report
) -> tuple[dict[str, Any], Sequence[bytes]]:
    """A file made ready to be stored.

    `data`: path, name, options, schema (or null), embedding (an identity). Answers page_count,
    content_type, notes, elements (rows of kind, page, bbox, text, properties, extra), properties
    and evidence; the blobs are the packed original elements (empty when they are the same), the
    ordinals (int32) and the matrix (float32) of the vectors.
    """
    result = partition(
        Path(data["path"]),
        name=data["name"],
        options=PartitionOptions.model_validate(data["options"]),
        progress=lambda done, total: report(done, total, "pages"),
    )
    rows = [_row(element) for element in result.elements]
    texts = [row[3] or "" for row in rows]
    ordinals, matrix = _vectors(texts, Identity.parse(data["embedding"]))
    schema = None if data["schema"] is None else Schema.model_validate(data["schema"])
    properties, evidence = _extracted(result.original_elements, schema)
    same = result.original_elements is result.elements
    answer = {
        "page_count": result.page_count,
        "content_type": result.content_type,
        "notes": result.notes,
        "elements": rows,
        "properties": properties,
        "evidence": evidence,
    }
    packed = b"" if same else _pack(result.original_elements)
    return answer, [packed, ordinals, matrix]


def extract_stored(
    data: dict[str, Any], _blobs: Sequence[bytes], report: Report
) -> tuple[dict[str, Any], Sequence[bytes]]:
    """Properties of documents that are stored already.

    `data`: schema, and documents as a map of id to elements on the wire. Answers a map of id to
    properties and evidence.
    """
    schema = Schema.model_validate(data["schema"])
    answer = {}
    for doc_id, wire in data["documents"].items():
        found = [Element.model_validate(element) for element in wire]
        properties, evidence = _extracted(found, schema)
        answer[doc_id] = {"properties": properties, "evidence": evidence}
    return answer, ()


def suggest_schema(
    data: dict[str, Any], _blobs: Sequence[bytes], report: Report
) -> tuple[dict[str, Any], Sequence[bytes]]:
    """A schema for the documents: `data` holds their elements and the existing schema or null."""
    existing = None if data["existing"] is None else Schema.model_validate(data["existing"])
    documents = [
        [Element.model_validate(element) for element in wire] for wire in data["documents"]
    ]
    return suggest(documents, existing=existing).model_dump(), ()


def _extracted(
    elements: Sequence[Element], schema: Schema | None
) -> tuple[dict[str, Any], dict[str, Any]]:
    if schema is None or not schema.properties:
        return {}, {}
    found = extract(elements, schema)
    return (
        {name: item.value for name, item in found.items()},
        {name: _evidence(item) for name, item in found.items()},
    )


def _evidence(item: Extracted) -> dict[str, Any]:
    return {
        "confidence": item.confidence,
        "page": item.page,
        "bbox": item.bbox,
        "element": item.element,
    }


def _row(element: Element) -> list[Any]:
    extra: dict[str, Any] = {}
    if element.binary_representation is not None:
        extra["binary_representation"] = element.binary_representation
    if element.type == "table":
        extra["table"] = None if element.table is None else element.table.model_dump()
    extra |= element.model_extra or {}
    text = element.text_representation
    if text is None and element.table is not None:
        text = table_text(element.table)
    return [element.type, element.page_number, element.bbox, text, element.properties, extra]


def table_text(table: Table) -> str:
    """A table as lines of cells between tabs; a spanning cell stands once, at its first place."""
    lines: list[list[str]] = [[""] * table.num_cols for _ in range(table.num_rows)]
    for cell in table.cells:
        if cell.rows and cell.cols:
            lines[cell.rows[0]][cell.cols[0]] = cell.content
    text = "\n".join("\t".join(line).rstrip() for line in lines)
    return f"{table.caption}\n{text}" if table.caption else text


def _vectors(texts: list[str], identity: Identity) -> tuple[bytes, bytes]:
    matrix = embedder_for(identity).embed(texts)
    if matrix.shape[1] == 0:
        return b"", b""
    worded = np.flatnonzero(np.any(matrix, axis=1))
    return worded.astype("<i4").tobytes(), matrix[worded].astype("<f4").tobytes()


def _pack(elements: Sequence[Element]) -> bytes:
    return zlib.compress(json.dumps([element.wire() for element in elements]).encode(), 6)
