"""Partitioning a file without keeping it.

The task, its answer, and the lines that tell how far it is.

The answer is always delivered with status 200; what went wrong stands inside it (`error`,
`status_code`), because the synchronous form has begun to answer by the time anything can go
wrong.
"""

import base64
import json
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from backend.contract.errors import ServiceError
from backend.contract.partition_options import PartitionOptions
from backend.contract.schema import Schema
from backend.docsets.adding import Adding
from backend.docsets.docsets import drop_blobs
from backend.docsets.fetching import Fetcher
from backend.extraction import extract, property_values, suggest
from backend.partition import Partition, partition, to_html, to_markdown
from backend.store.blobs import BlobStore
from backend.store.database import Database
from backend.tasks.queue import Finished
from backend.tasks.runner import TaskContext
from backend.tasks.worker import Report

KIND = "partition"

NOTICE = [
    "This answer is sent while the document is worked on. A reader that stops before the end",
    'can make the part it has valid JSON by closing the status array and the object: "] }".',
    "Lines that begin with T+ give the seconds since the work began.",
    "",
]


def failed(error: ServiceError) -> Finished:
    """The answer for a document that could not be partitioned."""
    body = {
        "status": [f"Error: {error.detail}", ""],
        "status_code": error.status,
        "elements": [],
        "error": f"{error.status}: {error.detail}",
    }
    return Finished(200, json.dumps(body).encode())


class Partitioning:
    """The body of tasks that partition a file."""

    def __init__(
        self, database: Database, blobs: BlobStore, fetcher: Fetcher, adding: Adding
    ) -> None:
        self._database = database
        self._blobs = blobs
        self._fetcher = fetcher
        self._adding = adding

    def run(self, context: TaskContext) -> None:
        """Partitions the file of a task; its answer is the task's result."""
        request = context.task.request
        digest = request["blob"]
        if digest is not None:
            context.afterwards(lambda: drop_blobs(self._database, self._blobs, {digest}))
            self._partition(context, digest, request["size"], request["name"])
            return
        with self._fetcher.fetching(request["file_url"]) as fetched:
            fetched_digest = fetched.blob.digest
            context.afterwards(lambda: drop_blobs(self._database, self._blobs, {fetched_digest}))
            self._partition(context, fetched_digest, fetched.blob.size, fetched.name)

    def _partition(self, context: TaskContext, digest: str, size: int, name: str) -> None:
        options = context.task.request["options"]
        message = context.run(
            "backend.docsets.partitioning:partition_file",
            {"path": str(self._blobs.path(digest)), "name": name, "options": options},
        )
        finished = Finished(200, message.blobs[0])
        docset_id = options.get("add_to_docset_id")
        if docset_id:
            self._adding.add(context, docset_id, digest, size, name, finished)
            return
        with self._database.writing() as connection:
            context.finish(connection, finished)


def partition_file(
    data: dict[str, Any], _blobs: Sequence[bytes], report: Report
) -> tuple[dict[str, Any], Sequence[bytes]]:
    """The job: partitions the file at `path`; the blob of the answer is the whole body in JSON."""
    began = time.monotonic()
    status = ["Partitioning the document"]

    def progress(done: int, total: int) -> None:
        status.append(progress_line(time.monotonic() - began, done))
        report(done, total, "pages")

    options = PartitionOptions.model_validate(data["options"])
    path = Path(data["path"])
    result = partition(path, name=data["name"], options=options, progress=progress)
    status += [*result.notes, ""]
    body: dict[str, Any] = {"status": status, "status_code": 200}
    body |= _rendered(result, options)
    body |= _properties(result, options)
    if options.return_pdf_base64 and result.content_type == "application/pdf":
        body["pdf_base64"] = base64.b64encode(path.read_bytes()).decode()
    return {"pages": result.page_count}, [json.dumps(body, ensure_ascii=False).encode()]


def progress_line(seconds: float, page: int) -> str:
    """The line that says a page is done, for instance `T+   0.53: Completed work on page 1`."""
    return f"T+{seconds:7.2f}: Completed work on page {page}"


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
