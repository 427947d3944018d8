"""Vectors from a server that speaks the OpenAI protocol: `POST {url}/embeddings`.

Called in the server process, because workers have no network. A response is checked before use: as
many vectors as texts, each of the right length, finite and not zero. Errors never contain the key
or the endpoint's response, which may repeat the key or the document.
"""

import asyncio
import json
import logging
import random
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import CancelledError
from typing import Any

import httpx
import numpy as np

from backend.inference.embeddings import (
    LONGEST_TEXT,
    Embedder,
    Identity,
    Matrix,
    ProviderFailed,
    ProviderMissing,
    has_words,
)
from backend.settings import EmbeddingEndpoint

_log = logging.getLogger(__name__)
_RECIPE = "8000-l2"
_CONNECT_SECONDS = 10.0
_TRIES = 5
"""Tries of a task's request while the endpoint is busy or down, with growing pauses."""
_HASTY_TRIES = 2
"""Tries while somebody waits for the response."""
_FIRST_PAUSE, _LONGEST_PAUSE = 0.5, 60.0
_PASSING = (408, 425, 429, 500, 502, 503, 504)
_MOST_TEXTS = 64
_MOST_CHARACTERS = 64_000
"""Per request: some 16,000 tokens, which every server made for batches accepts."""
_LARGEST_ANSWER = 64 * 2**20

Pause = Callable[[float], None]


class EndpointModel:
    """The model named in the settings. Thread-safe; connects on first use, from a thread with an
    event loop, because only there a request that drips can be ended. `pause` replaces waiting in
    tests.
    """

    def __init__(self, settings: EmbeddingEndpoint, pause: Pause = time.sleep) -> None:
        headers = {}
        if settings.key is not None:
            headers["Authorization"] = f"Bearer {settings.key.get_secret_value()}"
        # No redirects: key and documents are only for this address.
        self._client = httpx.AsyncClient(
            headers=headers,
            timeout=httpx.Timeout(settings.seconds, connect=_CONNECT_SECONDS),
            follow_redirects=False,
        )
        self._settings = settings
        self._pause = pause
        self._slots = threading.BoundedSemaphore(settings.at_once)
        self._not_before = 0.0
        self._dimension = settings.dimensions
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread = threading.Thread(target=self._run, name="embedding endpoint", daemon=True)

    @property
    def known(self) -> Identity | None:
        """The identity of new vectors; None while their length is unknown."""
        return None if self._dimension is None else self._identity(self._dimension)

    def current(self) -> Embedder:
        """For new DocSets. An unset vector length is determined by a request (ProviderFailed)."""
        if self._dimension is None:
            self._dimension = len(self.vectors(["dimension"], None, _HASTY_TRIES)[0])
        return _EndpointEmbedder(self, self._identity(self._dimension), _TRIES)

    def of(self, identity: Identity, *, hasty: bool = False) -> Embedder:
        """For vectors of that identity; ProviderMissing when the settings name another model.

        A `hasty` one soon gives up on an endpoint that does not respond.
        """
        dimension = self._settings.dimensions or identity.dimension
        if identity != self._identity(dimension):
            raise ProviderMissing(
                f"the vectors were made by {identity.text}, but the settings name"
                f" {self._identity(dimension).text}; set that model again in [models.embedding],"
                " or recompute the vectors: workbench models use"
            )
        return _EndpointEmbedder(self, identity, _HASTY_TRIES if hasty else _TRIES)

    def vectors(self, texts: Sequence[str], dimension: int | None, tries: int) -> Matrix:
        """Sends one request; the texts must fit it. `dimension` is the expected vector length."""
        body: dict[str, Any] = {
            "model": self._settings.model,
            "input": list(texts),
            "encoding_format": "float",
        }
        if self._settings.dimensions is not None:
            body["dimensions"] = self._settings.dimensions
        return _matrix(self._sent(body, tries), len(texts), dimension)

    def close(self) -> None:
        with self._lock:
            if self._loop is None:
                return
            asyncio.run_coroutine_threadsafe(self._ended(), self._loop).result()
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join()
            self._loop = None

    def _identity(self, dimension: int) -> Identity:
        # Endpoints expose no revision. The address is left out: the same model may move.
        return Identity("endpoint", self._settings.model, "", dimension, _RECIPE)

    def _sent(self, body: Any, tries: int) -> bytes:
        """The response to a request, retried while the endpoint is busy or down."""
        for number in range(1, tries + 1):
            self._pause(max(0.0, self._not_before - time.monotonic()))
            pause = _FIRST_PAUSE * 2**number * random.uniform(0.5, 1.0)
            try:
                with self._slots:
                    status, headers, answer = self._once(body)
                if status == 200:
                    return answer
                if status not in _PASSING:
                    raise ProviderFailed(_refusal(status, self._settings.model))
                problem = f"answered with status {status}"
                pause = _retry_after(headers) or pause
            except (httpx.TimeoutException, TimeoutError):
                problem = f"did not respond within {self._settings.seconds:g} s"
            except CancelledError:
                raise ProviderFailed("The backend is stopping.") from None
            except (httpx.TransportError, httpx.DecodingError):
                problem = "is unreachable or broke off"
            if number == tries:
                break
            _log.info("the embedding endpoint %s: next try in %.1f s", problem, pause)
            if problem.endswith("429"):
                self._not_before = time.monotonic() + pause  # holds for all tasks
            else:
                self._pause(pause)
        raise ProviderFailed(f"The embedding endpoint {problem}, {tries} times; try again later.")

    def _once(self, body: Any) -> tuple[int, httpx.Headers, bytes]:
        with self._lock:
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                self._thread.start()
            answer = asyncio.run_coroutine_threadsafe(self._exchanged(body), self._loop)
        return answer.result()

    async def _ended(self) -> None:
        """Ends running requests and closes connections."""
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)
        await self._client.aclose()

    def _run(self) -> None:
        loop = self._loop
        assert loop is not None
        loop.run_forever()
        loop.close()

    async def _exchanged(self, body: Any) -> tuple[int, httpx.Headers, bytes]:
        data = bytearray()
        stream = self._client.stream("POST", f"{self._settings.url}/embeddings", json=body)
        async with asyncio.timeout(self._settings.seconds), stream as answer:
            async for piece in answer.aiter_bytes():
                data += piece
                if len(data) > _LARGEST_ANSWER:
                    raise ProviderFailed("The embedding endpoint's response is far too large.")
            return answer.status_code, answer.headers, bytes(data)


