"""A document that says that there is no value gets none, whatever else could be one."""

from collections.abc import Callable

import pytest

from backend.extraction.absence import is_absent, tells_absent
from backend.extraction.engine import extract
from workbench.contract.elements import Element
from workbench.contract.schema import Schema

Build = Callable[..., list[Element]]
MakeSchema = Callable[..., Schema]


@pytest.mark.parametrize("text", ["n/a", "N/A", "not recorded", "—", "Unknown", "TBD"])
def test_words_for_nothing_are_recognised(text: str) -> None:
    assert is_absent(text)


@pytest.mark.parametrize(
    "text",
    [
        "not taken, the cat would not sit (target 4.5 kg)",
        "unknown, adult",
        "no name given - stray",
        "[name withheld until the hearing]",
        "(see policy jacket)",
        "to be agreed, not above 36 months",
        "not before 1 April 2026; date to be entered by the tenant",
        "wird noch vergeben",
    ],
)
def test_words_for_nothing_are_recognised_before_a_reason(text: str) -> None:
    assert tells_absent(text)


@pytest.mark.parametrize(
    "text",
    [
        "Unknown Heights Road 5",
        "Not Known Ltd",
        "not found guilty",
        "not later than 5 May 2026",
        "5 May 2026 (to be confirmed)",
        "No damage found",
        "[12] Hill Street",
    ],
)
def test_a_value_that_only_begins_like_words_for_nothing_is_one(text: str) -> None:
    assert not is_absent(text)
    assert not tells_absent(text)


@pytest.mark.parametrize(
    "part",
    [
        "Expiry date: not yet fixed (was 3 May 2023)\nIssue date: 5 May 2024\nPrinted: 7 June 2024",
        "Expiry date: open\nIssue date: 5 May 2024\nPrinted: 7 June 2024",
        "Expiry date:\nIssue date: 5 May 2024\nPrinted: 7 June 2024",
        [["Expiry date", ""], ["Issue date", "5 May 2024"], ["Printed", "7 June 2024"]],
    ],
    ids=["words", "one word", "empty line", "empty box"],
)
def test_a_date_that_a_form_leaves_open_is_not_read_from_another_line(
    document: Build, schema: MakeSchema, part: str | list[list[str]]
) -> None:
    result = extract(document(part), schema(("expiry_date", "date"), ("issue_date", "date")))
    assert (result["expiry_date"].value, result["issue_date"].value) == (None, "2024-05-05")


def test_a_number_in_the_reason_for_a_missing_value_is_not_a_value(
    document: Build, schema: MakeSchema
) -> None:
    form = [["Weight", "not taken, would not sit (target 4.5 kg)"], ["Name", "Rex"]]
    result = extract(document(form), schema(("weight", "float"), ("name", "string")))
    assert (result["weight"].value, result["name"].value) == (None, "Rex")


def test_none_is_not_a_name_but_may_be_an_amount(document: Build, schema: MakeSchema) -> None:
    elements = document("Pilot: none\nMaster: Tom Holm\nDeposit: none")
    result = extract(
        elements, schema(("pilot", "string"), ("master", "string"), ("deposit", "float"))
    )
    values = (result["pilot"].value, result["master"].value, result["deposit"].value)
    assert values == (None, "Tom Holm", 0.0)


def test_an_empty_box_does_not_hide_a_value_that_is_labelled_elsewhere(
    document: Build, schema: MakeSchema
) -> None:
    form = [["Pilot", ""], ["Master", "Tom Holm"], ["Owner", "Ann Rush"]]
    result = extract(document(form, "Pilot: Jo Kettle"), schema(("pilot", "string")))
    assert result["pilot"].value == "Jo Kettle"
