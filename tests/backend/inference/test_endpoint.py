"""Vectors from an endpoint: requested in small batches, checked, without leaking secrets."""

import logging
import math
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from typing import Any

import numpy as np
import pytest
from pydantic import SecretStr

from backend.inference.embeddings import Identity, ProviderFailed, ProviderMissing
from backend.inference.endpoint import EndpointModel
from backend.inference.providers import Embedders
from backend.settings import EmbeddingEndpoint
from tests.scripted_model import Reply, Script, ScriptedModel, broken, status
from tests.scripted_vectors import DIMENSION, answer, slowly, texts_of, vector_of, words

KEY = "sk-do-not-tell-4711"


class Asked:
    """A scripted endpoint, a model that uses it, and the pauses the model would make."""

    def __init__(self, server: ScriptedModel, **more: Any) -> None:
        self.server = server
        self.pauses: list[float] = []
        settings = EmbeddingEndpoint(url=server.url, model="vec-1", key=SecretStr(KEY), **more)
        self.model = EndpointModel(settings, pause=self._pause)

    def embed(self, *texts: str) -> np.ndarray[Any, Any]:
        """The embedder for vectors of the usual length."""
        return self.model.of(identity()).embed(texts)

    def _pause(self, seconds: float) -> None:
        if seconds > 0:
            self.pauses.append(seconds)


def identity(dimension: int = DIMENSION, model: str = "vec-1") -> Identity:
    return Identity("endpoint", model, "", dimension, "8000-l2")


@pytest.fixture
def endpoint() -> Any:
    """Starts a scripted endpoint: `endpoint(reply, …, seconds=1)`."""
    with ExitStack() as stack:

        def start(*script: Script, **more: Any) -> Asked:
            asked = Asked(stack.enter_context(ScriptedModel(*script)), **more)
            stack.callback(asked.model.close)
            return asked

        yield start


Start = Callable[..., Asked]


def test_vectors_are_normalised_and_in_the_order_of_the_texts(endpoint: Start) -> None:
    asked = endpoint(words)
    rows = asked.embed("zebra", "tax law", "", "… !?", "zebra")
    assert rows.shape == (5, DIMENSION) and rows.dtype == np.float32
    assert np.linalg.norm(rows, axis=1) == pytest.approx([1, 1, 0, 0, 1], abs=1e-6)
    wanted = np.array(vector_of("tax law"))
    assert rows[1] == pytest.approx(wanted / np.linalg.norm(wanted), abs=1e-6)
    (request,) = asked.server.requests
    assert request["input"] == ["zebra", "tax law", "zebra"]  # texts without words are not sent
    assert request["model"] == "vec-1" and request["encoding_format"] == "float"
    assert asked.server.headers[0]["Authorization"] == f"Bearer {KEY}"


def test_requests_are_limited_to_64_texts_and_a_number_of_characters(endpoint: Start) -> None:
    asked = endpoint(words)
    texts = [f"text {number}" for number in range(150)] + ["long " * 3_000 for _ in range(20)]
    assert asked.embed(*texts).any(axis=1).all()
    sizes = [len(request["input"]) for request in asked.server.requests]
    assert sum(sizes) == 170 and max(sizes) == 64
    characters = [sum(map(len, request["input"])) for request in asked.server.requests]
    assert max(characters) <= 64_000
    assert max(map(len, texts_of(asked.server.requests))) == 8_000


def test_the_length_of_vectors_is_requested_once_or_set(endpoint: Start) -> None:
    asked = endpoint(words)
    assert asked.model.known is None
    assert asked.model.current().identity == asked.model.current().identity == identity()
    assert len(asked.server.requests) == 1 and asked.model.known == identity()
    short = endpoint(words, dimensions=8)
    assert short.model.current().identity.dimension == 8
    assert short.server.requests == []
    short.model.current().embed(["x"])
    assert short.server.requests[0]["dimensions"] == 8


def test_a_model_or_length_other_than_in_the_settings_is_refused(endpoint: Start) -> None:
    asked = endpoint(words, dimensions=8)
    with pytest.raises(ProviderMissing, match="vec-0"):
        asked.model.of(identity(8, model="vec-0"))
    with pytest.raises(ProviderMissing, match="/16/"):
        asked.model.of(identity(16))
    with pytest.raises(
        ProviderMissing, match=r"no embedding endpoint is set.*\[models.embedding\]"
    ):
        Embedders().of(identity())


@pytest.mark.parametrize("code", [429, 500, 502, 503])
def test_a_busy_endpoint_is_retried_after_the_pause_it_asks_for(endpoint: Start, code: int) -> None:
    asked = endpoint(status(code, retry_after=7), status(code), words)
    assert asked.embed("zebra").any()
    assert len(asked.server.requests) == 3
    assert max(asked.pauses) == pytest.approx(7, abs=0.5)
    assert len(asked.pauses) == 2 and min(asked.pauses) < 3


