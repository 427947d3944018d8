"""What is given, what is withheld, and what it could be instead."""

import time
from collections.abc import Callable

import pytest

from backend.extraction.document import Document
from backend.extraction.engine import extract
from backend.extraction.groups import grouped
from backend.extraction.results import property_values
from backend.extraction.segments import Place
from backend.extraction.spans import spans
from backend.extraction.spots import Spot
from backend.extraction.weighed import GIVEN
from workbench.contract.elements import Element
from workbench.contract.schema import Schema

Build = Callable[..., list[Element]]
MakeSchema = Callable[..., Schema]


def test_a_value_that_is_not_sure_enough_is_withheld_and_listed_with_its_place(
    document: Build, schema: MakeSchema
) -> None:
    wanted = schema(("delivery_date", "date"))
    lines = ("Signed on 3", "Seen on 4", "Filed on 5", "Checked on 6", "Read on 7", "Heard on 8")
    result = extract(document(*(f"{what} May 2020 by Anna Abbott." for what in lines)), wanted)
    one = result["delivery_date"]
    assert (one.value, one.confidence, one.element) == (None, 0.0, None)
    assert one.alternatives
    assert all(guess.confidence < GIVEN for guess in one.alternatives)
    assert all(guess.value.startswith("2020-05-0") for guess in one.alternatives)
    _, metadata = property_values(result, wanted)
    first = metadata["delivery_date"]["alternatives"][0]
    assert first["attribution"]["element_indices"] == [one.alternatives[0].element]


def test_every_given_value_is_at_least_as_sure_as_the_limit(
    document: Build, schema: MakeSchema
) -> None:
    elements = document("Fee: EUR 12.50", "Paid on 2 May 2020 by Anna Abbott.", "Total 14.00")
    wanted = schema(("fee", "float"), ("payer", "string"), ("paid_on", "date"), ("rate", "float"))
    for one in extract(elements, wanted).values():
        assert one.value is None or one.confidence >= GIVEN


def test_a_place_is_given_in_the_shape_of_the_example(document: Build, schema: MakeSchema) -> None:
    law = {
        "type": "string",
        "description": "State or country whose law applies",
        "examples": ["Nevada"],
    }
    result = extract(
        document("This contract is governed by the laws of the State of Oregon."),
        schema(("governing_law", law)),
    )
    assert result["governing_law"].value == "Oregon"


def test_the_name_and_the_address_at_the_head_of_a_letter_need_no_label(
    document: Build, schema: MakeSchema
) -> None:
    result = extract(
        document(
            ("Section-header", "Alder Foods Ltd"),
            "14 Mill Lane, 43000 Larkham",
            "Tel: 555 0134",
            "12/03/2021 10:15",
            "Copper wire 2 x 4.00 8.00",
            "Total 8.00",
        ),
        schema(
            ("company", {"type": "string", "description": "Name of the company that issued it"}),
            ("address", {"type": "string", "description": "Address of the company"}),
            ("total", {"type": "float", "description": "Total amount to be paid"}),
        ),
    )
    values = {name: one.value for name, one in result.items()}
    assert values == {
        "company": "Alder Foods Ltd",
        "address": "14 Mill Lane, 43000 Larkham",
        "total": 8.0,
    }


def test_the_parties_of_an_agreement_are_one_item_each(document: Build, schema: MakeSchema) -> None:
    result = extract(
        document(
            "This supply agreement is made by and between Alder Foods Ltd (the “Supplier”) and"
            " Bluepeak Logistics Inc. (the “Customer”)."
        ),
        schema(
            (
                "parties",
                {
                    "type": "array",
                    "item_type": {"type": "string"},
                    "description": "Parties to the contract: companies and persons that sign it",
                },
            )
        ),
    )
    assert result["parties"].value == ["Alder Foods Ltd", "Bluepeak Logistics Inc."]


def test_a_hostile_text_is_read_in_little_time() -> None:
    texts = ("a-" * 900, "1 " * 900, "A& " * 600, "No. " * 450, "x@" * 900, "(“" * 900)
    began = time.process_time()
    for text in texts:
        spans(text)
    assert time.process_time() - began < 2.0


def test_a_choice_that_other_words_mean_takes_no_place_from_a_text(document: Build) -> None:
    segment = Document(document("Tarnfield")).segments[0]
    place = Place(segment, 0, 9)
    meant = Spot("Private", place, "option", 0.3, None, {"literal": 0.0})
    written = Spot("Tarnfield", place, "option", 1.0, None, {"literal": 1.0})
    (by_meaning, by_word) = grouped([], [meant, written])
    assert by_meaning.places == by_word.places
    assert by_meaning.shown == set()
    assert by_word.shown == by_word.places


def test_the_label_of_a_period_names_the_end_that_is_asked_for(
    document: Build, schema: MakeSchema
) -> None:
    result = extract(
        document("Billing period: 1 May 2025 up to and including 31 May 2025"),
        schema(("period_start", "date"), ("period_end", "date")),
    )
    assert result["period_start"].value == "2025-05-01"
    assert result["period_end"].value == "2025-05-31"


def test_a_name_is_given_with_or_without_its_title_as_the_description_says(
    document: Build, schema: MakeSchema
) -> None:
    elements = document("Surgeon: Dr. Anna Zoller")
    for description, name in (("with title", "Dr. Anna Zoller"), ("without title", "Anna Zoller")):
        asked = {"type": "string", "description": description}
        assert extract(elements, schema(("surgeon", asked)))["surgeon"].value == name


def test_a_text_that_says_that_there_are_none_is_not_an_item(
    document: Build, schema: MakeSchema
) -> None:
    asked = {"type": "array", "item_type": {"type": "string"}}
    elements = document("Allergies: none known", "Seen by Anna Abbott.")
    assert extract(elements, schema(("allergies", asked)))["allergies"].value in (None, [])


@pytest.mark.parametrize(
    ("name", "description", "given"),
    [("tax_amount", "Amount of the tax", None), ("tax_rate", "Rate of the tax in percent", 20.0)],
)
def test_a_rate_is_no_amount_of_money(
    document: Build, schema: MakeSchema, name: str, description: str, given: float | None
) -> None:
    elements = document("The Copper Pot", "Total to pay: 70.48", "Tax: 20 %")
    wanted = schema((name, {"type": "float", "description": description}))
    assert extract(elements, wanted)[name].value == given
