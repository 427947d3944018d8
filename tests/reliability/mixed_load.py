"""Clients that do everything at once, and each know what must be there after a crash.

An actor works on a DocSet of its own, so what it may find is decided by its own requests. What was
answered must be there; the one request that was under way when the server died may have been done
or not, but not by half.
"""

import itertools
import random
import time
from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, ClassVar

import httpx

STORAGE = "/v1/storage/docsets"
_DEPTH = {"name": "depth", "field_type": "int"}
_LONG_TEXT = "A line of text that goes on.\n\n" * 2_000


def submitted_path(path: str) -> str:
    """Where the same call is taken as a task."""
    return path.replace("/v1/", "/v1/async/submit/", 1)


def outcome(http: httpx.Client, task_id: str, seconds: float = 60) -> httpx.Response:
    """The answer of a task that must end; AssertionError when it is stuck."""
    deadline = time.monotonic() + seconds
    while (answer := http.get(f"/v1/async/result/{task_id}")).status_code == 202:
        assert time.monotonic() < deadline, f"{task_id} is stuck"
        time.sleep(0.02)
    return answer


def documents(http: httpx.Client, docset: str) -> list[dict[str, Any]]:
    """The metadata of all documents of a DocSet."""
    results: list[dict[str, Any]] = []
    query: dict[str, Any] = {"page_size": 1000}
    while True:
        page = http.get(f"{STORAGE}/{docset}/docs", params=query).raise_for_status().json()
        results += page["items"]
        if page["next_page_token"] is None:
            return results
        query["page_token"] = page["next_page_token"]


