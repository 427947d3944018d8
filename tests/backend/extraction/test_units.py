"""Units in names, labels and values."""

import pytest

from backend.extraction.units import UNITS, converted, named_unit


@pytest.mark.parametrize(
    ("text", "unit"),
    [
        ("Wind speed in knots", "knot"),
        ("Damage cost (USD)", "USD"),
        ("weight_kg", "kilogram"),
        ("Hemoglobin in g/dL", "g/dl"),
        ("Name of the patient", None),
        ("in the city", None),
        ("age_3_year_olds percent", "percent"),
        ("drug use in the last month, percent", "percent"),
        ("Year in which it was founded", None),
        ("age in years", "year"),
    ],
)
def test_a_name_or_description_asks_for_a_unit(text: str, unit: str | None) -> None:
    result = named_unit(text)
    assert (result.name if result else None) == unit


def test_a_value_in_another_unit_of_the_same_kind_is_converted_and_less_sure() -> None:
    value, quality = converted(100.0, UNITS["mph"], UNITS["knots"])
    assert value == pytest.approx(86.9, abs=0.1)
    assert quality < converted(100.0, UNITS["kt"], UNITS["knots"])[1] == 1.0


def test_a_value_in_a_unit_of_another_kind_hardly_counts() -> None:
    assert converted(240.0, UNITS["°"], UNITS["knots"])[1] < 0.3
