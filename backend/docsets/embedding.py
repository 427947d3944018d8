"""Makes vectors for documents where they belong to be made, and remembers the costly ones.

    static              in the worker that reads the document; not kept, for keeping every one costs
                        a quarter of making it, and few come again
    minilm              in a worker, what the cache does not hold
    endpoint            in the server process, for workers have no network; cached as well

Each piece goes to the cache as soon as it is made, so nothing is paid for twice: not after a
crash, not after a cancel.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from backend.docsets.embedding_job import as_bytes, no_vectors
from backend.docsets.vector_cache import VectorCache
from backend.inference.embeddings import Embedder, Identity, Matrix, ProviderMissing
from backend.inference.providers import COSTLY, REMOTE, Embedders
from backend.search.operations import chunks
from backend.tasks.pool import WorkerStopped
from backend.tasks.runner import TaskContext

_PIECE = 64
"""Texts that one worker or request makes in one go: what a crash or a cancel can lose."""

OnMade = Callable[[int, int], None]
"""Called with how many different texts are done, of how many."""


class Embedding:
    """Vectors for the tasks of one server."""

    def __init__(self, embedders: Embedders, cache: VectorCache) -> None:
        self.embedders = embedders
        self._cache = cache

    def check(self, identity: Identity) -> None:
        """Invalid when nobody here makes vectors of that identity."""
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
        """Shape (texts, dimension). Invalid without the provider; ProviderFailed when an endpoint
        does not work; WorkerStopped when the task was cancelled. Uses all workers that are free.
        """
        self.check(identity)
        embedder = self.embedders.of(identity)
        # By length, because texts of like length go through together.
        unique = sorted(set(texts), key=len)
        if identity.provider in COSTLY:
            held = self._cache.found(identity, unique)
            wanted = [text for text in unique if text not in held]
        else:
            held, wanted = {}, unique

        def make(piece: Sequence[str]) -> dict[str, bytes]:
            rows = self._computed(context, embedder, piece)
            made = {text: as_bytes(row) for text, row in zip(piece, rows, strict=True)}
            if identity.provider in COSTLY:
                self._cache.keep(identity, made)
            return made

        with ThreadPoolExecutor(context.workers) as threads:
            for made in threads.map(make, chunks(wanted, _PIECE)):
                held |= made
                on_made(len(held), len(unique))
        data = b"".join(held[text] for text in texts)
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
