"""Fusion and ordering, on lists small enough to check by hand."""

import numpy as np
import pytest

from backend.search.ranking import (
    Fusion,
    Hit,
    Ranking,
    Weighted,
    key_of,
    keys_of,
    numbers_of,
    ordinal_of,
    ranked,
)


def _ranking(*keys: int) -> Ranking:
    return Ranking(np.array(keys, dtype=np.int64), np.arange(len(keys), 0, -1).astype(np.float32))


def _fused(by_document: bool, **lists: Weighted) -> list[Hit]:
    fusion = Fusion(lists, by_document=by_document)
    return [fusion.hit(place) for place in range(len(fusion.units))]


def test_a_key_combines_document_and_ordinal() -> None:
    keys = keys_of(7, [0, 3])
    assert keys.tolist() == [key_of(7, 0), key_of(7, 3)]
    assert numbers_of(keys).tolist() == [7, 7]
    assert ordinal_of(key_of(7, 3)) == 3


def test_ties_stay_in_order_of_arrival_wherever_the_list_is_cut() -> None:
    keys = np.array([5, 3, 4, 1, 2], dtype=np.int64)
    scores = np.array([1, 1, 1, 1, 2], dtype=np.float32)
    for limit in range(1, 6):
        assert ranked(keys, scores, limit).keys.tolist() == [2, 1, 3, 4, 5][:limit]


def test_a_document_ranks_where_its_best_element_ranks() -> None:
    ranking = _ranking(key_of(2, 1), key_of(1, 0), key_of(2, 0))
    assert ranking.best_per_document().keys.tolist() == [key_of(2, 1), key_of(1, 0)]


def test_fusion_adds_weighted_reciprocal_ranks() -> None:
    words, likeness = _ranking(1, 2), _ranking(3, 2)
    hits = _fused(False, lexical=Weighted(words, 1.0), vector=Weighted(likeness, 0.5))
    assert [hit.key for hit in hits] == [2, 1, 3]
    assert hits[0].score == pytest.approx(1 / 22 + 0.5 / 22)
    assert {name: part.rank for name, part in hits[0].parts.items()} == {"lexical": 2, "vector": 2}


def test_documents_are_fused_by_the_best_element_of_each_list() -> None:
    words = _ranking(key_of(1, 0), key_of(1, 1), key_of(2, 0))
    likeness = _ranking(key_of(2, 5), key_of(1, 9))
    first, second = _fused(True, a=Weighted(words, 1.0), b=Weighted(likeness, 1.0))
    assert first.key == key_of(1, 0)
    assert first.score == second.score == pytest.approx(1 / 21 + 1 / 22)
    assert second.key == key_of(2, 5)
    assert second.parts["a"].rank == 2
