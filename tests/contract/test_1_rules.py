"""Section 1 of the contract: what holds for every call."""

import re

import httpx
import pytest

NO_KEY = "No Aryn API key provided."
NOT_AUTHENTICATED = "Not authenticated."
UNKNOWN_DOCSET = "/v1/storage/docsets/wb:ds-unknown"


@pytest.mark.parametrize(
    ("method", "path", "text"),
    [
        ("POST", "/v1/document/partition", NOT_AUTHENTICATED),
        ("POST", "/v1/async/submit/document/partition", NOT_AUTHENTICATED),
        ("GET", "/v1/storage/docsets", NOT_AUTHENTICATED),
        ("GET", "/v1/async/result/wb:t-1", NO_KEY),
        ("GET", "/v1/async/list", NO_KEY),
        ("POST", "/v1/async/cancel/wb:t-1", NO_KEY),
        ("GET", "/no/such/path", NOT_AUTHENTICATED),
    ],
)
def test_1_1_a_missing_credential_is_a_403_with_the_text_of_its_call(
    anonymous: httpx.Client, method: str, path: str, text: str
) -> None:
    answer = anonymous.request(method, path)
    assert (answer.status_code, answer.json()) == (403, {"detail": text})


@pytest.mark.parametrize("path", ["/v1/storage/docsets", "/v1/async/list"])
@pytest.mark.parametrize("header", ["Bearer wrong", "bearer wrong", "Bearer  ÿ"])
def test_1_1_a_wrong_credential_is_a_403_with_one_text_everywhere(
    anonymous: httpx.Client, path: str, header: str
) -> None:
    answer = anonymous.get(path, headers={"Authorization": header.encode("latin-1")})
    assert (answer.status_code, answer.json()) == (403, {"detail": "Invalid Aryn API key"})


@pytest.mark.parametrize("header", ["", "Basic dTpw", "Bearer"])
def test_1_1_other_schemes_than_bearer_are_a_missing_credential(
    anonymous: httpx.Client, header: str
) -> None:
    answer = anonymous.get("/v1/storage/docsets", headers={"Authorization": header})
    assert (answer.status_code, answer.json()) == (403, {"detail": NOT_AUTHENTICATED})


def test_1_1_the_credential_is_checked_before_the_body(anonymous: httpx.Client) -> None:
    answer = anonymous.post("/v1/storage/docsets", content=b"{", headers={"Content-Type": "x/y"})
    assert answer.status_code == 403


def test_1_2_no_path_redirects_and_none_needs_a_slash(http: httpx.Client) -> None:
    for path in ("/v1/storage/docsets", "/v1/async/list"):
        assert http.get(path).status_code == 200
        assert http.get(path + "/").status_code == 404


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("GET", UNKNOWN_DOCSET, None),
        ("PATCH", UNKNOWN_DOCSET, {"name": "x"}),
        ("DELETE", UNKNOWN_DOCSET, None),
        ("POST", UNKNOWN_DOCSET + "/clone", None),
        ("POST", UNKNOWN_DOCSET + "/readonly/1", None),
        ("POST", UNKNOWN_DOCSET + "/suggest-properties", {}),
        ("GET", UNKNOWN_DOCSET + "/docs", None),
        ("GET", UNKNOWN_DOCSET + "/docs/wb:f-1", None),
        ("POST", "/v1/query/search/wb:ds-unknown", {"query": "x"}),
        ("POST", "/v1/jobs/extract-properties?docset_id=wb:ds-unknown", {"properties": []}),
        ("POST", "/v1/jobs/delete-properties?docset_id=aryn:ds-1", {"names": ["x"]}),
        ("POST", "/v1/async/submit/jobs/delete-properties?docset_id=x", {"names": ["x"]}),
        ("GET", "/v1/async/result/wb:t-unknown", None),
        ("POST", "/v1/async/cancel/nonsense", None),
        ("POST", "/v1/workbench/facets/wb:ds-unknown", {}),
        ("POST", "/v1/workbench/completions/wb:ds-unknown", {"filter": ""}),
    ],
)
def test_1_3_unknown_things_are_a_404_with_a_sentence(
    http: httpx.Client, method: str, path: str, body: object
) -> None:
    answer = http.request(method, path, json=body)
    assert answer.status_code == 404
    assert list(answer.json()) == ["detail"] and isinstance(answer.json()["detail"], str)


def test_1_3_an_unknown_document_is_a_404(http: httpx.Client, docset: str) -> None:
    path = f"/v1/storage/docsets/{docset}/docs/wb:f-unknown"
    assert http.get(path).status_code == 404
    assert http.get(path + "/binary").status_code == 404
    assert http.delete(path).status_code == 404
    assert http.patch(path + "/properties", json={"operations": []}).status_code == 404


def test_1_3_a_wrong_body_is_a_422_that_gives_nothing_of_it_back(http: httpx.Client) -> None:
    answer = http.post("/v1/storage/docsets", json={"name": ["s3cret"], "prompts": 5})
    assert answer.status_code == 422 and "s3cret" not in answer.text
    for fault in answer.json()["detail"]:
        assert set(fault) == {"loc", "msg", "type"}
        assert fault["loc"][0] == "body"


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ("[" * 3_000 + "]" * 3_000, "nested deeper than 64 levels"),
        ("1" * 10_000, "a number has too many digits"),
    ],
)
def test_1_3_json_errors_are_explained_to_the_sender(
    http: httpx.Client, value: str, words: str
) -> None:
    body = f'{{"name": {value}}}'
    json = {"Content-Type": "application/json"}
    answer = http.post("/v1/storage/docsets", content=body, headers=json)
    assert answer.status_code == 422 and words in answer.text
    assert "recursion" not in answer.text and "sys." not in answer.text


