"""Phrases beside what they mean, by the network that ships."""

import numpy as np
import pytest

from backend.inference.phrase_vectors import PhraseEncoder, encoder


@pytest.fixture(scope="module")
def network() -> PhraseEncoder:
    return encoder()


def test_every_phrase_has_a_vector_of_length_one(network: PhraseEncoder) -> None:
    vectors = network.embed(["still out", "who pays", "", "£5.50", "x" * 500])
    assert vectors.shape == (5, 384)
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-5)


def test_no_phrases_have_no_vectors(network: PhraseEncoder) -> None:
    assert network.embed([]).shape == (0, 384)


def test_a_vector_does_not_depend_on_its_batch() -> None:
    alone = PhraseEncoder().embed(["brought back"])
    beside = PhraseEncoder().embed(["day on which it was handed out", "kit", "brought back"])
    assert np.allclose(alone[0], beside[2], atol=1e-4)


def test_capitals_and_accents_make_no_difference(network: PhraseEncoder) -> None:
    one, other = network.embed(["Café Owner", "cafe owner"])
    assert np.allclose(one, other)


@pytest.mark.parametrize(
    ("phrase", "meant", "other"),
    [
        ("amount still owed", "balance due: what remains to be paid", "deposit paid"),
        ("who signed it", "approved by: manager who agreed", "approved on: day of approval"),
        ("brought back", "returned on: day it came back", "due back: day it is due"),
        ("the cheapest", "least, price eur", "most, price eur"),
    ],
)
def test_a_phrase_is_closer_to_its_meaning(
    network: PhraseEncoder, phrase: str, meant: str, other: str
) -> None:
    own, right, wrong = network.embed([phrase, meant, other])
    assert own @ right > own @ wrong
