"""The worker's part of partitioning: turns a file into the whole answer, outside the server."""

import base64
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from backend.docsets.chunk_places import first_chunks
from backend.docsets.extracting import extracted
from backend.docsets.partition_answer import laid_out, progress
from backend.docsets.preparing import parsed, prepared
from backend.extraction.results import property_values
from backend.extraction.suggestions import suggest
from backend.partition import Partition, as_pdf, to_html, to_markdown
from backend.partition.ocr import LANGUAGES
from backend.partition.sniff import is_paged
from backend.tasks.worker import Report
from workbench.contract.partition_options import PartitionOptions

_SUGGESTION_PAGES = 20
_MOST_NAMED = 20


def partition_file(
    data: dict[str, Any], _blobs: Sequence[bytes], report: Report
) -> tuple[dict[str, Any], Sequence[bytes]]:
    """The job: partitions the file at `path`; its blob is the whole answer."""
    result, status = _read(data, report)
    return {"pages": result.page_count}, [_answer(result, status, data, report)]


def partition_and_prepare(
    data: dict[str, Any], blobs: Sequence[bytes], report: Report
) -> tuple[dict[str, Any], Sequence[bytes]]:
    """The job for a document that is stored as well: the result of `prepare_document` from one
    parsing of the file, with the answer of `partition_file` as the first blob."""
    result, status = _read(data, report)
    values, made = prepared(result, data, blobs, report)
    return values, [_answer(result, status, data, report), *made]


def _read(data: dict[str, Any], report: Report) -> tuple[Partition, list[str]]:
    """The elements of the file and the status entries so far."""
    began = time.monotonic()
    status = ["Partitioning the document"]

    def page_done(done: int, total: int) -> None:
        status.append(progress(time.monotonic() - began, done))
        report(done, total, "pages")

    return parsed(data, report, page_done), status


def _answer(result: Partition, status: list[str], data: dict[str, Any], report: Report) -> bytes:
    options = PartitionOptions.model_validate(data["options"])
    body: dict[str, Any] = {"status_code": 200}
    body |= _rendered(result, options)
    properties, remarks = _properties(result, options, report, data["room"])
    body |= properties
    if options.return_pdf_base64:
        pdf = as_pdf(Path(data["path"]), result.content_type, result.turned)
        if pdf is not None:
            body["pdf_base64"] = base64.b64encode(pdf).decode()
    return laid_out([*status, *result.notes, *remarks, *_unmet(result, options)], body)


def _unmet(result: Partition, options: PartitionOptions) -> list[str]:
    """Remarks on options that were not met, or met in another way."""
    remarks = [f"option {name[:100]}: unknown, ignored" for name in options.ignored[:_MOST_NAMED]]
    paged = is_paged(result.content_type)
    if options.return_pdf_base64 and not paged:
        remarks.append(f"no PDF is returned: {result.content_type} is parsed without one")
    if options.pipeline == "vision":
        remarks.append("pipeline vision: there is no vision model for pages; OCR was used instead")
    elif options.text_mode == "ocr_vision" and paged:
        remarks.append("text_mode ocr_vision: ocr_standard was used; no vision model for pages")
    chunking = options.chunking_options
    if chunking is not None and chunking.tokenizer != "character_tokenizer":
        remarks.append(f"{chunking.tokenizer}: tokens are estimated, usually slightly high")
    if options.ocr_language not in LANGUAGES:
        remarks.append(
            f"ocr_language {options.ocr_language}: not available here, so text in pictures was"
            " not read"
        )
    if options.table_mode == "vision":
        remarks.append("table_mode vision: standard was used; there is no vision model for tables")
    return remarks


def _rendered(result: Partition, options: PartitionOptions) -> dict[str, Any]:
    """Markdown and HTML come from the elements before chunking, because chunks have lost headings
    and tables."""
    if options.output_format == "markdown":
        return {"markdown": to_markdown(result.original_elements, options.markdown_options)}
    if options.output_format == "html":
        return {"html": to_html(result.original_elements)}
    return {"elements": [element.wire() for element in result.elements]}


def _properties(
    result: Partition, options: PartitionOptions, report: Report, room: int
) -> tuple[dict[str, Any], list[str]]:
    """The properties that were asked for, and remarks on what failed."""
    wanted = options.property_extraction_options
    if wanted is None:
        return {}, []
    if wanted.suggest_properties:
        first = [e for e in result.original_elements if e.page_number <= _SUGGESTION_PAGES]
        suggested = suggest([first], instructions=wanted.suggest_properties_instructions)
        return {"schema": suggested.model_dump()["properties"]}, []
    schema = wanted.extraction_schema
    if schema is None:
        return {}, []
    documents = [result.original_elements]
    (read,) = extracted(documents, schema, report, room=room, voting=wanted.voting)
    places = None
    if result.elements is not result.original_elements:
        places = first_chunks(element.properties for element in result.elements)
    properties, metadata = property_values(read.values, schema, places)
    return {"properties": properties, "property_metadata": metadata}, read.remarks
