"""Starting where one left off, leaving without losing anything, and finding every command."""

import asyncio
from pathlib import Path

import pytest
from textual.command import CommandPalette
from textual.widgets import Input

from tests.tui.fake_client import FakeClient
from tests.tui.test_screens import SIZE, ask, names, settle, type_in, until
from workbench.sessions.sample_set import SampleSet
from workbench.tui.dialogs.ask import Ask
from workbench.tui.dialogs.choose import Choose
from workbench.tui.dialogs.confirm import Confirm
from workbench.tui.keys import KEYS
from workbench.tui.preferences import Preferences, read_preferences
from workbench.tui.widgets.notice import Notice
from workbench.tui.widgets.plan_changes import PlanChanges
from workbench.tui.widgets.plan_graph import PlanGraph
from workbench.tui.widgets.table_list import TableList


async def test_the_docset_that_was_open_last_is_opened_at_the_next_start(make_app):
    async with (app := make_app(docset="invoices 2024")).run_test(size=SIZE) as pilot:
        await settle(pilot)
    async with (app := make_app()).run_test(size=SIZE) as pilot:
        await until(pilot, lambda: app.docset is not None)
        await settle(pilot)
        assert (app.docset.name, app.screen.place) == ("invoices 2024", "documents")
        await pilot.press("1")
        await settle(pilot)
        assert app.screen.place == "docsets"


async def test_a_deleted_last_docset_does_no_harm(make_app, client):
    async with (app := make_app(docset="invoices 2024")).run_test(size=SIZE) as pilot:
        await settle(pilot)
    del client.all["wb:ds-2"]
    async with (app := make_app()).run_test(size=SIZE) as pilot:
        await settle(pilot)
        assert (app.docset, app.screen.place) == (None, "docsets")
        assert not app.screen.query_one("Notice").words


async def test_a_status_line_that_is_due_when_the_app_ends_reads_no_closed_file(make_app):
    async with (app := make_app()).run_test(size=SIZE) as pilot:
        await settle(pilot)
        app._state_changed()
    app._write_state()


async def test_a_clone_gets_the_name_that_was_asked_for(make_app, client):
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await pilot.press("c")
        await until(pilot, lambda: isinstance(app.screen, Ask))
        assert app.screen.query_one(Input).value == "incidents (copy)"
        await type_in(pilot, "incidents 2025")
        assert names(app.screen.query_one(TableList))[-1] == "incidents 2025"
        await pilot.press("c", "escape")
        await settle(pilot)
        assert len(client.all) == 3


async def test_the_demo_can_be_loaded_from_the_empty_app(make_app, client):
    def write(folder: Path) -> SampleSet:
        folder.mkdir()
        (folder / "one.txt").write_text("a sample")
        schema = {"properties": [{"name": "state", "field_type": "string"}]}
        return SampleSet("Samples", schema, {"sample": 1}, (folder / "one.txt",))

    client.all.clear()
    app = make_app(write_samples=write)
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        words = "".join(span.text for row in app.screen._table._words for span in row)
        assert "D to try it on sample documents" in words
        await pilot.press("D")
        await settle(pilot)
        await until(pilot, lambda: client.sent)
        assert (app.docset.name, app.screen.place) == ("Samples", "uploads")
        assert [source.name for source in client.sent] == ["one.txt"]


@pytest.fixture
def ended(monkeypatch):
    """Counts the ends of the app, which goes on for the test."""
    from workbench.tui.app import WorkbenchApp

    seen: list[int] = []
    monkeypatch.setattr(WorkbenchApp, "exit", lambda *_, **__: seen.append(1))
    return seen


async def test_q_quits_at_once_where_nothing_is_unsaved(make_app, ended):
    app = make_app(docset="incidents")
    async with app.run_test(size=SIZE) as pilot:
        await ask(pilot)
        await pilot.press("q")
        await pilot.pause()
        assert ended


@pytest.mark.parametrize(
    ("key", "place", "call", "work"),
    [("2", "documents", "docset", "f5"), ("6", "plans", "stream_plan", "r")],
)
async def test_an_answer_that_arrives_while_the_app_ends_is_dropped(
    make_app, client, monkeypatch, key, place, call, work
):
    answer = client.docset

    async def slower(*args):
        result = await answer(*args)
        await client.gate.wait()
        return result

    async def last(notice):
        if notice.screen.place == place:
            others = [widget for widget in notice.screen.children if widget is not notice]
            await asyncio.wait([widget._task for widget in others])
            client.gate.set()
            await asyncio.sleep(0.05)

    monkeypatch.setattr(client, "docset", slower)
    monkeypatch.setattr(Notice, "on_unmount", last, raising=False)
    app = make_app(docset="incidents")
    async with app.run_test(size=SIZE) as pilot:
        await ask(pilot)
        await pilot.press(key)
        await settle(pilot)
        client.gate.clear()
        client.calls.clear()
        await pilot.press(work)
        await until(pilot, lambda: call in [name for name, _ in client.calls])
    assert client.gate.is_set()


