"""Naming files in the dialog that adds them: completed by tab, wrong only once entered."""

import pytest

from tests.tui.test_screens import SIZE, settle, until
from workbench.tui.dialogs.add_files import AddFiles


@pytest.fixture
def folder(tmp_path, monkeypatch):
    home = tmp_path / "home"
    for name in ("Reports/2023.pdf", "Reports/2024.pdf", "recipes/soup.txt", ".hidden/x.pdf"):
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_bytes(name.encode())
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.chdir(home)
    return home


async def adding(pilot) -> None:
    await settle(pilot)
    await pilot.press("a")
    await until(pilot, lambda: isinstance(pilot.app.screen, AddFiles))
    await pilot.pause()


def value(app) -> str:
    return app.screen.query_one("PathInput").value


def message(app) -> str:
    return str(app.screen.query_one("#found").render())


@pytest.mark.parametrize(
    ("typed", "completed"),
    [
        ("Rep", "Reports/"),
        ("~/Rep", "~/Reports/"),
        ("Reports/", "Reports/202"),
        ("Reports/2024", "Reports/2024.pdf"),
        (".hid", ".hidden/"),
        ("~", "~/"),
    ],
)
async def test_tab_completes_a_path(make_app, folder, typed, completed):
    app = make_app(docset="incidents")
    async with app.run_test(size=SIZE) as pilot:
        await adding(pilot)
        app.focused.value = typed
        await pilot.press("tab")
        assert value(app) == completed
        assert app.focused.cursor_position == len(completed)


async def test_tab_lists_continuations_and_hidden_files_only_after_a_dot(make_app, folder):
    app = make_app(docset="incidents")
    async with app.run_test(size=SIZE) as pilot:
        await adding(pilot)
        app.focused.value = "~/"
        await pilot.press("tab")
        await until(pilot, lambda: "Reports/" in message(app) and "recipes/" in message(app))
        assert value(app) == "~/"
        assert ".hidden" not in message(app)


async def test_an_unfinished_path_is_not_an_error_until_it_is_entered(make_app, folder):
    app = make_app(docset="incidents")
    async with app.run_test(size=SIZE) as pilot:
        await adding(pilot)
        await pilot.press(*"Repor")
        await pilot.pause(0.4)
        assert "There is no" not in message(app)
        await pilot.press("enter")
        await until(pilot, lambda: "There is no file Repor" in message(app))
        assert isinstance(app.screen, AddFiles)


async def test_unmatched_paths_are_shown_before_the_rest_is_added(make_app, folder):
    app = make_app(docset="incidents")
    async with app.run_test(size=SIZE) as pilot:
        await adding(pilot)
        app.focused.value = "Reports/2023.pdf nothing.pdf"
        await pilot.press("enter")
        await until(pilot, lambda: "There is no file nothing.pdf" in message(app))
        assert not app.workspace.queue.uploads()
        await pilot.press("enter")
        await settle(pilot)
        assert [upload.name for upload in app.workspace.queue.uploads()] == ["2023.pdf"]
