"""What the audit log holds: every change and every refusal, by whom; and nothing that is secret."""

import json
import stat
from collections.abc import Callable
from typing import Any

import httpx

from tests.backend_process import BackendProcess

DOCSETS = "/v1/storage/docsets"


def entries(backend: BackendProcess) -> list[dict[str, Any]]:
    """Read after the end: the line of a call is written once it has been answered."""
    backend.stop()
    lines = (backend.folder / "audit.log").read_text().splitlines()
    return [json.loads(line) for line in lines]


def test_changes_and_refusals_are_audited_and_reads_are_not(
    own: Callable[..., BackendProcess],
) -> None:
    backend = own()
    with backend.client() as http:
        made = http.post(DOCSETS, json={"name": "x"})
        docset = made.json()["docset_id"]
        http.get(f"{DOCSETS}/{docset}").raise_for_status()
        http.post(f"/v1/query/search/{docset}", json={"query": "x"}).raise_for_status()
        wanted = {"name": "reader", "account_id": "wb:a-other", "scope": "read"}
        token = http.post("/v1/workbench/tokens", json=wanted).json()["token"]
        http.delete(f"{DOCSETS}/{docset}").raise_for_status()
    with httpx.Client(base_url=backend.url, headers={"Authorization": f"Bearer {token}"}) as other:
        refused = other.post(DOCSETS, json={"name": "y"})
        assert refused.status_code == 403
    assert httpx.get(f"{backend.url}{DOCSETS}", headers={"Authorization": "Bearer no"}).is_error
    noted = entries(backend)
    assert [(one["method"], one["path"], one["status"]) for one in noted] == [
        ("POST", DOCSETS, 200),
        ("POST", "/v1/workbench/tokens", 200),
        ("DELETE", f"{DOCSETS}/{docset}", 200),
        ("POST", DOCSETS, 403),
        ("GET", DOCSETS, 403),
    ]
    assert noted[0]["call"] == made.headers["x-aryn-call-id"]
    assert (noted[3]["account"], noted[3]["token"]) == ("wb:a-other", "reader")
    assert noted[4]["account"] is None and noted[4]["token"] is None


def test_tokens_questions_names_and_texts_stay_out_of_it_and_only_its_user_reads_it(
    own: Callable[..., BackendProcess],
) -> None:
    backend = own()
    with backend.client() as http:
        docset = http.post(DOCSETS, json={"name": "s3cret-docset"}).json()["docset_id"]
        docs = f"{DOCSETS}/{docset}/docs"
        http.post(docs, files={"file": ("s3cret-file.txt", "s3cret-text")}).raise_for_status()
        http.post(docs, files={"file": ("s3cret-file.pdf", "%PDF s3cret-broken")})
        http.post(docs, files={"file_url": (None, "http://s3cret.invalid/s3cret-path")})
        http.post("/v1/query", json={"docset_id": docset, "query": "s3cret-question"})
        http.post(DOCSETS, params={"s3cret": "s3cret"}, json={"name": 1})
        made = http.post("/v1/workbench/tokens", json={"name": "n", "scope": "read"}).json()
        http.delete(DOCSETS + "/x", headers={"Authorization": "Bearer s3cret-token"})
        http.delete(DOCSETS + "/x%0A{}")
    assert entries(backend)
    log = backend.folder / "audit.log"
    log_text = log.read_text()
    assert (
        "s3cret" not in log_text and backend.token not in log_text and made["token"] not in log_text
    )
    assert stat.S_IMODE(log.stat().st_mode) == 0o600
