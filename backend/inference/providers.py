"""The embedders available to one process: built in, installed, or configured.

Each is loaded on first use. Models installed or removed meanwhile are noticed at the next call.
"""

import threading
from collections import OrderedDict
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt

from backend.inference.embeddings import NONE, Embedder, Identity, Matrix, ProviderMissing
from backend.inference.static import StaticEmbedder

if TYPE_CHECKING:
    from backend.inference.endpoint import EndpointModel
    from backend.settings import EmbeddingEndpoint

PROVIDERS: Final = ("static", "minilm", "endpoint", "none")

COSTLY: Final = frozenset({"minilm", "endpoint"})
"""Providers whose vectors cost far more to compute than to look up in a cache."""

REMOTE: Final = frozenset({"endpoint"})
"""Providers that call another machine, which workers cannot: they have no network."""

_QUERIES = 512
Vector = npt.NDArray[np.float32]


class NoEmbedder:
    """The provider `none`: vectors of length zero."""

    identity = NONE

    def embed(self, texts: Sequence[str]) -> Matrix:
        return np.zeros((len(texts), 0), dtype=np.float32)


@cache
def embedder_for(provider: str) -> Embedder:
    """A built-in provider by name; ProviderMissing for any other name."""
    if provider == "none":
        return NoEmbedder()
    if provider == "static":
        return StaticEmbedder.installed()
    raise ProviderMissing(f"no embedding provider is called {provider!r}")


class Embedders:
    """The embedders of one process, thread-safe; `models` is the folder of installed ones."""

    def __init__(
        self, models: Path | None = None, endpoint: "EmbeddingEndpoint | None" = None
    ) -> None:
        self.models = models
        self._endpoint = _endpoint_model(endpoint) if endpoint is not None else None
        self._minilm: Embedder | None = None
        self._queries: OrderedDict[tuple[Identity, str], Vector] = OrderedDict()
        self._lock = threading.Lock()

    def current(self, provider: str) -> Embedder:
        """The embedder for a new DocSet.

        ProviderMissing says what to do; an endpoint with unknown vector length is asked for it
        (ProviderFailed).
        """
        if provider == "minilm":
            return self._installed_minilm()
        if provider == "endpoint":
            return self._set_endpoint().current()
        if provider not in PROVIDERS:
            known = ", ".join(PROVIDERS)
            raise ProviderMissing(
                f"no embedding provider is called {provider!r}; there are {known}"
            )
        return embedder_for(provider)

    def of(self, identity: Identity, *, hasty: bool = False) -> Embedder:
        """The embedder with exactly that identity, a `hasty` one when somebody waits for it.

        ProviderMissing when it is not available.
        """
        if identity.provider == "endpoint":
            return self._set_endpoint().of(identity, hasty=hasty)
        embedder = self.current(identity.provider)
        if embedder.identity != identity:
            raise ProviderMissing(
                f"the vectors were made by {identity.text}, but {embedder.identity.text} is"
                " installed; install that version, or recompute them: workbench models use"
            )
        return embedder

    def identity(self, provider: str) -> Identity | None:
        """The identity of `current` without a request; None when that would need one."""
        if provider == "endpoint":
            return self._set_endpoint().known
        return self.current(provider).identity

    def size(self, provider: str) -> int | None:
        """Bytes on disk of an installed model; None for other providers."""
        folder = self.models / provider if self.models is not None else None
        if folder is None or not folder.is_dir():
            return None
        return sum(file.stat().st_size for file in folder.iterdir())

    def query(self, identity: Identity, text: str) -> Vector:
        """The vector of a query. The latest ones are cached, because further pages ask again.

        Errors as for `of`, and ProviderFailed.
        """
        key = (identity, text)
        embedder = self.of(identity, hasty=True)
        with self._lock:
            if key in self._queries:
                self._queries.move_to_end(key)
                return self._queries[key]
        vector: Vector = embedder.embed([text])[0]
        with self._lock:
            self._queries[key] = vector
            while len(self._queries) > _QUERIES:
                self._queries.popitem(last=False)
        return vector

    def close(self) -> None:
        """Closes connections."""
        if self._endpoint is not None:
            self._endpoint.close()

    def _set_endpoint(self) -> "EndpointModel":
        if self._endpoint is None:
            raise ProviderMissing(
                "no embedding endpoint is set; name its url and model in [models.embedding] of"
                " the settings"
            )
        return self._endpoint

    def _installed_minilm(self) -> Embedder:
        # Imported late: startup need not wait for the tokenizer library.
        from backend.inference.minilm import MiniLM, installed

        folder = self.models / "minilm" if self.models is not None else Path()
        with self._lock:
            if self._minilm is None or not installed(folder):
                self._minilm = None
                self._minilm = MiniLM(folder)
            return self._minilm


def _endpoint_model(endpoint: "EmbeddingEndpoint") -> "EndpointModel":
    # Imported late: workers, which have no network, need no HTTP client.
    from backend.inference.endpoint import EndpointModel

    return EndpointModel(endpoint)
