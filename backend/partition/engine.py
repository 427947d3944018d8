"""The way of a file: content type, format reader, labels, pictures, threshold, chunks."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from backend.partition import sniff
from backend.partition.chunking import chunked
from backend.partition.collecting import collection_paused
from backend.partition.declaring import declare_title
from backend.partition.document import (
    MOST_PAGES,
    Describe,
    Document,
    PartitionFailure,
    Request,
)
from backend.partition.finishing import (
    above_threshold,
    clean,
    join_captions,
    name_table_models,
    promote_title,
)
from backend.partition.formats import READERS
from backend.partition.illustrations import illustrate_embedded
from backend.partition.salvage import bare_paragraphs
from backend.partition.selection import check_terms, selected
from backend.tasks.guarding import CallerFailed, guarded, of_caller, refuses, remark
from backend.tasks.memory_errors import is_out_of_memory
from workbench.contract.elements import Element
from workbench.contract.partition_options import PartitionOptions


@dataclass(frozen=True)
class Partition:
    """Elements after labels and chunking, and before chunking: the same list when there was none.

    `page_count` is that of the whole file, even if only some pages were read; `content_type` is
    detected from the content; `notes` are remarks for people, such as pages read by OCR.
    """

    elements: list[Element]
    original_elements: list[Element]
    page_count: int
    content_type: str
    notes: list[str]
    turned: dict[int, int]
    """Pages whose orientation was corrected, with the degrees clockwise."""


def partition(
    source: Path,
    *,
    name: str,
    options: PartitionOptions,
    progress: Callable[[int, int], None],
    describe: Describe | None = None,
    most_pages: int = MOST_PAGES,
) -> Partition:
    """Elements of the file at `source`; `name` is what its sender called it.

    `progress(pages_done, pages_total)` is called after each page; `describe` summarises pictures
    where the options ask for it; a file of more than `most_pages` is refused before any is read.
    Raises `PartitionFailure`.
    """
    check_terms(options.selected_pages)
    kind = sniff.content_type(source, name)
    asked = None if describe is None else of_caller(describe)
    request = Request(source, name, options, of_caller(progress), asked, most_pages)
    try:
        return _partitioned(kind, request)
    except CallerFailed as failed:
        raise failed.error from None


def _partitioned(kind: str, request: Request) -> Partition:
    options = request.options
    document = _read(kind, request)
    pages = set(selected(options.selected_pages, document.page_count))
    read = [element for element in document.elements if element.page_number in pages]
    if not sniff.is_paged(kind):
        with guarded(document.notes, "the pictures"):
            document.notes += illustrate_embedded(read, request)
    if not read:
        document.notes.append("no text, table or picture was found in the file")
    with collection_paused():
        original = _finished(read, options, document.notes)
    with guarded(document.notes, "the title in the file's metadata"):
        declare_title(original, document.title)
    elements = original
    if options.chunking_options is not None:
        elements = chunked(original, options.chunking_options)
    return Partition(elements, original, document.page_count, kind, document.notes, document.turned)


def _read(kind: str, request: Request) -> Document:
    """Reads the file; if the reader fails, keeps its output so far, or else the bare text."""
    flow = request.flow
    try:
        document = READERS[kind](request)
    except RecursionError:
        raise PartitionFailure("The file is nested too deeply to be read.", 422) from None
    except Exception as error:
        if refuses(error):
            raise
        if flow.elements:
            flow.notes.append(remark("the rest of the file", error, "the part before it is kept"))
        else:
            _salvage(kind, request, error)
        document = Document(flow.elements, flow.page)
    if not document.elements and (document.notes or flow.notes):
        with guarded(flow.notes, "the words of the file"):
            _add_bare_words(kind, request)
        document.elements = flow.elements
    document.notes = flow.notes + document.notes
    document.title = document.title or flow.title
    return document


def _salvage(kind: str, request: Request, error: Exception) -> None:
    """Adds the bare text of a file whose reader failed with `error` to its flow."""
    flow = request.flow
    lost = remark("The file", error, "it may be damaged")
    refusal = PartitionFailure(f"{lost}. Save it again and send the new file.", 422)
    try:
        _add_bare_words(kind, request)
    except Exception as second:
        if is_out_of_memory(second):
            raise
        raise refusal from error
    if not flow.elements:
        raise refusal from error
    flow.notes.append(remark("the structure of the file", error, "its words are kept as text"))


def _add_bare_words(kind: str, request: Request) -> None:
    for page, text in bare_paragraphs(kind, request):
        request.flow.page = page
        request.flow.text(text)


def _finished(
    elements: list[Element], options: PartitionOptions, notes: list[str]
) -> list[Element]:
    with guarded(notes, "control characters in the text"):
        clean(elements)
    with guarded(notes, "captions and the title"):
        join_captions(elements, options.image_extraction_options.associate_captions)
        promote_title(elements, options.output_label_options)
        name_table_models(elements, options)
    if options.table_extraction_options.include_additional_text:
        for element in elements:
            if element.table is not None and element.text_representation is None:
                element.text_representation = element.table.text() or None
    with guarded(notes, "the scores", "all elements are kept"):
        return above_threshold(elements, options.threshold)
    return elements
