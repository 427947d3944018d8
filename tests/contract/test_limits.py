"""The limits: each is a setting, each has a clear error, and nothing is stored beyond them."""

import json
import os
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path

import httpx
import pytest

from backend.store.reserve import SIZE
from tests.backend_process import BackendProcess
from tests.contract.texts import LONG
from workbench.contract.depth import MAX_VALUES

Own = Callable[..., BackendProcess]
SUBMIT = "/v1/async/submit/document/partition"
DOCSETS = "/v1/storage/docsets"


def in_pieces(size: int) -> Iterator[bytes]:
    """A body that declares no length."""
    for _ in range(0, size, 1000):
        yield b" " * 1000


def test_a_json_body_over_the_limit_is_a_413_declared_or_not(own: Own) -> None:
    with own(max_body="20000").client() as http:
        headers = {"Content-Type": "application/json"}
        body = json.dumps({"name": "x" * 30_000})
        declared = http.post(DOCSETS, content=body, headers=headers)
        counted = http.post(DOCSETS, content=in_pieces(30_000), headers=headers)
        for answer in (declared, counted):
            assert answer.status_code == 413 and "20000 bytes" in answer.json()["detail"]
            assert "x-aryn-call-id" in answer.headers
        assert http.post(DOCSETS, json={"name": "fits"}).status_code == 200


def test_an_upload_over_the_limit_is_a_413_and_leaves_nothing(own: Own) -> None:
    backend = own(max_upload="20000")
    boundary = {"Content-Type": "multipart/form-data; boundary=b"}
    head = b'--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n'

    def undeclared() -> Iterator[bytes]:
        yield head
        yield from in_pieces(30_000)

    with backend.client() as http:
        declared = http.post(SUBMIT, files={"file": b"x" * 30_000})
        counted = http.post(SUBMIT, content=undeclared(), headers=boundary)
        assert (declared.status_code, counted.status_code) == (413, 413)
        assert http.post(SUBMIT, files={"file": b"x" * 10_000}).status_code == 202
    assert list((backend.folder / "blobs" / "incoming").iterdir()) == []


@pytest.mark.parametrize(
    "headers",
    [{"X-Aryn-Webhook": "http://127.0.0.1:9/"}, {"X-Aryn-Userdata": "a" * 5_000}],
)
def test_an_upload_that_its_headers_rule_out_leaves_nothing(
    own: Own, headers: dict[str, str]
) -> None:
    backend = own()
    with backend.client() as http:
        answer = http.post(SUBMIT, files={"file": b"never stored"}, headers=headers)
    assert answer.status_code == 400
    assert [path for path in (backend.folder / "blobs").rglob("*") if path.is_file()] == []


_FILE = '--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n'


@pytest.mark.parametrize(
    ("path", "kind", "body"),
    [
        (SUBMIT, "multipart/form-data; boundary=b", _FILE),
        ("/v1/storage/docsets", "application/json", '{"name": "'),
        ("/v1/query/search/aryn:ds-x", "application/json", '{"query": "'),
    ],
)
def test_a_client_that_hangs_up_during_its_body_is_not_a_failure_of_the_server(
    own: Own, path: str, kind: str, body: str
) -> None:
    backend = own()
    address = httpx.URL(backend.url)
    head = (
        f"POST {path} HTTP/1.1\r\nHost: {address.host}\r\n"
        f"Authorization: Bearer {backend.token}\r\nContent-Length: 100000\r\n"
        f"Content-Type: {kind}\r\n\r\n{body}"
    )
    with backend.client() as http:
        with socket.create_connection((address.host, address.port)) as connection:
            connection.sendall(head.encode() + b"x" * 1_000)
            time.sleep(0.2)
        deadline = time.monotonic() + 60
        while 'status="499"' not in (counted := http.get("/v1/workbench/metrics").text):
            assert time.monotonic() < deadline, counted
            time.sleep(0.05)
        assert 'status="500"' not in counted and 'status="400"' not in counted


def test_a_token_that_is_revoked_during_an_upload_stores_nothing(own: Own) -> None:
    backend = own()
    address = httpx.URL(backend.url)
    with backend.client() as http:
        wanted = {"name": "sender", "scope": "write"}
        made = http.post("/v1/workbench/tokens", json=wanted).json()
        body = f"{_FILE}x\r\n--b--\r\n"
        head = (
            f"POST {SUBMIT} HTTP/1.1\r\nHost: {address.host}\r\nConnection: close\r\n"
            f"Authorization: Bearer {made['token']}\r\nContent-Length: {len(body)}\r\n"
            f"Content-Type: multipart/form-data; boundary=b\r\n\r\n{body[:-4]}"
        )
        with socket.create_connection((address.host, address.port), 30) as connection:
            connection.sendall(head.encode())
            time.sleep(0.5)
            http.delete(f"/v1/workbench/tokens/{made['token_id']}").raise_for_status()
            connection.sendall(body[-4:].encode())
            answer = connection.makefile().read()
        assert answer.startswith("HTTP/1.1 403 ") and "Nothing was stored" in answer
        assert http.get("/v1/async/list").json()["tasks"] == {}
    assert [path for path in (backend.folder / "blobs").rglob("*") if path.is_file()] == []


