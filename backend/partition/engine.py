"""The way of a file: content type, format reader, labels, pictures, threshold, chunks."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

from backend.contract.elements import Element
from backend.contract.partition_options import PartitionOptions
from backend.partition import sniff
from backend.partition.chunking import chunked, table_text
from backend.partition.document import Document, PartitionFailure, Request
from backend.partition.finishing import above_threshold, clean, join_captions, promote_title
from backend.partition.formats import (
    csv,
    docx,
    eml,
    html,
    image,
    markdown,
    odt,
    pdf,
    plain,
    pptx,
    rtf,
    xlsx,
    xml,
)
from backend.partition.pictures import convert_embedded
from backend.partition.selection import check_terms, selected

_READERS: dict[str, ModuleType] = {
    sniff.PDF: pdf,
    sniff.DOCX: docx,
    sniff.PPTX: pptx,
    sniff.XLSX: xlsx,
    sniff.ODT: odt,
    sniff.RTF: rtf,
    sniff.EML: eml,
    sniff.HTML: html,
    sniff.XML: xml,
    sniff.CSV: csv,
    sniff.MARKDOWN: markdown,
    sniff.PLAIN: plain,
}


@dataclass(frozen=True)
class Partition:
    """Elements after labels and chunking, and before chunking: the same list when there was none.

    `page_count` is that of the whole file, also when only some pages were read; `content_type` is
    found from the content; `notes` are remarks for people, such as pages read by OCR."""

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
    check_terms(options.selected_pages)
    kind = sniff.content_type(source, name)
    reader = image if kind.startswith("image/") else _READERS[kind]
    request = Request(source, name, options, progress)
    try:
        document: Document = reader.read(request)
    except RecursionError:
        raise PartitionFailure("The file is nested too deeply to be read.", 422) from None
    selected(options.selected_pages, document.page_count)
    original = _finished(document.elements, kind, options)
    elements = original
    if options.chunking_options is not None:
        elements = chunked(original, options.chunking_options)
    return Partition(elements, original, document.page_count, kind, document.notes)


def _finished(elements: list[Element], kind: str, options: PartitionOptions) -> list[Element]:
    clean(elements)
    images = options.image_extraction_options
    if kind != sniff.PDF and not kind.startswith("image/"):
        convert_embedded(elements, options.extract_images, images.extract_image_format)
    join_captions(elements, images.associate_captions)
    promote_title(elements, options.output_label_options)
    if options.table_extraction_options.include_additional_text:
        for element in elements:
            if element.type == "table" and element.text_representation is None:
                element.text_representation = table_text(element) or None
    return above_threshold(elements, options.threshold)
