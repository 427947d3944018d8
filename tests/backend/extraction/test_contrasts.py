"""What is net is not gross, and what a description rules out speaks against a value."""

from collections.abc import Callable

from backend.extraction.contrasts import contrary
from backend.extraction.targets import targets
from backend.extraction.words import stem
from workbench.contract.schema import Schema

MakeSchema = Callable[..., Schema]


def test_words_that_rule_each_other_out_are_contrary() -> None:
    against = contrary(frozenset({stem("net"), stem("weight")}))
    assert stem("gross") in against
    assert stem("weight") not in against


def test_what_a_description_rules_out_speaks_against_a_value(schema: MakeSchema) -> None:
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
