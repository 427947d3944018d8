"""JSON pointers replace existing values, and nothing else."""

import copy

import pytest

from backend.docsets.pointers import BadPointer, replace

ROOT = {"properties": {"entity": {"a/b": 1, "m~n": [1, {"x": 2}], "": 0}}}


@pytest.mark.parametrize(
    ("pointer", "place"),
    [
        ("/properties/entity/a~1b", lambda r: r["properties"]["entity"]["a/b"]),
        ("/properties/entity/m~0n/1/x", lambda r: r["properties"]["entity"]["m~n"][1]["x"]),
        ("/properties/entity/", lambda r: r["properties"]["entity"][""]),
        ("/properties", lambda r: r["properties"]),
    ],
)
def test_the_value_at_a_pointer_is_replaced(pointer, place) -> None:
    root = copy.deepcopy(ROOT)
    replace(root, pointer, "new")
    assert place(root) == "new"


@pytest.mark.parametrize(
    "pointer",
    ["", "properties", "/nothing", "/properties/entity/m~0n/2", "/properties/entity/m~0n/01",
     "/properties/entity/m~0n/-", "/properties/entity/a~1b/deeper", "/properties/entity/m~0n/²",
     "/properties/entity/m~0n/" + "9" * 5000],
)  # fmt: skip
def test_nothing_is_created_at_an_invalid_pointer(pointer: str) -> None:
    root = copy.deepcopy(ROOT)
    with pytest.raises(BadPointer):
        replace(root, pointer, "new")
    assert root == ROOT