def test_an_endpoint_that_stays_busy_is_given_up(endpoint: Start) -> None:
    asked = endpoint(status(429))
    with pytest.raises(ProviderFailed, match="status 429, 5 times"):
        asked.embed("zebra")
    assert len(asked.server.requests) == 5
    with pytest.raises(ProviderFailed, match="2 times"):  # somebody waits for the response
        asked.model.of(identity(), hasty=True).embed(["zebra"])


def test_slow_and_truncated_responses_are_retried(endpoint: Start) -> None:
    asked = endpoint(slowly(1.5), broken(), words, seconds=0.4)
    assert asked.embed("zebra").any()
    assert len(asked.server.requests) == 3


@pytest.mark.parametrize(
    ("reply", "problem"),
    [
        (Reply(body=b"<html>"), "vectors of equal length"),
        (Reply(body=b"[]"), "vectors of equal length"),
        (Reply(body=b'{"data": [{"index": 0, "embedding": "no"}]}'), "vectors of equal length"),
        (Reply(body=b'{"data": [{"index": 0, "embedding": []}]}'), "contains no vectors"),
        (Reply(body=b'{"data": [{"embedding": [1, 2]}]}'), "vectors of equal length"),
        (Reply(body=b"[" * 100_000), "vectors of equal length"),
        (Reply(body=b'{"data": [{"index": 1e999, "embedding": [1]}]}'), "vectors of equal length"),
        (
            Reply(body=b'{"data": [{"index": 0, "embedding": [1%s]}]}' % (b"0" * 400)),
            "vectors of equal length",
        ),
        (answer([]), "0 vectors for 1 texts"),
        (answer([[1.0] * DIMENSION] * 2), "2 vectors for 1 texts"),
        (answer([[1.0] * 3]), "length 3, not 16"),
        (answer([[0.0] * DIMENSION]), "zero or not finite"),
        (answer([[math.nan] * DIMENSION]), "zero or not finite"),
        (answer([[math.inf] * DIMENSION]), "zero or not finite"),
        (status(404), "has no model 'vec-1'"),
        (status(401), "rejects the key"),
        (status(400), "status 400"),
        (Reply(status=302, headers={"Location": "http://127.0.0.1:9/"}, body=b""), "status 302"),
    ],
)
def test_an_invalid_response_is_refused_at_once(
    endpoint: Start, reply: Reply, problem: str
) -> None:
    asked = endpoint(reply)
    with pytest.raises(ProviderFailed, match=problem):
        asked.embed("zebra")
    assert len(asked.server.requests) == 1 and asked.pauses == []


def test_vectors_of_different_lengths_in_one_response_are_refused(endpoint: Start) -> None:
    with pytest.raises(ProviderFailed, match="vectors of equal length"):
        endpoint(answer([[1.0] * DIMENSION, [1.0] * 3])).embed("zebra", "horse")


def test_a_vector_listed_twice_does_not_replace_a_missing_one(endpoint: Start) -> None:
    body = b'{"data": [{"index": 0, "embedding": [1, 2]}, {"index": 0, "embedding": [2, 1]}]}'
    with pytest.raises(ProviderFailed, match="numbered them wrongly"):
        endpoint(Reply(body=body)).embed("zebra", "horse")


@pytest.mark.parametrize("reply", [status(401, message=KEY), status(500, message=KEY)])
def test_neither_errors_nor_logs_contain_the_key_or_the_text(
    endpoint: Start, reply: Reply, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    with pytest.raises(ProviderFailed) as failed:
        endpoint(reply).embed("secret zebra")
    output = caplog.text + repr(failed.value) + str(failed.value.__cause__)
    assert KEY not in output and "zebra" not in output


def test_an_unreachable_address_is_reported() -> None:
    settings = EmbeddingEndpoint(url="http://127.0.0.1:9/v1", model="m", dimensions=4)
    model = EndpointModel(settings, pause=lambda _seconds: None)
    with closing(model), pytest.raises(ProviderFailed, match="unreachable"):
        model.current().embed(["zebra"])


def test_parallel_requests_are_limited_by_the_settings(endpoint: Start) -> None:
    asked = endpoint(slowly(0.05), at_once=2)
    with ThreadPoolExecutor(8) as threads:
        list(threads.map(lambda number: asked.embed(f"text {number}"), range(8)))
    assert asked.server.at_once == 2


def test_the_query_of_the_next_page_is_cached(endpoint: Start) -> None:
    asked = endpoint(words)
    embedders = Embedders(None, EmbeddingEndpoint(url=asked.server.url, model="vec-1"))
    first = embedders.query(identity(), "zebra")
    assert embedders.query(identity(), "zebra") is first
    assert len(asked.server.requests) == 1
    embedders.close()
