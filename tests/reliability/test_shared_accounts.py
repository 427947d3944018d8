"""Two accounts whose DocSets lie in the same shards and whose originals lie in the same store."""

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest

from tests.backend_process import BackendProcess
from tests.reliability.mixed_load import STORAGE
from tests.reliability.test_shared_cluster import STAND_IN, begin, settings, state, until

_SAME = "A pump of the plant lost pressure, and the operator closed the valve."
_SCHEMA = {"properties": [{"name": "state", "field_type": "string", "description": "Where it was"}]}
_STATES = ("Ohio", "Texas", "Nevada")
_KINDS = ("lexical", "keyword", "vector", "hybrid")


@dataclass
class _Tenant:
    """An account with one DocSet; `mark` is a word that only its own documents have."""

    http: httpx.Client
    mark: str
    docset: str = ""

    def begin(self) -> None:
        made = self.http.post(STORAGE, json={"name": self.mark, "schema": _SCHEMA})
        self.docset = made.raise_for_status().json()["docset_id"]

    @property
    def folder(self) -> str:
        """How the folders of the indexes of its DocSet begin, here and in the shards."""
        return hashlib.sha256(self.docset.encode()).hexdigest()[:32]

    @property
    def docs(self) -> str:
        return f"{STORAGE}/{self.docset}/docs"

    def add(self, count: int) -> list[str]:
        """Adds so many documents with words of everybody's and its own; their ids."""
        ids = []
        for number in range(count):
            text = f"State: {_STATES[number % 3]}\n\n{_SAME}\n\nIt was {self.mark} number {number}."
            answer = self.http.post(self.docs, files={"file": (f"{number}.txt", text)})
            ids.append(answer.raise_for_status().json()["doc_id"])
        return ids

    def answers(self, docset: str) -> list[httpx.Response]:
        """The answers to everything that reads the indexes of a DocSet."""
        asked = [
            self._search(docset, query, kind, result)
            for query in ("pump pressure", "ohio valve", "stork", "heron")
            for kind in _KINDS
            for result in ("doc", "element")
        ]
        facets = {"search": {"query": "pump", "query_type": "lexical"}}
        asked.append(self.http.post(f"/v1/workbench/facets/{docset}", json=facets))
        partial = {"filter": "properties.entity.state = '"}
        asked.append(self.http.post(f"/v1/workbench/completions/{docset}", json=partial))
        asked.append(self.http.get(f"/v1/workbench/docsets/{docset}/index"))
        return asked

    def _search(self, docset: str, query: str, kind: str, result: str) -> httpx.Response:
        body = {"query": query, "query_type": kind, "return_type": result}
        path = f"/v1/query/search/{docset}"
        return self.http.post(path, json=body, params={"page_size": 1000})

    def own_answers(self) -> list[Any]:
        return [one.raise_for_status().json() for one in self.answers(self.docset)]


def _in_shards(folder: Path, tenant: _Tenant) -> bool:
    """Whether only the shards have the indexes of its DocSet."""
    here, *there = (
        len(list(folder.glob(f"{place}/{tenant.folder}*/words")))
        for place in ("indexes", "shards/0of2-0/indexes", "shards/1of2-0/indexes")
    )
    return not here and there == [1, 1]


@pytest.fixture
def tenants(postgresql: str, tmp_path: Path) -> Iterator[tuple[_Tenant, _Tenant]]:
    shared = settings(postgresql, tmp_path, "127.0.0.1:6379") | {"shards": "2", "shards_from": "3"}
    server = begin(BackendProcess(tmp_path / "a", shared, STAND_IN))
    with server.client() as owner:
        body = {"name": "another account", "account_id": "wb:a-other", "scope": "write"}
        token = owner.post("/v1/workbench/tokens", json=body).raise_for_status().json()["token"]
        with server.client(headers={"Authorization": f"Bearer {token}"}) as other:
            until(lambda: len([one for one in state(owner)["shards"] if one]) == 2)
            yield _Tenant(owner, "stork"), _Tenant(other, "heron")
    server.stop(60)


def test_accounts_in_the_same_shards_neither_see_nor_change_each_other(
    tenants: tuple[_Tenant, _Tenant], tmp_path: Path
) -> None:
    """Ranks, scores, facets and counts of one are the same before and after the other comes."""
    one, other = tenants
    folder = tmp_path / "a"
    for tenant in tenants:
        tenant.begin()
        tenant.own_answers()  # from the first search on it is known to be small
    ids = set(one.add(6))
    until(lambda: _in_shards(folder, one))
    alone = one.own_answers()
    others = set(other.add(12))
    until(lambda: _in_shards(folder, other))
    assert one.own_answers() == alone
    texts = json.dumps(alone), json.dumps(other.own_answers())
    assert all(own in texts[0] and own not in texts[1] for own in ids)
    assert all(own in texts[1] and own not in texts[0] for own in others)
    for reader, foreign in (tenants, tenants[::-1]):
        for answer in reader.answers(foreign.docset):
            assert answer.status_code == 404 and foreign.mark not in answer.text
        for doc_id in ids | others:
            path = f"{reader.docs}/{doc_id}/binary"
            mine = doc_id in (ids if reader is one else others)
            assert reader.http.get(path).status_code == (200 if mine else 404)
    assert other.http.delete(f"{STORAGE}/{one.docset}").status_code == 404
    kept = other.own_answers()
    one.http.delete(f"{STORAGE}/{one.docset}").raise_for_status()
    until(lambda: not list(folder.glob(f"shards/*/indexes/{one.folder}*")))
    assert other.own_answers() == kept
