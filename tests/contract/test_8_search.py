"""Section 8 of the contract: search."""

import json
from typing import Any

import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st


@pytest.fixture
def search(http: httpx.Client, incidents: str) -> Any:
    def post(params: dict[str, Any] | None = None, **body: Any) -> httpx.Response:
        return http.post(f"/v1/query/search/{incidents}", json=body, params=params)

    return post


@pytest.fixture
def raw(http: httpx.Client, incidents: str) -> Any:
    def post(content: bytes) -> httpx.Response:
        headers = {"content-type": "application/json"}
        return http.post(f"/v1/query/search/{incidents}", content=content, headers=headers)

    return post


def states(answer: httpx.Response) -> list[str]:
    assert answer.status_code == 200, answer.text
    return sorted(hit["properties"]["entity"]["state"] for hit in answer.json()["results"])


def test_8_the_nine_keys_of_the_public_client_are_accepted(search: Any) -> None:
    answer = search(
        query="crane",
        query_type="lexical",
        properties_filter=None,
        return_type="doc",
        include_fields=None,
        debug_info=None,
        include_element_embedding=None,
        doc_inclusion_list=None,
        doc_exclusion_list=None,
    )
    assert set(answer.json()) == {"results", "query_embedding", "next_page_token"}
    assert len(answer.json()["results"]) == 3


@pytest.mark.parametrize(
    "body",
    [
        {}, {"query": None}, {"query": ""}, {"query": " "}, {"query": 5}, {"query": ["x"]},
        {"query_type": "vector"}, {"query_type": "hybrid", "properties_filter": "(a = 1)"},
        {"query": "x", "query_type": "fuzzy"}, {"query": "x", "return_type": "page"},
        {"query": "x", "unknown": 1}, {"query": "x", "include_fields": "doc_id"},
        {"query": "x", "include_fields": ["$["]}, {"query": "x", "include_fields": [""]},
        {"query": "x", "doc_inclusion_list": "x"},
    ],
)  # fmt: skip
def test_8_a_wrong_request_is_a_422(search: Any, body: dict[str, Any]) -> None:
    answer = search(**body)
    assert answer.status_code == 422
    assert all(set(fault) == {"loc", "msg", "type"} for fault in answer.json()["detail"])


@pytest.mark.parametrize(
    ("where", "expected"),
    [
        ("(properties.entity.state = 'Texas')", ["Texas", "Texas"]),
        ('(properties.entity."state" = "Ohio")', ["Ohio"]),
        ('properties.entity.state="Ohio"', ["Ohio"]),
        ("(properties.entity.injuries>2)", ["Texas"]),
        ("(properties.entity.injuries >= 2)AND(properties.entity.injuries <= 2)", ["Texas"]),
        ("(properties.entity.injuries < 1) and (properties.entity.state <> 'Texas')", ["Ohio"]),
        ("(properties.entity.state like 'exa')", ["Texas", "Texas"]),
        ("(properties.path = 'report-0.md')", ["Ohio"]),
    ],
)
def test_8_filters_work_alone_and_with_a_query(
    search: Any, where: str, expected: list[str]
) -> None:
    assert states(search(properties_filter=where)) == expected
    assert states(search(query="crane", properties_filter=where)) == expected


@pytest.mark.parametrize("where", ["(", "(properties.entity.state ~ 1)", "(1 = 1)"])
def test_8_a_wrong_filter_is_a_422_at_its_place(search: Any, where: str) -> None:
    answer = search(properties_filter=where)
    assert answer.status_code == 422
    assert answer.json()["detail"][0]["loc"] == ["body", "properties_filter"]


_PIECES = [
    "properties.entity.state", "injuries", "`a b`", "and", "or", "not", "(", ")", "=", "<>", ">=",
    "like", "in", "is", "null", "'Texas'", '"Ohio"', '"', "'", "`", "1", "-.5", "1e999", "true",
    ",", "\\", "--", ";", "$", "%", "_", "é", "\u202e",
]  # fmt: skip
_rubbish = st.lists(
    st.one_of(st.sampled_from([*_PIECES, " ", "\t"]), st.text(max_size=3)), max_size=16
).map(" ".join)


def _answers(search: Any, examples: int) -> None:
    @settings(max_examples=examples, deadline=None, suppress_health_check=list(HealthCheck))
    @given(text=_rubbish)
    def never_fails(text: str) -> None:
        # As escapes, because half of a surrogate pair has no other way into a body.
        body = json.dumps({"properties_filter": text})
        answer = search(content=body.encode())
        assert answer.status_code in (200, 422), (text, answer.text)

    never_fails()


def test_8_rubbish_as_a_filter_gives_results_or_a_422(raw: Any) -> None:
    _answers(raw, 100)