def drained(http: httpx.Client, seconds: float = 120) -> None:
    """Waits until no task is open."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        tasks = http.get("/v1/async/list").raise_for_status().json()["tasks"].values()
        if {task["task_status"] for task in tasks} <= {"done", "cancelled"}:
            return
        time.sleep(0.05)
    raise AssertionError("tasks are stuck")


def word_of(name: str) -> str:
    """A word that only the document of that name contains."""
    return "q" + name.replace("-", "x") + "z"


@dataclass
class Actor(ABC):
    """One client. `acknowledged` counts the changes whose answer came."""

    moves: random.Random
    docset: str = ""
    acknowledged: int = 0
    schema: ClassVar[list[dict[str, str]]] = []

    def prepare(self, http: httpx.Client) -> None:
        """Makes the DocSet, while nothing is killed."""
        body: dict[str, Any] = {"name": type(self).__name__}
        if self.schema:
            body["schema"] = {"properties": self.schema}
        self.docset = http.post(STORAGE, json=body).raise_for_status().json()["docset_id"]

    @abstractmethod
    def act(self, http: httpx.Client) -> None:
        """One step; httpx.HTTPError when the server is gone."""

    @abstractmethod
    def check(self, http: httpx.Client) -> None:
        """AssertionError unless the server, which has no open tasks, has what it promised."""

    def add(self, http: httpx.Client, name: str, text: str) -> str:
        path = f"{STORAGE}/{self.docset}/docs"
        answer = http.post(path, files={"file": (f"{name}.md", text)}).raise_for_status()
        return str(answer.json()["doc_id"])


@dataclass
class Adding(Actor):
    """Adds documents, waiting for them or as tasks."""

    contents: dict[str, str] = field(default_factory=dict)
    added: dict[str, str] = field(default_factory=dict)
    tasks: dict[str, str] = field(default_factory=dict)
    numbers: Iterator[int] = field(default_factory=itertools.count)
    searched: set[str] = field(default_factory=set)

    def act(self, http: httpx.Client) -> None:
        name = f"a-{next(self.numbers)}"
        text = f"# {name}\n\nThe word is {word_of(name)}.\n\n{'More text. ' * 50}"
        text += "\n\nOne more." * self.moves.choice([0, 0, 0, 2_500])  # stored in several steps
        self.contents[name] = text
        way = self.moves.random()
        if way < 0.3:
            self.added[name] = self.add(http, name, text)
        elif way < 0.5:
            self.added[name] = self.add_in_pieces(http, name, text)
        else:
            path = submitted_path(f"{STORAGE}/{self.docset}/docs")
            answer = http.post(path, files={"file": (f"{name}.md", text)}).raise_for_status()
            self.tasks[name] = answer.json()["task_id"]
        self.acknowledged += 1

    def add_in_pieces(self, http: httpx.Client, name: str, text: str) -> str:
        """As a client does that does not know the length: the server dies during many of them."""
        head = f'--b\r\nContent-Disposition: form-data; name="file"; filename="{name}.md"\r\n\r\n'
        data = f"{head}{text}\r\n--b--\r\n".encode()

        def pieces() -> Iterator[bytes]:
            for start in range(0, len(data), 1 + len(data) // 4):
                yield data[start : start + 1 + len(data) // 4]
                time.sleep(self.moves.uniform(0, 0.05))

        sent = {"Content-Type": "multipart/form-data; boundary=b"}
        path = f"{STORAGE}/{self.docset}/docs"
        answer = http.post(path, content=pieces(), headers=sent).raise_for_status()
        return str(answer.json()["doc_id"])

    def check(self, http: httpx.Client) -> None:
        for name, task_id in self.tasks.items():
            self.added[name] = outcome(http, task_id).raise_for_status().json()["doc_id"]
        self.tasks.clear()
        stored = documents(http, self.docset)
        present = {one["name"].removesuffix(".md"): one["doc_id"] for one in stored}
        assert len(stored) == len(present), "a document is there twice"
        assert present.keys() <= self.contents.keys()
        assert self.added.items() <= present.items(), "acknowledged and lost"
        for name in present.keys() - self.searched:
            path = f"{STORAGE}/{self.docset}/docs/{present[name]}/binary"
            assert http.get(path).text == self.contents[name]
            search = f"/v1/query/search/{self.docset}"
            for kind in ("lexical", "keyword"):
                answer = http.post(search, json={"query": word_of(name), "query_type": kind})
                assert [hit["doc_id"] for hit in answer.json()["results"]] == [present[name]]
        self.searched |= present.keys()


@dataclass
class Correcting(Actor):
    """Adds, corrects and deletes documents, each acknowledged or in doubt."""

    schema: ClassVar = [_DEPTH]
    values: dict[str, int] = field(default_factory=dict)
    doubt: tuple[str, int | None] | None = None
    """The document of a request without an answer, and the value it was to have; None for gone."""
    numbers: Iterator[int] = field(default_factory=lambda: itertools.count(1))

    def act(self, http: httpx.Client) -> None:
        number = next(self.numbers)
        if len(self.values) < 8:
            self.values[self.add(http, f"c-{number}", f"Sample.\n\nDepth: {number}")] = number
        elif self.moves.random() < 0.6:
            self._correct(http, self.moves.choice(list(self.values)), number)
        else:
            self._delete(http, self.moves.choice(list(self.values)))
        self.acknowledged += 1

    def _correct(self, http: httpx.Client, doc_id: str, value: int) -> None:
        operation = {"op": "replace", "path": "/properties/entity/depth", "value": value}
        self.doubt = doc_id, value
        path = f"{STORAGE}/{self.docset}/docs/{doc_id}/properties"
        http.patch(path, json={"operations": [operation]}).raise_for_status()
        self.doubt, self.values[doc_id] = None, value

    def _delete(self, http: httpx.Client, doc_id: str) -> None:
        self.doubt = doc_id, None
        http.delete(f"{STORAGE}/{self.docset}/docs/{doc_id}").raise_for_status()
        self.doubt = None
        del self.values[doc_id]

    def check(self, http: httpx.Client) -> None:
        stored = documents(http, self.docset)
        results = {one["doc_id"]: one["properties"]["entity"]["depth"] for one in stored}
        if self.doubt is not None:
            doc_id, value = self.doubt
            assert results.get(doc_id) in (value, self.values[doc_id])
            self.values.pop(doc_id)
            self.values |= {doc_id: results[doc_id]} if doc_id in results else {}
            self.doubt = None
        assert self.values.items() <= results.items(), "a correction is lost"
        # After an add without an answer the text shows the value.
        more = results.keys() - self.values.keys()
        assert len(more) <= 1, "a deleted document is back"
        self.values |= {doc_id: results[doc_id] for doc_id in more}


@dataclass
class Extracting(Actor):
    """Gives a DocSet a property and takes it away again, as jobs."""

    size: int = 20
    present: bool = False
    doubt: bool = False

    def prepare(self, http: httpx.Client) -> None:
        super().prepare(http)
        for number in range(self.size):
            self.add(http, f"e-{number}", f"Sample.\n\nDepth: {number}")

    def act(self, http: httpx.Client) -> None:
        self._change(http, not self.present, later=self.moves.random() < 0.5)
        self.acknowledged += 1

    def _change(self, http: httpx.Client, wanted: bool, *, later: bool) -> None:
        path = "/v1/jobs/extract-properties" if wanted else "/v1/jobs/delete-properties"
        body: dict[str, Any] = {"properties": [_DEPTH]} if wanted else {"names": ["depth"]}
        path = submitted_path(path) if later else path
        self.doubt = True
        answer = http.post(path, json=body, params={"docset_id": self.docset}).raise_for_status()
        self.doubt, self.present = False, wanted
        if later:
            assert outcome(http, answer.json()["task_id"]).status_code == 200

    def check(self, http: httpx.Client) -> None:
        if self.doubt:  # a job nobody has an answer of may have come half way; asking again ends it
            self._change(http, not self.present, later=False)
        schema = http.get(f"{STORAGE}/{self.docset}").raise_for_status().json()["schema"]
        names = [item["name"] for item in (schema or {"properties": []})["properties"]]
        assert names == (["depth"] if self.present else [])
        for one in documents(http, self.docset):
            number = int(one["name"].removesuffix(".md").removeprefix("e-"))
            assert one["properties"]["entity"] == ({"depth": number} if self.present else {})


@dataclass
class Cloning(Actor):
    """Clones a DocSet, deletes the clones, and asks how many documents there are."""

    size: int = 5
    clones: list[str] = field(default_factory=list)
    doubt: str | None = None
    """A clone that was to be deleted."""

    def prepare(self, http: httpx.Client) -> None:
        super().prepare(http)
        for number in range(self.size):
            self.add(http, f"k-{number}", f"Number {number}.")

    def act(self, http: httpx.Client) -> None:
        if len(self.clones) < 3:
            answer = http.post(f"{STORAGE}/{self.docset}/clone").raise_for_status()
            self.clones.append(answer.json()["docset_id"])
        else:
            self.doubt = self.clones.pop(0)
            http.delete(f"{STORAGE}/{self.doubt}").raise_for_status()
            self.doubt = None
        self.acknowledged += 1

    def check(self, http: httpx.Client) -> None:
        listed = http.get(STORAGE, params={"page_size": 1000, "name_eq": "Cloning (copy)"}).json()
        results = {one["docset_id"]: one["size"] for one in listed["items"]}
        assert set(results.values()) <= {self.size}, "half a clone"
        assert results.keys() >= set(self.clones), "a clone is lost"
        assert len(results.keys() - set(self.clones)) <= 1, "a deleted clone is back"
        self.clones, self.doubt = list(results), None
        search = {"query": "number", "return_type": "doc"}
        for docset in (self.docset, *results):
            answer = http.post(f"/v1/query/search/{docset}", json=search).raise_for_status()
            assert len(answer.json()["results"]) == self.size


@dataclass
class Reembedding(Actor):
    """Gives a DocSet vectors and takes them away again."""

    provider: str = "static"
    doubt: str | None = None

    def prepare(self, http: httpx.Client) -> None:
        super().prepare(http)
        for number in range(12):
            self.add(http, f"v-{number}", f"Number {number} of some.")

    def act(self, http: httpx.Client) -> None:
        self.doubt = "none" if self.provider == "static" else "static"
        path = f"/v1/workbench/docsets/{self.docset}/embedding"
        answer = http.post(path, json={"provider": self.doubt}).raise_for_status()
        self.provider, self.doubt = self.doubt, None
        self.acknowledged += 1
        assert outcome(http, answer.json()["task_id"]).status_code == 200

    def check(self, http: httpx.Client) -> None:
        state = http.get(f"/v1/workbench/docsets/{self.docset}/embedding").json()
        assert state["provider"] in (self.provider, self.doubt)
        self.provider, self.doubt = state["provider"], None
        body = {"query": "number", "query_type": "vector", "return_type": "element"}
        answer = http.post(f"/v1/query/search/{self.docset}", json=body)
        if self.provider == "none":
            assert answer.status_code == 422
        else:
            assert len(answer.raise_for_status().json()["results"]) == 12


@dataclass
class Asking(Actor):
    """Runs plans: what was answered can be looked at later, and nothing runs for ever."""

    size: int = 4
    runs: list[str] = field(default_factory=list)

    def prepare(self, http: httpx.Client) -> None:
        super().prepare(http)
        for number in range(self.size):
            self.add(http, f"r-{number}", f"Number {number}.")

    def act(self, http: httpx.Client) -> None:
        source = {"node_type": "QueryDatabase", "node_id": 0, "description": "all", "inputs": []}
        total = {"node_type": "Count", "node_id": 1, "description": "how many", "inputs": [0]}
        nodes = {"0": {**source, "index": self.docset, "query": None}, "1": total}
        plan = {"query": "How many?", "nodes": nodes, "result_node": 1}
        body = {"docset_id": self.docset, "plan": plan}
        answer = http.post("/v1/query", json=body).raise_for_status().json()
        assert answer["result"] == self.size
        self.runs.append(answer["query_id"])
        self.acknowledged += 1

    def check(self, http: httpx.Client) -> None:
        for query_id in self.runs[-20:]:
            trace = http.get(f"/v1/workbench/runs/{query_id}").raise_for_status().json()
            assert trace["status"] == "done" and len(trace["nodes"]) == 2


@dataclass
class Cancelling(Actor):
    """Submits long work and cancels it: what was cancelled is never done."""

    cancelled: dict[str, str] = field(default_factory=dict)
    others: dict[str, str] = field(default_factory=dict)
    """Tasks that were not cancelled, or perhaps, by the names of their documents."""
    numbers: Iterator[int] = field(default_factory=itertools.count)

    def act(self, http: httpx.Client) -> None:
        name = f"x-{next(self.numbers)}.txt"
        path = submitted_path(f"{STORAGE}/{self.docset}/docs")
        answer = http.post(path, files={"file": (name, f"{name}\n\n{_LONG_TEXT}")})
        task_id = answer.raise_for_status().json()["task_id"]
        self.others[name] = task_id
        time.sleep(self.moves.uniform(0, 0.3))
        answer = http.post(f"/v1/async/cancel/{task_id}")
        if answer.status_code == 200:
            self.cancelled[name] = self.others.pop(name)
        self.acknowledged += 1

    def check(self, http: httpx.Client) -> None:
        for task_id in self.cancelled.values():
            assert http.get(f"/v1/async/result/{task_id}").status_code == 404
        done = {}
        for name, task_id in self.others.items():
            answer = outcome(http, task_id)
            if answer.status_code != 404:
                done[name] = answer.raise_for_status().json()["doc_id"]
        stored = {one["name"]: one["doc_id"] for one in documents(http, self.docset)}
        assert done.items() <= stored.items(), "acknowledged and lost"
        assert not stored.keys() & self.cancelled.keys(), "what was cancelled is there"
        assert len(stored.keys() - done.keys()) <= 1
        for doc_id in stored.values():
            http.delete(f"{STORAGE}/{self.docset}/docs/{doc_id}").raise_for_status()
        self.cancelled.clear()
        self.others.clear()


@dataclass
class Saving(Actor):
    """Takes backups; a whole one ends with the end mark of a tar file."""

    def act(self, http: httpx.Client) -> None:
        answer = http.post("/v1/workbench/backup").raise_for_status()
        assert answer.content.endswith(bytes(1024))
        self.acknowledged += 1
        time.sleep(0.5)

    def check(self, http: httpx.Client) -> None:
        """What it leaves behind is looked for by the round."""


ACTORS = (Adding, Correcting, Extracting, Cloning, Reembedding, Asking, Cancelling, Saving)
