"""Section 2 of the contract: bodies in both dialects of multipart, and their faults."""

import json
from typing import Any

import httpx
import pytest

SYNC = "/v1/document/partition"
OPTIONS = {"table_mode": None, "selected_pages": [], "source": "a test", "new_key": 1}
Parts = dict[str, Any]


def parts(**values: bytes | str) -> Parts:
    """Every value as a file part, as the public client sends it."""
    return {name: ("upload", value) for name, value in values.items()}


def test_2_options_are_accepted_as_a_file_part_and_as_a_field(http: httpx.Client) -> None:
    options = json.dumps({**OPTIONS, "output_format": "markdown"})
    as_part = http.post(SYNC, files=parts(file="Hello", options=options))
    as_field = http.post(SYNC, files=parts(file="Hello"), data={"options": options})
    for answer in (as_part, as_field):
        assert answer.json()["markdown"].strip() == "Hello"


def test_2_options_may_be_empty_or_null(http: httpx.Client) -> None:
    for options in ("", "null", "{}", " "):
        answer = http.post(SYNC, files=parts(file="text"), data={"options": options})
        assert answer.json()["status_code"] == 200


def test_2_the_file_may_be_a_field(http: httpx.Client, docset: str) -> None:
    body = b'--b\r\nContent-Disposition: form-data; name="file"\r\n\r\nplain text\r\n--b--\r\n'
    answer = http.post(
        f"/v1/storage/docsets/{docset}/docs",
        content=body,
        headers={"Content-Type": "multipart/form-data; boundary=b"},
    )
    assert (answer.status_code, answer.json()["name"]) == (200, "upload")


@pytest.mark.parametrize(
    ("sent", "kept"),
    [
        ("report.txt", "report.txt"),
        ("/home/me/report.txt", "report.txt"),
        ("C:\\papers\\report.txt", "report.txt"),
        ("../../etc/report.txt", "report.txt"),
        ("Übersicht 2024.txt", "Übersicht 2024.txt"),
        ("..", "upload"),
    ],
)
def test_2_the_base_name_of_the_upload_is_kept(
    http: httpx.Client, docset: str, sent: str, kept: str
) -> None:
    path = f"/v1/storage/docsets/{docset}/docs"
    added = http.post(path, files={"file": (sent, "some words")}).raise_for_status().json()
    assert added["name"] == added["properties"]["path"] == kept


def test_2_the_content_decides_the_type_not_the_declaration(
    http: httpx.Client, docset: str
) -> None:
    path = f"/v1/storage/docsets/{docset}/docs"
    sent = {"file": ("upload", b"<html><body><p>Hello</p></body></html>", "application/pdf")}
    assert http.post(path, files=sent).json()["content_type"] == "text/html"


@pytest.mark.parametrize("path", [SYNC, "/v1/async/submit/document/partition"])
def test_2_neither_file_nor_address_is_a_400(http: httpx.Client, path: str) -> None:
    for sent in (parts(options="{}"), parts(other="x"), {}):
        answer = http.post(path, files=sent)
        assert (answer.status_code, answer.json()) == (400, {"detail": "No input file provided."})
    assert http.post(path, json={}).json() == {"detail": "No input file provided."}


def test_2_file_and_address_together_are_a_400(http: httpx.Client) -> None:
    answer = http.post(SYNC, files=parts(file="x", file_url="https://example.com/"))
    assert (answer.status_code, "not both" in answer.json()["detail"]) == (400, True)


def test_2_a_part_sent_twice_is_a_400(http: httpx.Client) -> None:
    sent = [("file", ("a", "x")), ("file", ("b", "y"))]
    assert http.post(SYNC, files=sent).status_code == 400


@pytest.mark.parametrize(
    ("body", "boundary"),
    [(b"", "b"), (b"no parts at all", "b"), (b"--b\r\n", "b"), (b"--b\r\nbroken", "")],
)
def test_2_a_broken_multipart_body_is_a_400(http: httpx.Client, body: bytes, boundary: str) -> None:
    kind = f"multipart/form-data; boundary={boundary}" if boundary else "multipart/form-data"
    answer = http.post(SYNC, content=body, headers={"Content-Type": kind})
    assert answer.status_code == 400


@pytest.mark.parametrize(
    "options",
    [
        "{", "[]", "1", '"x"', '{"threshold": NaN}', '{"threshold": 1e999}', "[" * 100_000,
        '{"text_mode": "\\ud800"}', '{"a": "\\u0000"}', '{"threshold": "high"}',
        '{"selected_pages": "all"}', '{"table_mode": "wild"}',
        '{"property_extraction_options": {}}', '{"chunking_options": {"max_tokens": 0}}',
        '{"table_extraction_options": {"model_selection": "pixels > 5 > 3 -> x"}}',
    ],
)  # fmt: skip
def test_2_options_that_are_not_options_are_a_422(http: httpx.Client, options: str) -> None:
    answer = http.post(SYNC, files=parts(file="x"), data={"options": options})
    assert answer.status_code == 422
    for fault in answer.json()["detail"]:
        assert fault["loc"][:2] == ["body", "options"]
        assert set(fault) == {"loc", "msg", "type"}


def test_2_options_that_are_not_text_are_a_400(http: httpx.Client) -> None:
    assert http.post(SYNC, files=parts(file="x", options=b"\xff\xfe")).status_code == 400


@pytest.mark.parametrize(
    "url",
    [
        "file:///etc/passwd", "gopher://example.com/", "http://127.0.0.1/", "http://[::1]/",
        "http://169.254.169.254/latest/meta-data", "http://localhost:22/", "http://0x7f.1/",
        "https://user:pw@example.com/", "http://", "nonsense", "http://10.0.0.1/",
        "http://[::ffff:127.0.0.1]/", "http://2130706433/",
    ],
)  # fmt: skip
def test_2_an_address_inside_or_without_sense_is_refused(
    http: httpx.Client, docset: str, url: str
) -> None:
    answer = http.post(f"/v1/storage/docsets/{docset}/docs", data={"file_url": url})
    assert (answer.status_code, list(answer.json())) == (400, ["detail"])
    assert "cannot be fetched" not in answer.json()["detail"], "it was tried"
    assert http.get(f"/v1/storage/docsets/{docset}/docs").json()["items"] == []


@pytest.mark.parametrize("cut", [b"", b"\r\n", b"\r\n--b", b"\r\n--b-", b"\r\n--b\r\nContent-Dis"])
def test_2_a_body_without_its_closing_boundary_is_refused_whole(
    http: httpx.Client, docset: str, cut: bytes
) -> None:
    part = b'--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nhalf of it'
    path = f"/v1/storage/docsets/{docset}/docs"
    form = {"Content-Type": "multipart/form-data; boundary=b"}
    answer = http.post(path, content=part + cut, headers=form)
    assert answer.status_code == 400
    assert "closing boundary" in answer.json()["detail"]
    assert http.get(path).json()["items"] == []
