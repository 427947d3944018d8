"""Embedders: unit rows, stable identities, and clear refusals."""

import random
from dataclasses import replace

import numpy as np
import pytest

from backend.inference import static
from backend.inference.embeddings import NONE, Identity, ProviderMissing
from backend.inference.providers import Embedders, embedder_for
from backend.inference.static import StaticEmbedder


def test_rows_have_length_one_and_texts_without_words_are_zero() -> None:
    rows = embedder_for("static").embed(["a zebra grazes", "", "… !?", "x" * 50_000, "机器"])
    assert rows.dtype == np.float32
    assert rows.shape == (5, 256)
    assert np.linalg.norm(rows, axis=1) == pytest.approx([1, 0, 0, 1, 1], abs=1e-5)


def test_similar_meaning_gives_similar_vectors() -> None:
    horse, pony, tax = embedder_for("static").embed(["a horse", "two ponies", "income tax law"])
    assert horse @ pony > horse @ tax


def test_a_text_has_the_same_vector_alone_and_in_a_batch() -> None:
    embed = embedder_for("static").embed
    texts = [f"text number {number}" for number in range(1100)]
    assert np.array_equal(embed(texts)[1050], embed([texts[1050]])[0])


def test_a_vector_is_the_mean_of_all_tokens_of_the_text() -> None:
    embedder = StaticEmbedder.installed()
    weights, tokenizer = embedder._vectors, embedder._tokenizer
    chance = random.Random(3)
    letters = ["ab", " ", "  ", "   ", "▁", "\t", "\n", ".", ",", "é", "ñ", "机器", "😀", "1", "—"]
    texts = ["".join(chance.choices(letters, k=chance.randrange(30))) for _ in range(2_000)]
    texts += ["The wing's flap, at 12.5 m/s (27.96 mph).", " led by a space", "ends with one "]
    for text, row in zip(texts, embedder.embed(texts), strict=True):
        ids = tokenizer.tokens(text)
        mean = weights[ids].sum(axis=0) if any(map(str.isalnum, text)) else np.zeros(256)
        assert row == pytest.approx(mean / max(np.linalg.norm(mean), 1e-9), abs=1e-6), repr(text)


@pytest.mark.parametrize("odd", ["</s>", "a</s>b", "<s> <s>", "x <unk>"])
def test_text_that_resembles_a_special_token_changes_no_other_text(odd: str) -> None:
    texts = [f"word{number} and another{number}" for number in range(50)]
    clean = StaticEmbedder.installed().embed(texts)
    beside = StaticEmbedder.installed().embed([odd, *texts, f"{odd} {texts[0]}"])
    assert np.array_equal(clean, beside[1:51])
    again = StaticEmbedder.installed().embed([f"{odd} {texts[0]}"])
    assert np.array_equal(again[0], beside[51])


def test_a_full_word_cache_is_rebuilt(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(static, "_KEPT", 100)
    few = StaticEmbedder.installed()
    texts = [f"number {number} of many{number}" for number in range(700)]
    assert np.array_equal(few.embed(texts), embedder_for("static").embed(texts))


def test_an_identity_survives_serialization_and_names_its_provider() -> None:
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


def test_the_provider_none_gives_empty_rows() -> None:
    assert Embedders().of(NONE).embed(["a", "b"]).shape == (2, 0)
