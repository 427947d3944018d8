"""Vectors of a running server: their model, their cache, and recomputing them during searches."""

import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import pytest

from backend.inference.installing import install, remove
from tests import small_minilm
from tests.backend_process import BackendProcess
from tests.scripted_model import ScriptedModel, status
from tests.scripted_vectors import slowly, texts_of, words

STORAGE = "/v1/storage/docsets"
TEXTS = [f"A horse number {number} runs in the meadow." for number in range(6)]
HORSES = [f"Horse {number}" for number in range(12)]  # eight documents are one batch
Start = Callable[..., BackendProcess]


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Start]:
    """Starts a backend on the data folder of this test, with an endpoint if one is given."""
    running: list[BackendProcess] = []

    def begin(endpoint: ScriptedModel | None = None, **settings: str) -> BackendProcess:
        if endpoint is not None:
            settings["models__embedding__url"] = endpoint.url
            settings["models__embedding__model"] = "vec-1"
        running.append(BackendProcess(tmp_path / "data", {"workers": "1", **settings}).start())
        return running[-1]

    yield begin
    for backend in running:
        backend.stop()


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx.Client]:
    """A client of a backend that has only built-in models."""
    backend = BackendProcess(tmp_path_factory.mktemp("plain"), {"workers": "1"}).start()
    with backend.client() as http:
        yield http
    backend.stop()


class Pile:
    """A DocSet of a backend, over HTTP."""

    def __init__(self, http: httpx.Client, docset_id: str) -> None:
        self.http = http
        self.id = docset_id

    @classmethod
    def made(cls, http: httpx.Client, **body: Any) -> "Pile":
        answer = http.post(STORAGE, json={"name": "pile", **body}).raise_for_status()
        return cls(http, answer.json()["docset_id"])

    def add(self, *texts: str) -> "Pile":
        for place, text in enumerate(texts):
            file = (f"{place}.txt", text.encode())
            self.http.post(f"{STORAGE}/{self.id}/docs", files={"file": file}).raise_for_status()
        return self

    def search(self, query: str, kind: str = "vector") -> httpx.Response:
        body = {"query": query, "query_type": kind, "return_type": "element"}
        return self.http.post(f"/v1/query/search/{self.id}", json=body)

    def best(self, query: str, kind: str = "vector") -> str:
        results = self.search(query, kind).raise_for_status().json()["results"]
        return str(results[0]["text_representation"])

    def use(self, provider: str) -> str:
        path = f"/v1/workbench/docsets/{self.id}/embedding"
        answer = self.http.post(path, json={"provider": provider})
        assert answer.status_code == 202, answer.text
        return str(answer.json()["task_id"])

    @property
    def embedding(self) -> dict[str, Any]:
        answer = self.http.get(f"/v1/workbench/docsets/{self.id}/embedding").raise_for_status()
        embedding: dict[str, Any] = answer.json()
        return embedding


def result(http: httpx.Client, task_id: str) -> httpx.Response:
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        answer = http.get(f"/v1/async/result/{task_id}")
        if answer.status_code != 202:
            return answer
        time.sleep(0.03)
    raise AssertionError("the task does not end")


def until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def identities(backend: BackendProcess) -> dict[str, int]:
    """The number of contents with vectors of each identity."""
    with closing(sqlite3.connect(backend.folder / "workbench.sqlite")) as connection:
        rows = connection.execute("SELECT identity, count(*) FROM vectors GROUP BY identity")
        return dict(rows.fetchall())


