"""Validators: what passes, what is a mistake, and what cannot do harm."""

import time
from typing import Any

import pytest

from backend.extraction.validators import (
    ExpressionError,
    compile_expression,
    compile_validator,
    passes,
)
from workbench.contract.schema import BooleanExpValidator, RegexValidator


@pytest.mark.parametrize(
    ("expression", "value", "holds"),
    [
        ("x > 0", 1, True),
        ("x > 0", 0, False),
        ("> 0", 1, True),
        ("(x > 0) AND (x < 100)", 50, True),
        ("(x > 0) and (x < 100)", 150, False),
        ("x < 0 OR x > 10", 11, True),
        ("not (x == 3)", 3, False),
        ("0 < x <= 10", 10, True),
        ("x in ['a', \"b\"]", "b", True),
        ("x not in [1, 2]", 2, False),
        ("len(x) <= 3", "abcd", False),
        ("x != null", None, False),
        ("x == true", True, True),
        ("x > 0", "a text", False),
        ("x > -1.5e3", -1000, True),
        ("x >= '2020-01-01'", "2021-05-05", True),
    ],
)
def test_a_boolean_expression_judges_the_value(expression: str, value: Any, holds: bool) -> None:
    assert compile_expression(expression)(value) is holds


@pytest.mark.parametrize(
    "expression",
    [
        "",
        "x >",
        "x + 1",
        "__import__('os')",
        "x > 0 and",
        "y > 0",
        "x.real > 0",
        "(x > 0",
        "(" * 400,
    ],
)
def test_an_expression_outside_the_grammar_is_refused_with_an_example(expression: str) -> None:
    with pytest.raises(ExpressionError):
        compile_expression(expression)


def test_a_regular_expression_must_match_the_whole_value() -> None:
    validators = [RegexValidator(regex=r"[A-Z]{2}\d+")]
    assert passes("AB12", validators)
    assert not passes("xAB12", validators)
    assert passes(12, [RegexValidator(regex=r"\d+")])
    assert not passes(None, validators)


def test_a_pattern_that_would_explode_elsewhere_takes_no_time_here() -> None:
    start = time.perf_counter()
    assert not passes("a" * 5_000 + "!", [RegexValidator(regex="(a+)+$")])
    assert time.perf_counter() - start < 1


def test_a_value_must_fulfil_all_validators() -> None:
    both = [BooleanExpValidator(expression="x > 2"), RegexValidator(regex="3")]
    assert passes(3, both) and not passes(4, both)


def test_a_broken_pattern_is_explained_in_words() -> None:
    with pytest.raises(ExpressionError, match=r"cannot be read: missing \]: \["):
        compile_validator(RegexValidator(regex="["))