def test_a_form_that_is_not_multipart_has_the_limit_of_json(own: Own) -> None:
    with own(max_body="20000").client() as http:
        answer = http.post(SUBMIT, data={"file": "x" * 30_000})
        assert answer.status_code == 413


@pytest.mark.parametrize("as_file", [True, False])
def test_options_over_the_limit_are_a_413(own: Own, as_file: bool) -> None:
    options = json.dumps({"note": "x" * 3000})
    with own(max_options="2000").client() as http:
        sent = {"file": ("a", "x")} | ({"options": ("upload", options)} if as_file else {})
        answer = http.post(SUBMIT, files=sent, data={} if as_file else {"options": options})
        assert answer.status_code == 413 and "2000 bytes" in answer.json()["detail"]


def test_more_than_ten_parts_are_a_400(http: httpx.Client) -> None:
    for parts in (
        {f"p{n}": ("a", "x") for n in range(11)},
        {f"p{n}": (None, "x") for n in range(11)},
    ):
        assert http.post(SUBMIT, files={"file": ("a", "x"), **parts}).status_code == 400


@pytest.mark.parametrize(
    "body",
    [
        '{"name": NaN}', '{"name": "x", "properties": {"a": Infinity}}', '{"name": "x"',
        '{"name": "x", "properties": {"a": 1e400}}', '{"name": "\\ud800"}', '{"name": "a\\u0000"}',
        '{"name": "x", "properties": ' + '{"a": ' * 65 + "1" + "}" * 66,
        '{"name": "x", "properties": {"a": ' + "[" * 100_000 + "]" * 100_000 + "}}",
        "", "\xff", '{"name": "x", "properties": {"a": ' + "9" * 5000 + "}}",
    ],
)  # fmt: skip
def test_json_that_cannot_be_kept_is_a_422(http: httpx.Client, body: str) -> None:
    headers = {"Content-Type": "application/json"}
    answer = http.post(DOCSETS, content=body.encode("latin-1"), headers=headers)
    assert answer.status_code == 422
    assert len(answer.content) < 2000
    assert all(set(fault) == {"loc", "msg", "type"} for fault in answer.json()["detail"])


def test_json_as_deep_as_allowed_comes_back(http: httpx.Client) -> None:
    deep: object = 1
    for _ in range(60):
        deep = [deep]
    made = http.post(DOCSETS, json={"name": "deep", "properties": {"a": deep}}).json()
    assert made["properties"] == {"a": deep}


def test_an_escaped_backslash_before_u0000_is_plain_text(http: httpx.Client) -> None:
    made = http.post(DOCSETS, json={"name": "\\u0000 and \\\\u0000"})
    assert made.json()["name"] == "\\u0000 and \\\\u0000"


def test_a_wrong_body_of_megabytes_gets_a_short_answer(http: httpx.Client) -> None:
    answer = http.post(DOCSETS, json={"name": "x" * 1_200_000, "y" * 400_000: 1})
    assert answer.status_code == 422 and len(answer.content) < 2000


