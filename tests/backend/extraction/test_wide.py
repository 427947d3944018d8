"""Values in the running that are found by their form."""

from collections.abc import Callable

import pytest

from backend.extraction.cues import Cues
from backend.extraction.document import Document
from backend.extraction.targets import targets
from backend.extraction.wanted import wanted
from backend.extraction.wide import spots
from workbench.contract.elements import Element
from workbench.contract.schema import Schema

Build = Callable[..., list[Element]]
MakeSchema = Callable[..., Schema]


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("The overrun was due to the burst rising main.", "the burst rising main"),
        ("They leave because our girl starts school in Bath, as you know.",
         "our girl starts school in Bath"),
        ("The money is meant for the purchase of two lifts and may not be lent.",
         "the purchase of two lifts"),
        ("The loss was caused by unseaworthiness at the start of the voyage and not by weather.",
         "unseaworthiness at the start of the voyage"),
    ],
)  # fmt: skip
def test_a_reason_is_in_the_running_as_far_as_its_clause_goes(
    document: Build, schema: MakeSchema, text: str, reason: str
) -> None:
    (target,) = targets(schema(("reason", "string")).properties)
    read = Document(document(text))
    found = spots(target, wanted("reason", "", []), read, Cues(target, read))
    assert reason in [spot.value for spot in found]


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("The dog may come along as long as it stays off the beds.", True),
        ("Nobody may bring a dog or a cat to the flat.", False),
    ],
)
def test_a_question_is_answered_in_other_words(
    document: Build, schema: MakeSchema, text: str, answer: bool
) -> None:
    (target,) = targets(schema(("pets_allowed", "bool")).properties)
    read = Document(document("Dear Ms Lee,", text, "Kind regards"))
    cues = Cues(target, read)
    assert answer in [spot.value for spot in spots(target, wanted("", "", []), read, cues)]


@pytest.mark.parametrize(
    ("examples", "in_running"), [(["Volvo", "Ford"], True), (["Volvo V60", "Ford Ka"], False)]
)
def test_the_first_word_is_in_the_running_where_all_examples_are_single_words(
    document: Build, schema: MakeSchema, examples: list[str], in_running: bool
) -> None:
    (target,) = targets(schema(("make", {"type": "string", "examples": examples})).properties)
    read = Document(document("Nissan Micra"))
    found = spots(target, wanted("make", "", examples), read, Cues(target, read))
    assert ("Nissan" in [spot.value for spot in found]) is in_running


def test_hours_in_words_are_in_the_running_where_minutes_are_asked(
    document: Build, schema: MakeSchema
) -> None:
    described = {"type": "float", "description": "in minutes"}
    (target,) = targets(schema(("length", described)).properties)
    read = Document(document("The tour takes two and a half hours for three people."))
    found = spots(target, wanted("length", "", []), read, Cues(target, read))
    assert [spot.value for spot in found] == [150.0]


def running(document: Build, schema: MakeSchema, name: str, kind: str, text: str) -> list[object]:
    (target,) = targets(schema((name, kind)).properties)
    read = Document(document(text))
    return [spot.value for spot in spots(target, wanted(name, "", []), read, Cues(target, read))]


@pytest.mark.parametrize(
    ("name", "text", "count"),
    [
        ("performance_number", "This was the fifth performance of the run.", 5),
        ("latecomers", "There were no latecomers tonight.", 0),
        ("signatures_to_date", "Signatures so far: 27,418", 27418),
        ("visitors_last_year", "Visitors: 4,120", 4120),
    ],
)
def test_counts_are_in_the_running_however_they_are_expressed(
    document: Build, schema: MakeSchema, name: str, text: str, count: int
) -> None:
    assert count in running(document, schema, name, "int", text)


def test_names_at_the_head_and_foot_of_a_long_document_stay_in_the_running(
    document: Build, schema: MakeSchema
) -> None:
    """Nothing beside them names the property, which drops other names of a long document."""
    rows = [f"Supplier visit {n}: Firm Number {n} Ltd and Firm Letter {n} Ltd" for n in range(80)]
    read = Document(document("PONTCHARTRAIN TRAVEL", *rows, "Registered office: Quillon Estates"))
    (target,) = targets(schema(("supplier", "string")).properties)
    values = {spot.value for spot in spots(target, wanted("supplier", "", []), read,
                                           Cues(target, read))}  # fmt: skip
    assert {"PONTCHARTRAIN TRAVEL", "Quillon Estates"} <= values
