"""A misspelt setting is reported, also by the doctor, who does not ask the backend."""

import os
import subprocess
from pathlib import Path

import pytest
from platformdirs import user_data_path

from workbench.commands.doctor import examine
from workbench.contract.location import data_dir
from workbench.contract.processes import importable, python_module
from workbench.contract.setting_names import unknown_settings


def test_an_unknown_setting_is_reported_with_the_intended_one(tmp_path: Path) -> None:
    file = tmp_path / "settings.toml"
    file.write_text('WORKBENCH_DATA_DIR = "/x"\nworkers = 2\n[app]\ntheme = "x"\n[modles.chat]\n')
    variables = {"WORKBENCH_SETTINGS": "x", "WORKBENCH_MODELS__CHAT__URL": "x", "HOME": "x",
                 "WORKBENCH_WORKER": "2"}  # fmt: skip
    assert unknown_settings(file, variables) == [
        f"{file}: WORKBENCH_DATA_DIR is not a setting and has no effect. Did you mean data_dir?",
        f"{file}: modles is not a setting and has no effect. Did you mean models?",
        "WORKBENCH_WORKER is not a setting and has no effect. Did you mean workers?",
    ]
    assert unknown_settings(tmp_path / "none.toml", {}) == []
    file.write_text("x = = 1")
    assert unknown_settings(file, {}) == []


def test_the_doctor_reports_it_as_a_fault(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "settings.toml"
    file.write_text('WORKBENCH_DATA_DIR = "/x"\n')
    monkeypatch.setenv("WORKBENCH_SETTINGS", str(file))
    monkeypatch.setenv("WORKBENCH_DATA_DIR", str(tmp_path))
    faults = [f.found for f in examine() if f.check == "settings" and f.status == "fault"]
    assert faults == [
        f"{file}: WORKBENCH_DATA_DIR is not a setting and has no effect. Did you mean data_dir?"
    ]


def test_the_doctor_says_in_one_sentence_that_the_settings_cannot_be_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "settings.toml"
    file.write_text('port = "x\n[bad')
    monkeypatch.setenv("WORKBENCH_SETTINGS", str(file))
    monkeypatch.setenv("WORKBENCH_DATA_DIR", str(tmp_path))
    (problem,) = [f.found for f in examine() if f.check == "models"]
    assert problem.startswith(f"The settings file {file} cannot be read: ")
    assert "Traceback" not in problem and "^" not in problem
    installed = subprocess.run(
        [*python_module("backend.inference.installing"), "remove", "minilm"],
        env=importable(os.environ),
        capture_output=True,
        text=True,
        check=False,
    )
    assert installed.returncode == 1 and installed.stderr.strip() == problem


@pytest.mark.parametrize("written", [b"5", b'["a"]', rb'"a\u0000b"', b'"\xff"', b'""'])
def test_a_data_folder_that_cannot_be_one_is_for_the_backend_to_report(
    written: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The command line ended with a traceback."""
    file = tmp_path / "settings.toml"
    file.write_bytes(b"data_dir = " + written)
    monkeypatch.setenv("WORKBENCH_SETTINGS", str(file))
    monkeypatch.delenv("WORKBENCH_DATA_DIR", raising=False)
    assert data_dir() == user_data_path("docset-workbench")


def test_the_backend_reports_a_data_folder_that_cannot_be_one(tmp_path: Path) -> None:
    file = tmp_path / "settings.toml"
    file.write_text(r'data_dir = "a\u0000b"')
    assert refused_start(file) == "The setting data_dir is wrong: it must be the path of a folder."


def test_the_backend_reports_a_folder_in_place_of_its_run_file(tmp_path: Path) -> None:
    """It served for a moment and ended with two tracebacks."""
    file = tmp_path / "settings.toml"
    file.write_text(f"data_dir = {str(tmp_path / 'data')!r}")
    (tmp_path / "data" / "run.json").mkdir(parents=True)
    (tmp_path / "data").chmod(0o700)
    (line,) = refused_start(file).splitlines()
    assert line.startswith("The backend cannot start: ") and line.endswith("run.json).")


def refused_start(settings: Path) -> str:
    """What a backend prints that cannot start."""
    served = subprocess.run(
        [*python_module("backend.main"), "serve"],
        env=importable({n: v for n, v in os.environ.items() if n != "WORKBENCH_DATA_DIR"})
        | {"WORKBENCH_SETTINGS": str(settings)},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert served.returncode == 1
    return served.stderr.strip()
