"""Names in neighbouring lines, rows and cells of one structure."""

import time
from collections.abc import Callable

from backend.extraction.document import Document
from workbench.contract.elements import Element

Build = Callable[..., list[Element]]


def names(elements: list[Element], way: str) -> list[list[str]]:
    return [
        [one.segment.text[one.start : one.end] for one in run.parts]
        for run in Document(elements).runs
        if run.way == way
    ]


def test_goods_of_a_receipt_end_at_their_sum(document: Build) -> None:
    receipt = "THE MILL\n2 Pale ale pint 12.40\nFish pie 9.75\n1 x Sticky pudding 7.50\n"
    read = document(receipt + "Subtotal 29.65\nService 2.97\nTotal 32.62")
    assert ["Pale ale pint", "Fish pie", "Sticky pudding"] in names(read, "priced")


def test_a_sum_without_a_word_for_it_ends_a_list(document: Build) -> None:
    read = document("Fish pie 9.75\nPale ale 6.20\nÀ régler 15.95\nCarte 15.95")
    assert ["Fish pie", "Pale ale"] in names(read, "priced")


def test_one_line_between_two_with_amounts_belongs_to_the_first(document: Build) -> None:
    read = document("Unleaded 81.00\n50.03 litres at 161.9\nSparkling water 1.35")
    assert ["Unleaded", "Sparkling water"] in names(read, "priced")


def test_rows_of_a_table_and_lines_before_it_are_one_list(document: Build) -> None:
    read = document("Unleaded 81.00", [["Sparkling water", "1.35"], ["Sandwich", "3.99"]])
    assert ["Unleaded", "Sparkling water", "Sandwich"] in names(read, "priced")


def test_names_behind_bullets_and_numbers_lose_their_remarks(document: Build) -> None:
    read = document("- Site plan (2 copies)\n- Power of attorney, signed\n- Photographs")
    assert ["Site plan", "Power of attorney", "Photographs"] in names(read, "heads")


def test_short_lines_below_a_colon_are_a_list(document: Build) -> None:
    read = document("Enclosures:\nPayment slip\nStandard financial statement")
    assert ["Payment slip", "Standard financial statement"] in names(read, "lines")


def test_a_column_ends_at_the_row_that_sums_it_up(document: Build) -> None:
    table = [["Segment", "Sales"], ["Footwear", "1,250"], ["Apparel", "830"], ["Group", "2,080"]]
    assert ["Footwear", "Apparel"] in names(document(table), "column")


def test_the_head_of_a_table_is_a_list_with_and_without_its_ends(document: Build) -> None:
    read = document([["in millions", "Coatings", "Adhesives", "Group"], ["Sales", "1", "2", "3"]])
    assert ["Coatings", "Adhesives"] in names(read, "row")


def test_rows_with_one_word_in_another_column_are_a_list(document: Build) -> None:
    table = [
        ["Goods", "Condition"],
        ["Plain flour", "damaged: torn sack"],
        ["Malt vinegar", "good"],
        ["Gherkins", "damaged"],
    ]
    read = document(table)
    assert ["Plain flour", "Gherkins"] in names(read, "beside")
    (run,) = (one for one in Document(read).runs if one.way == "beside" and len(one.parts) == 2)
    assert run.about == ("damaged", "Condition damaged")


def test_running_text_has_no_lists_of_lines(document: Build) -> None:
    assert not Document(document("We met on Friday.\nNobody came.\nIt rained.")).runs


def test_four_times_the_columns_take_about_four_times_as_long(document: Build) -> None:
    def seconds(columns: int) -> float:
        rows = [[f"{row} {col}" for col in range(columns)] for row in ("Head", "good", "bad")]
        read = Document(document(rows))
        assert read.segments
        began = time.process_time()
        assert read.runs
        return time.process_time() - began

    seconds(10)  # what is loaded for the first document
    assert seconds(900) <= 8 * seconds(225) + 0.05
