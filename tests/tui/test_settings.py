"""The settings screen: what a server says of itself, keys, density, and themes tried before they
are chosen.
"""

import tomllib

import pytest
from textual.command import CommandPalette

from tests.tui.fake_client import NOW
from tests.tui.test_screens import SIZE, settle, until
from workbench.tui.dialogs.ask import Ask
from workbench.tui.dialogs.choose import ChoiceList, Choose
from workbench.tui.dialogs.key_editor import KeyEditor, PressKey
from workbench.tui.keys import KEYS, key_fault
from workbench.tui.lines import plain
from workbench.tui.preferences import Preferences
from workbench.tui.server_words import server_lines
from workbench.tui.widgets.table_list import TableList

CAPABILITIES = {
    "version": "0.1.0",
    "formats": ["application/pdf", "application/msword", "image/png", "image/tiff", "text/x-new"],
    "ocr_languages": ["english", "serbian_latin", *(f"language {n}" for n in range(9))],
    "chat_model": None,
    "limits": {"max_upload": 536870912, "worker_cpu_seconds": None, "result_hours": 48.0},
}


def test_a_server_s_report_is_readable():
    health = {"status": "ok", "version": "0.1.0", "started": NOW - 600, "colour": "green"}
    text = "\n".join(map(plain, server_lines("local", health, CAPABILITIES, NOW)))
    for words in ("2023-11-1", "10 min ago", "PDF, Word, pictures, x-new", "537 MB", "2 d",
                  "Scan languages  11", "english, serbian latin", "language model       none",
                  "by size and pages", "colour               green"):  # fmt: skip
        assert words in text, words
    assert "application/" not in text and "1699" not in text


async def open_setting(pilot, name: str) -> None:
    await pilot.press("7")
    await settle(pilot)
    assert pilot.app.screen.query_one("#settings", TableList).move_to(name)
    await pilot.press("enter")
    await pilot.pause(0.1)


async def press_for(pilot, command: str, key: str) -> str:
    """Puts a command on another key in the editor; what it says."""
    app = pilot.app
    field = app.screen.query_one("Input")
    field.value = command
    await pilot.pause()
    field.focus()
    await pilot.press("enter")
    await until(pilot, lambda: isinstance(app.screen, PressKey))
    await pilot.press(key)
    await until(pilot, lambda: isinstance(app.screen, KeyEditor))
    await pilot.pause()
    return str(app.screen.query_one("#fault").render())


async def test_a_command_is_moved_to_another_key_and_back(make_app, tmp_path):
    app = make_app()
    file = tmp_path / "settings.toml"
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await open_setting(pilot, "keys")
        await until(pilot, lambda: isinstance(app.screen, KeyEditor))
        assert "in use: Extract properties" in await press_for(pilot, "docsets.new", "p")
        assert "in use: Fill the screen" in await press_for(pilot, "docsets.new", "z")
        assert await press_for(pilot, "docsets.new", "i") == ""
        assert tomllib.loads(file.read_text())["keys"] == {"docsets.new": "i"}
        await pilot.press("escape", "1", "n")
        await settle(pilot)
        assert not isinstance(app.screen, Ask)
        await pilot.press("i")
        await until(pilot, lambda: isinstance(app.screen, Ask))
        await pilot.press("escape")
        await open_setting(pilot, "keys")
        await until(pilot, lambda: isinstance(app.screen, KeyEditor))
        app.screen.query_one("Input").value = "docsets.new"
        await pilot.pause()
        await pilot.press("delete")
        await pilot.pause()
        assert tomllib.loads(file.read_text())["keys"] == {}
        await pilot.press("escape", "1", "n")
        await until(pilot, lambda: isinstance(app.screen, Ask))


def test_every_command_keeps_its_own_keys_without_a_fault():
    faults = [key_fault(key.id, None, {}) for place in KEYS.values() for key in place]
    assert not any(faults)
    assert "moves to the next pane" in key_fault("docsets.new", "tab", {})


async def test_comfortable_lists_have_a_blank_line_between_their_rows(make_app, tmp_path):
    app = make_app(docset="incidents")
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        table = app.screen.query_one(TableList)
        assert table.render_line(2).text.strip()
        await open_setting(pilot, "density")
        await until(pilot, lambda: isinstance(app.screen, Choose))
        app.screen.query_one(ChoiceList).move_to("comfortable")
        await pilot.press("enter")
        await settle(pilot)
        assert tomllib.loads((tmp_path / "settings.toml").read_text())["app"] == {
            "density": "comfortable"
        }
        await pilot.press("2")
        await settle(pilot)
        assert not table.render_line(2).text.strip()
        assert "report-0001" in table.render_line(3).text
        await pilot.press("G")
        await pilot.pause()
        assert "report-0123" in "".join(table.render_line(y).text for y in range(table.size.height))


async def test_themes_of_the_palette_are_previewed_under_the_cursor(make_app, tmp_path):
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await pilot.press("ctrl+p")
        await until(pilot, lambda: isinstance(app.screen, CommandPalette))
        await pilot.press(*"theme workbench-light")
        await until(pilot, lambda: app.theme == "workbench-light")
        await pilot.press("escape")
        if isinstance(app.screen, CommandPalette):
            await pilot.press("escape")
        await until(pilot, lambda: app.theme == "workbench-dark")
        assert not (tmp_path / "settings.toml").exists()
        await pilot.press("ctrl+p")
        await until(pilot, lambda: isinstance(app.screen, CommandPalette))
        await pilot.press(*"theme workbench-contrast")
        await until(pilot, lambda: app.theme == "workbench-contrast")
        await pilot.press("enter")
        await until(pilot, lambda: (tmp_path / "settings.toml").exists())
        await pilot.pause()
        assert app.theme == "workbench-contrast"


@pytest.mark.parametrize(("last", "theme"), [("escape", "workbench-dark"), ("enter", None)])
async def test_themes_of_the_settings_are_worn_while_the_cursor_moves(make_app, last, theme):
    app = make_app(preferences=Preferences(auto_run=False))
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await open_setting(pilot, "theme")
        await until(pilot, lambda: isinstance(app.screen, Choose))
        await pilot.press("down")
        await until(pilot, lambda: app.theme != "workbench-dark")
        worn = app.theme
        await pilot.press(last)
        await settle(pilot)
        assert app.theme == (theme or worn)
