"""Section 4 of the contract: documents, their elements, files and corrections."""

import base64
import json
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from tests.backend.partition.samples import picture
from tests.contract.texts import INCIDENTS, TABLE

METADATA = {"account_id", "doc_id", "docset_id", "created_at", "name", "size", "content_type"}
TEXT = INCIDENTS["report-1.md"]


@pytest.fixture
def path(docset: str) -> str:
    return f"/v1/storage/docsets/{docset}/docs"


@pytest.fixture
def document(http: httpx.Client, path: str) -> str:
    """The path of a document with a table."""
    added = http.post(path, files={"file": ("a.md", TABLE)}).raise_for_status().json()
    return f"{path}/{added['doc_id']}"


def test_4_add_answers_with_all_metadata(http: httpx.Client, path: str, docset: str) -> None:
    answer = http.post(path, files={"file": ("report.md", TEXT)})
    added = answer.json()
    assert answer.status_code == 200 and set(added) >= METADATA
    assert (added["name"], added["size"], added["docset_id"]) == ("report.md", len(TEXT), docset)
    assert added["content_type"] == "text/markdown"
    assert http.get(path).json()["items"] == [added]


def test_4_a_quote_in_a_file_name_is_stored_as_it_is(http: httpx.Client, path: str) -> None:
    added = http.post(path, files={"file": ('the "last" 100%25.md', TEXT)}).json()
    assert added["name"] == 'the "last" 100%25.md'


def test_4_fallback_reading_is_remarked_on_the_document(http: httpx.Client, path: str) -> None:
    remarks = ["page 1 read by OCR"]
    added = http.post(path, files={"file": ("scan.png", picture("PNG"))}).json()
    assert added["remarks"] == remarks
    assert [item["remarks"] for item in http.get(path).json()["items"]] == [remarks]
    assert http.get(f"{path}/{added['doc_id']}").json()["remarks"] == remarks


def test_4_add_extracts_the_schema_of_the_docset(http: httpx.Client, incidents: str) -> None:
    items = http.get(f"/v1/storage/docsets/{incidents}/docs").json()["items"]
    entities = [item["properties"]["entity"] for item in items]
    assert [entity["state"] for entity in entities] == ["Ohio", "Texas", "Texas"]
    assert [entity["injuries"] for entity in entities] == [0, 2, 5]
    assert [item["properties"]["path"] for item in items] == list(INCIDENTS)


def test_4_async_add_answers_202_and_its_result_is_the_metadata(
    http: httpx.Client, path: str, finished: Callable[[str], httpx.Response]
) -> None:
    submitted = http.post(path.replace("/v1/", "/v1/async/submit/"), files={"file": ("a.md", TEXT)})
    assert submitted.status_code == 202 and list(submitted.json()) == ["task_id"]
    result = finished(submitted.json()["task_id"])
    assert result.status_code == 200
    assert [result.json()] == http.get(path).json()["items"]


@pytest.mark.parametrize(
    ("content", "status"),
    [(b"", 422), (b"%PDF-1.7 broken", 422), (b"PK\x03\x04 broken", 422), (b"\x00" * 99, None)],
)
def test_4_a_file_that_cannot_be_read_is_refused_and_leaves_nothing(
    http: httpx.Client, path: str, content: bytes, status: int | None
) -> None:
    answer = http.post(path, files={"file": ("a.pdf", content)})
    assert answer.status_code in ((status,) if status else (415, 422))
    detail = answer.json()["detail"]
    if answer.status_code == 422:
        assert all(set(fault) == {"loc", "msg", "type"} for fault in detail)
    else:
        assert isinstance(detail, str)
    assert http.get(path).json()["items"] == []


def test_4_get_without_a_body_gives_elements_and_no_binary(
    http: httpx.Client, document: str
) -> None:
    answer = http.get(document).json()
    assert set(answer) == {"id", "elements", "properties", "binary_data"}
    assert document.endswith(answer["id"]) and answer["binary_data"] is None
    assert "_original_elements" not in answer["properties"]
    for element in answer["elements"]:
        keys = {"id", "type", "text_representation", "embedding", "properties", "bbox"}
        assert set(element) == keys
        assert len(element["bbox"]) == 4 and all(0 <= edge <= 1 for edge in element["bbox"])
    assert len({element["id"] for element in answer["elements"]}) == len(answer["elements"])


