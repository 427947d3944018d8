"""The worker's part of adding a document: bytes to elements, properties and vectors.

These functions are jobs of `backend.tasks.worker`: they take and return JSON and bytes, because a
process that has parsed a hostile file must not return anything but data.
"""

import json
from collections.abc import Callable, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

from pydantic_core import PydanticSerializationError

from backend.docsets.describing import describer
from backend.docsets.element_batches import Row, packed_rows
from backend.docsets.embedding_job import packed_vectors
from backend.docsets.extracting import read_with_lessons, stored
from backend.docsets.packed_elements import PackedElements
from backend.partition import Partition, partition
from backend.partition.document import MOST_PAGES
from backend.store.opening import opening_of
from backend.tasks.worker import Report
from workbench.contract.elements import Element, Table
from workbench.contract.partition_options import PartitionOptions


def prepare_document(
    data: dict[str, Any], blobs: Sequence[bytes], report: Report
) -> tuple[dict[str, Any], Sequence[bytes]]:
    """Prepares a file to be stored.

    `data`: path, name, options, schema (or null), lessons (the values that people checked in other
    documents, whose packed elements are the blobs), embedding (the identity of the vectors, or null
    when they are computed elsewhere), room (characters of a question to the language model, 0
    without one), eyes (whether there is a vision model), most_pages. Returns page_count,
    content_type, notes, opening, properties, evidence and the number of vector parts; the blobs are
    the packed original elements (empty when unchunked), for each vector part its ordinals (int32)
    and matrix (float32), and the elements in batches.
    """
    result = parsed(data, report, lambda done, total: report(done, total, "pages"))
    return prepared(result, data, blobs, report)


def parsed(data: dict[str, Any], report: Report, progress: Callable[[int, int], None]) -> Partition:
    """The elements of a file; `data`: path, name, options, eyes and most_pages."""
    return partition(
        Path(data["path"]),
        name=data["name"],
        options=PartitionOptions.model_validate(data["options"]),
        progress=progress,
        describe=describer(report, eyes=data["eyes"]),
        most_pages=data.get("most_pages", MOST_PAGES),
    )


def prepared(
    result: Partition, data: dict[str, Any], checked: Sequence[bytes], report: Report
) -> tuple[dict[str, Any], Sequence[bytes]]:
    """The result of `prepare_document` for a parsed file; `checked` are its blobs."""
    texts = [_text(element) for element in result.elements]
    identity = data["embedding"]
    parts = [] if identity is None else packed_vectors([text or "" for text in texts], identity)
    wanted = data | {"schema": data["schema"] or {"properties": []}}
    (read,) = read_with_lessons([result.original_elements], wanted, checked, report)
    same = result.original_elements is result.elements
    answer = {
        "page_count": result.page_count,
        "content_type": result.content_type,
        "notes": [*result.notes, *read.remarks],
        "opening": opening_of(texts),
        "vectors": len(parts),
        **stored(read.values),
    }
    originals = b"" if same else packed_originals(result.original_elements)
    batches = packed_rows(map(row_of, result.elements, texts))
    return answer, [originals, *chain.from_iterable(parts), *batches]


def _text(element: Element) -> str | None:
    text = element.text_representation
    if text is None and element.table is not None:
        text = element.table.text()
    return text


def row_of(element: Element, text: str | None) -> Row:
    """An element as it is stored."""
    extra: dict[str, str] = {}
    if element.binary_representation is not None:
        extra["binary_representation"] = json.dumps(element.binary_representation)
    if element.type == "table":
        extra["table"] = "null" if element.table is None else _table(element.table)
    extra |= {name: json.dumps(value) for name, value in (element.model_extra or {}).items()}
    return Row.of(
        element.type,
        element.page_number,
        text,
        bbox=element.bbox,
        properties=element.properties,
        extra=extra,
    )


def _table(table: Table) -> str:
    """The JSON of a table, without an object for each of its cells."""
    try:
        return table.model_dump_json()
    except PydanticSerializationError:  # half of a surrogate pair
        return json.dumps(table.model_dump())


def packed_originals(elements: Sequence[Element]) -> bytes:
    """The partitioner's own elements of a document that is stored in chunks."""
    packed = PackedElements(6)
    for element in elements:
        row = row_of(element, element.text_representation)
        packed.add(row.kind, row.text, row.bbox, row.properties, row.extra)
    return packed.packed()
