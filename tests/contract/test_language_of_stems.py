"""A DocSet may name the language whose word stems its searches compare."""

import time

import httpx

_TEXT = "Die Häuser stehen am See.\n"


def _made(http: httpx.Client, language: str | None) -> str:
    body = {"name": f"stems {time.monotonic()}", "language": language}
    created = http.post("/v1/storage/docsets", json=body).raise_for_status().json()
    path = f"/v1/storage/docsets/{created['docset_id']}/docs"
    http.post(path, files={"file": ("a.txt", _TEXT)}).raise_for_status()
    return str(created["docset_id"])


def _hits(http: httpx.Client, docset_id: str, query: str) -> int:
    path = f"/v1/query/search/{docset_id}"
    return len(http.post(path, json={"query": query}).raise_for_status().json()["results"])


def test_stems_are_those_of_the_language_that_the_docset_names(http: httpx.Client) -> None:
    german, english = _made(http, "German"), _made(http, None)
    assert _hits(http, german, "Haus") == 1
    assert _hits(http, english, "Haus") == 0
    clone = http.post(f"/v1/storage/docsets/{german}/clone").raise_for_status().json()
    assert _hits(http, clone["docset_id"], "Haus") == 1


def test_without_a_language_words_are_compared_unstemmed(http: httpx.Client) -> None:
    docset = _made(http, "none")
    assert _hits(http, docset, "stehen") == _hits(http, docset, "die") == 1
    assert _hits(http, docset, "steht") == 0


def test_a_language_without_stems_is_refused_with_those_there_are(http: httpx.Client) -> None:
    answer = http.post("/v1/storage/docsets", json={"name": "x", "language": "klingon"})
    assert answer.status_code == 422
    (fault,) = answer.json()["detail"]
    assert fault["loc"] == ["body", "language"]
    body = http.get("/v1/workbench/capabilities").raise_for_status().json()
    assert {"english", "german", "french"} <= set(body["stem_languages"])
    assert all(language in fault["msg"] for language in body["stem_languages"])