@pytest.mark.parametrize("path", ["/v1/storage/docsets", "/v1/storage/docsets/x", "/none"])
def test_1_4_every_answer_carries_a_unique_call_id(
    http: httpx.Client, anonymous: httpx.Client, path: str
) -> None:
    answers = [http.get(path), http.get(path), anonymous.get(path), http.put(path)]
    ids = [answer.headers["x-aryn-call-id"] for answer in answers]
    assert len(set(ids)) == 4
    assert all(re.fullmatch(r"wb:call-[0-9a-z]{26}", call) for call in ids)


def test_1_5_json_answers_have_the_bare_content_type(http: httpx.Client, incidents: str) -> None:
    for path in ("/v1/storage/docsets", f"/v1/storage/docsets/{incidents}/docs", "/v1/async/list"):
        assert http.get(path).headers["content-type"] == "application/json"


def test_1_7_ids_have_a_colon_and_are_accepted_percent_encoded(
    http: httpx.Client, docset: str
) -> None:
    assert re.fullmatch(r"wb:ds-[0-9a-z]{26}", docset)
    escaped = docset.replace(":", "%3A")
    assert http.get(f"/v1/storage/docsets/{escaped}").json()["docset_id"] == docset


def test_1_9_the_headers_of_the_public_client_are_accepted(http: httpx.Client) -> None:
    headers = {
        "User-Agent": "aryn-sdk/0.2.15",
        "X-Aryn-Origin": "a notebook",
        "X-Aryn-Trace-ID": "17",
    }
    assert http.get("/v1/storage/docsets", headers=headers).status_code == 200


def test_1_10_a_list_has_items_and_a_token_that_is_null_at_the_end(
    http: httpx.Client, docset: str
) -> None:
    page = http.get(f"/v1/storage/docsets/{docset}/docs").json()
    assert page == {"items": [], "next_page_token": None}


def test_1_10_pages_follow_each_other_and_stay_stable_while_documents_are_added(
    http: httpx.Client, docset: str
) -> None:
    path = f"/v1/storage/docsets/{docset}/docs"
    for number in range(5):
        http.post(path, files={"file": (f"{number}.txt", f"text {number}")}).raise_for_status()
    first = http.get(path, params={"page_size": 2}).json()
    http.delete(f"{path}/{first['items'][0]['doc_id']}").raise_for_status()
    http.post(path, files={"file": ("5.txt", "text 5")}).raise_for_status()
    names = [item["name"] for item in first["items"]]
    token = first["next_page_token"]
    while token:
        page = http.get(path, params={"page_size": 2, "page_token": token}).json()
        names += [item["name"] for item in page["items"]]
        token = page["next_page_token"]
    assert names == [f"{number}.txt" for number in range(6)]


def test_1_10_a_token_that_was_not_given_out_for_the_list_is_refused(
    http: httpx.Client, incidents: str, docset: str
) -> None:
    path = f"/v1/storage/docsets/{incidents}/docs"
    token = http.get(path, params={"page_size": 1}).json()["next_page_token"]
    assert http.get(path, params={"page_token": token}).status_code == 200
    for bad in (token[:-1], "x" + token, "nonsense", "=", "ü"):
        answer = http.get(path, params={"page_token": bad})
        assert answer.status_code == 422
        assert answer.json()["detail"][0]["loc"] == ["query", "page_token"]
    other = f"/v1/storage/docsets/{docset}/docs"
    assert http.get(other, params={"page_token": token}).status_code == 422


@pytest.mark.parametrize("size", ["0", "-1", "1001", "x", "1.5", "9" * 30])
def test_1_10_page_sizes_go_from_1_to_1000(http: httpx.Client, size: str) -> None:
    answer = http.get("/v1/storage/docsets", params={"page_size": size})
    assert answer.status_code == 422
    assert answer.json()["detail"][0]["loc"] == ["query", "page_size"]


def _every_get(http: httpx.Client) -> list[str]:
    routes = http.get("/openapi.json").json()["paths"]
    return [
        re.sub(r"\{\w+\}", "wb:unknown", path) for path, item in routes.items() if "get" in item
    ]


def test_1_a_head_has_the_status_and_headers_of_the_get_and_no_body(
    http: httpx.Client, docset: str
) -> None:
    for path in [*_every_get(http), f"/v1/storage/docsets/{docset}"]:
        if not path.endswith("/events"):
            got, head = http.get(path), http.head(path)
            kept = [(one.status_code, one.headers["content-type"]) for one in (got, head)]
            assert kept[0] == kept[1], path
            assert head.content == b""


def test_1_a_head_ignores_a_range(http: httpx.Client, docset: str) -> None:
    docs = f"/v1/storage/docsets/{docset}/docs"
    sent = http.post(docs, files={"file": ("a.txt", "words")}).raise_for_status().json()
    path, part = f"{docs}/{sent['doc_id']}/binary", {"Range": "bytes=0-1"}
    assert http.get(path, headers=part).status_code == 206
    head = http.head(path, headers=part)
    assert (head.status_code, head.headers["content-length"]) == (200, "5")


def test_1_a_head_of_a_stream_without_end_ends(http: httpx.Client) -> None:
    assert http.head("/v1/workbench/tasks/events", timeout=20).status_code == 200


@pytest.mark.parametrize(
    ("path", "methods"),
    [
        ("/v1/storage/docsets", "GET, HEAD, POST"),
        ("/v1/storage/docsets/wb:ds-1", "GET, HEAD, PATCH, DELETE"),
        ("/v1/query/plan", "POST, PATCH"),
    ],
)
def test_1_a_405_lists_every_method_of_the_path(
    http: httpx.Client, path: str, methods: str
) -> None:
    answer = http.put(path)
    assert (answer.status_code, answer.headers["allow"]) == (405, methods)
