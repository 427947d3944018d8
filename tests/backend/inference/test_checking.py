"""`workbench doctor` asks the models of the settings and says what to do where none answers."""

import json
from pathlib import Path

import pytest

from backend.inference.checking import Checked, check
from backend.settings import LanguageEndpoint, Models
from tests.scripted_model import Reply, Script, ScriptedModel, good, malformed, status
from workbench.cli import main


def _chat(*script: Script) -> Checked:
    with ScriptedModel(*script) as endpoint:
        models = Models(chat=LanguageEndpoint(url=endpoint.url, model="m"))
        (found,) = check(models)
    return found


def test_a_model_that_answers_is_found_with_its_time_and_tokens() -> None:
    found = _chat(good({"total": 42}))
    assert found.ok and not found.advice
    assert "m at 127.0.0.1" in found.found and "120 tokens" in found.found


def test_a_model_that_answers_wrongly_is_told() -> None:
    assert "wrongly" in _chat(good({"total": 41})).advice


@pytest.mark.parametrize(
    ("reply", "advice"),
    [(malformed(), "output"), (status(401), r"[models.chat]"), (status(404), "[models.chat]")],
)
def test_a_model_that_does_not_is_a_fault_with_advice(reply: Reply, advice: str) -> None:
    found = _chat(reply)
    assert not found.ok
    assert advice in found.advice


def test_a_model_that_sees_is_shown_a_picture() -> None:
    with ScriptedModel(good({"colour": "red"})) as endpoint:
        models = Models(vision=LanguageEndpoint(url=endpoint.url, model="eye"))
        (found,) = check(models)
    assert found.ok and not found.advice
    assert "data:image/png" in str(endpoint.requests)


def test_doctor_asks_the_models_of_the_settings_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = tmp_path / "settings.toml"
    monkeypatch.setenv("WORKBENCH_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("WORKBENCH_SETTINGS", str(settings))
    with ScriptedModel(good({"total": 42})) as endpoint:
        settings.write_text(f'[models.chat]\nurl = "{endpoint.url}"\nmodel = "tiny"\n')
        assert main(["doctor", "--json"]) == 0
    found = {item["check"]: item for item in json.loads(capsys.readouterr().out)}
    assert found["chat model"]["status"] == "ok"
    assert found["chat model"]["found"].startswith("tiny at 127.0.0.1")


def test_doctor_says_what_is_wrong_with_a_model_in_the_settings_without_its_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = tmp_path / "settings.toml"
    monkeypatch.setenv("WORKBENCH_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("WORKBENCH_SETTINGS", str(settings))
    settings.write_text('[models.chat]\nurl = "nowhere"\nkey = "sk-secret"\nmodel = "tiny"\n')
    assert main(["doctor"]) == 1
    printed = capsys.readouterr().out
    assert "models.chat.url" in printed and "http://" in printed
    assert "sk-secret" not in printed
