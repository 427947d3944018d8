"""The worker's part of embedding, without the document parsers."""

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
"""Vectors stored together. A document of several hundred thousand elements has as many, and they
should never all be in memory at once.
"""


def embed_texts(
    data: dict[str, Any], _blobs: Sequence[bytes], _report: Report
) -> tuple[None, Sequence[bytes]]:
    """The job: `data` has texts, embedding (an identity) and models (a folder).

    The blob is the matrix of all texts: little-endian float32, zeros for texts without words.
    """
    return None, [as_bytes(embedded(data["texts"], data["embedding"], data["models"]))]


def embedded(texts: Sequence[str], identity: dict[str, Any], models: str | None = None) -> Matrix:
    """Vectors of texts by that identity; Invalid when they cannot be computed here."""
    try:
        return _embedders(models).of(Identity.parse(identity)).embed(texts)
    except ProviderMissing as error:
        raise no_vectors(error) from error


def no_vectors(error: ProviderMissing) -> Invalid:
    """The error for work whose vectors cannot be computed: searches would miss its documents."""
    return Invalid.at(
        ("path", "docset_id"),
        f"vectors cannot be computed for this DocSet, so nothing was changed: {error}",
    )


def packed(matrix: Matrix, first: int = 0) -> list[tuple[bytes, bytes]]:
    """Vectors as stored, in parts: ordinals of non-zero rows (int32) from `first`, and the rows."""
    if matrix.shape[1] == 0:
        return []
    worded = np.flatnonzero(np.any(matrix, axis=1))
    starts = range(0, max(len(worded), 1), PART_ROWS)
    parts = [worded[start : start + PART_ROWS] for start in starts]
    return [((part + first).astype("<i4").tobytes(), as_bytes(matrix[part])) for part in parts]


def packed_vectors(texts: Sequence[str], identity: dict[str, Any]) -> list[tuple[bytes, bytes]]:
    """The vectors of texts as stored, computed part by part to save memory."""
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
