"""Section 6 of the contract: the synchronous partition call, its stream, and its elements."""

import base64
import json
import re
import time
from typing import Any

import httpx
import pytest
from sqlalchemy import select

from backend.store.database import Database
from backend.store.tables import docsets
from backend.tasks.queue import Submission, TaskQueue
from tests.contract.pages import pdf, png
from tests.contract.texts import LONG, TABLE

PATH = "/v1/document/partition"
HEIC = b"\x00\x00\x00\x18ftypheic\x00\x00\x00\x00mif1heic" + b"\x00" * 100


def partition(
    http: httpx.Client, content: bytes | str, name: str = "upload", **options: Any
) -> dict[str, Any]:
    """What the call answers; every answer here has status 200."""
    answer = http.post(PATH, files={"file": (name, content)}, data={"options": json.dumps(options)})
    assert answer.status_code == 200, answer.text
    body: dict[str, Any] = answer.json()
    return body


def test_6_the_status_array_is_laid_out_line_by_line(http: httpx.Client) -> None:
    answer = http.post(PATH, files={"file": ("a.pdf", pdf(["One", "Two"]))})
    assert answer.headers["content-type"] == "application/json"
    lines = answer.content.split(b"\n")
    assert b"\r" not in answer.content and answer.content.endswith(b"\n}\n")
    assert lines[:2] == [b"{", b'  "status": [']
    end = lines.index(b"  ],")
    assert lines[end - 1] == b'    ""'
    for line in lines[2 : end - 1]:
        assert re.fullmatch(rb'    ".*",', line)
        assert isinstance(json.loads(line.strip().removesuffix(b",")), str)
    status = answer.json()["status"]
    assert status[3] == "" and status[-1] == ""
    assert any(line == f"Call: {answer.headers['x-aryn-call-id']}" for line in status)
    pages = [line for line in status if line.startswith("T+")]
    assert [line.partition(": ")[2] for line in pages] == [
        "Completed work on page 1",
        "Completed work on page 2",
    ]
    assert all(re.fullmatch(r"T\+ +\d+\.\d\d: .*", line) for line in pages)


def test_6_the_opening_comes_before_the_work_is_done(http: httpx.Client) -> None:
    with http.stream("POST", PATH, files={"file": ("a.txt", LONG)}) as answer:
        first = next(answer.iter_bytes())
        assert answer.status_code == 200 and first.startswith(b'{\n  "status": [\n')
        assert b"],\n" not in first


@pytest.mark.alone
def test_6_callers_who_go_away_free_the_core(own: Any) -> None:
    with own(workers="1").client() as http:
        began = time.monotonic()
        http.post(PATH, files={"file": ("a.txt", LONG)}).raise_for_status()
        one = time.monotonic() - began
        for _ in range(6):
            with http.stream("POST", PATH, files={"file": ("a.txt", LONG)}) as answer:
                next(answer.iter_bytes())
        began = time.monotonic()
        assert http.post(PATH, files={"file": "short"}).json()["status_code"] == 200
        assert time.monotonic() - began < 3 * one


def test_6_a_caller_who_leaves_an_add_gets_no_document(own: Any) -> None:
    with own(workers="1").client() as http:
        made = http.post("/v1/storage/docsets", json={"name": "x"}).json()
        path = f"/v1/storage/docsets/{made['docset_id']}/docs"
        for _ in range(3):
            with pytest.raises(httpx.ReadTimeout):
                http.post(path, files={"file": ("a.txt", LONG)}, timeout=0.5)
        http.post(path, files={"file": ("b.txt", "short")}).raise_for_status()
        assert [item["name"] for item in http.get(path).json()["items"]] == ["b.txt"]


def test_6_an_unsupported_file_is_reported_in_the_body(http: httpx.Client) -> None:
    body = partition(http, HEIC, "a.heic")
    assert body["error"] == "500: Failed to convert file to pdf"
    assert (body["status_code"], body["elements"]) == (500, [])
    assert any("HEIC" in line for line in body["status"])


def test_6_page_0_is_reported_in_the_body(http: httpx.Client) -> None:
    body = partition(http, pdf(["One"]), selected_pages=[0])
    assert "selected_pages must not have empty or zero terms" in body["error"]
    assert body["status_code"] == 400


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.pdf", b"%PDF-1.7 this is no document"),
        ("a.pdf", b""),
        ("a.docx", b"PK\x03\x04 broken"),
        ("a.png", b"\x89PNG\r\n\x1a\n broken"),
        ("a.bin", bytes(range(256)) * 10),
    ],
)
def test_6_an_unreadable_file_is_reported_in_the_body(
    http: httpx.Client, name: str, content: bytes
) -> None:
    body = partition(http, content, name)
    assert body["error"].startswith(f"{body['status_code']}: ")
    assert body["status_code"] >= 400 and body["elements"] == []
    assert body["status"][-1] == ""


def test_6_an_encrypted_pdf_is_reported_in_the_body(http: httpx.Client) -> None:
    body = partition(http, pdf(["secret"], password="pw"), "a.pdf")
    assert re.search("encrypt|password", body["error"], re.IGNORECASE)


def test_6_markdown_comes_as_text_or_by_page(http: httpx.Client) -> None:
    whole = partition(http, pdf(["One", "Two"]), output_format="markdown")
    assert "One" in whole["markdown"] and "elements" not in whole
    options = {"group_by_page": True}
    pages = partition(http, pdf(["One", "Two"]), output_format="markdown", markdown_options=options)
    assert ["One" in pages["markdown"][0], "Two" in pages["markdown"][1]] == [True, True]


def test_6_html_comes_as_text(http: httpx.Client) -> None:
    body = partition(http, TABLE, output_format="html")
    assert "<table" in body["html"] and "elements" not in body


