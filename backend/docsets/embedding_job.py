"""The part of embedding that runs in a worker process.

A module of its own, so that vectors can be made without loading what reads documents.
"""

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from backend.inference.embeddings import Identity, Matrix, ProviderMissing
from backend.inference.providers import Embedders
from backend.tasks.worker import Report
from workbench.contract.errors import Invalid

PART_ROWS = 8_192
"""Vectors that are stored together: a document of some hundred thousand elements has as many, and
nobody should need all of them in memory at once.
"""


def embed_texts(
    data: dict[str, Any], _blobs: Sequence[bytes], _report: Report
) -> tuple[None, Sequence[bytes]]:
    """The job: `data` holds texts, embedding (an identity) and models (a folder).

    The blob is the matrix of all texts: little-endian float32, zeros where there are no words.
    """
    return None, [as_bytes(embedded(data["texts"], data["embedding"], data["models"]))]


def embedded(texts: Sequence[str], identity: dict[str, Any], models: str | None = None) -> Matrix:
    """The vectors of texts by that identity; Invalid when they cannot be made here."""
    try:
        return _embedders(models).of(Identity.parse(identity)).embed(texts)
    except ProviderMissing as error:
        raise no_vectors(error) from error


def no_vectors(error: ProviderMissing) -> Invalid:
    """The refusal of work whose vectors nobody can make: searches would pass its documents by."""
    return Invalid.at(
        ("path", "docset_id"),
        f"no vectors can be made for this DocSet, so nothing was changed: {error}",
    )


def packed(matrix: Matrix, first: int = 0) -> list[tuple[bytes, bytes]]:
    """As vectors are stored, in parts: the numbers of the rows that are not zero (int32), counted
    from `first`, and those rows.
    """
    if matrix.shape[1] == 0:
        return []
    worded = np.flatnonzero(np.any(matrix, axis=1))
    starts = range(0, max(len(worded), 1), PART_ROWS)
    parts = [worded[start : start + PART_ROWS] for start in starts]
    return [((part + first).astype("<i4").tobytes(), as_bytes(matrix[part])) for part in parts]


def packed_vectors(texts: Sequence[str], identity: dict[str, Any]) -> list[tuple[bytes, bytes]]:
    """The vectors of texts as they are stored, of which no second copy is held on the way."""
    parts: list[tuple[bytes, bytes]] = []
    for first in range(0, len(texts), PART_ROWS):
        parts += packed(embedded(texts[first : first + PART_ROWS], identity), first)
    return parts


def as_bytes(matrix: Matrix) -> bytes:
    """Little-endian float32, row by row."""
    return matrix.astype("<f4").tobytes()


@cache
def _embedders(models: str | None) -> Embedders:
    return Embedders(Path(models) if models is not None else None)
