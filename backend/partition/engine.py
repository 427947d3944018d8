"""The way of a file: content type, format reader, labels, pictures, threshold, chunks."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

from backend.contract.elements import Element
from backend.contract.partition_options import PartitionOptions
from backend.partition import sniff
from backend.partition.document import Document, PartitionFailure, Request
from backend.partition.formats import csv, docx, html, image, markdown, pdf, plain

_READERS: dict[str, ModuleType] = {
    sniff.PDF: pdf,
    sniff.DOCX: docx,
    sniff.HTML: html,
    sniff.CSV: csv,
    sniff.MARKDOWN: markdown,
    sniff.PLAIN: plain,
}


@dataclass(frozen=True)
class Partition:
    """`original_elements` is the same list as `elements` when nothing was chunked."""

    elements: list[Element]
    original_elements: list[Element]
    page_count: int
    content_type: str
    notes: list[str]


def partition(
    source: Path,
    *,
    name: str,
    options: PartitionOptions,
    progress: Callable[[int, int], None],
) -> Partition:
    """Elements of the file at `source`; `name` is what its sender called it.

    `progress(pages_done, pages_total)` is called after each page. Raises `PartitionFailure`.
    """
    kind = sniff.content_type(source, name)
    reader = image if kind.startswith("image/") else _READERS[kind]
    request = Request(source, name, options, progress)
    try:
        document: Document = reader.read(request)
    except RecursionError:
        raise PartitionFailure("The file is nested too deeply to be read.", 422) from None
    elements = document.elements
    return Partition(elements, elements, document.page_count, kind, document.notes)
