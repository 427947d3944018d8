"""Of columns for several periods the present one is read, where nothing else is asked."""

from collections.abc import Callable

import pytest

from backend.extraction.engine import extract
from backend.extraction.periods import asked_periods, other_periods
from workbench.contract.elements import Element
from workbench.contract.schema import Schema

Build = Callable[..., list[Element]]
MakeSchema = Callable[..., Schema]

STATEMENT = [
    ["", "Three Months Ended June 30,", "", "Six Months Ended June 30,", ""],
    ["", "2024", "2023", "2024", "2023"],
    ["Net sales", "48,211", "44,635", "93,104", "88,020"],
    ["Gross profit", "20,118", "19,377", "39,870", "37,415"],
    ["Net income (loss)", "(3,175)", "586", "(2,041)", "1,190"],
]


def _read(document: Build, schema: MakeSchema, description: str, rows: list[list[str]]) -> object:
    wanted = schema(("net_income", {"type": "float", "description": description}))
    return extract(document(rows), wanted)["net_income"].value


@pytest.mark.parametrize(
    ("heads", "others"),
    [
        (["2023", "2024"], {1: "earlier"}),
        (["30.06.2024", "31.12.2023"], {2: "earlier"}),
        (["Q2 2024", "Q1 2024", "H1 2024"], {2: "earlier", 3: "longer"}),
        (["13 weeks to 29 June 2024", "26 weeks to 29 June 2024"], {2: "longer"}),
        (["Actual 2023", "Budget 2024"], {}),
        (["Before", "Now"], {}),
        (["2024", "2024"], {}),
    ],
)
def test_columns_for_other_periods_are_known_by_their_heads(
    document: Build, heads: list[str], others: dict[int, str]
) -> None:
    (element,) = document([["", *heads], ["Sales", *("1,204" for _ in heads)]])
    assert element.table is not None
    assert other_periods(element.table) == others


def test_the_present_period_is_read_from_heads_of_two_rows(
    document: Build, schema: MakeSchema
) -> None:
    assert _read(document, schema, "Net income or loss", STATEMENT) == -3175.0


def test_the_current_period_is_read_wherever_its_column_is(
    document: Build, schema: MakeSchema
) -> None:
    turned = [[row[0], *row[:0:-1]] for row in STATEMENT]
    turned[0] = ["", "Six Months Ended June 30,", "", "Three Months Ended June 30,", ""]
    assert _read(document, schema, "Net income or loss", turned) == -3175.0


def test_another_period_may_be_read_where_it_is_asked_for() -> None:
    assert asked_periods("net income of the previous year") == {"", "earlier", "longer"}
    assert asked_periods("net income, year to date") == {"", "longer"}
    assert asked_periods("net income") == {""}