@pytest.mark.soak
def test_8_much_rubbish_as_a_filter_gives_results_or_a_422(raw: Any) -> None:
    _answers(raw, 10_000)


def test_8_documents_and_elements_have_their_keys(search: Any) -> None:
    for hit in search(query="crane").json()["results"]:
        assert {"doc_id", "properties"} <= set(hit) and "entity" in hit["properties"]
    for hit in search(query="crane", return_type="element").json()["results"]:
        assert {"text_representation", "properties", "parent_id"} <= set(hit)
        assert "entity" in hit["properties"] and "crane" in hit["text_representation"]
        assert not hit.get("embedding")


def test_8_fields_are_projected_with_and_without_a_dollar(search: Any) -> None:
    for fields in (
        ["doc_id", "properties.entity.state"],
        ["$.doc_id", "$.properties.entity.state"],
    ):
        for hit in search(query="crane", include_fields=fields).json()["results"]:
            assert set(hit) == {"doc_id", "properties"}
            assert set(hit["properties"]["entity"]) == {"state"}


def test_8_the_embedding_of_the_query_comes_only_when_asked_for(search: Any) -> None:
    asked = search(query="crane", query_type="vector", debug_info=True).json()
    assert all(isinstance(number, float) for number in asked["query_embedding"])
    assert search(query="crane", query_type="vector").json()["query_embedding"] is None
    assert search(query="crane", debug_info=True).json()["query_embedding"] is None


def test_8_pages_follow_each_other(search: Any) -> None:
    first = search({"page_size": 2}, query="crane").json()
    token = first["next_page_token"]
    second = search({"page_size": 2, "page_token": token}, query="crane").json()
    ids = [hit["doc_id"] for hit in first["results"] + second["results"]]
    assert (len(ids), len(set(ids)), second["next_page_token"]) == (3, 3, None)
    for page_token in ("nonsense", token[:-1] + ("A" if token[-1] != "A" else "B")):
        assert search({"page_token": page_token}, query="crane").status_code == 422
    assert search({"page_size": 0}, query="crane").status_code == 422


def test_8_documents_can_be_named_and_left_out(search: Any) -> None:
    hits = search(query="crane").json()["results"]
    one = hits[0]["doc_id"]
    only = search(query="crane", doc_inclusion_list=[one]).json()["results"]
    assert [hit["doc_id"] for hit in only] == [one]
    others = search(query="crane", doc_exclusion_list=[one]).json()["results"]
    assert one not in [hit["doc_id"] for hit in others] and len(others) == 2


@pytest.mark.parametrize(
    ("content", "kind", "place"),
    [
        (b"", "application/json", ["body"]),
        (b"null", "application/json", ["body"]),
        (b'["crane"]', "application/json", ["body"]),
        (b'{"query": "crane"}', "text/plain", ["body"]),
        (b'{"query": "crane"}', "application/x-www-form-urlencoded", ["body"]),
        (b'{"query": "crane"', "application/json", ["body", 17]),
        (b'{"query": "a\\u0000"}', "application/json", ["body", 0]),
        (b'{"query": "crane", "limit": 5}', "application/json", ["body", "limit"]),
        (b'{"query": "crane", "doc_inclusion_list": [1]}', "application/json",
         ["body", "doc_inclusion_list", 0]),
    ],
)  # fmt: skip
def test_8_a_body_that_is_not_a_search_is_a_422_at_its_place(
    http: httpx.Client, incidents: str, content: bytes, kind: str, place: list[str | int]
) -> None:
    path, headers = f"/v1/query/search/{incidents}", {"content-type": kind}
    answer = http.post(path, content=content, headers=headers)
    assert answer.status_code == 422
    assert [fault["loc"] for fault in answer.json()["detail"]] == [place]
    if kind != "application/json":
        assert f"application/json, not {kind}" in answer.json()["detail"][0]["msg"]


def test_8_all_faults_are_reported_at_once(http: httpx.Client) -> None:
    path = f"/v1/query/search/{'x' * 201}"
    answer = http.post(path, params={"page_size": "many"}, json={"query": 5})
    places = [fault["loc"] for fault in answer.json()["detail"]]
    assert answer.status_code == 422
    assert places == [["path", "docset_id"], ["query", "page_size"], ["body", "query"]]


def test_8_json_of_another_name_and_the_last_of_several_parameters_are_accepted(
    http: httpx.Client, incidents: str
) -> None:
    path = f"/v1/query/search/{incidents}?page_size=3&page_size=1&other=x"
    headers = {"content-type": "application/vnd.search+JSON; charset=utf-8"}
    answer = http.post(path, content=b'{"query": "crane"}', headers=headers)
    assert len(answer.json()["results"]) == 1
