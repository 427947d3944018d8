"""The settings offer a language model that runs on this machine."""

import tomllib

import pytest

from tests.tui.test_answers import shown
from tests.tui.test_screens import settle
from workbench.sessions.local_models import LocalModel
from workbench.tui.preferences import write_model

MODELS = [
    LocalModel("Ollama", "http://127.0.0.1:11434/v1", "llama3.1:8b"),
    LocalModel("LM Studio", "http://127.0.0.1:1234/v1", "qwen2.5-7b"),
]


@pytest.fixture
def running(monkeypatch: pytest.MonkeyPatch) -> None:
    async def models() -> list[LocalModel]:
        return MODELS

    monkeypatch.setattr("workbench.tui.screens.settings.local_models", models)


async def test_a_model_of_this_machine_is_chosen_and_written(make_app, tmp_path, running):
    app = make_app()
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await pilot.press("7")
        await settle(pilot)
        text = shown(app)
        for words in ("none; 2 found", "Ollama at http://127.0.0.1:11434/v1", "[models.chat]"):
            assert words in text
        app.screen._table.move_to("model")
        await pilot.press("enter")
        await settle(pilot)
        await pilot.press("down", "enter")
        await settle(pilot)
        assert "qwen2.5-7b is used once the backend restarts" in shown(app)
    written = tomllib.loads((tmp_path / "settings.toml").read_text("utf-8"))
    assert written["models"]["chat"] == {"url": MODELS[1].url, "model": MODELS[1].model}


async def test_a_model_that_is_set_is_not_looked_for(make_app, client, running, monkeypatch):
    async def capable() -> dict[str, object]:
        return {"chat_model": "mine", "limits": {}}

    monkeypatch.setattr(client, "capabilities", capable)
    app = make_app()
    async with app.run_test(size=(120, 40)) as pilot:
        await settle(pilot)
        await pilot.press("7")
        await settle(pilot)
        assert "mine" in shown(app) and "found" not in shown(app)


def test_a_file_that_names_models_in_another_form_is_left_alone(tmp_path):
    file = tmp_path / "settings.toml"
    file.write_text('[models]\nchat = {url = "http://a/v1", model = "b"}\n')
    with pytest.raises(OSError, match="another form"):
        write_model(file, MODELS[0].url, MODELS[0].model)
    assert "b" in file.read_text()
