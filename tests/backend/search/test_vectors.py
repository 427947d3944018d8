"""Vectors: the 8-bit scan gives the results of a full comparison, and files have the expected
content.
"""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest

from backend.search.ranking import keys_of
from backend.search.rows import Rows
from backend.search.vectors import blocks, reader
from backend.search.vectors.blocks import Growing
from backend.search.vectors.quantised import estimates, quantise
from backend.search.vectors.reader import VectorReader

Vectors = npt.NDArray[np.float32]
_PER_DOCUMENT = 10


def _normal(rows: Vectors) -> Vectors:
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def _isotropic(source: np.random.Generator, count: int, dimension: int) -> Vectors:
    return _normal(source.standard_normal((count, dimension), dtype=np.float32))


def _clustered(source: np.random.Generator, count: int, dimension: int) -> Vectors:
    """Close to one of a few centres, like sentence embeddings."""
    centres = 2 * source.standard_normal((20, dimension), dtype=np.float32)
    noise = source.standard_normal((count, dimension), dtype=np.float32)
    return _normal(centres[source.integers(0, 20, count)] + noise)


def _spiked(source: np.random.Generator, count: int, dimension: int) -> Vectors:
    """One dimension far above the others: the worst case for 8 bits."""
    rows = 0.05 * source.standard_normal((count, dimension), dtype=np.float32)
    rows[np.arange(count), source.integers(0, dimension, count)] = 1.0
    return _normal(rows)


_KINDS = {"isotropic": _isotropic, "clustered": _clustered, "spiked": _spiked}


def _reader(vectors: Vectors, sizes: Sequence[int], gone: Sequence[int] = ()) -> VectorReader:
    """A reader over blocks of these sizes; ten rows a document."""
    rows, blocks, start = Rows(), [], 0
    for size in sizes:
        block = Growing(vectors.shape[1])
        for first in range(start, start + size, _PER_DOCUMENT):
            keys = keys_of(first // _PER_DOCUMENT + 1, np.arange(_PER_DOCUMENT))
            rows.extend(keys)
            block.append(keys, vectors[first : first + _PER_DOCUMENT])
        blocks.append(block.view())
        start += size
    rows.strike_out(gone)
    return VectorReader(rows.view(), blocks)


@pytest.mark.parametrize("dimension", [3, 64, 256])
@pytest.mark.parametrize("kind", _KINDS)
def test_the_error_of_8_bit_similarity_is_within_its_bound(kind: str, dimension: int) -> None:
    source = np.random.default_rng(1)
    vectors = _KINDS[kind](source, 500, dimension)
    query = _KINDS[kind](source, 1, dimension)
    estimated, slack = estimates(quantise(vectors), quantise(query))
    true = vectors.astype(np.float64) @ query[0].astype(np.float64)
    assert (np.abs(estimated - true) <= slack).all()


@pytest.mark.parametrize("kind", _KINDS)
@pytest.mark.parametrize("share", [1.0, 0.3, 0.05])
def test_the_best_are_exactly_those_of_a_full_comparison_with_and_without_a_filter(
    kind: str, share: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reader, "FEW", 50)
    source = np.random.default_rng(2)
    vectors = _KINDS[kind](source, 3_000, 64)
    vectors[1_500:1_520] = vectors[20:40]  # ties, resolved by order of arrival
    opened = _reader(vectors, [1_000, 1_700, 300], gone=[5, 250])
    documents = np.arange(1, 301)
    allowed = None if share == 1.0 else np.sort(source.choice(documents, int(300 * share), False))
    owners = np.repeat(documents, _PER_DOCUMENT)
    present = ~np.isin(owners, [5, 250])
    if allowed is not None:
        present &= np.isin(owners, allowed)
    for query in (*_KINDS[kind](source, 5, 64), vectors[25]):
        scores = (vectors * query).sum(axis=1, dtype=np.float64)
        order = np.lexsort((np.arange(3_000), -scores.round(6)))
        expected = order[present[order]]
        matches = opened.search(query, allowed)
        for limit in (1, 10, 100, 5_000):
            best = matches.best(limit)
            wanted = expected[:limit]
            assert len(best) == len(wanted)
            assert np.allclose(best.scores, scores[wanted], atol=1e-5)
            assert set(best.keys.tolist()) >= set(
                opened.rows.keys[wanted[scores[wanted] > scores[wanted[-1]] + 1e-5]].tolist()
            )


def test_deleted_rows_are_saved_as_ranges_and_restored() -> None:
    rows = Rows()
    for number in range(1, 6):
        rows.extend(keys_of(number, np.arange(3)))
    rows.strike_out([1, 2, 4, 99])
    assert rows.gone == [[0, 6], [9, 12]]
    again = Rows()
    again.extend(rows.view().keys)
    again.restore_gone(rows.gone)
    assert again.view().alive.tolist() == rows.view().alive.tolist()
    again.strike_out([5])
    assert rows.gone == [[0, 6], [9, 12]] and again.gone == [[0, 6], [9, 15]]


def test_a_block_in_a_file_is_the_block_in_memory(tmp_path: Path) -> None:
    vectors = _isotropic(np.random.default_rng(3), 7, 5)
    growing = Growing(5)
    growing.append(keys_of(1, np.arange(7)), vectors)
    saved = blocks.save(growing.view(), tmp_path)
    assert saved.file is not None
    assert saved.keys.tolist() == growing.view().keys.tolist()
    assert (saved.vectors == vectors).all()
    assert (saved.quantised.codes == growing.view().quantised.codes).all()
    assert (saved.quantised.errors == growing.view().quantised.errors).all()
    path = tmp_path / saved.file
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(ValueError):
        blocks.load(tmp_path, saved.file, 7, 5)


def test_a_view_of_a_growing_block_never_changes() -> None:
    vectors = _isotropic(np.random.default_rng(4), 40, 8)
    growing = Growing(8)
    growing.append(keys_of(1, np.arange(10)), vectors[:10])
    view = growing.view()
    for start in (10, 20, 30):
        growing.append(keys_of(start, np.arange(10)), vectors[start : start + 10])
    assert (view.vectors == vectors[:10]).all() and len(view) == 10
    assert (growing.view().vectors == vectors).all()
