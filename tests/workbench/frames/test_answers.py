"""Columns of answers: one name per thing, and a path only where two would share a name."""

from datetime import date

import pandas as pd
import polars as pl
import pytest

from workbench.contract.plan import Plan
from workbench.contract.schema import Schema
from workbench.frames import NodeOutput
from workbench.frames.answers import KEY, answer_columns, fields_of, flat, key_names
from workbench.frames.columns import table_of

SCHEMA = Schema.model_validate(
    {
        "properties": [
            {"name": "day", "field_type": "date"},
            {"name": "name", "field_type": "string"},
            {"name": "tags", "type": {"type": "array", "item_type": {"type": "date"}}},
        ]
    }
)


def plan(kind: str, **fields: object) -> Plan:
    nodes = {
        "0": {"node_type": "QueryDatabase", "node_id": 0, "inputs": []},
        "1": {"node_type": kind, "node_id": 1, "inputs": [0], **fields},
        "2": {"node_type": "Sort", "node_id": 2, "inputs": [1], "field": "count"},
    }
    return Plan.model_validate({"nodes": nodes, "result_node": 2, "query": ""})


@pytest.mark.parametrize(
    ("kind", "fields", "names"),
    [
        ("GroupBy", {"field": "properties.entity.state"}, {KEY: "state"}),
        ("GroupBy", {"field": "day", "bucket": "quarter"}, {KEY: "day_quarter"}),
        ("GroupBy", {"field": "day", "fields": ["day", "state"], "bucket": "year"},
         {KEY: None, "properties.day": "day_year"}),
        ("TopK", {"field": "state", "k": 3}, {KEY: "state"}),
        ("Distinct", {"field": "state"}, {KEY: "state"}),
        ("Count", {}, {}),
    ],
)  # fmt: skip
def test_a_group_key_has_the_name_of_the_grouped_property(kind, fields, names):
    assert key_names(plan(kind, **fields), 2) == names


def test_a_property_named_like_a_column_of_every_document_keeps_its_path():
    row = flat({"doc_id": "d", "properties": {"path": "a.pdf", "entity": {"name": "Ann"}}})
    table = table_of(answer_columns([row], fields_of([row], SCHEMA), {}, SCHEMA))
    assert table.to_dicts() == [{"doc_id": "d", "name": "a.pdf", "properties.entity.name": "Ann"}]


def test_keys_and_properties_have_the_types_of_the_schema():
    rows = [{KEY: "2020-01-02", "properties.count": 2}, {KEY: None, "properties.count": 1}]
    for field in ("day", "tags"):
        output = NodeOutput([KEY, "properties.count"], rows, keys={KEY: field}, schema=SCHEMA)
        assert output.to_polars().schema == {field: pl.Date, "count": pl.Int64}
        assert output[field].to_list() == [date(2020, 1, 2), None]


def test_the_confidence_of_a_property_is_named_after_it():
    fields = ["properties.entity.day", "properties.entity.day.confidence"]
    assert list(answer_columns([], fields)) == ["day", "day_confidence"]


def test_integers_with_gaps_stay_integers_in_pandas():
    rows = [{"n": 2**53 + 1, "sure": True, "b": 1}, {"n": None, "sure": None, "b": 2}]
    frame = NodeOutput(["n", "sure", "b"], rows).to_pandas()
    assert frame["n"].tolist()[0] == 2**53 + 1 and pd.isna(frame["n"][1])
    assert [str(kind) for kind in frame.dtypes] == ["Int64", "boolean", "int64"]
