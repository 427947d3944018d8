"""How well labels name properties."""

from collections.abc import Callable

import pytest

from backend.extraction.targets import targets
from workbench.contract.schema import Schema

MakeSchema = Callable[..., Schema]


def _fit(schema: Schema, name: str, label: str) -> float:
    return next(t for t in targets(schema.properties) if t.name == name).fit(label)


def test_a_choice_that_is_listed_twice_is_one(schema: MakeSchema) -> None:
    listed = ["open", "closed", "open"] * 1_000
    (target,) = targets(schema(("state", {"type": "choice", "choices": listed})).properties)
    assert target.shape.choices == ["open", "closed"]


@pytest.mark.parametrize(
    ("label", "at_least"),
    [
        ("Report number", 1.0),
        ("Report No.", 1.0),
        ("REPORT #", 1.0),
        ("report_number", 1.0),
        ("Reprot number", 0.8),
    ],
)
def test_spelling_abbreviation_and_a_typing_error_do_not_matter(
    schema: MakeSchema, label: str, at_least: float
) -> None:
    assert _fit(schema(("report_number", "string")), "report_number", label) >= at_least


def test_words_of_near_meaning_fit_less_than_the_same_words_and_more_than_others(
    schema: MakeSchema,
) -> None:
    one = schema(("city", "string"))
    assert 1.0 == _fit(one, "city", "City") > _fit(one, "city", "Town") > 0.7
    assert _fit(one, "city", "Weather") == 0.0


def test_the_description_helps_where_the_name_does_not(schema: MakeSchema) -> None:
    wanted = schema(
        ("operation", {"type": "string", "description": "Kind of flight that was made"})
    )
    untold = schema(("operation", "string"))
    assert _fit(wanted, "operation", "Kind of flight") > 0.5
    assert _fit(untold, "operation", "Kind of flight") == 0.0


def test_a_word_shared_by_several_properties_says_little(schema: MakeSchema) -> None:
    both = schema(("aircraft_make", "string"), ("aircraft_model", "string"))
    assert _fit(both, "aircraft_model", "Model") > _fit(both, "aircraft_model", "Aircraft")


def test_words_after_a_preposition_weigh_less(schema: MakeSchema) -> None:
    one = schema(("damage", "string"), ("cost", "float"))
    assert _fit(one, "cost", "Cost of damage") > _fit(one, "damage", "Cost of damage")


@pytest.mark.parametrize(
    ("name", "label"),
    [("handler", "Handled by"), ("hirer", "Hired to"),
     ("shipment", "Shipped"), ("inspector", "Inspected by")],
)  # fmt: skip
def test_a_verb_names_its_agent(schema: MakeSchema, name: str, label: str) -> None:
    assert _fit(schema((name, "string")), name, label) > 0.5


def test_two_who_take_part_in_the_same_are_not_the_same(schema: MakeSchema) -> None:
    assert _fit(schema(("employee", "string")), "employee", "Employer") == 0.0


@pytest.mark.parametrize("label", ["Not present", "Non-present members", "NOT PRESENT:"])
def test_a_negated_label_matches_only_a_property_that_asks_for_it(
    schema: MakeSchema, label: str
) -> None:
    both = schema(("present", "string"), ("not_present", "string"))
    assert _fit(both, "present", label) == 0.0
    assert _fit(both, "not_present", label) > 0.5
    assert _fit(both, "present", "Present") == 1.0
