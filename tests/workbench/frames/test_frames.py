"""Frames: reliable columns and types in Arrow, Polars and pandas alike."""

import re
import sys
from datetime import UTC, date, datetime

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from workbench.client import Mistake
from workbench.contract.documents import Document, DocumentMetadata
from workbench.contract.elements import StoredElement
from workbench.contract.schema import Schema
from workbench.contract.search import SearchRequest
from workbench.frames import Documents, Elements, Hits, NodeOutput, Trace
from workbench.frames.html import Markup, tag
from workbench.frames.plain import plain_table

SCHEMA = Schema.model_validate(
    {
        "properties": [
            {"name": "year", "type": {"type": "int"}},
            {"name": "cost", "type": {"type": "float"}},
            {"name": "fatal", "type": {"type": "bool"}},
            {"name": "day", "type": {"type": "date"}},
            {"name": "seen", "type": {"type": "datetime"}},
            {"name": "crew", "type": {"type": "array", "item_type": {"type": "string"}}},
            {"name": "state", "type": {"type": "choice", "choices": ["WA", "AK"]}},
            {"name": "name", "type": {"type": "string"}},
            {
                "name": "place",
                "type": {
                    "type": "object",
                    "properties": [{"name": "city", "type": {"type": "string"}}],
                },
            },
        ]
    }
)
ENTITY = {
    "year": 2023,
    "cost": 12,
    "fatal": False,
    "day": "2023-06-30",
    "seen": "2023-06-30T12:00:00+02:00",
    "crew": ["Ann", "Bo"],
    "state": "WA",
    "name": "Cessna",
    "place": {"city": "Yakima"},
}


def metadata(entity: dict[str, object], doc_id: str = "wb:f-1") -> DocumentMetadata:
    return DocumentMetadata(
        account_id="a",
        doc_id=doc_id,
        docset_id="d",
        created_at="2026-01-02T03:04:05Z",
        name="report.pdf",
        size=10,
        content_type="application/pdf",
        properties={"entity": entity, "path": "report.pdf"},
    )


def test_property_columns_have_the_types_of_the_schema():
    frame = Documents([metadata(ENTITY), metadata({}, "wb:f-2")], SCHEMA).to_polars()
    assert frame.schema["year"] == pl.Int64
    assert frame.schema["cost"] == pl.Float64
    assert frame.schema["fatal"] == pl.Boolean
    assert frame.schema["day"] == pl.Date
    assert frame.schema["crew"] == pl.List(pl.String)
    assert frame.schema["place"] == pl.Struct({"city": pl.String})
    first = frame.row(0, named=True)
    assert first["day"] == date(2023, 6, 30)
    assert first["seen"] == datetime(2023, 6, 30, 10, 0)
    assert first["created_at"] == datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
    assert frame["year"].to_list() == [2023, None]


def test_an_empty_frame_keeps_its_columns_and_types():
    frame = Documents([], SCHEMA).to_arrow()
    assert frame.num_rows == 0
    assert frame.schema.field("year").type == pa.int64()
    assert frame.schema.field("created_at").type == pa.timestamp("us", "UTC")


def test_a_property_named_like_a_column_keeps_its_full_name():
    frame = Documents([metadata(ENTITY)], SCHEMA).to_polars()
    assert frame["name"].to_list() == ["report.pdf"]
    assert frame["properties.entity.name"].to_list() == ["Cessna"]


def test_one_value_that_does_not_fit_turns_its_column_to_text_without_loss():
    frame = Documents([metadata({"year": 2023}), metadata({"year": "about 2020"})], SCHEMA)
    assert frame.to_polars()["year"].to_list() == ["2023", "about 2020"]


def test_properties_without_a_schema_get_the_type_they_share():
    frame = Documents([metadata({"a": 1, "b": 1}), metadata({"a": 2.5, "b": "x"})]).to_polars()
    assert frame["a"].to_list() == [1.0, 2.5]
    assert frame["b"].to_list() == ["1", "x"]


# -- hits -----------------------------------------------------------------------------------------

ELEMENT = {
    "id": "wb:e-1-3",
    "type": "Text",
    "parent_id": "wb:f-1",
    "bbox": [0.1, 0.2, 0.3, 0.4],
    "text_representation": "ice on the wing",
    "properties": {"page_number": 2, "path": "report.pdf", "entity": ENTITY},
    "_search": {
        "score": 0.031,
        "snippet": "ice on the …",
        "lists": {"lexical": {"rank": 1, "score": 7.5}, "vector": {"rank": 3, "score": 0.6}},
    },
}


def hits(items, **request) -> Hits:
    return Hits(items, SearchRequest(query="ice", **request), schema=SCHEMA)


