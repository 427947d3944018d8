"""Who wrote a document is read from its letterhead, signature or foot, where no label says it."""

from collections.abc import Callable

import pytest

from backend.extraction.engine import compiled, extract
from backend.extraction.sender_asked import asks_for_sender
from workbench.contract.elements import Element
from workbench.contract.schema import Schema

Build = Callable[..., list[Element]]
MakeSchema = Callable[..., Schema]
SENDER = {"type": "string", "description": "Laboratory that issued the report"}
CUSTOMER = {"type": "string", "description": "Customer who ordered the tests"}
BODY = (
    "Your sample of 3 May arrived in good order and was tested for nitrate and lead.",
    "Nitrate was below the limit; for lead a second sample is recommended.",
    "Please send it by 12 June, with the form that you find on the back of this page.",
)


@pytest.mark.parametrize(
    ("name", "description"),
    [
        ("laboratory", "Laboratory that issued the report"),
        ("supplier", "Name of the company that issued the invoice"),
        ("school", "School that wrote the reference"),
        ("authority", "Council or authority that granted the permit"),
    ],
)
def test_who_issued_a_document_is_asked_for(
    schema: MakeSchema, name: str, description: str
) -> None:
    (target,) = compiled(schema((name, {"type": "string", "description": description})))
    assert asks_for_sender(target)


@pytest.mark.parametrize(
    ("name", "description"),
    [
        ("customer", "Person or company that pays"),
        ("patient", "Name of the patient"),
        ("signed_by", "Officer who signed the decision"),
        ("invoice_number", "Number of the invoice"),
        ("port_of_loading", "Port where the goods are loaded"),
    ],
)
def test_other_parties_and_texts_are_not_who_issued_it(
    schema: MakeSchema, name: str, description: str
) -> None:
    (target,) = compiled(schema((name, {"type": "string", "description": description})))
    assert not asks_for_sender(target)


@pytest.mark.parametrize(
    "texts",
    [
        ("TARNWELL WATER LABORATORY", "Mrs Ida Brandt", "Dear Mrs Brandt,", *BODY),
        ("Dear Mrs Brandt,", *BODY, "Yours sincerely", "Jo Pell", "Tarnwell Water Laboratory"),
        ("Dear Mrs Brandt,", *BODY, "Jo Pell", "Tarnwell Water Laboratory, registered in Leeds"),
    ],
)
def test_a_sender_without_a_label_is_given(
    document: Build, schema: MakeSchema, texts: tuple[str, ...]
) -> None:
    asked = schema(("laboratory", SENDER), ("customer", CUSTOMER))
    value = extract(document(*texts), asked)["laboratory"].value
    assert str(value).lower() == "tarnwell water laboratory"


def test_a_text_that_names_nobody_has_no_sender(document: Build, schema: MakeSchema) -> None:
    assert extract(document(*BODY), schema(("laboratory", SENDER)))["laboratory"].value is None
