"""Names that are made to break something: of DocSets, properties and files. Each is taken and given
back as it is, or refused; none is a fault, and none of them reaches the file system.
"""

import json
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.backend_process import BackendProcess

NAMES = [
    "..",
    "../../etc/passwd",
    "/",
    "\\",
    "'",
    '"; DROP TABLE docsets; --',
    "`",
    "$..*",
    "__proto__",
    "__class__",
    "_search",
    "entity",
    "a.b",
    "a[0]",
    "%s%n%00",
    "{{7*7}}",
    "<script>alert(1)</script>",
    "\x1b[31m",
    "\u2028",
    "\u202ex",
    "🏳️‍🌈",
    "",
    " ",
    "\x00",
    "\ud800",
    "a\r\nX-Forged: 1",
    "é" * 600,
    "a" * 100_000,
]


@pytest.fixture(scope="module")
def backend(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BackendProcess]:
    process = BackendProcess(tmp_path_factory.mktemp("names") / "data", {"workers": "1"}).start()
    yield process
    process.stop()


@pytest.fixture(scope="module")
def http(backend: BackendProcess) -> Iterator[httpx.Client]:
    with backend.client() as client:
        yield client


def asked(http: httpx.Client, path: str, body: object, **params: str) -> httpx.Response:
    """Posts JSON as a hostile caller spells it: httpx would refuse half a surrogate pair."""
    headers = {"content-type": "application/json"}
    answer = http.post(path, content=json.dumps(body), headers=headers, params=params)
    assert answer.status_code in (200, 422), (path, answer.status_code, answer.text[:300])
    return answer


@pytest.mark.parametrize("name", NAMES, ids=lambda name: ascii(name[:20]))
def test_a_docset_with_an_odd_name_has_that_name_or_is_refused(
    http: httpx.Client, name: str
) -> None:
    made = asked(http, "/v1/storage/docsets", {"name": name})
    if made.status_code == 200:
        read = http.get(f"/v1/storage/docsets/{made.json()['docset_id']}").raise_for_status()
        assert read.json()["name"] == name


@pytest.mark.parametrize("name", NAMES, ids=lambda name: ascii(name[:20]))
def test_a_property_with_an_odd_name_can_be_filled_asked_for_and_removed(
    http: httpx.Client, name: str
) -> None:
    field = {"name": name, "field_type": "int", "description": name, "examples": [1]}
    made = asked(http, "/v1/storage/docsets", {"name": "x", "schema": {"properties": [field]}})
    if made.status_code == 422:
        return
    docset = made.json()["docset_id"]
    docs = f"/v1/storage/docsets/{docset}/docs"
    doc = http.post(docs, files={"file": ("a.txt", f"{name}: 7")}).raise_for_status().json()
    updates = {"operations": [{"path": "/properties/entity", "value": {name: 7}}]}
    http.patch(f"{docs}/{doc['doc_id']}/properties", json=updates).raise_for_status()
    for query in (name, f"average {name}", f"how many documents by {name}", "largest"):
        asked(http, "/v1/query/plan", {"docset_id": docset, "query": query})
        asked(http, "/v1/query", {"docset_id": docset, "query": query})
    asked(http, f"/v1/query/search/{docset}", {"query": name, "properties_filter": f"{name} = 7"})
    projected = {"query": "7", "include_fields": [f"$.properties.entity[{json.dumps(name)}]"]}
    asked(http, f"/v1/query/search/{docset}", projected)
    asked(http, "/v1/jobs/delete-properties", {"names": [name]}, docset_id=docset)
    schema = http.get(f"/v1/storage/docsets/{docset}").json()["schema"]
    assert schema is None or schema["properties"] == []


@pytest.mark.parametrize("name", NAMES, ids=lambda name: ascii(name[:20]))
def test_a_file_with_an_odd_name_is_stored_by_its_bytes_only(
    http: httpx.Client, backend: BackendProcess, name: str
) -> None:
    docset = asked(http, "/v1/storage/docsets", {"name": "x"}).json()["docset_id"]
    docs = f"/v1/storage/docsets/{docset}/docs"
    spelt = name.encode("utf-8", "surrogatepass").replace(b"\r\n", b"%0D%0A")
    body = (
        b'--b\r\nContent-Disposition: form-data; name="file"; filename="%s"\r\n\r\nx\r\n--b--\r\n'
    )
    sent = {"content": body % spelt, "headers": {"content-type": "multipart/form-data; boundary=b"}}
    answer = http.post(docs, **sent)  # type: ignore[arg-type]
    assert answer.status_code in (200, 400, 413, 422), answer.text
    if answer.status_code == 200:
        path = f"{docs}/{answer.json()['doc_id']}"
        assert http.get(path).raise_for_status().json()["properties"]["path"]
        binary = http.get(f"{path}/binary").raise_for_status()
        assert binary.content == b"x" and "x-forged" not in binary.headers
    stored = {file.name for file in _files(backend.folder / "blobs")}
    assert all(set(one) <= set("0123456789abcdef") for one in stored)


def _files(folder: Path) -> Iterator[Path]:
    return (file for file in folder.rglob("*") if file.is_file())