def test_element_hits_have_page_box_and_every_reason_for_their_rank():
    second = {**ELEMENT, "_search": {"lists": {"vector": {"rank": 1, "score": 0.7}}}}
    element_hits = hits([ELEMENT, second], return_type="element", query_type="hybrid")
    frame = element_hits.to_polars()
    assert frame.schema["bbox"] == pl.Array(pl.Float32, 4)
    assert frame["page"].to_list() == [2, 2]
    assert frame["doc_id"].to_list() == ["wb:f-1"] * 2
    assert frame["lexical_rank"].to_list() == [1, None]
    assert frame["vector_score"].to_list() == [0.6, 0.7]
    assert frame["state"].to_list() == ["WA", "WA"]


def test_why_names_rank_and_score_in_each_list():
    assert hits([ELEMENT]).why(0) == {"lexical": (1, 7.5), "vector": (3, 0.6)}


def test_a_document_hit_has_its_best_passage():
    account = {"element_id": "wb:e-1-3", "page_number": 4, "snippet": "ice"}
    frame = hits([{"doc_id": "wb:f-1", "properties": {}, "_search": account}]).to_polars()
    assert frame.select("element_id", "page", "snippet").row(0) == ("wb:e-1-3", 4, "ice")


def test_hits_of_a_server_without_scores_are_a_frame_as_well():
    plain = {"doc_id": "wb:f-1", "properties": {"entity": {"year": 2023}}}
    frame = hits([plain]).to_polars()
    assert frame["score"].to_list() == [None] and frame["year"].to_list() == [2023]


def test_a_projected_search_has_the_requested_columns():
    items = [{"doc_id": "wb:f-1", "properties": {"entity": {"state": "WA"}}}]
    frame = hits(items, include_fields=["doc_id", "$.properties.entity.state"]).to_polars()
    assert frame.columns == ["doc_id", "state"] and frame["state"].to_list() == ["WA"]


@pytest.mark.parametrize("take", [pl.DataFrame, pa.table, pd.DataFrame.from_arrow])
def test_other_libraries_accept_a_frame_directly(take):
    assert len(take(hits([ELEMENT], return_type="element"))) == 1


def test_a_conversion_that_would_lose_the_columns_names_the_right_call():
    with pytest.raises(Mistake, match="to_pandas"):
        pd.DataFrame(hits([ELEMENT]))


@pytest.mark.parametrize(
    ("missing", "extra", "convert"),
    [
        ("pandas", "notebook", lambda frame: frame.to_pandas()),
        ("pandas", "notebook", lambda frame: frame.to_pandas(arrow=True)),
        ("pyarrow", "arrow", lambda frame: frame.to_pandas(arrow=True)),
        ("pyarrow", "arrow", lambda frame: frame.to_arrow()),
    ],
)
def test_a_conversion_without_its_package_names_the_command_that_installs_it(
    monkeypatch, missing, extra, convert
):
    monkeypatch.setitem(sys.modules, missing, None)
    with pytest.raises(Mistake, match=rf"{missing}.*pip install 'docset-workbench\[{extra}\]'"):
        convert(hits([ELEMENT]))
    assert len(hits([ELEMENT]).to_polars()) == 1


