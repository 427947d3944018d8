"""Of two values that cannot both be right, the less sure one is not given."""

from collections.abc import Callable

from backend.extraction.contradictions import out_of_order
from backend.extraction.engine import extract
from backend.extraction.targets import targets
from workbench.contract.elements import Element
from workbench.contract.schema import Schema

Build = Callable[..., list[Element]]
MakeSchema = Callable[..., Schema]


def test_an_end_before_its_start_is_not_given_but_is_an_alternative(
    document: Build, schema: MakeSchema
) -> None:
    elements = document(
        "Start date: 5 May 2024", "The end of the lease is open; we met on 3 March 2021."
    )
    values = extract(elements, schema(("start_date", "date"), ("end_date", "date")))
    assert (values["start_date"].value, values["end_date"].value) == ("2024-05-05", None)


def test_the_less_sure_of_two_values_in_the_wrong_order_goes(schema: MakeSchema) -> None:
    wanted = targets(
        schema(
            ("valid_from", "date"), ("valid_until", "date"), ("min_rate", "float"),
            ("max_rate", "float"), ("start_date", "date"),
        ).properties
    )  # fmt: skip
    dates: dict[str, tuple[object, float]] = {
        "valid_from": ("2024-05-05", 0.9), "valid_until": ("2024-03-03T09:00:00", 0.6),
        "min_rate": (4.5, 0.55), "max_rate": (3, 0.7), "start_date": ("2030-01-01", 0.6),
    }  # fmt: skip
    assert sorted(out_of_order(wanted, dates)) == ["min_rate", "valid_until"]
    same_day = dates | {"valid_until": ("2024-05-05", 0.6)}
    assert list(out_of_order(wanted, same_day)) == ["min_rate"]


def test_clearly_stated_values_are_kept_even_in_the_wrong_order(
    schema: MakeSchema,
) -> None:
    wanted = targets(schema(("start_date", "date"), ("end_date", "date")).properties)
    stated = {"start_date": ("2024-05-05", 0.9), "end_date": ("2021-03-03", 0.8)}
    assert not list(out_of_order(wanted, stated))
