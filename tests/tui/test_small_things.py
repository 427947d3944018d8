"""Small things that are only noticed when they are wrong."""

import pytest
from textual.widgets import Input

from tests.tui.test_screens import SIZE, ask, search, settle, shown_text, type_in, until
from workbench.client import ConnectionFailed
from workbench.contract.schema import Schema
from workbench.contract.search import Facet, FacetValue
from workbench.formats import ago
from workbench.sessions.schema_examples import condition_example, question_examples
from workbench.tui.dialogs.choose import ChoiceList, Choose
from workbench.tui.dialogs.properties import Properties
from workbench.tui.lines import plain
from workbench.tui.widgets.filter_bar import FilterBar
from workbench.tui.widgets.plan_graph import PlanGraph
from workbench.tui.widgets.status_line import StatusLine


async def test_the_details_of_a_docset_follow_its_new_name_and_protection(make_app):
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await pilot.press("m")
        await pilot.pause(0.1)
        await type_in(pilot, "accidents")
        assert "accidents" in str(app.screen.query_one("#side").border_title)


async def test_comparing_begins_at_the_version_before(make_app):
    app = make_app(docset="incidents")
    async with app.run_test(size=SIZE) as pilot:
        await ask(pilot)
        await pilot.press("e")
        await type_in(pilot, "by state, top 5")
        assert app.screen._session.versions.pointer == 2
        await pilot.press("D")
        await until(pilot, lambda: isinstance(app.screen, Choose))
        await pilot.pause()
        assert app.screen.query_one(ChoiceList).current_key == "1"


async def test_suggested_questions_are_about_this_docset(make_app):
    app = make_app(docset="incidents")
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await pilot.press("6")
        await settle(pilot)
        words = " ".join(plain(row) for row in app.screen.query_one(PlanGraph)._words)
        assert "How many documents are there by state?" in words
        assert "average year by state" in words


def test_questions_without_a_schema_only_count():
    assert question_examples(None) == ["How many documents are there?"]
    dated = Schema.model_validate({"properties": [{"name": "due_date", "field_type": "date"}]})
    assert question_examples(dated) == ["How many documents are there by year of due date?"]


def test_groups_are_suggested_by_a_property_whose_values_repeat():
    names = {"report_number": "string", "state": "string", "cost": "float", "day": "date"}
    schema = Schema.model_validate(
        {"properties": [{"name": n, "field_type": kind} for n, kind in names.items()]}
    )
    facets = [
        Facet(field="properties.entity.report_number", kind="string", missing=0, distinct=48,
              values=[FacetValue(value="AFS-1", count=1)]),
        Facet(field="properties.entity.state", kind="string", missing=0, distinct=10,
              values=[FacetValue(value="Ohio", count=9)]),
    ]  # fmt: skip
    assert question_examples(schema, facets)[:2] == [
        "How many documents are there by state?",
        "What is the average cost by state?",
    ]
    assert condition_example(schema, facets) == 'state = "Ohio"'
    assert condition_example(schema) == "cost > 0"
    assert condition_example(None) == ""


async def test_the_lines_for_a_condition_show_one_of_this_docset(make_app):
    app = make_app(docset="incidents")
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        assert "year > 0" in app.screen.query_one(FilterBar).placeholder
        await pilot.press("5")
        await settle(pilot)
        where = app.screen.query_one("#where")
        await until(pilot, lambda: where.placeholder == 'such as state = "WA"')
        await pilot.resize_terminal(80, 24)
        await until(pilot, lambda: where.placeholder == "a condition")


async def test_the_last_line_hints_only_at_keys_that_act_while_one_types(make_app):
    app = make_app(docset="incidents")
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await pilot.press("5")
        await settle(pilot)
        assert isinstance(app.focused, Input)
        await pilot.press("slash", "i", "c", "e", "slash")
        assert app.focused.value == "ice/", (
            "the first slash leads to the line, later ones are typed"
        )
        hints = app.screen.query_one(StatusLine)._hints(100).plain
        assert "esc to the hits" in hints and "query" not in hints and "?" not in hints


async def test_the_types_of_properties_are_listed_where_they_are_typed(make_app):
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await pilot.press("p")
        await until(pilot, lambda: isinstance(app.screen, Properties))
        shown = str(app.screen.query_one("#kinds").render())
        assert "bool · int · float · string · date · datetime · array · choice" in shown


async def test_an_empty_dialog_advises(make_app, client):
    client.facets = lambda *_, **__: _nothing()
    app = make_app(docset="incidents")
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await pilot.press("f")
        await until(pilot, lambda: isinstance(app.screen, Choose))
        await pilot.pause()
        words = " ".join(plain(row) for row in app.screen.query_one(ChoiceList)._words)
        assert "Press 1, then p" in words


async def _nothing():
    return []


async def test_the_notice_of_a_lost_backend_disappears_when_it_is_back(make_app, client):
    app = make_app(docset="incidents")
    async with app.run_test(size=SIZE) as pilot:
        await search(pilot)
        client.fail["search"] = ConnectionFailed("The backend does not answer.")
        await pilot.press("t")
        await settle(pilot)
        assert "does not answer" in shown_text(app)
        app.workspace.watch.channel = "waiting"
        app._connecting = True
        app._look_after_backend()
        assert "does not answer" in shown_text(app)
        app.workspace.watch.channel = "events"
        app._look_after_backend()
        assert not shown_text(app)


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0, "just now"), (59, "just now"), (180, "3 min ago"), (7300, "2 h ago"),
     (90_000, "1 day ago"), (400_000, "4 days ago")],
)  # fmt: skip
def test_times_read_as_people_say_them(seconds, words):
    assert ago(seconds) == words


async def test_after_a_restart_the_columns_of_groups_keep_their_names(
    make_app, client, monkeypatch
):
    trace = client.run_trace

    async def labelled(query_id):
        return {**await trace(query_id), "labels": {"key": "state"}}

    monkeypatch.setattr(client, "run_trace", labelled)
    async with (app := make_app(docset="incidents")).run_test(size=SIZE) as pilot:
        await ask(pilot)
        await pilot.press("r")
        await settle(pilot)
    async with (app := make_app(docset="incidents")).run_test(size=SIZE) as pilot:
        await settle(pilot)
        await pilot.press("6")
        await settle(pilot)
        labels = [column.label for column in app.screen._output.table.columns]
        assert "state" in labels and "key" not in labels


async def test_ctrl_c_says_how_to_quit_in_plain_words(make_app):
    app = make_app(docset="incidents")
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await pilot.press("ctrl+c")
        await until(pilot, lambda: app._notifications)
        assert [one.message for one in app._notifications] == ["Press ctrl+q to quit the app."]