@pytest.mark.parametrize("way", ["form", "query"])
def test_4_get_reads_its_flags_from_a_form_body_and_from_the_query(
    http: httpx.Client, document: str, way: str
) -> None:
    flags = {
        "include_elements": "false",
        "include_binary": "true",
        "include_original_elements": "True",
    }
    sent: dict[str, Any] = {"data": flags} if way == "form" else {"params": flags}
    answer = http.request("GET", document, **sent).json()
    assert answer["elements"] == []
    assert base64.b64decode(answer["binary_data"]).decode() == TABLE
    tables = [e for e in answer["properties"]["_original_elements"] if e["type"] == "table"]
    assert [cell["content"] for cell in tables[0]["table"]["cells"]] == ["a", "b", "1", "2"]


def test_4_a_flag_that_is_neither_true_nor_false_is_a_422(
    http: httpx.Client, document: str
) -> None:
    for part, place in (("data", "body"), ("params", "query")):
        answer = http.request("GET", document, **{part: {"include_elements": "maybe"}})
        assert answer.status_code == 422
        assert answer.json()["detail"][0]["loc"] == [place, "include_elements"]


def test_4_original_elements_are_whole_when_the_stored_ones_are_chunks(
    http: httpx.Client, path: str
) -> None:
    options = json.dumps({"chunking_options": {"max_tokens": 8}})
    text = "# Title\n\n" + "\n\n".join(f"Paragraph number {n} is here." for n in range(10))
    added = http.post(path, files={"file": ("a.md", text)}, data={"options": options}).json()
    flags = {"include_original_elements": "true"}
    answer = http.request("GET", f"{path}/{added['doc_id']}", data=flags).json()
    kinds = {element["type"] for element in answer["properties"]["_original_elements"]}
    assert "Text" in kinds and "Section" not in kinds


def test_4_binary_gives_the_bytes_with_their_length_and_type(
    http: httpx.Client, document: str
) -> None:
    answer = http.get(document + "/binary")
    assert answer.content == TABLE.encode()
    assert answer.headers["content-type"] == "text/markdown"
    assert answer.headers["content-length"] == str(len(TABLE))
    assert answer.headers["accept-ranges"] == "bytes"
    assert answer.headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize(
    ("wanted", "start", "stop"),
    [
        ("bytes=0-0", 0, 1),
        ("bytes=2-5", 2, 6),
        ("Bytes = 2 - 5", 2, 6),
        ("bytes=5-", 5, None),
        ("bytes=-5", -5, None),
        ("bytes=-100000", 0, None),
        ("bytes=5-100000", 5, None),
    ],
)
def test_4_binary_gives_one_range_with_206(
    http: httpx.Client, document: str, wanted: str, start: int, stop: int | None
) -> None:
    answer = http.get(document + "/binary", headers={"Range": wanted})
    part = TABLE.encode()[start:stop]
    first = start % len(TABLE)
    assert (answer.status_code, answer.content) == (206, part)
    last = first + len(part) - 1
    assert answer.headers["content-range"] == f"bytes {first}-{last}/{len(TABLE)}"
    assert answer.headers["content-length"] == str(len(part))


@pytest.mark.parametrize("wanted", ["bytes=100000-", "bytes=-0", "bytes=0-1,3-4", "bytes=0-1, -1"])
def test_4_binary_refuses_ranges_behind_the_end_and_several_at_once_with_416(
    http: httpx.Client, document: str, wanted: str
) -> None:
    answer = http.get(document + "/binary", headers={"Range": wanted})
    assert (answer.status_code, list(answer.json())) == (416, ["detail"])
    assert answer.headers["content-range"] == f"bytes */{len(TABLE)}"