def test_searches_switch_to_the_new_model_once_it_has_every_document(start: Start) -> None:
    with ScriptedModel(words) as endpoint:
        backend = start(endpoint)
        with backend.client() as http:
            pile = Pile.made(http).add(*TEXTS, "… !?", "Tax law was changed.")
            assert pile.best("tax law") == "Tax law was changed."
            before = pile.embedding
            assert (before["provider"], before["available"]) == ("static", True)
            finished = result(http, pile.use("endpoint"))
            assert finished.status_code == 200 and finished.json() == pile.embedding
            assert pile.embedding["identity"] == "endpoint/vec-1@/16/8000-l2"
            assert pile.best("tax law was changed.") == "Tax law was changed."
            assert pile.best("tax law was changed.", "hybrid") == "Tax law was changed."
            assert set(identities(backend)) == {"endpoint/vec-1@/16/8000-l2"}
            pile.add("A zebra is no horse.")  # with the new model at once
            assert pile.best("A zebra is no horse.") == "A zebra is no horse."
            result(http, pile.use("static"))
            assert pile.best("income tax") == "Tax law was changed."
            assert set(identities(backend)) == {before["identity"]}
            result(http, pile.use("none"))
            assert identities(backend) == {} and pile.search("tax").status_code == 422


def test_an_installed_model_is_used_without_a_restart_and_reported_missing_after_its_removal(
    start: Start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    models = tmp_path / "data" / "models"
    with start().client() as http:
        pile = Pile.made(http).add("A horse runs in the meadow.", "Tax law was changed.")
        install(models, small_minilm.write_wheel(tmp_path, monkeypatch), lambda _sentence: None)
        finished = result(http, pile.use("minilm"))
        assert finished.status_code == 200, finished.text
        assert finished.json()["dimension"] == 384
        pile.add("A pony and two zebra.", "A pony and two zebra.")
        for text in ("A horse runs in the meadow.", "A pony and two zebra."):
            assert pile.best(text) == text and pile.best(text, "hybrid") == text
        remove(models)
        assert pile.search("horse").status_code == 422
        assert pile.best("horse", "lexical") == "A horse runs in the meadow."


def test_texts_embedded_once_are_not_embedded_again(start: Start) -> None:
    with ScriptedModel(words) as endpoint, start(endpoint).client() as http:
        pile = Pile.made(http, embedding="endpoint").add(*TEXTS[:3])
        sent = texts_of(endpoint.requests)
        assert sorted(sent) == sorted(["dimension", *TEXTS[:3]])
        pile.add(*TEXTS[:3])  # the same files again
        clone = http.post(f"{STORAGE}/{pile.id}/clone").raise_for_status().json()["docset_id"]
        assert Pile(http, clone).search("A horse").status_code == 200
        result(http, pile.use("static"))
        assert Pile(http, clone).embedding["provider"] == "endpoint"
        result(http, pile.use("endpoint"))
        assert texts_of(endpoint.requests) == [*sent, "A horse"]


def test_a_cancelled_change_of_model_leaves_searches_alone_and_keeps_finished_vectors(
    start: Start,
) -> None:
    with ScriptedModel(slowly(0.4)) as endpoint, start(endpoint).client() as http:
        pile = Pile.made(http).add(*HORSES)
        task = pile.use("endpoint")
        until(lambda: len(set(texts_of(endpoint.requests))) > 8 + 1)
        assert http.post(f"/v1/async/cancel/{task}").status_code == 200
        assert pile.embedding["provider"] == "static" and pile.best("Horse 7")
        assert result(http, pile.use("endpoint")).status_code == 200
        texts = [text for text in texts_of(endpoint.requests) if text != "dimension"]
        assert set(texts) == set(HORSES) and len(texts) <= 12 + 4
        assert pile.best("Horse 7") == "Horse 7"


def test_a_change_of_model_resumes_after_a_crash(start: Start) -> None:
    with ScriptedModel(slowly(0.3)) as endpoint:
        backend = start(endpoint)
        with backend.client() as http:
            pile = Pile.made(http).add(*HORSES)
            task = pile.use("endpoint")
            until(lambda: len(set(texts_of(endpoint.requests))) > 8 + 1)
        backend.kill()
        with start(endpoint).client() as http:
            pile = Pile(http, pile.id)
            assert result(http, task).status_code == 200
            assert pile.embedding["provider"] == "endpoint"
            assert pile.best("Horse 7") == "Horse 7"
        texts = [text for text in texts_of(endpoint.requests) if text.startswith("Horse")]
        assert set(texts) == set(HORSES) and len(texts) <= 12 + 4 + 1


def test_documents_added_meanwhile_have_vectors_of_the_new_model(start: Start) -> None:
    with ScriptedModel(slowly(0.3)) as endpoint, start(endpoint, workers="2").client() as http:
        pile = Pile.made(http).add(*HORSES)
        task = pile.use("endpoint")
        pile.add(*(f"Zebra {number}" for number in range(2)))
        assert result(http, task).status_code == 200
        for number in range(2):
            assert pile.best(f"Zebra {number}") == f"Zebra {number}"


def test_without_its_model_a_docset_answers_word_queries_and_advises(start: Start) -> None:
    with ScriptedModel(words) as endpoint:
        backend = start(endpoint)
        with backend.client() as http:
            pile = Pile.made(http, embedding="endpoint").add(*TEXTS[:2])
        backend.stop()
    with start().client() as http:
        pile = Pile(http, pile.id)
        assert pile.best("horse", "lexical") and pile.best("horse", "keyword")
        for kind in ("vector", "hybrid"):
            refused = pile.search("horse", kind)
            assert refused.status_code == 422
            assert "[models.embedding]" in refused.json()["detail"][0]["msg"]
        state = pile.embedding
        assert state["available"] is False and "[models.embedding]" in state["detail"]
        file = {"file": ("x.txt", b"A zebra.")}
        for path in (
            f"{STORAGE}/{pile.id}/docs",
            f"/v1/async/submit/storage/docsets/{pile.id}/docs",
        ):
            added = http.post(path, files=file)
            assert added.status_code == 422
            assert "nothing was changed" in added.json()["detail"][0]["msg"]
        assert result(http, pile.use("static")).status_code == 200
        assert pile.add("A zebra.").best("zebra") == "A zebra."


def test_an_endpoint_that_is_down_fails_the_call_with_a_message(start: Start) -> None:
    script = (words, words, words, status(400))
    with ScriptedModel(*script) as endpoint, start(endpoint).client() as http:
        pile = Pile.made(http, embedding="endpoint").add(*TEXTS[:1])
        assert pile.best("horse")
        failed = http.post(f"{STORAGE}/{pile.id}/docs", files={"file": ("x.txt", b"A zebra.")})
        assert failed.status_code == 503 and "status 400" in failed.json()["detail"]
        asked = pile.search("zebra")
        assert asked.status_code == 503 and "status 400" in asked.json()["detail"]
        assert pile.best("horse", "lexical") == TEXTS[0]


@pytest.mark.parametrize(
    ("provider", "advice"),
    [
        ("minilm", "workbench models install minilm"),
        ("endpoint", "[models.embedding]"),
        ("elsewhere", "there are static, minilm, endpoint, none"),
    ],
)
def test_a_missing_model_is_refused_with_advice(
    plain: httpx.Client, provider: str, advice: str
) -> None:
    refused = plain.post(STORAGE, json={"name": "x", "embedding": provider})
    assert refused.status_code == 422
    assert refused.json()["detail"][0]["loc"] == ["body", "embedding"]
    assert advice in refused.json()["detail"][0]["msg"]
    path = f"/v1/workbench/docsets/{Pile.made(plain).id}/embedding"
    refused = plain.post(path, json={"provider": provider})
    assert refused.status_code == 422 and advice in refused.json()["detail"][0]["msg"]
    listed = {model["name"]: model for model in plain.get("/v1/workbench/models").json()}
    if provider in listed:
        assert not listed[provider]["ready"] and advice in listed[provider]["detail"]


def test_a_read_only_docset_keeps_its_vectors(plain: httpx.Client) -> None:
    pile = Pile.made(plain)
    plain.post(f"{STORAGE}/{pile.id}/readonly/1").raise_for_status()
    path = f"/v1/workbench/docsets/{pile.id}/embedding"
    assert plain.post(path, json={"provider": "none"}).status_code == 403
    assert plain.get(path).json()["provider"] == "static"
    assert plain.get(f"/v1/workbench/docsets/{pile.id}x/embedding").status_code == 404
