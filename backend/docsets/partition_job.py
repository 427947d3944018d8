"""The part of partitioning that runs in a worker process: a file to the whole answer.

A module of its own, so that the server process need not load what reads documents.
"""

import base64
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from backend.contract.partition_options import PartitionOptions
from backend.contract.schema import Schema
from backend.docsets.partition_answer import laid_out, progress
from backend.extraction.engine import extract
from backend.extraction.results import property_values
from backend.extraction.suggestions import suggest
from backend.partition import Partition, partition, to_html, to_markdown
from backend.tasks.worker import Report


def partition_file(
    data: dict[str, Any], _blobs: Sequence[bytes], report: Report
) -> tuple[dict[str, Any], Sequence[bytes]]:
    """The job: partitions the file at `path`; its blob is the whole answer."""
    began = time.monotonic()
    status = ["Partitioning the document"]

    def page_done(done: int, total: int) -> None:
        status.append(progress(time.monotonic() - began, done))
        report(done, total, "pages")

    options = PartitionOptions.model_validate(data["options"])
    path = Path(data["path"])
    result = partition(path, name=data["name"], options=options, progress=page_done)
    body: dict[str, Any] = {"status_code": 200}
    body |= _rendered(result, options)
    body |= _properties(result, options)
    if options.return_pdf_base64 and result.content_type == "application/pdf":
        body["pdf_base64"] = base64.b64encode(path.read_bytes()).decode()
    return {"pages": result.page_count}, [laid_out([*status, *result.notes], body)]


def _rendered(result: Partition, options: PartitionOptions) -> dict[str, Any]:
    if options.output_format == "markdown":
        return {"markdown": to_markdown(result.elements, options.markdown_options)}
    if options.output_format == "html":
        return {"html": to_html(result.elements)}
    return {"elements": [element.wire() for element in result.elements]}


def _properties(result: Partition, options: PartitionOptions) -> dict[str, Any]:
    wanted = options.property_extraction_options
    if wanted is None:
        return {}
    if wanted.suggest_properties:
        instructions = wanted.suggest_properties_instructions
        found = suggest([result.original_elements], existing=None, instructions=instructions)
        return {"schema": found.model_dump()["properties"]}
    given = wanted.extraction_schema
    schema = Schema.model_validate({"properties": given} if isinstance(given, list) else given)
    values = extract(result.original_elements, schema, voting=wanted.voting)
    properties, metadata = property_values(values, schema)
    return {"properties": properties, "property_metadata": metadata}
