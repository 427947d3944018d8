"""Forms with boxes to tick: the ticked options are values, the others are not."""

import pytest

from backend.extraction.engine import extract
from backend.extraction.ticks import answer_at, crosses_box, options_in, tick_pairs
from tests.backend.extraction.conftest import Build
from workbench.contract.schema import Schema

ENCLOSED = (
    ("Section-header", "Registration of a vehicle"),
    "Registered owner: Teton Crane Service LLC",
    "Type of application ☐ New ☒ Renewal ☐ Replacement",
    ("Section-header", "Enclosures"),
    "Check all that apply",
    "☒ Proof of insurance ☐ Bill of sale",
    "☐ Emissions report ☒ Certificate of title",
    "The office returns all papers with its decision, which may take up to four weeks.",
)


@pytest.mark.parametrize(
    ("line", "options"),
    [
        ("☒ New ☐ Renewal", [("New", True), ("Renewal", False)]),
        ("Yes ☐ No ☒", [("Yes", False), ("No", True)]),
        ("Kind: [x] new [ ] used", [("new", True), ("used", False)]),
        ("(X) cash ( ) card", [("cash", True), ("card", False)]),
        ("no boxes (see x)", []),
        ("f(x) = 2 a[x]", []),
        ("✓", []),
    ],
)
def test_options_are_behind_their_boxes_or_before_them(
    line: str, options: list[tuple[str, bool]]
) -> None:
    assert [(line[one.start : one.end], one.ticked) for one in options_in(line)] == options


def test_the_options_of_several_lines_belong_to_the_label_before_them(document: Build) -> None:
    pairs = [(pair.label, pair.value) for pair in tick_pairs(document(*ENCLOSED))]
    assert ("Type of application", "Renewal") in pairs
    assert ("Enclosures", "Proof of insurance; Certificate of title") in pairs
    assert not any("Check" in label for label, _ in pairs)


def test_a_label_without_a_tick_has_no_value(document: Build) -> None:
    pairs = list(tick_pairs(document("Licence", "Delivery ☐ by post ☐ in person")))
    assert [(pair.label, pair.value) for pair in pairs] == [("Delivery", "")]


def test_a_sign_alone_in_a_cell_is_no_option(document: Build) -> None:
    elements = document("Rooms", [["Wifi", "✓"], ["Sauna", "☐"]])
    assert list(tick_pairs(elements)) == []


def test_parts_of_empty_boxes_are_no_values() -> None:
    line = "☒ Site plan ☐ Photograph"
    assert not crosses_box(line, 2, 11)
    assert crosses_box(line, 14, 24) and crosses_box(line, 0, 11)
    assert answer_at(line, 2, 6) is True and answer_at(line, 14, 24) is False
    assert answer_at("no boxes here", 3, 8) is None


def test_a_list_has_the_ticked_options_of_its_group(document: Build) -> None:
    schema = Schema.model_validate({"properties": [
        {"name": "enclosures", "type": {"type": "array", "item_type": {"type": "string"}}},
        {"name": "application", "type": {"type": "choice",
                                         "choices": ["new", "renewal", "replacement"]}},
    ]})  # fmt: skip
    values = extract(document(*ENCLOSED), schema)
    assert values["enclosures"].value == ["Proof of insurance", "Certificate of title"]
    assert values["application"].value == "renewal"


@pytest.mark.parametrize(("sign", "answer"), [("☒", True), ("☐", False)])
def test_a_yes_or_no_is_the_tick_in_front_of_its_words(
    document: Build, sign: str, answer: bool
) -> None:
    elements = document(
        "Delivery note", f"{sign} Signature required ☐ Leave with neighbour", "Weight: 12 kg"
    )
    schema = Schema.model_validate(
        {"properties": [{"name": "signature_required", "type": {"type": "bool"}}]}
    )
    (guess,) = [extract(elements, schema)["signature_required"]]
    stated = [guess.value, *(one.value for one in guess.alternatives)]
    assert answer in stated and (not answer) not in stated