async def test_q_asks_while_a_plan_runs(make_app, client, ended):
    client.gate.clear()
    app = make_app(docset="incidents")
    async with app.run_test(size=SIZE) as pilot:
        await ask(pilot)
        await pilot.press("r")
        await until(pilot, lambda: app.screen._output.run.state == "running")
        await pilot.press("1")
        await until(pilot, lambda: app.screen.place == "docsets")
        await pilot.press("q")
        await until(pilot, lambda: isinstance(app.screen, Confirm))
        assert not ended
        await pilot.press("n")
        await pilot.pause(0.1)
        assert not ended
        await pilot.press("q")
        await until(pilot, lambda: isinstance(app.screen, Confirm))
        await pilot.press("y")
        await until(pilot, lambda: ended)
        client.gate.set()
        await settle(pilot)


async def test_q_asks_about_feedback_that_was_not_sent(make_app, ended):
    app = make_app(docset="incidents")
    async with app.run_test(size=SIZE) as pilot:
        await ask(pilot)
        await pilot.press("e", *"by state", "escape", "q")
        await until(pilot, lambda: isinstance(app.screen, Confirm))
        assert "by state" in str(app.screen.query_one("Static").render())


async def test_the_palette_lists_every_command_with_its_key(make_app):
    app = make_app(docset="incidents")
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        results = {c.title: c for c in app.get_system_commands(app.screen)}
        for place in ("app", "docsets", "documents", "uploads", "tasks", "search", "plans"):
            for key in KEYS[place]:
                assert any(
                    key.tooltip == c.help and c.title.endswith(")") for c in results.values()
                )
        assert {"Sort  (s)", "Plans: ask  (a)", "DocSets: clone  (c)"} <= results.keys()
        await pilot.press("ctrl+p")
        await until(pilot, lambda: isinstance(app.screen, CommandPalette))
        await pilot.press(*"plansask")
        await pilot.pause(0.5)
        await pilot.press("enter")
        await until(pilot, lambda: getattr(app.screen, "place", "") == "plans")
        await settle(pilot)
        assert app.focused.placeholder.startswith("ask")


# -- plans that run by themselves ---------------------------------------------------------------


def runs(client: FakeClient) -> int:
    return sum(name == "stream_plan" for name, _ in client.calls)


async def test_a_quick_plan_runs_automatically_after_a_question_feedback_and_a_decision(
    make_app, client
):
    app = make_app(docset="incidents", preferences=Preferences())
    async with app.run_test(size=SIZE) as pilot:
        await ask(pilot)
        await until(pilot, lambda: runs(client) == 1)
        await settle(pilot)
        assert app.screen._output.run.state == "done"
        assert app.screen.query_one(PlanGraph).has_focus
        await pilot.press("e")
        await type_in(pilot, "by state, top 5")
        await until(pilot, lambda: runs(client) == 2)
        await settle(pilot)
        assert app.screen._output.run.state == "done", "the answer follows the feedback"
        assert app.screen.query_one(PlanChanges).has_focus
        await pilot.press("n")
        await until(pilot, lambda: runs(client) == 3)


async def test_a_plan_that_takes_longer_waits_for_the_key(make_app, client, monkeypatch):
    answer = client.estimate_plan

    async def slower(*args):
        return [one.model_copy(update={"ms": 100.0}) for one in await answer(*args)]

    monkeypatch.setattr(client, "estimate_plan", slower)
    app = make_app(docset="incidents", preferences=Preferences())
    async with app.run_test(size=SIZE) as pilot:
        await ask(pilot)
        await pilot.pause(0.2)
        assert runs(client) == 0


async def test_automatic_runs_can_be_turned_off_on_the_settings_screen(make_app, client):
    app = make_app(docset="incidents", preferences=Preferences())
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await pilot.press("7")
        await settle(pilot)
        app.screen._table.move_to("auto_run")
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, Choose))
        await pilot.pause(0.1)
        await pilot.press(*"off", "enter")
        await settle(pilot)
        assert not app.preferences.auto_run
        assert not read_preferences(app.settings_file).auto_run
        await ask(pilot)
        await pilot.pause(0.2)
        assert runs(client) == 0


def test_a_wrong_word_for_autorun_is_reported(tmp_path):
    path = tmp_path / "settings.toml"
    path.write_text('[app]\nauto_run = "perhaps"\n')
    result = read_preferences(path)
    assert result.auto_run
    assert "write true or false" in result.problems[0]