def test_6_the_pdf_comes_back_when_asked_for(http: httpx.Client) -> None:
    sent = pdf(["One"])
    body = partition(http, sent, return_pdf_base64=True)
    assert base64.b64decode(body["pdf_base64"]) == sent


def test_6_properties_are_extracted_or_suggested(http: httpx.Client) -> None:
    text = "Report\n\nState: Texas\n\nInjuries: 3\n"
    wanted = [{"name": "state", "type": {"type": "string"}}]
    body = partition(http, text, property_extraction_options={"schema": wanted})
    results = body["properties"]["state"]
    assert set(results) >= {"name", "type", "value", "pages"} and results["value"] == "Texas"
    assert "property_metadata" in body
    options = {"suggest_properties": True}
    suggested = partition(http, text, property_extraction_options=options)["schema"]
    assert any(item["name"].lower() == "state" for item in suggested)


def test_6_add_to_docset_id_stores_the_document_as_well(http: httpx.Client, docset: str) -> None:
    body = partition(http, "Some text.", "a.txt", add_to_docset_id=docset)
    assert body["elements"][0]["text_representation"].strip() == "Some text."
    items = http.get(f"/v1/storage/docsets/{docset}/docs").json()["items"]
    assert [item["name"] for item in items] == ["a.txt"]
    unknown = {"options": '{"add_to_docset_id": "wb:ds-none"}'}
    assert http.post(PATH, files={"file": "x"}, data=unknown).status_code == 404


def test_6_1_elements_have_the_form_of_the_contract(http: httpx.Client) -> None:
    kinds = {
        "Title", "Text", "Caption", "Footnote", "Formula", "List-item", "Page-footer",
        "Page-header", "Image", "Section-header", "table",
    }  # fmt: skip
    for content in (pdf(["One paragraph.", "Another one."]), TABLE, "plain"):
        for element in partition(http, content)["elements"]:
            assert element["type"] in kinds
            assert len(element["bbox"]) == 4 and all(0 <= edge <= 1 for edge in element["bbox"])
            assert 0 <= element["properties"]["score"] <= 1
            assert element["properties"]["page_number"] >= 1
            assert ("table" in element) == (element["type"] == "table")


def test_6_1_pages_keep_their_numbers_when_some_are_selected(http: httpx.Client) -> None:
    body = partition(http, pdf(["One", "Two", "Three"]), selected_pages=[2, [3, 3]])
    assert [e["properties"]["page_number"] for e in body["elements"]] == [2, 3]


def test_6_1_a_table_has_cells_in_order_and_null_without_structure(http: httpx.Client) -> None:
    (table,) = [e for e in partition(http, TABLE)["elements"] if e["type"] == "table"]
    assert set(table["table"]) >= {"cells", "caption", "num_rows", "num_cols", "column_headers"}
    places = [(cell["rows"][0], cell["cols"][0]) for cell in table["table"]["cells"]]
    assert places == sorted(places)
    for cell in table["table"]["cells"]:
        assert {"content", "rows", "cols", "is_header", "bbox", "properties"} <= set(cell)
    bare = partition(http, TABLE, table_mode="none")["elements"]
    assert [e["table"] for e in bare if e["type"] == "table"] == [None]


@pytest.mark.parametrize("form", ["PPM", "png", "JPEG"])
def test_6_1_images_come_as_pixels_or_files(http: httpx.Client, form: str) -> None:
    options = {"extract_image_format": form}
    body = partition(
        http,
        pdf(["A picture:"], picture=png(80, 60)),
        extract_images=True,
        image_extraction_options=options,
    )
    (image,) = [e for e in body["elements"] if e["type"] == "Image"]
    data = base64.b64decode(image["binary_representation"])
    width, height = image["properties"]["image_size"]
    bands = len(image["properties"]["image_mode"])
    if form == "PPM":
        assert image["properties"]["image_format"] is None
        assert len(data) == width * height * bands
    else:
        assert image["properties"]["image_format"] == form.upper()
        assert data[:4] in (b"\x89PNG", b"\xff\xd8\xff\xe0")


def test_6_an_internal_error_is_reported_in_the_body_without_its_text(own: Any) -> None:
    backend = own()
    with backend.client() as http:
        docset = http.post("/v1/storage/docsets", json={"name": "x"}).json()["docset_id"]
    backend.stop()
    database = Database(f"sqlite:///{backend.folder / 'workbench.sqlite'}")
    queue = TaskQueue(database, "test", lambda: None)
    account = _account(database, docset)
    request: dict[str, Any] = {"name": "x", "options": {}, "blob": None}  # no file_url: a KeyError
    tasks = {
        kind: queue.submit(Submission(account, kind, f"/v1/{kind}", {**request}))
        for kind in ("partition", "add_document")
    }
    database.close()
    backend.start()
    with backend.client() as http:
        answers = {kind: _ended(http, task_id) for kind, task_id in tasks.items()}
    partitioned = answers["partition"]
    assert partitioned.json()["error"] == "500: Internal server error."
    assert (partitioned.status_code, partitioned.json()["status_code"]) == (200, 500)
    added = answers["add_document"]
    assert (added.status_code, added.text) == (500, "Internal Server Error")
    assert added.headers["content-type"].startswith("text/plain")


def _account(database: Database, docset: str) -> str:
    with database.reading() as connection:
        statement = select(docsets.c.account_id).where(docsets.c.docset_id == docset)
        return str(connection.execute(statement).scalar_one())


def _ended(http: httpx.Client, task_id: str) -> httpx.Response:
    deadline = time.monotonic() + 60
    while (answer := http.get(f"/v1/async/result/{task_id}")).status_code == 202:
        assert time.monotonic() < deadline
        time.sleep(0.05)
    return answer
