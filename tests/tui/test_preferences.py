import stat
import tomllib

from workbench.contract.location import settings_file
from workbench.tui.preferences import (
    read_preferences,
    settings_path,
    with_value,
    write_preference,
)

FILE = """# my settings
data_dir = "/elsewhere"

[app]
theme = "light"  # easy on the eyes

[keys]
"docsets.new" = "i"
"""


def test_the_settings_file_is_where_the_backend_reads_it(monkeypatch, tmp_path):
    assert settings_path() == settings_file()
    monkeypatch.setenv("WORKBENCH_SETTINGS", str(tmp_path / "own.toml"))
    assert settings_path() == settings_file()


def test_the_file_is_read(tmp_path):
    path = tmp_path / "settings.toml"
    path.write_text(FILE)
    preferences = read_preferences(path)
    assert preferences.theme == "workbench-light"
    assert preferences.keymap == {"docsets.new": "i"}
    assert preferences.problems == []


def test_a_missing_file_means_defaults_and_a_broken_one_is_reported(tmp_path):
    assert read_preferences(tmp_path / "none.toml").problems == []
    broken = tmp_path / "broken.toml"
    broken.write_text("[app\n")
    assert "cannot be read" in read_preferences(broken).problems[0]


def test_an_unusable_entry_is_reported_and_left(tmp_path):
    path = tmp_path / "settings.toml"
    path.write_text('[app]\npictures = "holograms"\n')
    result = read_preferences(path)
    assert result.pictures == "auto"
    assert "halfblock" in result.problems[0]


def test_writing_one_value_leaves_every_other_line_alone(tmp_path):
    path = tmp_path / "settings.toml"
    path.write_text(FILE)
    write_preference(path, "pictures", "boxes")
    after = path.read_text()
    for row in FILE.splitlines():
        assert row in after
    assert tomllib.loads(after)["app"] == {"theme": "light", "pictures": "boxes"}
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_values_are_set_changed_and_removed():
    text = with_value("", "app", "theme", "dark")
    assert tomllib.loads(text) == {"app": {"theme": "dark"}}
    text = with_value(text, "app", "theme", 'a "b"')
    assert tomllib.loads(text) == {"app": {"theme": 'a "b"'}}
    assert tomllib.loads(with_value(text, "app", "theme", None)) == {"app": {}}
