"""Who wrote a document is read from its letterhead, signature or foot, where no label says it."""

from collections.abc import Callable

import pytest

from backend.extraction.engine import compiled, extract
from backend.extraction.groups import Group
from backend.extraction.sender_asked import asks_for_sender
from backend.extraction.senders import asking
from backend.extraction.weighed import Weighed
from workbench.contract.elements import Element
from workbench.contract.schema import Schema

Build = Callable[..., list[Element]]
MakeSchema = Callable[..., Schema]
SENDER = {"type": "string", "description": "Laboratory that issued the report"}
CUSTOMER = {"type": "string", "description": "Customer who ordered the tests"}
BODY = (
    "Your sample of 3 May was brought by Hallam Couriers Ltd and tested for nitrate and lead.",
    "Nitrate was below the limit; for lead a second sample is recommended.",
    "Please send it by 12 June, or leave it with Marsh & Sons in Whitby.",
)
LETTER = ("Mrs Ida Brandt", "Dear Mrs Brandt,", *BODY)


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
    "description", ["Laboratory that issued the report", "Organisation that issued the letter"]
)
def test_a_sender_below_the_signature_is_given(
    document: Build, schema: MakeSchema, description: str
) -> None:
    texts = [*LETTER, "Yours sincerely", "Jo Pell", "Tarnwell Group"]
    asked = schema(("issuer", {"type": "string", "description": description}))
    assert extract(document(*texts), asked)["issuer"].value == "Tarnwell Group"


@pytest.mark.parametrize(
    "foot",
    [
        ("Jo Pell", "Tarnwell Holdings, registered in Leeds, www.tarnwell.example"),
        ("Jo Pell, Tarnwell", "jo.pell@tarnwell.example"),
    ],
)
def test_a_firm_in_the_text_is_not_given_as_the_sender(
    document: Build, schema: MakeSchema, foot: tuple[str, ...]
) -> None:
    asked = schema(("laboratory", SENDER), ("customer", CUSTOMER))
    value = extract(document(*LETTER, *foot), asked)["laboratory"].value
    assert value is None or value.startswith("Tarnwell")


def test_a_text_that_names_no_organisation_has_no_sender(
    document: Build, schema: MakeSchema
) -> None:
    texts = ["Nitrate was below the limit.", "For lead a second sample is recommended."]
    assert extract(document(*texts), schema(("laboratory", SENDER)))["laboratory"].value is None


@pytest.mark.parametrize(
    ("name", "described", "weighed"),
    [("authority", "Authority that decided", [0]), ("site_address", "Address of the site", [])],
)
def test_names_are_weighed_where_a_name_is_asked_for_and_not_an_address(
    schema: MakeSchema, name: str, described: str, weighed: list[int]
) -> None:
    (target,) = compiled(schema((name, {"type": "string", "description": described})))
    assert asking([Weighed(target, [Group("tarnwell", "Tarnwell")], [0.3])]) == weighed
