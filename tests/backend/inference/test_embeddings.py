"""Embedders: unit rows, stable identities, and honest refusals."""

import sys
from dataclasses import replace

import numpy as np
import pytest

from backend.inference.embeddings import NONE, Identity, ProviderMissing, embedder_for
from backend.inference.providers import Embedders


def test_rows_have_length_one_and_texts_without_words_are_zero() -> None:
    rows = embedder_for("static").embed(["a zebra grazes", "", "… !?", "x" * 50_000, "机器"])
    assert rows.dtype == np.float32
    assert rows.shape == (5, 256)
    assert np.linalg.norm(rows, axis=1) == pytest.approx([1, 0, 0, 1, 1], abs=1e-5)


def test_likeness_follows_meaning() -> None:
    horse, pony, tax = embedder_for("static").embed(["a horse", "two ponies", "income tax law"])
    assert horse @ pony > horse @ tax


def test_a_text_has_the_same_vector_alone_and_in_a_batch() -> None:
    embed = embedder_for("static").embed
    texts = [f"text number {number}" for number in range(1100)]
    assert np.array_equal(embed(texts)[1050], embed([texts[1050]])[0])


def test_an_identity_survives_the_wire_and_names_its_maker() -> None:
    identity = embedder_for("static").identity
    assert Identity.parse(identity.wire()) == identity
    assert identity.text.startswith("static/")
    assert len(identity.text) < 200
    assert Embedders().of(identity) is embedder_for("static")
    with pytest.raises(ValueError, match="identity"):
        Identity.parse({"provider": "static"})


def test_another_revision_or_provider_is_refused() -> None:
    identity = embedder_for("static").identity
    with pytest.raises(ProviderMissing, match="is installed"):
        Embedders().of(replace(identity, revision="other"))
    with pytest.raises(ProviderMissing, match="there are static, minilm, endpoint, none"):
        Embedders().current("elsewhere")


def test_the_provider_none_makes_empty_rows() -> None:
    assert Embedders().of(NONE).embed(["a", "b"]).shape == (2, 0)


def test_the_package_whose_files_are_read_is_never_imported() -> None:
    embedder_for("static").embed(["x"])
    assert "wordllama" not in sys.modules
