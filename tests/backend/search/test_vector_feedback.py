"""The vector half of a hybrid search moves towards the best elements of the word list."""

import numpy as np
import pytest

from backend.search.finding import _chosen
from backend.search.ranking import Ranking, keys_of
from backend.search.rows import RowView
from backend.search.vectors.blocks import Growing
from backend.search.vectors.feedback import towards
from backend.search.vectors.reader import ComparedMatches, VectorReader


def _reader(vectors: list[list[float]], alive: list[bool] | None = None) -> VectorReader:
    """Elements of document 1, in two blocks."""
    matrix = np.array(vectors, dtype=np.float32)
    keys = keys_of(1, np.arange(len(matrix)))
    blocks = []
    for part in (slice(0, 2), slice(2, None)):
        block = Growing(matrix.shape[1])
        block.append(keys[part], matrix[part])
        blocks.append(block.view())
    there = np.ones(len(matrix), dtype=bool) if alive is None else np.array(alive)
    return VectorReader(RowView(keys, there), blocks)


def _best(*parts: tuple[int, float]) -> Ranking:
    return Ranking(
        keys_of(1, [place for place, _ in parts]),
        np.array([score for _, score in parts], dtype=np.float32),
    )


_AXES = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]


def test_elements_count_by_the_square_of_their_score() -> None:
    query = np.array(_AXES[0], dtype=np.float32)
    moved = towards(_reader(_AXES), query, _best((2, 2.0), (1, 1.0)))
    expected = np.array([1.0, 0.5 * 1 / 5, 0.5 * 4 / 5])
    assert moved == pytest.approx(expected / np.linalg.norm(expected))
    assert moved.dtype == np.float32


def test_deleted_elements_and_those_without_a_vector_do_not_count() -> None:
    query = np.array(_AXES[0], dtype=np.float32)
    reader = _reader(_AXES, [True, True, False])
    assert towards(reader, query, _best((2, 2.0), (9, 1.0))) is query
    assert towards(reader, query, _best()) is query


def test_a_vector_that_is_cancelled_out_stays_as_it_was() -> None:
    query = np.array([1.0, 0.0], dtype=np.float32)
    assert towards(_reader([[-2.0, 0.0], [0.0, 1.0]]), query, _best((0, 1.0))) is query


def _matches(keys: list[int]) -> ComparedMatches:
    """A list with these elements, best first."""
    falling = np.linspace(9, 1, len(keys), dtype=np.float32)
    return ComparedMatches(np.array(keys, dtype=np.int64), falling)


def test_words_are_learned_from_elements_that_rank_high_in_both_lists() -> None:
    words, vectors = _matches(list(range(40))), _matches([99, 30, 31, 98, 5])
    chosen = _chosen(words, beside=vectors)
    assert {30, 31, 5, 0, 1} < set(chosen.keys.tolist())
    assert len(chosen) == 10 and not {98, 99} & set(chosen.keys.tolist())
    # In the order of the word list, with its scores.
    assert chosen.keys.tolist() == sorted(chosen.keys.tolist())
    assert chosen.scores.tolist() == sorted(chosen.scores.tolist(), reverse=True)
