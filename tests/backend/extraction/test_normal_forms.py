"""Texts are given in the form that the examples of their property have."""

from collections.abc import Callable

import pytest

from backend.extraction.engine import compiled
from backend.extraction.normal_forms import normal
from workbench.contract.schema import Schema

MakeSchema = Callable[..., Schema]


@pytest.mark.parametrize(
    ("examples", "written", "given"),
    [
        (["Bluepeak Foods", "Tern & Sons", "Oak Hall"], "Alder Foods, Inc.", "Alder Foods"),
        (["Oak Hall School"], "Alder Foods, Inc.", "Alder Foods, Inc."),
        (["Carla Brennan", "Jonas Lam", "Ida Moe"], "Dr. Anna Abbott", "Anna Abbott"),
        (["Carla Brennan"], "Dr. Anna Abbott", "Dr. Anna Abbott"),
        (["Ms. Carla Brennan", "Jonas Lam"], "Dr. Anna Abbott", "Dr. Anna Abbott"),
        (["Bluepeak Foods GmbH"], "Dr. Abbott Foods, Inc.", "Dr. Abbott Foods, Inc."),
        (
            ["Bluepeak Foods", "Tern & Sons", "Oak Hall"],
            "Mr. Alder Trading Ltd",
            "Mr. Alder Trading",
        ),
        (["Bluepeak Foods GmbH"], "Alder Foods, Inc.", "Alder Foods, Inc."),
        (["Carla Brennan", "Jonas Lam", "Ida Moe"], "Alder Foods, Inc.", "Alder Foods, Inc."),
        (["Bluepeak Foods", "Alder Trading", "Oak Hall"], "Tern & Sons", "Tern & Sons"),
        (["Ohio", "New York"], "NV", "Nevada"),
        (["OH"], "NV", "NV"),
        (["Leeds"], "Utrecht, Netherlands", "Utrecht"),
        (["Leeds"], "Springfield, IL", "Springfield"),
        (["Leeds, England"], "Utrecht, Netherlands", "Utrecht, Netherlands"),
        (["Leeds"], "Mill Lane, Whitby", "Mill Lane, Whitby"),
        ([], "Alder Foods, Inc.", "Alder Foods, Inc."),
        (["Bluepeak Foods", "Alder Trading", "Oak Hall"], "Co", "Co"),
    ],
)
def test_a_text_has_the_form_of_the_examples(
    schema: MakeSchema, examples: list[str], written: str, given: str
) -> None:
    (target,) = compiled(schema(("company", {"type": "string", "examples": examples})))
    assert normal(written, target) == given
