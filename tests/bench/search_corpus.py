"""A generated corpus for the benchmarks of search: words as unevenly common as those of a
language, documents of 100 elements, and a property that one document in a hundred shares.
"""

import random
from collections.abc import Sequence
from functools import cached_property

import numpy as np
from sqlalchemy import Connection

from backend.inference.embeddings import Embedder, Matrix
from backend.store.opening import opening_of
from backend.store.operation_log import log_change
from backend.store.tables import contents, docsets, documents, elements, vectors

PER_DOCUMENT = 100
DOCUMENTS_A_SECOND = 10
"""What a writer beside readers writes, documents of 50 elements."""

_WORDS_PER_ELEMENT = 60
_TOO_COMMON = 30
_VOCABULARY = 40_000
_SYLLABLES = tuple(first + second for first in "bcdfghjklmnpr" for second in "aeiou")


class Corpus:
    """Texts, their vectors, and queries for them. With another `texts_seed` the texts differ, of
    the same words.
    """

    def __init__(
        self, size: int, embedder: Embedder, seed: int = 7, texts_seed: int | None = None
    ) -> None:
        self.size = size
        self._embedder = embedder
        self._random = random.Random(seed)
        self._numbers = np.random.default_rng(seed if texts_seed is None else texts_seed)
        made = (
            "".join(self._random.choices(_SYLLABLES, k=self._random.randint(2, 4)))
            for _ in range(_VOCABULARY)
        )
        self._vocabulary = np.array(list(dict.fromkeys(made)), dtype=object)
        shares = 1 / (np.arange(len(self._vocabulary)) + 3)
        self._upto = np.cumsum(shares / shares.sum())

    @cached_property
    def texts(self) -> list[str]:
        """As many as the corpus is large."""
        return self.some(self.size)

    @cached_property
    def matrix(self) -> Matrix:
        """A vector for each text."""
        return self._embedder.embed(self.texts)

    def some(self, count: int) -> list[str]:
        """That many new texts."""
        drawn = np.searchsorted(self._upto, self._numbers.random((count, _WORDS_PER_ELEMENT)))
        return [" ".join(self._vocabulary[row]) for row in drawn]

    def query(self) -> str:
        """Some of the rarer words of one element, neighbours first, as a question has them."""
        common = set(self._vocabulary[:_TOO_COMMON])
        words = [word for word in self._random.choice(self.texts).split() if word not in common]
        start = self._random.randrange(max(1, len(words) - 20))
        return " ".join(words[start : start + self._random.randint(5, 20)])


def insert_docset(
    connection: Connection, docset_id: str, embedder: Embedder, account: str = "a"
) -> None:
    """An empty DocSet."""
    connection.execute(
        docsets.insert().values(
            docset_id=docset_id,
            account_id=account,
            name=docset_id,
            created_at=0.0,
            readonly=False,
            properties={},
            prompts={},
            embedding=embedder.identity.wire(),
            language="english",
        )
    )


def insert_document(
    connection: Connection,
    docset_id: str,
    number: int,
    texts: Sequence[str],
    matrix: Matrix,
    embedder: Embedder,
    account_id: str = "a",
) -> str:
    """A document as the worker writes it, and its id; one in a hundred has `slice` 7."""
    content, doc_id = f"wb:c-{number}", f"wb:f-{number}"
    connection.execute(
        contents.insert().values(
            content_id=content, blob="b", created_at=0.0, page_count=1, opening=opening_of(texts)
        )
    )
    connection.execute(
        elements.insert(),
        [
            {
                "content_id": content,
                "ordinal": ordinal,
                "kind": "Text",
                "page_number": 1,
                "bbox": [0, 0, 1, 1],
                "text": text,
                "properties": {"score": 1.0, "page_number": 1},
            }
            for ordinal, text in enumerate(texts)
        ],
    )
    connection.execute(
        vectors.insert().values(
            content_id=content,
            identity=embedder.identity.text,
            part=0,
            dimension=matrix.shape[1],
            ordinals=np.arange(len(texts), dtype="<i4").tobytes(),
            matrix=matrix.astype("<f4").tobytes(),
        )
    )
    connection.execute(
        documents.insert().values(
            doc_id=doc_id,
            docset_id=docset_id,
            account_id=account_id,
            content_id=content,
            blob="b",
            created_at=0.0,
            name=doc_id,
            size=1,
            content_type="text/plain",
            properties={"entity": {"slice": number % 100, "title": texts[0][:40]}, "path": doc_id},
        )
    )
    log_change(connection, "add", doc_id)
    return doc_id
