"""Computes vectors for documents in the right process, and caches the costly ones.

    static              in the worker that parses the document; not cached, because caching costs a
                        quarter of computing them, and few texts recur
    minilm              in a worker, unless cached
    endpoint            in the server process, because workers have no network; cached as well

Each piece goes to the cache at once, so nothing is paid for twice, even after a crash or a cancel.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from backend.docsets.embedding_job import as_bytes, no_vectors
from backend.docsets.vector_cache import VectorCache
from backend.inference.embeddings import Embedder, Identity, Matrix, ProviderMissing
from backend.inference.providers import COSTLY, REMOTE, Embedders
from backend.store.chunks import chunks
from backend.tasks.pool import WorkerStopped
from backend.tasks.runner import TaskContext

_PIECE = 64
"""Texts per worker call or request: the most that a crash or a cancel can lose."""

OnMade = Callable[[int, int], None]
"""Called with the number of distinct texts done, and in all."""


class Embedding:
    """Computes vectors for the tasks of one server."""

    def __init__(self, embedders: Embedders, cache: VectorCache) -> None:
        self.embedders = embedders
        self._cache = cache

    def check(self, identity: Identity) -> None:
        """Invalid when no provider here has this identity."""
        try:
            self.embedders.of(identity)
        except ProviderMissing as error:
            raise no_vectors(error) from error

    def made(
        self,
        context: TaskContext,
        identity: Identity,
        texts: Sequence[str],
        on_made: OnMade = lambda _done, _total: None,
    ) -> Matrix:
        """Computes vectors of shape (texts, dimension) with all free workers.

        Invalid without the provider, ProviderFailed when an endpoint fails, WorkerStopped when the
        task was cancelled.
        """
        self.check(identity)
        embedder = self.embedders.of(identity)
        # By length, because batches of similar lengths need less padding.
        unique = sorted(set(texts), key=len)
        if identity.provider in COSTLY:
            vectors = self._cache.get(identity, unique)
            wanted = [text for text in unique if text not in vectors]
        else:
            vectors, wanted = {}, unique

        def make(piece: Sequence[str]) -> dict[str, bytes]:
            rows = self._computed(context, embedder, piece)
            made = {text: as_bytes(row) for text, row in zip(piece, rows, strict=True)}
            if identity.provider in COSTLY:
                self._cache.put(identity, made)
            return made

        with ThreadPoolExecutor(context.workers) as threads:
            for made in threads.map(make, chunks(wanted, _PIECE)):
                vectors |= made
                on_made(len(vectors), len(unique))
        data = b"".join(vectors[text] for text in texts)
        matrix: Matrix = np.frombuffer(data, dtype="<f4").reshape(len(texts), identity.dimension)
        return matrix

    def _computed(self, context: TaskContext, embedder: Embedder, texts: Sequence[str]) -> Matrix:
        if context.stopped:
            raise WorkerStopped
        if embedder.identity.provider in REMOTE:
            return embedder.embed(texts)
        models = self.embedders.models
        answer = context.run(
            "backend.docsets.embedding_job:embed_texts",
            {
                "texts": list(texts),
                "embedding": embedder.identity.wire(),
                "models": None if models is None else str(models),
            },
            quiet=True,
        )
        matrix = np.frombuffer(answer.blobs[0], dtype="<f4")
        return matrix.reshape(len(texts), embedder.identity.dimension)
