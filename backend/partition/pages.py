"""Laid-out pages -> elements of the contract."""

from typing import Any

from backend.partition.joining import join_tables
from backend.partition.layout.blocks import Block
from backend.partition.layout.labels import label
from backend.partition.layout.regions import LaidPage, Region
from backend.partition.page import Picture
from backend.partition.pdf.frame import turn_back
from backend.partition.tables.grid import Grid, Placing, placing, word_boxes
from backend.partition.text import joined, line_starts
from backend.tasks.guarding import guarded
from workbench.contract.elements import LINE_STARTS, WORDS, Element
from workbench.contract.partition_options import PartitionOptions

_BARE_SCORE = 0.3
"""The score of words without a known position."""


def elements_of(
    pages: list[LaidPage], options: PartitionOptions, notes: list[str]
) -> list[Element]:
    """Labels the pages of one document and writes their elements in reading order.

    Boxes refer to the page as stored in the file, even if its content was rotated for reading,
    unless the orientation is to be corrected. Remarks for people are added to `notes`.
    """
    for page in pages:
        notes += page.remarks
    with guarded(notes, "headings, captions and page margins"):
        label(pages)
    elements = [element for page in pages for element in _page_elements(page, options, notes)]
    with guarded(
        notes, "tables that continue across a page break", "each page has a table of its own"
    ):
        merge = options.table_extraction_options.merge_continued
        return join_tables(elements, merge=merge)
    return elements


def turns(pages: list[LaidPage], options: PartitionOptions) -> dict[int, int]:
    """The pages whose orientation was corrected, with the degrees clockwise."""
    if not options.output_label_options.orientation_correction:
        return {}
    return {page.number: page.turn for page in pages if page.turn}


def _page_elements(page: LaidPage, options: PartitionOptions, notes: list[str]) -> list[Element]:
    place = _placing(page, options)
    out: list[Element] = []
    for region in page.regions:
        element = None
        part = f"page {page.number}: a region of the page"
        with guarded(notes, part, "its words are kept as text") as guard:
            element = _element(region, place, options)
        if guard.failed:
            element = _bare_element(region)
        if element is not None:
            element.properties["page_number"] = page.number
            out.append(element)
    return out


def _placing(page: LaidPage, options: PartitionOptions) -> Placing:
    """Boxes as fractions of the page that the caller gets."""
    if not page.turn or options.output_label_options.orientation_correction:
        return placing(page.width, page.height)
    sideways = page.turn in (90, 270)
    width, height = (page.height, page.width) if sideways else (page.width, page.height)
    shown = placing(width, height)
    return lambda box: shown(turn_back(box, page.turn, page.width, page.height))


def _bare_element(region: Region) -> Element:
    """The words of a region without its place or structure."""
    text = region.text() if isinstance(region, Grid) else region.text
    return Element(
        type="Text",
        bbox=[0.0, 0.0, 1.0, 1.0],
        properties={"score": _BARE_SCORE, "page_number": 0},
        text_representation=" ".join(text.split()),
    )


def _words(block: Block, place: Placing) -> list[dict[str, Any]]:
    return [box for line in block.lines for box in word_boxes(line.words, place)]


def _element(region: Region, place: Placing, options: PartitionOptions) -> Element | None:
    keep = {"remove_line_breaks": options.text_extraction_options.remove_line_breaks}
    with_words = options.text_extraction_options.word_boxes
    if isinstance(region, Picture):
        blank = {"image_size": None, "image_mode": None, "image_format": None}
        return Element(
            type="Image",
            bbox=place(region.box),
            properties={"score": 1.0, "page_number": 0, **blank},
            text_representation=joined(region.text, **keep) or None,
        )
    if isinstance(region, Grid):
        structured = options.table_mode != "none"
        return Element(
            type="table",
            bbox=place(region.box),
            properties={
                "score": round(region.score, 3),
                "page_number": 0,
                "title": None,
                "columns": region.cols if structured else None,
                "rows": region.rows if structured else None,
            },
            table=region.to_table(place, with_words=with_words) if structured else None,
            text_representation=None if structured else joined(region.text(), **keep),
        )
    text = joined(region.text, **keep)
    if not text:
        return None
    starts = line_starts(region.text) if keep["remove_line_breaks"] else []
    return Element(
        type=region.kind,
        bbox=place(region.box),
        properties={
            "score": round(region.score, 3),
            "page_number": 0,
            "font_size": region.style.size,
            **({"level": region.level} if region.level else {}),
            **({LINE_STARTS: starts} if starts else {}),
            **({WORDS: _words(region, place)} if with_words else {}),
        },
        text_representation=text,
    )
