"""The networks that compare the values in the running for a property."""

import numpy as np
import pytest

from backend.extraction.comparing import Comparison
from backend.inference.trees import Floats

_MEASURES, _WIDE, _NETWORKS = 5, 4, 2


@pytest.fixture
def comparison() -> Comparison:
    rng = np.random.default_rng(1)

    def drawn(*shape: int) -> Floats:
        return rng.normal(size=(_NETWORKS, *shape)).astype(np.float32)

    return Comparison(
        {
            "shift": np.zeros(_MEASURES, dtype=np.float32),
            "scale": np.ones(_MEASURES, dtype=np.float32),
            "inner": drawn(_MEASURES, _WIDE),
            "inner_shift": drawn(_WIDE),
            "outer": drawn(3 * _WIDE, _WIDE),
            "outer_shift": drawn(_WIDE),
            "last": drawn(_WIDE + 1),
            "straight": drawn(_MEASURES),
        }
    )


def _rows(many: int, seed: int) -> Floats:
    return np.random.default_rng(seed).normal(size=(many, _MEASURES)).astype(np.float32)


def test_candidates_of_other_properties_change_nothing(comparison: Comparison) -> None:
    own, other = _rows(3, 2), _rows(4, 3)
    together = comparison.logits(np.concatenate([own, other]), [3, 4])
    assert together[:3] == pytest.approx(comparison.logits(own, [3]), abs=1e-5)
    assert together[3:] == pytest.approx(comparison.logits(other, [4]), abs=1e-5)


def test_a_value_has_other_odds_beside_another_value(comparison: Comparison) -> None:
    own = _rows(1, 4)
    beside = comparison.logits(np.concatenate([own, _rows(1, 5)]), [2])
    assert abs(beside[0] - comparison.logits(own, [1])[0]) > 1e-3


def test_properties_without_values_are_passed_over(comparison: Comparison) -> None:
    own = _rows(2, 6)
    assert comparison.logits(own, [0, 2, 0]) == pytest.approx(comparison.logits(own, [2]))
    assert len(comparison.logits(_rows(0, 7), [0, 0])) == 0


def test_measures_far_from_the_usual_say_no_more_than_far_ones(comparison: Comparison) -> None:
    far, farther = np.full((1, _MEASURES), 9.0), np.full((1, _MEASURES), 900.0)
    odds = [comparison.logits(rows.astype(np.float32), [1])[0] for rows in (far, farther)]
    assert odds[0] == odds[1]
