"""The whole HTTP interface beside a model in plain Python: whatever is asked, in whatever order,
both say the same.

The short form takes some sixty steps. The long one takes two thousand, and kills the backend in
between: what it has acknowledged must still be there.
"""

import copy
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

import httpx
import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    Bundle,
    RuleBasedStateMachine,
    consumes,
    initialize,
    invariant,
    rule,
)
from hypothesis.stateful import run_state_machine_as_test as run_machine

from tests.backend_process import WITHOUT_TLS, BackendProcess

WORDS = ("amber", "basalt", "cobalt", "dolomite", "émeraude")
FIELDS = {"depth": "int", "region": "string"}
REGIONS = ("north", "south", "west")
STORAGE = "/v1/storage/docsets"

Sample = tuple[frozenset[str], int | None, str | None]
"""Words, and what the labels say of depth and region."""
SAMPLES = st.lists(
    st.tuples(
        st.frozensets(st.sampled_from(WORDS), max_size=3),
        st.none() | st.integers(-50, 50),
        st.none() | st.sampled_from(REGIONS),
    ),
    min_size=1,
    max_size=3,
)


@dataclass
class Document:
    """What the model knows of a document; `depth` and `region` are what its text says."""

    words: frozenset[str]
    says: dict[str, Any]
    entity: dict[str, Any] = field(default_factory=dict)
    corrected: set[str] = field(default_factory=set)


@dataclass
class Collection:
    """A DocSet in the model; documents are in order of arrival."""

    name: str
    readonly: bool = False
    schema: set[str] = field(default_factory=set)
    docs: dict[str, Document] = field(default_factory=dict)