class _EndpointEmbedder:
    """See Embedder. ProviderFailed when the endpoint is unusable or its response is invalid."""

    def __init__(self, model: EndpointModel, identity: Identity, tries: int) -> None:
        self._model = model
        self._tries = tries
        self.identity = identity

    def embed(self, texts: Sequence[str]) -> Matrix:
        out = np.zeros((len(texts), self.identity.dimension), dtype=np.float32)
        worded = [place for place, text in enumerate(texts) if has_words(text)]
        sent = [texts[place][:LONGEST_TEXT] for place in worded]
        for part in _requests(sent):
            dimension = self.identity.dimension
            out[worded[part]] = self._model.vectors(sent[part], dimension, self._tries)
        return out


def _requests(texts: Sequence[str]) -> Iterator[slice]:
    """Splits texts into requests, limited in number of texts and characters."""
    start = size = 0
    for place, text in enumerate(texts):
        full = place - start == _MOST_TEXTS or size + len(text) > _MOST_CHARACTERS
        if full and place > start:
            yield slice(start, place)
            start, size = place, 0
        size += len(text)
    if start < len(texts):
        yield slice(start, len(texts))


def _matrix(answer: bytes, count: int, dimension: int | None) -> Matrix:
    """The vectors of a response in the order of the texts, normalised."""
    try:
        items = json.loads(answer)["data"]
        places = [int(item["index"]) for item in items]
        rows = [item["embedding"] for item in items]
        if sorted(places) != list(range(count)):
            raise ProviderFailed(
                f"The embedding endpoint sent {len(items)} vectors for {count} texts, or"
                " numbered them wrongly."
            )
        vectors = np.array(rows, dtype=np.float64)
    except (ValueError, KeyError, TypeError, OverflowError, RecursionError) as error:
        raise ProviderFailed(
            "The embedding endpoint's response does not contain vectors of equal length."
        ) from error
    if vectors.ndim != 2 or not vectors.shape[1]:
        raise ProviderFailed("The embedding endpoint's response contains no vectors.")
    if dimension is not None and vectors.shape[1] != dimension:
        raise ProviderFailed(
            f"The embedding endpoint sent vectors of length {vectors.shape[1]}, not {dimension}:"
            " it seems to run another model."
        )
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    if not np.isfinite(lengths).all() or not (lengths > 0).all():
        raise ProviderFailed("The embedding endpoint sent a vector that is zero or not finite.")
    out = np.empty_like(vectors, dtype=np.float32)
    out[places] = vectors / lengths
    return out


def _refusal(status: int, model: str) -> str:
    if status in (401, 403):
        return "The embedding endpoint rejects the key: check [models.embedding] in the settings."
    if status == 404:
        return f"The embedding endpoint has no model {model!r}, or no such path."
    return f"The embedding endpoint refused with status {status}."


def _retry_after(headers: httpx.Headers) -> float | None:
    """The seconds of Retry-After; None unless it is a number."""
    try:
        return min(_LONGEST_PAUSE, max(0.0, float(headers.get("retry-after", ""))))
    except ValueError:
        return None