@pytest.mark.parametrize("wanted", ["bytes=5-2", "bytes=", "lines=1-2", "x", "bytes=" + "9" * 5000])
def test_4_binary_returns_everything_for_an_invalid_range(
    http: httpx.Client, document: str, wanted: str
) -> None:
    answer = http.get(document + "/binary", headers={"Range": wanted})
    assert (answer.status_code, answer.content) == (200, TABLE.encode())


def test_4_binary_gives_all_when_the_part_is_of_another_file(
    http: httpx.Client, document: str
) -> None:
    tag = http.get(document + "/binary").headers["etag"]
    for if_range, status in ((tag, 206), ('"other"', 200)):
        headers = {"Range": "bytes=0-1", "If-Range": if_range}
        assert http.get(document + "/binary", headers=headers).status_code == status


@pytest.mark.parametrize("form", ["{}", "W/{}", '"other", {}', "*"])
def test_4_binary_is_not_sent_again_to_a_caller_who_has_it(
    http: httpx.Client, document: str, form: str
) -> None:
    tag = http.get(document + "/binary").headers["etag"]
    answer = http.get(document + "/binary", headers={"If-None-Match": form.format(tag)})
    assert (answer.status_code, answer.content, answer.headers["etag"]) == (304, b"", tag)
    other = http.get(document + "/binary", headers={"If-None-Match": '"other"'})
    assert other.status_code == 200


def patched(http: httpx.Client, document: str, *operations: dict[str, Any]) -> httpx.Response:
    return http.patch(document + "/properties", json={"operations": list(operations)})


def replace(path: str, value: object) -> dict[str, Any]:
    return {"op": "replace", "path": path, "value": value}


def test_4_update_replaces_by_pointer_and_answers_with_the_document(
    http: httpx.Client, document: str
) -> None:
    odd = {"a/b": {"c~d": [1, 2]}}
    first = patched(http, document, replace("/properties/entity", odd)).json()
    assert set(first) == {"id", "elements", "properties", "binary_data"}
    answer = patched(
        http,
        document,
        replace("/properties/entity/a~1b/c~0d/1", {"deep": None}),
        replace("/properties/path", "b.md"),
    )
    assert answer.json()["properties"]["entity"] == {"a/b": {"c~d": [1, {"deep": None}]}}
    assert http.get(document).json()["properties"]["path"] == "b.md"


@pytest.mark.parametrize(
    "pointer",
    [
        "/properties/entity/none", "/properties/none/x", "/properties/path/0",
        "/", "/id", "/elements/0/type", "/properties/entity/-", "/properties/page_count/0",
    ],
)  # fmt: skip
def test_4_update_is_all_or_nothing_when_a_target_is_missing(
    http: httpx.Client, document: str, pointer: str
) -> None:
    before = http.get(document).json()
    answer = patched(http, document, replace("/properties/path", "x"), replace(pointer, "y"))
    assert answer.status_code == 400
    assert "begin with /properties/entity/. Nothing was changed" in answer.json()["detail"]
    assert http.get(document).json() == before


@pytest.mark.parametrize("pointer", ["", "properties", "properties/path"])
def test_4_update_refuses_invalid_pointers_with_422(
    http: httpx.Client, document: str, pointer: str
) -> None:
    assert patched(http, document, replace(pointer, "y")).status_code == 422


def test_4_update_adds_no_depth_step_by_step(http: httpx.Client, document: str) -> None:
    """A document nested a thousand levels deep could be read by nobody, in no list."""
    deep: object = 1
    for _ in range(50):
        deep = {"a": deep}
    place = "/properties/entity"
    answers = []
    for _ in range(4):
        answers.append(patched(http, document, replace(place, deep)))
        place += "/a" * 50
    assert [answer.status_code for answer in answers] == [200, 422, 400, 400]
    assert "Nothing was changed" in answers[1].json()["detail"][0]["msg"]
    assert http.get(document).status_code == 200
    assert http.get(document.rpartition("/")[0]).status_code == 200


