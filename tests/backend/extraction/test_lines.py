"""Lines that the partitioner kept are read as lines: boxes of forms, addresses, lists of labels."""

from collections.abc import Callable

from backend.extraction.document import Document
from backend.extraction.engine import extract
from backend.extraction.lines import lines
from workbench.contract.elements import LINE_STARTS, Element, Table, TableCell
from workbench.contract.schema import Schema

Build = Callable[..., list[Element]]
MakeSchema = Callable[..., Schema]


def _kept(*several: str) -> tuple[str, dict[str, list[int]]]:
    starts, at = [], 0
    for line in several[:-1]:
        at += len(line) + 1
        starts.append(at)
    return " ".join(several), {LINE_STARTS: starts}


def _boxes(*boxes: tuple[str, ...]) -> list[Element]:
    cells = []
    for col, box in enumerate(boxes):
        text, kept = _kept(*box)
        cells.append(TableCell(content=text, rows=[0], cols=[col], properties=dict(kept)))
    table = Table(cells=cells, num_rows=1, num_cols=len(boxes))
    place = {"score": 0.9, "page_number": 1}
    return [Element(type="table", bbox=[0.1, 0.1, 0.9, 0.2], properties=place, table=table)]


def test_a_text_is_cut_where_its_lines_begin() -> None:
    text, kept = _kept("Alder Foods", "14 Mill Lane", "Larkham")
    assert lines(text, kept) == ["Alder Foods", "14 Mill Lane", "Larkham"]


def test_places_that_do_not_fit_the_text_are_left_out() -> None:
    assert lines("Alder Foods", {LINE_STARTS: [3, 6, 400, "x"]}) == ["Alder", "Foods"]


def test_the_value_of_a_box_is_below_its_label(schema: MakeSchema) -> None:
    boxes = _boxes(
        ("OWNER", "Anna Abbott"), ("DATE OF ISSUE", "3 May 2021"), ("CHASSIS NO.", "KD-4711")
    )
    result = extract(boxes, schema(("owner", "string"), ("date_of_issue", "date")))
    assert result["owner"].value == "Anna Abbott"
    assert result["date_of_issue"].value == "2021-05-03"


def test_an_address_of_several_lines_is_one_candidate_whatever_precedes_it() -> None:
    text, kept = _kept("Anna Abbott", "Fern Cottage", "Mill Lane", "Larkham LK8 1AZ")
    place = {"score": 0.9, "page_number": 1, **kept}
    letter = [
        Element(type="Text", bbox=[0.1, 0.1, 0.5, 0.2], properties=place, text_representation=text)
    ]
    addresses = {span.text for _, span in Document(letter).spans if span.kind == "address"}
    assert "Fern Cottage Mill Lane Larkham LK8 1AZ" in addresses


def test_a_cell_knows_its_neighbours_to_the_right_and_below(document: Build) -> None:
    segments = Document(document([["Ida Munro", "Captain"], ["", "Engineer"]])).segments
    first = next(one for one in segments if one.text == "Ida Munro")
    assert first.right == "Captain"
    second = next(one for one in segments if one.text == "Captain")
    assert second.below == "Engineer"


def test_lines_of_a_page_know_their_neighbours(document: Build) -> None:
    segments = Document(document("Ida Munro", "Captain of the ship")).segments
    assert segments[0].below == "Captain of the ship"
    assert segments[1].above == "Ida Munro"
