"""A document is shown to a model in pieces that fit, with the index of each element."""

from backend.extraction.windows import MAX_WINDOWS, windows
from workbench.contract.elements import Element, Table, TableCell


def text(words: str, page: int = 1) -> Element:
    return Element(
        type="Text",
        bbox=[0, 0, 1, 1],
        text_representation=words,
        properties={"page_number": page},
    )


def test_whole_elements_fill_a_piece_and_keep_their_index_and_page() -> None:
    elements = [text("a" * 300), text(" "), text("b" * 300, 2), text("c" * 300, 3)]
    pieces, whole = windows(elements, 800)
    places = [[(p["id"], p["page"]) for p in piece] for piece in pieces]
    assert places == [[(0, 1), (2, 2)], [(3, 3)]] and whole


def test_no_piece_is_larger_than_there_is_room() -> None:
    elements = [text("word " * 700), *[text("x" * 90) for _ in range(50)]]
    for piece in windows(elements, 1_000)[0]:
        assert sum(len(passage["text"]) for passage in piece) <= 1_000


def test_the_parts_of_a_long_element_have_one_index() -> None:
    pieces, _ = windows([text("x" * 2_500)], 1_000)
    assert {passage["id"] for piece in pieces for passage in piece} == {0}
    assert sum(len(p["text"]) for piece in pieces for p in piece) == 2_500


def test_a_very_long_document_is_cut_off_and_the_cut_is_reported() -> None:
    pieces, whole = windows([text("x" * 900) for _ in range(100)], 1_000)
    assert len(pieces) == MAX_WINDOWS and not whole


def test_tables_are_shown_as_lines_of_cells() -> None:
    cells = [
        {"content": "Part", "rows": [0], "cols": [0], "is_header": True},
        {"content": "Price", "rows": [0], "cols": [1], "is_header": True},
        {"content": "wing\ntip", "rows": [1], "cols": [0]},
        {"content": "12", "rows": [1], "cols": [1]},
    ]
    table = {"cells": cells, "num_rows": 2, "num_cols": 2, "column_headers": [], "caption": None}
    wire = {"type": "table", "bbox": [0, 0, 1, 1], "properties": {}, "table": table}
    ((passage,),), _ = windows([Element.model_validate(wire)], 1_000)
    assert passage["text"] == "Part | Price\nwing tip | 12"


def test_a_table_is_its_caption_and_its_rows_with_bars_between_the_cells() -> None:
    cells = [
        TableCell(content="Year  and\nport", rows=[0], cols=[0, 1]),
        TableCell(content="2024", rows=[1], cols=[0]),
        TableCell(content="Osthavn", rows=[1], cols=[1]),
        TableCell(content="", rows=[2], cols=[0]),
        TableCell(content="Lervik", rows=[2], cols=[1]),
    ]
    table = Table(cells=cells, caption="Arrivals", num_rows=3, num_cols=2)
    assert table.text() == "Arrivals\nYear and port\n2024 | Osthavn\n | Lervik"
