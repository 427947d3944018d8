"""`workbench doctor` checks the configured models and says what to do when one does not work."""

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
        (checked,) = check(models)
    return checked


def test_a_working_model_is_reported_with_time_and_tokens() -> None:
    checked = _chat(good({"total": 42}))
    assert checked.ok and not checked.advice
    assert "m at 127.0.0.1" in checked.result and "120 tokens" in checked.result


def test_a_model_with_a_wrong_answer_is_reported() -> None:
    assert "wrong" in _chat(good({"total": 41})).advice


@pytest.mark.parametrize(
    ("reply", "advice"),
    [(malformed(), "output"), (status(401), r"[models.chat]"), (status(404), "[models.chat]")],
)
def test_a_failing_model_is_reported_with_advice(reply: Reply, advice: str) -> None:
    checked = _chat(reply)
    assert not checked.ok
    assert advice in checked.advice


def test_a_vision_model_is_shown_a_picture() -> None:
    with ScriptedModel(good({"colour": "red"})) as endpoint:
        models = Models(vision=LanguageEndpoint(url=endpoint.url, model="eye"))
        (checked,) = check(models)
    assert checked.ok and not checked.advice
    assert "data:image/png" in str(endpoint.requests)


def test_doctor_checks_the_models_of_the_settings_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    settings = tmp_path / "settings.toml"
    monkeypatch.setenv("WORKBENCH_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("WORKBENCH_SETTINGS", str(settings))
    with ScriptedModel(good({"total": 42})) as endpoint:
        settings.write_text(f'[models.chat]\nurl = "{endpoint.url}"\nmodel = "tiny"\n')
        assert main(["doctor", "--json"]) == 0
    checks = {item["check"]: item for item in json.loads(capsys.readouterr().out)}
    assert checks["chat model"]["status"] == "ok"
    assert checks["chat model"]["found"].startswith("tiny at 127.0.0.1")


def test_doctor_explains_an_invalid_model_setting_without_its_key(
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
