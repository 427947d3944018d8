"""include_fields: RFC 9535 paths and bare names select fields; nesting is kept."""

from typing import Any

import pytest

from backend.search.projection import Projection
from workbench.contract.errors import Invalid

_RESULT: dict[str, Any] = {
    "doc_id": "d",
    "text_representation": "text",
    "properties": {"entity": {"state": "AL", "Serial No.": 7}, "pages": [{"n": 1}, {"n": 2}]},
}


@pytest.mark.parametrize(
    ("fields", "kept"),
    [
        (["doc_id"], {"doc_id": "d"}),
        (["$.doc_id", "$['doc_id']"], {"doc_id": "d"}),
        (["properties.entity.state"], {"properties": {"entity": {"state": "AL"}}}),
        (['properties.entity."Serial No."'], {"properties": {"entity": {"Serial No.": 7}}}),
        (["$.properties.pages[1].n"], {"properties": {"pages": [{"n": 2}]}}),
        (["$.properties.pages[?@.n > 1]"], {"properties": {"pages": [{"n": 2}]}}),
        (["$..state", "doc_id"], {"properties": {"entity": {"state": "AL"}}, "doc_id": "d"}),
        (["$.properties.entity", "$.properties.entity.state"],
         {"properties": {"entity": {"state": "AL", "Serial No.": 7}}}),
        (["nothing", "$.properties.none[0]"], {}),
        ([], {}),
        (["$"], _RESULT),
    ],
)  # fmt: skip
def test_only_the_selected_fields_are_kept(fields: list[str], kept: dict[str, Any]) -> None:
    assert Projection(fields).of(_RESULT) == kept


def test_without_paths_everything_is_kept() -> None:
    assert Projection(None).of(_RESULT) == _RESULT


@pytest.mark.parametrize("path", ["$.", "$[", "$..*..*..*", "$[?@.a[?@.b]]", "$[?match(@.a)]", ""])
def test_a_malformed_or_expensive_path_is_refused_with_its_position(
    path: str,
) -> None:
    with pytest.raises(Invalid) as raised:
        Projection(["doc_id", path])
    assert raised.value.faults[0].loc == ["body", "include_fields", 1]


def test_patterns_inside_paths_take_linear_time() -> None:
    projection = Projection(['$.items[?search(@, "(a|aa)+$")]'])
    assert projection.of({"items": ["a" * 5000 + "!"]}) == {}


def test_a_selection_of_too_many_values_is_refused() -> None:
    with pytest.raises(Invalid, match="more than"):
        Projection(["$..*"]).of({"items": list(range(30_000))})
