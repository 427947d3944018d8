"""Labels and values in lines of text."""

import pytest

from backend.extraction.pairs import Pair, figured_pairs, line_pairs, numbered_pairs, single


@pytest.mark.parametrize(
    ("line", "pairs"),
    [
        ("City: Wrenfield", [("City", "Wrenfield")]),
        (
            "Invoice No.: 12 Due Date: 4 May 2024",
            [("Invoice No.", "12"), ("Due Date", "4 May 2024")],
        ),
        ("Bill To: Acme Corp Total: $4", [("Bill To", "Acme Corp"), ("Total", "$4")]),
        ("Total ........ 39.50", [("Total", "39.50")]),
        ("Net total      12.00", [("Net total", "12.00")]),
        ("Time: 10:30", [("Time", "10:30")]),
        ("Site: A | Shift: B", [("Site", "A"), ("Shift", "B")]),
        ("Glucose - 99 mg/dL", [("Glucose", "99 mg/dL")]),
        ("At 10:30 the engine stopped", []),
        ("The crew saw three things, among them: a light", []),
    ],
)
def test_labelled_values_of_a_line(line: str, pairs: list[tuple[str, str]]) -> None:
    assert [(label, value) for label, value, _ in line_pairs(line)] == pairs


def test_a_thousand_labels_in_one_line_are_read_without_recursion() -> None:
    assert len(list(line_pairs("Ab: 1 " * 5_000))) > 1_000


def test_a_code_behind_a_number_sign_needs_no_colon() -> None:
    assert list(numbered_pairs("Invoice # F-59313 of May")) == [("Invoice #", "F-59313")]
    assert list(numbered_pairs("Report No. 7")) == [("Report No.", "7")]


def _split(label: str, value: str) -> list[tuple[str, str]]:
    pair = Pair(label, value, 0, 1, (0.0, 0.0, 1.0, 1.0), 1.0, "line")
    return [(part.label, part.value) for part in single(pair)]


def test_a_label_of_several_names_is_split_like_its_value() -> None:
    assert _split("Fatal / total injuries", "1 / 3") == [
        ("Fatal injuries", "1"),
        ("total injuries", "3"),
    ]
    assert _split("Price and payment", "651,000 USD") == [("Price and payment", "651,000 USD")]


def test_a_place_is_a_town_and_its_state_as_well() -> None:
    assert ("city", "Vessing") in _split("Location", "Vessing, Sorrel")
    assert ("state", "Sorrel") in _split("Location", "Vessing, Sorrel")
    assert _split("Location", "Hangar 3, row 2") == [("Location", "Hangar 3, row 2")]


@pytest.mark.parametrize(
    ("line", "pairs"),
    [
        ("INVOICE 2020-10", [("INVOICE", "2020-10")]),
        ("Phone 7079 4301 Fax 7079 4302", [("Phone", "7079 4301"), ("Fax", "7079 4302")]),
        ("Phone +49 30 1234-5", [("Phone", "+49 30 1234-5")]),
        ("The wind was 12 kt", []),
        ("Invoice 12 was paid", []),
        ("January 8, 2020", []),
    ],
)
def test_labels_and_figures_by_turns_need_no_colon(line: str, pairs: list[tuple[str, str]]) -> None:
    assert figured_pairs(line) == pairs
