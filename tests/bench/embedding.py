"""Speed of embedding: each provider's rate, MiniLM against bare onnxruntime, and the cache.

    python -m tests.bench.embedding [--models DIR]

DIR is the folder of installed models, by default that of the settings; without MiniLM there (see
`workbench models install`) only the static vectors are measured. Texts are made of words of the
tokenizer's own vocabulary. Rates are of processor time, all threads of the process together; the
bare rival runs the same network on batches that stand ready, so the ratio is what tokenizing,
sorting and padding cost.
"""

import argparse
import random
import resource
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from tokenizers import Tokenizer

from backend.docsets.vector_cache import VectorCache
from backend.inference.embeddings import Embedder, ProviderMissing
from backend.inference.minilm import MiniLM
from backend.inference.providers import Embedders
from backend.settings import Settings
from backend.store.database import Database
from backend.store.tables import metadata

_ROUNDS = 5
_MIB = 2**20


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--models", type=Path, default=Settings().models_dir)
    embedders = Embedders(parser.parse_args().models)
    static = embedders.current("static")
    _rates("static", static, 2_000)
    _cache("static", static)
    try:
        minilm = embedders.current("minilm")
    except ProviderMissing as error:
        print(f"minilm is left out: {error}")
        return
    before = _memory()
    minilm.embed(["the first text loads the model"])
    print(f"minilm  memory  {_memory() - before:8.0f} MiB more for the model")
    _rates("minilm", minilm, 64)
    print(f"minilm  memory  {_memory():8.0f} MiB for the whole process")
    for tokens in (60, 200):
        _against_bare(minilm, tokens)
    _cache("minilm", minilm)


def _rates(name: str, embedder: Embedder, count: int) -> None:
    for tokens in (60, 200):
        texts = _texts(count, tokens)
        rate = count / _best(lambda texts=texts: embedder.embed(texts))  # type: ignore[misc]
        print(f"{name:7} {tokens:4} tokens {rate:10,.0f} texts/s")
    query = _texts(1, 12)
    alone = _best(lambda: embedder.embed(query), rounds=30)
    print(f"{name:7} one query {1000 * alone:10.2f} ms")


def _against_bare(minilm: Embedder, tokens: int) -> None:
    assert isinstance(minilm, MiniLM)
    texts = _texts(96, tokens)
    ready: list[dict[str, np.ndarray]] = []
    session = minilm._session

    class Recorder:
        def run(self, outputs: None, feeds: dict[str, np.ndarray]) -> list[np.ndarray]:
            ready.append(feeds)
            return session.run(outputs, feeds)

    minilm._session = Recorder()
    minilm.embed(texts)
    minilm._session = session

    def bare() -> None:
        for feeds in ready:
            session.run(None, feeds)

    ratios = []
    for _ in range(_ROUNDS):  # in turn, because the machine's mood changes
        ratios.append(_best(bare, rounds=1) / _best(lambda: minilm.embed(texts), rounds=1))
    print(f"minilm  {tokens:4} tokens {np.median(ratios):10.2f} of bare onnxruntime")


def _cache(name: str, embedder: Embedder) -> None:
    texts = _texts(256, 60)
    with tempfile.TemporaryDirectory() as folder:
        database = Database(f"sqlite:///{folder}/store.sqlite")
        metadata.create_all(database.engine)
        cache = VectorCache(database, 1_000_000)
        made = _best(lambda: embedder.embed(texts), rounds=3)
        rows = {text: row.tobytes() for text, row in zip(texts, embedder.embed(texts), strict=True)}
        kept = _best(lambda: cache.put(embedder.identity, rows), rounds=3)
        result = _best(lambda: cache.get(embedder.identity, texts), rounds=3)
        database.close()
    print(
        f"{name:7} 256 texts made in {1000 * made:.1f} ms, kept in {1000 * kept:.1f} ms,"
        f" found again in {1000 * result:.1f} ms"
    )


def _texts(count: int, tokens: int) -> Sequence[str]:
    """Texts of about so many tokens of both providers, their lengths spread by a quarter."""
    chance = random.Random(tokens)
    words = _words()
    return [
        " ".join(chance.choices(words, k=round(tokens * chance.uniform(0.75, 1.25)) - 2))
        for _ in range(count)
    ]


def _words() -> list[str]:
    from importlib.util import find_spec

    spec = find_spec("wordllama")
    assert spec is not None and spec.origin is not None
    file = Path(spec.origin).parent / "tokenizers" / "l2_supercat_tokenizer_config.json"
    vocabulary = Tokenizer.from_file(str(file)).get_vocab()
    words = (token.removeprefix("▁") for token in vocabulary if token.startswith("▁"))
    return sorted(word for word in words if word.isascii() and word.isalpha() and len(word) > 2)


def _best(work: Callable[[], object], rounds: int = _ROUNDS) -> float:
    """The least processor time, in seconds."""
    times = []
    for _ in range(rounds):
        began = time.process_time()
        work()
        times.append(time.process_time() - began)
    return min(times)


def _memory() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (_MIB / 1024)


if __name__ == "__main__":
    main()
