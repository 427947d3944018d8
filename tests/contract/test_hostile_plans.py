"""Plans that are valid, and odd: numbers beyond any column, the text as one of several fields."""

from typing import Any

import httpx
import pytest

from tests.contract.test_3_docsets import add, create

_TEXT = "text_representation"
_COST, _TOWN = "properties.entity.cost", "properties.entity.town"
_SCHEMA = {
    "properties": [
        {"name": "cost", "field_type": "int"},
        {"name": "town", "field_type": "string"},
    ]
}


@pytest.fixture
def towns(http: httpx.Client) -> str:
    docset: str = create(http, schema=_SCHEMA)["docset_id"]
    for cost, town in ((7, "Ulm"), (7, "Bonn"), (3, "Trier")):
        add(http, docset, f"{town}.txt", f"Town: {town}\n\nCost: {cost}")
    return docset


def _run(http: httpx.Client, docset: str, step: dict[str, Any]) -> list[str]:
    """The names of the files that the step returns."""
    first = {"node_id": 0, "node_type": "QueryDatabase", "index": docset, "inputs": []}
    nodes = {"0": first, "1": {"node_id": 1, "inputs": [0], **step}}
    body = {"docset_id": docset, "plan": {"query": "q", "nodes": nodes, "result_node": 1}}
    answer = http.post("/v1/query", json=body)
    assert answer.status_code == 200, answer.text
    rows = answer.json()["result"]
    return [row["properties"]["path"] for row in rows]


@pytest.mark.parametrize("number", [2**63, 10**30, 10**300, 1e308], ids=lambda n: f"{n:.0e}")
def test_bounds_that_no_column_holds_are_above_or_below_everything(
    http: httpx.Client, towns: str, number: float
) -> None:
    step = {"node_type": "BasicFilter", "field": _COST, "range_filter": True}
    assert _run(http, towns, {**step, "start": number}) == []
    assert len(_run(http, towns, {**step, "end": number, "start": -number})) == 3
    queried = {"node_type": "QueryDatabase", "query": {"range": {_COST: {"gte": number}}}}
    assert _run(http, towns, {**queried, "index": towns, "inputs": []}) == []


@pytest.mark.parametrize(
    ("step", "names"),
    [
        (
            {"node_type": "Sort", "field": _COST, "then": [{"field": _TEXT}]},
            ["Trier.txt", "Bonn.txt", "Ulm.txt"],
        ),
        ({"node_type": "BasicFilter", "field": _TOWN, "query": "x", "end_field": _TEXT}, []),
        (
            {
                "node_type": "BasicFilter",
                "field": _COST,
                "any_of": [{"field": _TOWN, "query": "Bonn", "end_field": _TEXT}],
            },
            ["Bonn.txt"],
        ),
    ],
)
def test_the_text_may_be_any_of_the_fields_of_a_step(
    http: httpx.Client, towns: str, step: dict[str, Any], names: list[str]
) -> None:
    assert _run(http, towns, step) == names
