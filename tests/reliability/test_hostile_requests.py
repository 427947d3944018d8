"""Requests that lie about themselves, over a bare connection: each is refused, none is believed,
and the next caller is served as before.
"""

import socket
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests.backend_process import BackendProcess

BODY = b'{"name": "x"}'


@pytest.fixture(scope="module")
def backend(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BackendProcess]:
    process = BackendProcess(tmp_path_factory.mktemp("hostile") / "data", {"workers": "1"}).start()
    yield process
    process.stop()


def sent(backend: BackendProcess, head: str, body: bytes = b"", *, close: bool = True) -> bytes:
    """What the server says to these bytes, up to the end of the connection."""
    address = urlsplit(backend.url)
    with socket.create_connection((address.hostname or "", address.port or 0), 20) as connection:
        known = f"Host: 127.0.0.1\r\nAuthorization: Bearer {backend.token}\r\n"
        ends = "Connection: close\r\n" if close else ""
        connection.sendall(f"{head}\r\n{known}{ends}".encode("latin-1") + b"\r\n" + body)
        if close:
            connection.shutdown(socket.SHUT_WR)
        answer = b""
        while chunk := connection.recv(65536):
            answer += chunk
        return answer


def status(answer: bytes) -> int:
    return int(answer.split(b" ", 2)[1]) if answer else 0


JSON = "POST /v1/storage/docsets HTTP/1.1\r\nContent-Type: application/json"


@pytest.mark.parametrize(
    ("head", "body"),
    [
        (f"{JSON}\r\nContent-Length: 900", BODY),
        (f"{JSON}\r\nContent-Length: 3", BODY),
        (f"{JSON}\r\nContent-Length: -1", BODY),
        (f"{JSON}\r\nContent-Length: 1e3", BODY),
        (f"{JSON}\r\nContent-Length: 13\r\nContent-Length: 14", BODY),
        (f"{JSON}\r\nContent-Length: {'9' * 30}", BODY),
        (f"{JSON}\r\nTransfer-Encoding: chunked", b"-5\r\nabc\r\n0\r\n\r\n"),
        (f"{JSON}\r\nTransfer-Encoding: chunked", b"d\r\n" + BODY),
        (f"{JSON}\r\nTransfer-Encoding: chunked", b"ffffffffffffffff\r\n" + BODY),
        (f"{JSON}\r\nTransfer-Encoding: gzip, chunked", b"d\r\n" + BODY + b"\r\n0\r\n\r\n"),
        (f"{JSON}\r\nContent-Encoding: gzip\r\nContent-Length: 13", BODY[:-1] + b"\x1f"),
        (f"{JSON}\r\nContent-Length: 13\r\n folded: x", BODY),
        (f"{JSON}\r\nContent-Length: 13\r\nX-\x00: 1", BODY),
        (f"{JSON}\r\nContent-Length: 13\r\nHost: elsewhere.example", BODY),
        ("POST /v1/storage/docsets HTTP/9.9\r\nContent-Length: 13", BODY),
        ("POST /v1/storage/docsets", BODY),
        ("\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", b""),
    ],
)
def test_a_request_that_lies_changes_nothing(
    backend: BackendProcess, head: str, body: bytes
) -> None:
    with backend.client() as http:
        before = http.get("/v1/storage/docsets", params={"page_size": 1000}).json()["items"]
        code = status(sent(backend, head, body))
        assert code == 0 or 400 <= code < 500, code
        after = http.get("/v1/storage/docsets", params={"page_size": 1000}).json()["items"]
        assert before == after


def test_a_request_hidden_in_the_body_of_another_is_not_served(backend: BackendProcess) -> None:
    """Both lengths are given, which is how one request is smuggled inside another."""
    hidden = b"GET /v1/storage/docsets HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
    head = f"{JSON}\r\nContent-Length: 13\r\nTransfer-Encoding: chunked"
    answer = sent(backend, head, b"0\r\n\r\n" + hidden)
    assert answer.count(b"HTTP/1.1 ") <= 1 and b'"items"' not in answer


def test_a_place_above_the_folder_is_not_reached(backend: BackendProcess) -> None:
    for path in (
        "/v1/../../../../etc/passwd",
        "/..%2f..%2f..%2fetc/passwd",
        "/v1/storage/docsets/..%2f..%2fworkbench.sqlite/docs/x/binary",
        "//etc/passwd",
        "/docs/..%5c..%5cpasswd",
    ):
        answer = sent(backend, f"GET {path} HTTP/1.1")
        assert status(answer) in (400, 404, 405), path
        assert b"root:" not in answer


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "127.0.0.1@evil", ""])
def test_a_page_that_rebinds_its_name_to_this_machine_is_refused(
    backend: BackendProcess, host: str
) -> None:
    with backend.client() as http:
        answer = http.get("/v1/storage/docsets", headers={"Host": host})
    assert answer.status_code == 400


