"""A date that could be two days is read as the documents around it write theirs."""

from collections.abc import Callable

import pytest

from backend.extraction.date_order import prevailing_order
from backend.extraction.engine import extract
from workbench.contract.elements import Element
from workbench.contract.schema import Schema

Build = Callable[..., list[Element]]
MakeSchema = Callable[..., Schema]


@pytest.mark.parametrize(
    ("dates", "order"),
    [
        (["03/04/2024", "25/04/2024", "27/04/2024"], True),
        (["03/04/2024", "04/25/2024"], False),
        (["03/04/2024", "05/06/2024"], None),
        (["25/04/2024", "04/25/2024"], None),
    ],
)
def test_documents_agree_on_an_order_or_it_is_unknown(
    document: Build, dates: list[str], order: bool | None
) -> None:
    assert prevailing_order([document(f"Issued: {day}") for day in dates]) is order


def test_a_date_that_could_be_two_days_follows_its_neighbours(
    document: Build, schema: MakeSchema
) -> None:
    wanted = schema(("issue_date", "date"))
    for day_first, day in ((True, "2024-04-03"), (False, "2024-03-04")):
        result = extract(document("Issue date: 03/04/2024"), wanted, day_first=day_first)
        assert result["issue_date"].value == day


def test_a_document_s_own_dates_outweigh_its_neighbours(
    document: Build, schema: MakeSchema
) -> None:
    elements = document("Issue date: 03/04/2024", "Due date: 25/04/2024")
    result = extract(elements, schema(("issue_date", "date")), day_first=False)
    assert result["issue_date"].value == "2024-04-03"