class Interface(RuleBasedStateMachine):
    """Rules are requests; each compares the answer, and changes the model as it should change."""

    backend: ClassVar[BackendProcess]
    kills: ClassVar[bool] = False
    accounts: ClassVar[Iterator[int]]
    docsets = Bundle("docsets")

    def __init__(self) -> None:
        super().__init__()
        self.model: dict[str, Collection] = {}
        body = {"name": "model", "account_id": f"wb:a-{next(self.accounts)}", "scope": "write"}
        with self.backend.client() as owner:
            made = owner.post("/v1/workbench/tokens", json=body).raise_for_status().json()
        self.headers = {"Authorization": f"Bearer {made['token']}"}
        self.http = self._connect()

    def _connect(self) -> httpx.Client:
        url, headers = self.backend.url, self.headers
        return httpx.Client(base_url=url, headers=headers, timeout=60, verify=WITHOUT_TLS)

    def teardown(self) -> None:
        self.http.close()

    # -- DocSets -----------------------------------------------------------------------------

    @initialize(target=docsets)
    def begin(self) -> str:
        """Something to ask for from the start: two samples with a property."""
        docset = self.create("begun")
        self.add(docset, [(frozenset({"amber", "cobalt"}), 7, None)], later=False)
        self.extract(docset, "depth")
        self.add(docset, [(frozenset({"amber"}), -3, "north")], later=True)
        return docset

    @rule(target=docsets, name=st.sampled_from(("one", "two", "übung")))
    def create(self, name: str) -> str:
        made = self._ok(self.http.post(STORAGE, json={"name": name}))
        self.model[made["docset_id"]] = Collection(name)
        return str(made["docset_id"])

    @rule(docset=docsets, name=st.sampled_from(("two", "three")))
    def rename(self, docset: str, name: str) -> None:
        answer = self.http.patch(f"{STORAGE}/{docset}", json={"name": name})
        if self._may_change(answer, docset):
            self.model[docset].name = name

    @rule(docset=docsets, flag=st.booleans())
    def set_readonly(self, docset: str, flag: bool) -> None:
        answer = self.http.post(f"{STORAGE}/{docset}/readonly/{int(flag)}")
        if self._known(answer, docset):
            assert self._ok(answer)["readonly"] is flag
            self.model[docset].readonly = flag

    @rule(target=docsets, docset=docsets)
    def clone(self, docset: str) -> str:
        answer = self.http.post(f"{STORAGE}/{docset}/clone")
        if not self._known(answer, docset):
            return docset
        made = self._ok(answer)
        kept = copy.deepcopy(self.model[docset])
        ids = [one["doc_id"] for one in self._listed(made["docset_id"])]
        assert len(ids) == len(kept.docs) and not set(ids) & set(self.model[docset].docs)
        kept.docs = dict(zip(ids, kept.docs.values(), strict=True))
        kept.name, kept.readonly = made["name"], made["readonly"]
        self.model[made["docset_id"]] = kept
        return str(made["docset_id"])

    @rule(docset=consumes(docsets))
    def delete(self, docset: str) -> None:
        answer = self.http.delete(f"{STORAGE}/{docset}")
        if self._may_change(answer, docset):
            del self.model[docset]

    # -- documents ---------------------------------------------------------------------------

    @rule(docset=docsets, samples=SAMPLES, later=st.booleans())
    def add(self, docset: str, samples: list[Sample], later: bool) -> None:
        for words, depth, region in samples:
            says = {"depth": depth, "region": region}
            lines = [
                f"{name.title()}: {value}" for name, value in says.items() if value is not None
            ]
            text = "\n".join(["A sample of " + " and ".join(sorted(words)) + ".", "", *lines])
            answer = self._upload(docset, text, later=later)
            if self._may_change(answer, docset):
                stored = self.model[docset]
                entity = {name: says[name] for name in stored.schema}
                stored.docs[self._ok(answer)["doc_id"]] = Document(words, says, entity)

    def _upload(self, docset: str, text: str, *, later: bool) -> httpx.Response:
        sent = {"file": ("sample.txt", text)}
        if not later:
            return self.http.post(f"{STORAGE}/{docset}/docs", files=sent)
        path = f"{STORAGE}/{docset}/docs".replace("/v1/", "/v1/async/submit/")
        answer = self.http.post(path, files=sent)
        if answer.status_code != 202:
            return answer
        task = answer.json()["task_id"]
        while (answer := self.http.get(f"/v1/async/result/{task}")).status_code == 202:
            time.sleep(0.02)
        return answer

    @rule(docset=docsets, data=st.data())
    def remove_document(self, docset: str, data: st.DataObject) -> None:
        doc_id = self._some_document(docset, data)
        answer = self.http.delete(f"{STORAGE}/{docset}/docs/{doc_id}")
        if self._may_change(answer, docset, doc_id):
            del self.model[docset].docs[doc_id]

    @rule(docset=docsets, data=st.data(), name=st.sampled_from(tuple(FIELDS)))
    def correct(self, docset: str, data: st.DataObject, name: str) -> None:
        doc_id = self._some_document(docset, data)
        value = data.draw(st.integers(0, 9) if name == "depth" else st.sampled_from(REGIONS))
        path = f"/properties/entity/{name}"
        body = {"operations": [{"op": "replace", "path": path, "value": value}]}
        answer = self.http.patch(f"{STORAGE}/{docset}/docs/{doc_id}/properties", json=body)
        if not self._may_change(answer, docset, doc_id, expected=(200, 400)):
            return
        document = self.model[docset].docs[doc_id]
        assert (answer.status_code == 200) is (name in document.entity), answer.text
        if answer.status_code == 200:
            document.entity[name] = value
            document.corrected.add(name)

    # -- properties --------------------------------------------------------------------------

    @rule(docset=docsets, name=st.sampled_from(tuple(FIELDS)))
    def extract(self, docset: str, name: str) -> None:
        body = {"properties": [{"name": name, "field_type": FIELDS[name]}]}
        query = {"docset_id": docset}
        answer = self.http.post("/v1/jobs/extract-properties", json=body, params=query)
        if not self._may_change(answer, docset):
            return
        stored = self.model[docset]
        if stored.docs or name in stored.schema:
            stored.schema.add(name)
        for document in stored.docs.values():
            if name not in document.corrected:
                document.entity[name] = document.says[name]

    @rule(docset=docsets, name=st.sampled_from(tuple(FIELDS)))
    def drop_property(self, docset: str, name: str) -> None:
        body, query = {"names": [name]}, {"docset_id": docset}
        answer = self.http.post("/v1/jobs/delete-properties", json=body, params=query)
        if not self._may_change(answer, docset):
            return
        stored = self.model[docset]
        stored.schema.discard(name)
        for document in stored.docs.values():
            document.entity.pop(name, None)
            document.corrected.discard(name)

    # -- questions ---------------------------------------------------------------------------

    @rule(
        docset=docsets,
        word=st.sampled_from(WORDS),
        kind=st.sampled_from(("lexical", "keyword")),
        deep=st.booleans(),
    )
    def search(self, docset: str, word: str, kind: str, deep: bool) -> None:
        body: dict[str, Any] = {"query": word, "query_type": kind}
        if deep:
            body["properties_filter"] = "(properties.entity.depth >= 0)"
        answer = self.http.post(f"/v1/query/search/{docset}", json=body)
        if not self._known(answer, docset):
            return
        if deep and "depth" not in self.model[docset].schema:
            assert answer.status_code == 422 and "entity.depth" in answer.text
            return
        results = [hit["doc_id"] for hit in self._ok(answer)["results"]]
        wanted = {
            doc_id
            for doc_id, document in self.model[docset].docs.items()
            if word in document.words and (not deep or (document.entity.get("depth") or -1) >= 0)
        }
        assert len(results) == len(wanted) and set(results) == wanted

    @rule(docset=docsets)
    def count(self, docset: str) -> None:
        source = {"node_type": "QueryDatabase", "node_id": 0, "description": "all", "inputs": []}
        total = {"node_type": "Count", "node_id": 1, "description": "how many", "inputs": [0]}
        nodes = {"0": {**source, "index": docset, "query": None}, "1": total}
        plan = {"query": "How many?", "nodes": nodes, "result_node": 1}
        answer = self.http.post("/v1/query", json={"docset_id": docset, "plan": plan})
        if self._known(answer, docset):
            assert self._ok(answer)["result"] == len(self.model[docset].docs)

    @rule(docset=docsets)
    def ask_nonsense(self, docset: str) -> None:
        body = {"properties_filter": "(properties.entity.depth >="}
        answer = self.http.post(f"/v1/query/search/{docset}", json=body)
        assert answer.status_code == (422 if docset in self.model else 404), answer.text

    @rule(chance=st.integers(0, 5))
    def crash(self, chance: int) -> None:
        if not self.kills or chance:
            return
        self.http.close()
        self.backend.kill()
        self.backend.start()
        self.http = self._connect()

    # -- what always holds ---------------------------------------------------------------------

    @invariant()
    def lists_agree(self) -> None:
        listed = self._ok(self.http.get(STORAGE, params={"page_size": 1000}))["items"]
        assert {
            one["docset_id"]: (one["name"], one["readonly"], one["size"]) for one in listed
        } == {
            docset: (stored.name, stored.readonly, len(stored.docs))
            for docset, stored in self.model.items()
        }
        for docset, stored in self.model.items():
            documents = self._listed(docset)
            assert [one["doc_id"] for one in documents] == list(stored.docs)
            entities = [one["properties"]["entity"] for one in documents]
            assert entities == [document.entity for document in stored.docs.values()]

    # -- how answers are read --------------------------------------------------------------------

    def _listed(self, docset: str) -> list[dict[str, Any]]:
        """All documents, by pages of three."""
        results: list[dict[str, Any]] = []
        query: dict[str, Any] = {"page_size": 3}
        while True:
            page = self._ok(self.http.get(f"{STORAGE}/{docset}/docs", params=query))
            results += page["items"]
            if page["next_page_token"] is None:
                return results
            query["page_token"] = page["next_page_token"]

    def _some_document(self, docset: str, data: st.DataObject) -> str:
        stored = self.model.get(docset)
        there = list(stored.docs) if stored else []
        return data.draw(st.sampled_from([*there, *there, "wb:f-none"]))

    def _known(self, answer: httpx.Response, docset: str) -> bool:
        if docset not in self.model:
            assert answer.status_code == 404, answer.text
        return docset in self.model

    def _may_change(
        self,
        answer: httpx.Response,
        docset: str,
        doc_id: str | None = None,
        *,
        expected: tuple[int, ...] = (200,),
    ) -> bool:
        """Whether the change was to be made; asserts the refusal where it was not."""
        if not self._known(answer, docset):
            return False
        stored = self.model[docset]
        missing = doc_id is not None and doc_id not in stored.docs
        refusals = {status for status, holds in ((403, stored.readonly), (404, missing)) if holds}
        wanted = refusals or set(expected)
        assert answer.status_code in wanted, (answer.status_code, answer.text)
        return not refusals

    def _ok(self, answer: httpx.Response) -> Any:
        assert answer.status_code == 200, (answer.status_code, answer.text)
        return answer.json()


@pytest.fixture
def machine(tmp_path: Path) -> Iterator[type[Interface]]:
    backend = BackendProcess(tmp_path / "data", {"workers": "1", "submit_rate": "10000"}).start()
    accounts = iter(range(1_000_000))
    yield type("Machine", (Interface,), {"backend": backend, "accounts": accounts})
    backend.stop()


def steps(examples: int, each: int) -> settings:
    return settings(
        max_examples=examples,
        stateful_step_count=each,
        deadline=None,
        suppress_health_check=list(HealthCheck),
        derandomize=True,
        # Every step is a request or more: looking for a shorter way to fail would take minutes.
        phases=[Phase.explicit, Phase.generate],
        database=None,
        print_blob=False,
    )


def test_the_interface_agrees_with_its_model(machine: type[Interface]) -> None:
    run_machine(machine, settings=steps(3, 20))


@pytest.mark.soak
def test_two_thousand_steps_with_crashes_in_between(machine: type[Interface]) -> None:
    machine.kills = True
    run_machine(machine, settings=steps(20, 100))