def test_other_machines_cannot_connect(backend: BackendProcess) -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as outside:
        outside.connect(("192.0.2.1", 9))  # sends nothing; reveals our address on the network
        own = outside.getsockname()[0]
    port = urlsplit(backend.url).port or 0
    with pytest.raises(OSError):
        socket.create_connection((own, port), 5).close()


def test_other_users_of_this_machine_cannot_read_stored_data(tmp_path: Path) -> None:
    """Even in a folder that was there before and is open to everybody."""
    own = BackendProcess(tmp_path / "data", {"workers": "1"})
    own.folder.mkdir()
    own.folder.chmod(0o755)
    own.start()
    with own.client() as http:
        made = http.post("/v1/storage/docsets", json={"name": "kept"}).raise_for_status().json()
        docs = f"/v1/storage/docsets/{made['docset_id']}/docs"
        http.post(docs, files={"file": ("a.txt", "Some words.")}).raise_for_status()
        question = {"docset_id": made["docset_id"], "query": "How many documents are there?"}
        http.post("/v1/query", json=question).raise_for_status()
    assert own.stop() == 0
    kept = set(own.folder.rglob("*")) - {own.log}  # which is of whoever starts it
    assert {path.name for path in kept} >= {"workbench.sqlite", "token", "blobs", "indexes", "runs"}
    assert [path for path in kept if path.stat().st_mode & 0o077] == []


@pytest.mark.parametrize("spelling", ["127.0.0.1", "localhost", "2130706433", "0x7f.1", "[::1]"])
def test_the_server_cannot_be_made_to_call_itself(backend: BackendProcess, spelling: str) -> None:
    """Neither for a file nor to tell that a task has ended."""
    url = f"http://{spelling}:{urlsplit(backend.url).port}/v1/workbench/health"
    with backend.client() as http:
        read = http.post("/v1/document/partition", files={"file_url": (None, url)})
        assert "public internet" in read.text
        headers = {"X-Aryn-Webhook": url}
        submit = "/v1/async/submit/document/partition"
        response = http.post(submit, files={"file": ("a", "x")}, headers=headers)
        assert response.status_code == 400 and "public internet" in response.text


def test_no_other_page_is_allowed_to_read_answers(backend: BackendProcess) -> None:
    with backend.client() as http:
        headers = {"Origin": "https://evil.example", "Access-Control-Request-Method": "POST"}
        for answer in (
            http.options("/v1/storage/docsets", headers=headers),
            http.get("/v1/storage/docsets", headers=headers),
        ):
            assert not [name for name in answer.headers if name.startswith("access-control")]


def test_a_stored_page_is_never_shown_as_a_page_of_the_server(backend: BackendProcess) -> None:
    page = b"<!doctype html><script>alert(document.cookie)</script><p>text</p>"
    with backend.client() as http:
        made = http.post("/v1/storage/docsets", json={"name": "page"}).json()["docset_id"]
        path = f"/v1/storage/docsets/{made}/docs"
        name = 'x.html"; filename="y.exe\r\nX-Forged: 1'
        doc = http.post(path, files={"file": (name, page, "text/html")}).raise_for_status().json()
        answer = http.get(f"{path}/{doc['doc_id']}/binary").raise_for_status()
    assert answer.headers["content-security-policy"] == "sandbox"
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.headers["content-disposition"].startswith("attachment")
    assert "x-forged" not in answer.headers


def test_uploads_left_open_by_a_disconnect_are_removed(backend: BackendProcess) -> None:
    address = urlsplit(backend.url)
    for _ in range(30):
        with socket.create_connection((address.hostname or "", address.port or 0), 20) as caller:
            caller.sendall(
                b"POST /v1/document/partition HTTP/1.1\r\nHost: 127.0.0.1\r\n"
                b"Content-Type: multipart/form-data; boundary=b\r\nContent-Length: 5000000\r\n"
                + f"Authorization: Bearer {backend.token}\r\n\r\n".encode()
                + b'--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n'
                + bytes(2_000_000)
            )
    with backend.client() as http:
        http.get("/v1/storage/docsets").raise_for_status()
    assert list(Path(backend.folder / "blobs" / "incoming").iterdir()) == []