def test_4_update_limits_the_size_of_a_document(http: httpx.Client, document: str) -> None:
    long = "x" * 900_000
    entity = {"a": "", "b": "", "c": ""}
    assert patched(http, document, replace("/properties/entity", entity)).status_code == 200
    statuses = [
        patched(http, document, replace(f"/properties/entity/{name}", long)).status_code
        for name in "abc"
    ]
    assert statuses == [200, 200, 422]
    assert http.get(document).json()["properties"]["entity"]["c"] == ""


@pytest.mark.parametrize(
    "operation",
    [
        {"op": "add", "path": "/properties/x", "value": 1},
        {"op": "remove", "path": "/properties/path"},
        {"op": "replace", "path": "/properties/path"},
        {"op": "replace", "value": 1},
        {"op": "replace", "path": 5, "value": 1},
    ],
)
def test_4_update_supports_only_replace(
    http: httpx.Client, document: str, operation: dict[str, Any]
) -> None:
    assert patched(http, document, operation).status_code == 422


def test_4_what_the_server_knows_of_a_document_stays_when_its_properties_are_replaced(
    http: httpx.Client, document: str
) -> None:
    before = http.get(document).json()["properties"]
    answer = patched(http, document, replace("/properties", {"own": 1}))
    assert answer.json()["properties"] == before | {"own": 1}
    assert {"path", "page_count", "entity"} <= before.keys()


@pytest.mark.parametrize("pointer", ["/properties", "/properties/entity"])
def test_4_update_keeps_the_shape_of_the_properties(
    http: httpx.Client, document: str, pointer: str
) -> None:
    assert patched(http, document, replace(pointer, "flat")).status_code == 400


def test_4_a_corrected_value_matches_filters_and_survives_the_next_extraction(
    http: httpx.Client, docset: str, path: str
) -> None:
    added = http.post(path, files={"file": ("a.md", TEXT)}).json()
    document = f"{path}/{added['doc_id']}"
    job = {"params": {"docset_id": docset}}
    schema = {"properties": [{"name": "state", "field_type": "string"}]}
    http.post("/v1/jobs/extract-properties", json=schema, **job).raise_for_status()
    patched(http, document, replace("/properties/entity/state", "Utah")).raise_for_status()
    http.post("/v1/jobs/extract-properties", json=schema, **job).raise_for_status()
    where = {"properties_filter": '(properties.entity.state="Utah")'}
    hits = http.post(f"/v1/query/search/{docset}", json=where).json()["results"]
    assert [hit["doc_id"] for hit in hits] == [added["doc_id"]]


def test_4_values_of_a_whole_object_are_corrections_and_may_be_left_out(
    http: httpx.Client, docset: str, path: str
) -> None:
    added = http.post(path, files={"file": ("a.md", TEXT)}).json()
    document = f"{path}/{added['doc_id']}"
    job = {"params": {"docset_id": docset}}
    schema = {"properties": [{"name": n, "field_type": "string"} for n in ("state", "town")]}
    http.post("/v1/jobs/extract-properties", json=schema, **job).raise_for_status()
    whole = {"state": "Utah", "town": "Moab"}
    patched(http, document, replace("/properties/entity", whole)).raise_for_status()
    http.post("/v1/jobs/extract-properties", json=schema, **job).raise_for_status()
    assert http.get(document).json()["properties"]["entity"] == whole
    sources = http.get(f"/v1/workbench/docsets/{docset}/docs/{added['doc_id']}/evidence").json()
    assert all(sources[name]["corrected"] for name in whole)
    patched(http, document, replace("/properties/entity", {})).raise_for_status()
    assert http.get(document).json()["properties"]["entity"] == {"state": None, "town": None}
    patched(http, document, replace("/properties/entity/state", "Ohio")).raise_for_status()


