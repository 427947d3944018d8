"""What is net is not gross, and what a description rules out speaks against a value."""

from collections.abc import Callable

import pytest

from backend.extraction.contrasts import contrary, rules_out
from backend.extraction.engine import extract
from backend.extraction.targets import targets
from backend.extraction.words import stem
from workbench.contract.elements import Element
from workbench.contract.schema import Schema

Build = Callable[..., list[Element]]
MakeSchema = Callable[..., Schema]


def test_words_that_rule_each_other_out_are_contrary() -> None:
    against = contrary(frozenset({stem("net"), stem("weight")}))
    assert stem("gross") in against
    assert stem("weight") not in against


def test_words_that_a_description_excludes_count_against_a_value(schema: MakeSchema) -> None:
    described = {"type": "date", "description": "day it was made; not when it was stamped"}
    (target,) = targets(schema(("order_date", described)).properties)
    assert target.opposed("Stamped on")
    assert not target.opposed("Made on")
    assert stem("stamped") not in target.described


def test_words_of_the_name_never_speak_against_it(schema: MakeSchema) -> None:
    described = {"type": "float", "description": "net weight, not the weight of the box"}
    (target,) = targets(schema(("net_weight", described)).properties)
    assert not target.opposed("Net weight")
    assert target.opposed("Gross weight")


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Opening balance: 100.50\nInterest: 20.00", ("closing_balance", "interest")),
        ("Maximum speed: 45 kt. Wind 12 kt.", ("minimum_speed", "wind")),
    ],
)
def test_a_value_whose_label_names_the_contrary_is_not_given(
    document: Build, schema: MakeSchema, text: str, names: tuple[str, str]
) -> None:
    values = extract(document(text), schema(*((name, "float") for name in names)))
    assert values[names[0]].value is None
    assert values[names[1]].value is not None


def test_a_label_that_names_both_ends_rules_out_neither() -> None:
    label = (stem("start"), stem("end"))
    assert not rules_out(label, frozenset({stem("start"), stem("date")}))
    assert rules_out(label[1:], frozenset({stem("start"), stem("date")}))
    assert not rules_out(label, frozenset({stem("balance")}))