MANY = 300_000
WRONG_BODIES: dict[str, tuple[str, str, object]] = {
    "validators of a property": (
        "POST",
        DOCSETS,
        {"name": "x", "schema": {"properties": [
            {"name": "p", "property_type": "string", "validators": [1] * MANY}
        ]}},
    ),
    "properties in properties": (
        "POST",
        DOCSETS,
        {"name": "x", "schema": {"properties": [
            {"name": "p", "type": {"type": "object", "properties": [1] * 500}}
        ] * 400}},
    ),
    "lists in what nobody looks at": (
        "POST", DOCSETS, {"name": "x", "properties": {"a": [[]] * 600_000}},
    ),
    "lists in lists that nobody looks at": (
        "POST", DOCSETS, {"name": "x", "properties": {"a": [[[[[]]]]] * 180_000}},
    ),
    "prompts": ("POST", DOCSETS, {"name": "x", "prompts": {str(n): 1 for n in range(150_000)}}),
    "nodes of a plan": (
        "POST",
        "/v1/workbench/plans/validate",
        {"docset_id": "x", "plan": {"nodes": {str(n): 1 for n in range(150_000)}}},
    ),
    "tests of a filter": (
        "POST",
        "/v1/workbench/plans/validate",
        {"docset_id": "x", "plan": {"nodes": {"0": {
            "node_type": "BasicFilter", "node_id": 0, "any_of": [{"values": [{}] * 4000}] * 100
        }}, "result_node": 0}},
    ),
    "documents of a search": (
        "POST", "/v1/query/search/x", {"query": "x", "doc_inclusion_list": [1] * MANY},
    ),
    "pages of a plan's report": (
        "PATCH",
        "/v1/query/plan",
        {"feedback": "x", "query": {"docset_id": "x", "plan": {
            "nodes": {}, "result_node": 0, "edit": {"applied": [{}] * MANY}
        }}},
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG_BODIES)
def test_a_body_of_many_faults_is_refused_cheaply(own: Own, name: str) -> None:
    """It cost a processor 10 µs and 1 kB a fault: seconds and gigabytes for a few megabytes."""
    method, path, body = WRONG_BODIES[name]
    content = json.dumps(body, separators=(",", ":"))
    assert len(content) < 2 * 2**20
    backend = own()
    with backend.client() as http:
        http.get(DOCSETS).raise_for_status()
        before = processor_seconds(backend.pid), peak_memory(backend.pid)
        headers = {"Content-Type": "application/json"}
        answer = http.request(method, path, content=content, headers=headers)
        spent = processor_seconds(backend.pid) - before[0]
        assert answer.status_code in (404, 422)
        assert len(answer.content) < 200_000
        assert answer.status_code == 404 or len(answer.json()["detail"]) <= 100
    assert spent < 1.0
    assert peak_memory(backend.pid) - before[1] < 200 * 2**20


def test_commas_and_brackets_in_texts_are_not_counted_as_values(http: httpx.Client) -> None:
    text = '\\",[' * (MAX_VALUES + 2)
    made = http.post(DOCSETS, json={"name": "x", "properties": {"a": text}})
    assert made.json()["properties"] == {"a": text}


def processor_seconds(pid: int) -> float:
    """What the server itself has used, without its workers."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def peak_memory(pid: int) -> int:
    """The most bytes that the process has had."""
    status = Path(f"/proc/{pid}/status").read_text()
    return int(status.partition("VmHWM:")[2].split()[0]) * 1024


def test_too_many_open_tasks_are_a_429_with_retry_after(own: Own) -> None:
    backend = own(max_open_tasks="2")
    with backend.client() as http:
        answers = [http.post(SUBMIT, files={"file": text}) for text in (LONG, LONG, "refused")]
        assert [answer.status_code for answer in answers] == [202, 202, 429]
        assert answers[2].json() == {"detail": "Too many requests"}
        assert int(answers[2].headers["retry-after"]) >= 1
        refused = sha256(b"refused").hexdigest()
        assert list(backend.folder.rglob(refused)) == [], "it left its file behind"
        http.post(f"/v1/async/cancel/{answers[0].json()['task_id']}").raise_for_status()
        assert http.post(SUBMIT, files={"file": "x"}).status_code == 202


def test_too_many_submissions_in_a_row_are_a_429_with_retry_after(own: Own) -> None:
    with own(submit_rate="2").client() as http:
        answers = [http.post(SUBMIT, files={"file": "x"}) for _ in range(8)]
        refused = [answer for answer in answers if answer.status_code == 429]
        assert refused and answers[0].status_code == 202
        for answer in refused:
            assert answer.json() == {"detail": "Too many requests"}
            assert int(answer.headers["retry-after"]) == 1
        assert http.get("/v1/async/list").status_code == 200


def test_a_name_of_another_host_is_refused(http: httpx.Client) -> None:
    for host in ("evil.example", "evil.example:80", "127.0.0.1.evil.example"):
        assert http.get(DOCSETS, headers={"Host": host}).status_code == 400


def test_an_oversized_head_is_a_431(http: httpx.Client) -> None:
    assert http.get(DOCSETS, headers={"X-Long": "x" * 40_000}).status_code == 431
    assert http.get(DOCSETS, params={"x": "x" * 40_000}).status_code == 431
    # The client sends no such path, and the parser of the server reads none.
    with socket.create_connection((http.base_url.host, http.base_url.port), 10) as connection:
        connection.sendall(b"GET /" + b"x" * 66_000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert b" 431 " in connection.recv(4000).splitlines()[0]


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A folder on a disk with a few megabytes beside what the server reserves for deletions."""
    if "WORKBENCH_CONTRACT_URL" in os.environ:
        pytest.skip("needs the disk of the server")
    folder = tmp_path / "small"
    folder.mkdir()
    size = f"size={SIZE + 14 * 2**20}"
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", size, "tmpfs", str(folder)], capture_output=True
    )
    if mounted.returncode != 0:
        pytest.skip("only root may mount a small disk")
    yield folder
    subprocess.run(["umount", "-l", str(folder)], check=True)


def test_a_full_disk_is_a_507_that_keeps_existing_data(small_disk: Path) -> None:
    backend = BackendProcess(small_disk, {"workers": "1"}).start()
    noise = os.urandom(3_000_000)
    with backend.client() as http:
        docset = http.post(DOCSETS, json={"name": "x"}).json()["docset_id"]
        path = f"{DOCSETS}/{docset}/docs"
        kept = http.post(path, files={"file": ("kept.txt", "some words")}).raise_for_status()
        statuses = []
        for number in range(6):
            sent = {"file": ("noise.txt", bytes([number]) + noise)}
            statuses.append(http.post(SUBMIT, files=sent).status_code)
        # A quick worker refuses and removes each of them before the next one comes.
        assert set(statuses) <= {202, 507}
        answer = http.post(SUBMIT, files={"file": ("more.txt", noise * 5)})
        assert answer.status_code == 507 and "No space left" in answer.json()["detail"]
        assert http.get(f"{path}/{kept.json()['doc_id']}/binary").text == "some words"
    backend.stop()