@pytest.mark.parametrize(
    ("pointer", "value"),
    [
        ("/properties/page_count", "abc"),
        ("/properties/page_count", -5),
        ("/properties/page_count", True),
        ("/properties/path", {"a": 1}),
        ("/properties/path", "a\x1b[2J.txt"),
    ],
)
def test_4_the_own_fields_of_a_document_have_their_types(
    http: httpx.Client, document: str, pointer: str, value: object
) -> None:
    before = http.get(document).json()["properties"]
    assert patched(http, document, replace(pointer, value)).status_code == 422
    assert patched(http, document, replace("/properties/path", "other.txt")).status_code == 200
    assert http.get(document).json()["properties"] == before | {"path": "other.txt"}


def test_4_delete_answers_with_the_metadata_and_then_404_everywhere(
    http: httpx.Client, docset: str, path: str, document: str
) -> None:
    (last,) = http.get(path).json()["items"]
    assert http.delete(document).json() == last
    for answer in (
        http.get(document),
        http.get(document + "/binary"),
        http.delete(document),
        patched(http, document, replace("/properties/path", "x")),
    ):
        assert answer.status_code == 404
    assert http.get(path).json()["items"] == []
    hits = http.post(f"/v1/query/search/{docset}", json={"query": "table"}).json()
    assert hits["results"] == []
    assert http.get(f"/v1/storage/docsets/{docset}").json()["size"] == 0


def test_4_the_same_file_twice_is_two_independent_documents(http: httpx.Client, path: str) -> None:
    first, second = (
        http.post(path, files={"file": ("a.md", TEXT)}).json()["doc_id"] for _ in range(2)
    )
    assert first != second
    http.delete(f"{path}/{first}").raise_for_status()
    assert http.get(f"{path}/{second}/binary").text == TEXT


@pytest.mark.parametrize(
    ("wanted", "comparator", "expected"),
    [
        ({"properties.entity.state": "Texas"}, None, [1, 2]),
        ({"properties.entity.state": "Texas", "properties.entity.injuries": 5}, "", [2]),
        ({"properties.entity.injuries": 2}, ">=", [1, 2]),
        ({"properties.entity.injuries": 2}, "lt", [0]),
        ({"properties.entity.state": "exa"}, "like", [1, 2]),
        ({"name": "report-1.md"}, "==", [1]),
        ({"name": "REPORT%"}, "like", []),
        ({"name": ["report-2.md", "report-0.md", "other"]}, "in", [0, 2]),
        ({"properties.entity.nothing": None}, None, [0, 1, 2]),
        ({"properties.entity.state": None}, "!=", [0, 1, 2]),
        ({"properties.entity.injuries": "5"}, "=", [2]),
        ({}, None, [0, 1, 2]),
        (None, None, [0, 1, 2]),
    ],
)
def test_4_list_takes_a_filter(
    http: httpx.Client,
    incidents: str,
    wanted: object,
    comparator: str | None,
    expected: list[int],
) -> None:
    params: dict[str, Any] = {"filter_dict": json.dumps(wanted), "page_size": 1}
    if comparator is not None:
        params["comparator"] = comparator
    names = []
    token = ""
    while token is not None:
        path = f"/v1/storage/docsets/{incidents}/docs"
        page = http.get(path, params=params | {"page_token": token}).raise_for_status().json()
        names += [item["name"] for item in page["items"]]
        token = page["next_page_token"]
    assert names == [f"report-{number}.md" for number in expected]


