"""What the format of a file declares is the value of a property that asks for it."""

from collections.abc import Callable
from typing import Any

import pytest

from backend.extraction.declared import declared_values
from backend.extraction.engine import extract
from workbench.contract.elements import Element
from workbench.contract.schema import Schema

MakeSchema = Callable[..., Schema]


def element(kind: str, text: str, **declares: Any) -> Element:
    properties: dict[str, Any] = {"score": 1.0, "page_number": 1}
    if declares:
        properties["declares"] = {name.rstrip("_"): value for name, value in declares.items()}
    return Element(type=kind, bbox=[0, 0, 1, 1], properties=properties, text_representation=text)


MAIL = [
    element("Title", "The harbour", subject="The harbour"),
    element("Text", "From: Ada Lane <ada@example.org>", from_="Ada Lane <ada@example.org>"),
    element(
        "Text",
        "To: Bo Reed <bo@example.org>, cy@example.net",
        to=["Bo Reed <bo@example.org>", "cy@example.net"],
    ),
    element("Text", "Date: Tue, 4 May 2021 16:05:00 +0200", date="2021-05-04T16:05:00+02:00"),
    element("Text", "Subject: an older mail. From: Dee Moss. Date: 1 April 2020."),
]
AGREEMENT = [
    element("Page-header", "Draft 3"),
    element("Title", "Agreement on the use of the harbour"),
    element("Text", "This agreement is made on 4 May 2021."),
]


@pytest.mark.parametrize(
    ("name", "definition", "value", "at"),
    [
        ("subject", "string", "The harbour", 0),
        (
            "subject_line",
            {"type": "string", "description": "Subject of the mail"},
            "The harbour",
            0,
        ),
        ("sender", "string", "Ada Lane <ada@example.org>", 1),
        ("sender_name", "string", "Ada Lane", 1),
        ("from_email", "string", "ada@example.org", 1),
        ("senderDomain", "string", "example.org", 1),
        ("sender", {"type": "string", "examples": ["Kim Vale"]}, "Ada Lane", 1),
        ("from", {"type": "string", "description": "Address of the sender"}, "ada@example.org", 1),
        ("to", "string", "Bo Reed <bo@example.org>, cy@example.net", 2),
        (
            "recipient_addresses",
            {"type": "array", "item_type": {"type": "string"}},
            ["bo@example.org", "cy@example.net"],
            2,
        ),
        ("sent_date", {"type": "date", "description": "Date of the mail"}, "2021-05-04", 3),
        ("sent_at", "datetime", "2021-05-04T16:05:00+02:00", 3),
    ],
)
def test_the_header_of_a_mail_comes_before_its_text(
    schema: MakeSchema, name: str, definition: Any, value: Any, at: int
) -> None:
    results = extract(MAIL, schema((name, definition)))[name]
    assert (results.value, results.element, results.page) == (value, at, 1)
    assert results.confidence >= 0.95


@pytest.mark.parametrize(
    "header", ["Win now,(<ada@example.org>)", "Ada <ada@example.org>, <b@c.d>"]
)
def test_a_broken_address_is_cleaned_and_doubtful(schema: MakeSchema, header: str) -> None:
    result = extract(
        [element("Text", f"From: {header}", from_=header)], schema(("sender_domain", "string"))
    )
    assert result["sender_domain"].value == "example.org"
    assert result["sender_domain"].confidence < 0.5


def test_an_address_with_blanks_inside_its_brackets_is_sure(schema: MakeSchema) -> None:
    header = "Win [today] <ada@example.org >"
    result = extract(
        [element("Text", f"From: {header}", from_=header)], schema(("sender_domain", "string"))
    )
    assert result["sender_domain"].value == "example.org"
    assert result["sender_domain"].confidence >= 0.95


@pytest.mark.parametrize(
    ("name", "definition"),
    [
        ("date", {"type": "date", "description": "Date of the purchase"}),
        ("delivery_date", "date"),
        ("invoice_date", "date"),
    ],
)
def test_a_property_about_something_else_is_not_given_the_header(
    schema: MakeSchema, name: str, definition: Any
) -> None:
    (prop,) = schema((name, definition)).properties
    assert list(declared_values(prop, MAIL)) == []


@pytest.mark.parametrize("name", ["title", "document_title", "agreement_title", "document_name"])
def test_the_title_is_the_beginning_of_the_document(schema: MakeSchema, name: str) -> None:
    results = extract(AGREEMENT, schema((name, "string")))[name]
    assert (results.value, results.element) == ("Agreement on the use of the harbour", 1)
    assert 0.8 <= results.confidence < 1


def test_a_declared_title_comes_before_a_larger_heading(schema: MakeSchema) -> None:
    elements = [*AGREEMENT, element("Text", "Use of the harbour", title="Use of the harbour")]
    results = extract(elements, schema(("title", "string")))["title"]
    assert (results.value, results.element) == ("Use of the harbour", 3)


@pytest.mark.parametrize(
    ("name", "definition"),
    [
        ("job_title", "string"),
        ("title", {"type": "string", "description": "Title of the person who signs"}),
        ("book_title", "string"),
    ],
)
def test_the_title_of_a_person_or_thing_is_not_that_of_the_document(
    schema: MakeSchema, name: str, definition: Any
) -> None:
    (prop,) = schema((name, definition)).properties
    assert list(declared_values(prop, AGREEMENT)) == []


CONTRACT = [
    element("Page-header", "Annex 4"),
    element("Page-header", "LEASE OF BERTHS AND"),
    element("Page-header", "HARBOUR AGREEMENT"),
    element("Text", "This agreement is made on 4 May 2021."),
    element("Section-header", "1. Agreement of the parties"),
    *[element("Text", f"Clause {number}.") for number in range(9)],
    element("Text", "Name: Ada Lane"),
    element("Text", "Title: Harbour Master"),
]


def test_the_title_of_an_agreement_may_span_two_lines_at_the_top(schema: MakeSchema) -> None:
    definition = {"type": "string", "description": "Title of the agreement"}
    results = extract(CONTRACT, schema(("title", definition)))["title"]
    assert (results.value, results.element) == ("LEASE OF BERTHS AND HARBOUR AGREEMENT", 1)
    assert results.confidence > 0.9


def test_the_title_of_a_signatory_is_not_that_of_the_document(schema: MakeSchema) -> None:
    results = extract(CONTRACT[3:4] + CONTRACT[5:], schema(("title", "string")))["title"]
    assert (results.value, results.confidence, results.element) == (None, 0.0, None)


def test_a_header_value_that_breaks_a_validator_is_rejected(schema: MakeSchema) -> None:
    validators = [{"type": "regex", "regex": "[0-9]+"}]
    reported = {"type": "string", "validators": validators}
    assert extract(MAIL, schema(("subject", reported)))["subject"].value != "The harbour"