def test_pandas_needs_no_pyarrow(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    rows = [
        {"n": 2**62, "b": True, "x": 0.5, "day": date(2023, 6, 30), "words": ["ice", "wing"]},
        {"n": None, "b": None, "x": None, "day": None, "words": None, "text": "ice"},
    ]
    names = ["n", "b", "x", "day", "words", "text"]
    frame = NodeOutput(names, rows).to_pandas()
    assert frame["n"].dtype == "Int64" and frame["n"][0] == 2**62
    assert frame["b"].dtype == "boolean" and frame["x"].dtype == "float64"
    assert frame["text"].tolist()[1] == "ice" and frame["words"][0] == ["ice", "wing"]
    assert [list(frame[name].isna()) for name in names[:5]] == [[False, True]] * 5


def test_pandas_can_keep_arrow_types():
    frame = hits([ELEMENT])
    assert isinstance(frame.to_pandas(arrow=True)["year"].dtype, pd.ArrowDtype)
    assert frame.to_pandas()["year"].dtype == "int64"


def test_a_title_is_one_line_and_the_html_is_escaped():
    script = "<script>alert(1)</script>"
    element_hits = hits([{**ELEMENT, "text_representation": script}], return_type="element")
    assert "\n" not in element_hits.title() and "'ice'" in element_hits.title()
    for page in (element_hits._repr_html_(), NodeOutput(["a"], [{"a": script}])._repr_html_()):
        assert "<script>" not in page and "&lt;script&gt;" in page


def test_a_long_frame_shows_its_first_rows_and_the_number_of_others():
    page = hits([ELEMENT] * 1500)._repr_html_()
    assert page.count("<tr>") == 11 and "1,490 more rows" in page


def test_hits_are_shown_as_rank_name_page_and_marked_words():
    search = {"snippet": "ice on the wing", "positions": [[0, 3]], "page_number": 4}
    item = {"doc_id": "wb:f-1", "properties": {"path": "a.pdf"}, "_search": search}
    page = hits([item] * 3)[1:]._repr_html_()
    head = re.findall(r"<th [^>]*>([^<]*)", page)
    assert head == ["rank", "name", "page", "snippet"]
    assert re.search(r"<mark[^>]*>ice</mark> on the wing", page)
    assert re.findall(r"<td[^>]*>(\d)</td>", page) == ["2", "4", "3", "4"]


def test_hits_in_a_terminal_have_rank_name_page_and_the_words_around_the_match(monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    snippet = f"{'word ' * 100}ice on the wing {'word ' * 100}"
    search = {"snippet": snippet, "positions": [[500, 503]], "page_number": 4}
    item = {"doc_id": "wb:f-1", "properties": {"path": "a.pdf"}, "_search": search}
    _, head, kinds, _, row, rest = repr(hits([item] * 3)[2:]).splitlines()
    assert head.split() == ["rank", "name", "page", "snippet"]
    assert kinds.split() == ["int", "text", "int", "text"]
    assert re.match(r" +3  a\.pdf +4  ….*ice", row) and len(row) == 80
    assert rest.startswith("… and ") and "doc_id" in rest


def test_a_plain_repr_shows_whole_columns_and_names_the_others():
    rows = [
        {"state": "WA", "note": "x" * 90, "n": 1204, **{f"c{i}": "wide " * 9 for i in range(9)}}
    ]
    frame = NodeOutput(list(rows[0]), rows * 12)
    text = plain_table(frame.to_polars().head(10), 12, width=80)
    lines = text.splitlines()
    assert lines[0].split() == ["state", "note", "n"] and lines[1].split() == [
        "text",
        "text",
        "int",
    ]
    assert max(map(len, lines[:-1])) == 80, "the room that is left goes to a text that was cut"
    assert "1,204" in lines[3] and "…" in lines[3]
    assert lines[-2] == "… and 2 more rows"
    assert lines[-1].startswith("… and 9 more columns: c0, c1")
    assert repr(frame).startswith("NodeOutput(12 rows)\nstate")


def test_a_plain_repr_aligns_wide_characters_and_cannot_control_the_terminal():
    rows = [{"a": "日本", "b": "x"}, {"a": "\x1b[2Jab", "b": "y"}]
    lines = plain_table(NodeOutput(["a", "b"], rows).to_polars(), 2).splitlines()
    assert "\x1b" not in "".join(lines)
    assert lines[3] == "日本   x" and lines[4] == "[2Jab  y"


def test_only_tags_create_markup():
    assert tag("b", "a<b", title='"x"') == '<b title="&quot;x&quot;">a&lt;b</b>'
    assert tag("i", tag("b", "x"), None) == "<i><b>x</b></i>"
    assert isinstance(tag("i"), Markup)


# -- elements, runs ------------------------------------------------------------------------------


def test_elements_come_with_ordinal_page_and_box():
    stored = StoredElement(
        id="wb:e-1-0",
        type="Title",
        text_representation="Report",
        embedding=None,
        properties={"page_number": 1, "score": 0.9},
        bbox=[0, 0, 1, 0.1],
    )
    one = Document(id="wb:f-1", elements=[stored, stored], properties={"path": "report.pdf"})
    two = Document(id="wb:f-2", elements=[stored])
    frame = Elements([one, two]).to_polars()
    assert frame["doc_id"].to_list() == ["wb:f-1", "wb:f-1", "wb:f-2"]
    assert frame["name"].to_list() == ["report.pdf", "report.pdf", "wb:f-2"]
    assert frame["ordinal"].to_list() == [0, 1, 0]
    assert frame["bbox"].to_list()[0] == pytest.approx([0, 0, 1, 0.1])
    assert Elements([one]).title() == "Elements(2 of report.pdf)"
    assert len(Elements([one, two], limit=1)) == 1


def test_a_node_output_keeps_the_order_of_its_columns():
    output = NodeOutput(["state", "count"], [{"count": 3, "state": "WA"}, {"state": "AK"}])
    assert output.to_polars().rows() == [("WA", 3), ("AK", None)]


def test_a_trace_has_one_row_per_node():
    nodes = [
        {"node_id": 0, "node_type": "QueryDatabase", "rows_out": 20, "ms": 1.5},
        {"node_id": 1, "node_type": "Count", "rows_in": 20, "dropped": {"no value": 2},
         "warnings": ["a", "b"], "approximate": True},
    ]  # fmt: skip
    frame = Trace(nodes).to_polars()
    assert frame["rows_out"].to_list() == [20, None]
    assert frame["dropped"].to_list() == [None, "no value: 2"]
    assert frame["warnings"].to_list() == [None, "a\nb"]


def test_numbers_inside_lists_are_shortened_like_others():
    frame = NodeOutput(["box", "n"], [{"box": [0.2800000607967377, 0.5], "n": 0.123456789}])
    html = frame._repr_html_()
    assert ">0.28, 0.5<" in html and ">0.123<" in html