def test_4_list_compares_days_and_times_as_filters_do(http: httpx.Client) -> None:
    shape = [
        {"name": name, "field_type": kind} for name, kind in (("day", "date"), ("at", "datetime"))
    ]
    made = {"name": "times", "schema": {"properties": shape}}
    docset = http.post("/v1/storage/docsets", json=made).raise_for_status().json()["docset_id"]
    path = f"/v1/storage/docsets/{docset}/docs"
    stored = {
        "a.txt": ("2024-03-31", "2024-03-31T23:30:00-05:00"),
        "b.txt": ("2024-04-01", "2024-04-01T00:30:00Z"),
        "c.txt": ("2023-12-31", "2024-04-01T06:00:00+05:30"),
    }
    for name, (day, at) in stored.items():
        doc_id = http.post(path, files={"file": (name, "x")}).raise_for_status().json()["doc_id"]
        values = [("day", day), ("at", at)]
        changes = [
            {"op": "replace", "path": f"/properties/entity/{n}", "value": v} for n, v in values
        ]
        body = {"operations": changes}
        http.patch(f"{path}/{doc_id}/properties", json=body).raise_for_status()
    for name, value, sign, expected in [
        ("day", "2024-03", "=", ["a.txt"]),
        ("day", "2024", ">=", ["a.txt", "b.txt"]),
        ("day", "2024", ">", []),
        ("at", "2024-04-01T02:00:00Z", ">", ["a.txt"]),
        ("at", "2024-04-01T00:30:00Z", "=", ["b.txt", "c.txt"]),
    ]:
        wanted = json.dumps({f"properties.entity.{name}": value})
        listed = http.get(path, params={"filter_dict": wanted, "comparator": sign}).json()["items"]
        assert [one["name"] for one in listed] == expected, (name, value, sign)


@pytest.mark.parametrize(
    ("params", "place"),
    [
        ({"filter_dict": "{"}, "filter_dict"),
        ({"filter_dict": "[1]"}, "filter_dict"),
        ({"filter_dict": '{"account": 1}'}, "filter_dict"),
        ({"filter_dict": '{"properties.": 1}'}, "filter_dict"),
        ({"filter_dict": '{"name": {"a": 1}}'}, "filter_dict"),
        ({"filter_dict": f'{{"size": {10**30}}}'}, "filter_dict"),
        ({"filter_dict": '{"name": null}', "comparator": "<"}, "filter_dict"),
        ({"filter_dict": '{"name": ""}', "comparator": "like"}, "filter_dict"),
        ({"filter_dict": '{"name": "\\ud800"}'}, "filter_dict"),
        ({"filter_dict": '{"name": ["\\ud800"]}', "comparator": "in"}, "filter_dict"),
        ({"filter_dict": '{"name": "a"}', "comparator": "in"}, "filter_dict"),
        ({"filter_dict": '{"size": [1]}', "comparator": "in"}, "filter_dict"),
        ({"filter_dict": '{"properties.entity.injuries": "few"}'}, "filter_dict"),
        ({"filter_dict": '{"properties.entity.state": null}', "comparator": ">"}, "filter_dict"),
        ({"filter_dict": "{}", "comparator": "near"}, "comparator"),
    ],
)
def test_4_list_refuses_a_filter_it_cannot_read(
    http: httpx.Client, incidents: str, params: dict[str, str], place: str
) -> None:
    answer = http.get(f"/v1/storage/docsets/{incidents}/docs", params=params)
    assert answer.status_code == 422
    (fault,) = answer.json()["detail"]
    assert fault["loc"] == ["query", place]
    assert "codec" not in fault["msg"] and ("0000" not in str(params) or "digits" in fault["msg"])


def test_4_a_document_of_many_elements_comes_whole_with_and_without_its_file(
    http: httpx.Client, path: str
) -> None:
    text = "\n\n".join(f"Paragraph {number} says a few words." for number in range(9_000))
    added = http.post(path, files={"file": ("long.txt", text)}).raise_for_status().json()
    one = f"{path}/{added['doc_id']}"
    answer = http.get(one)
    assert int(answer.headers["content-length"]) == len(answer.content) > 2**20
    plain = answer.json()
    assert "\n\n".join(e["text_representation"] for e in plain["elements"]) == text
    assert plain["binary_data"] is None
    whole = http.request("GET", one, data={"include_binary": "true"}).json()
    assert base64.b64decode(whole["binary_data"]).decode() == text
    assert whole | {"binary_data": None} == plain
    operation = {"op": "replace", "path": "/properties/path", "value": "elsewhere.txt"}
    changed = http.patch(f"{one}/properties", json={"operations": [operation]}).json()
    assert changed["elements"] == plain["elements"]
    assert changed["properties"]["path"] == "elsewhere.txt"
    bare = http.request("GET", one, data={"include_elements": "false"}).json()
    assert bare == {**changed, "elements": []}
