"""A plan changed by hand, run step by step, compared with another version, and taken along."""

import json

import pytest
from textual.content import Content
from textual.widgets import Input

from tests.tui.test_documents import choose
from tests.tui.test_screens import SIZE, ask, settle, shown_text, type_in, until
from workbench.sessions.session_file import SessionFile
from workbench.sessions.workspace import Workspace
from workbench.tui.dialogs.choose import Choose
from workbench.tui.dialogs.node_editor import FieldInput, MoreFields, NodeEditor
from workbench.tui.screens.plan_output import PlanOutput
from workbench.tui.widgets.node_output import NodeOutput
from workbench.tui.widgets.plan_graph import LEGENDS, PlanGraph


def kinds(app) -> list[str]:
    return [row.node.node_type for row in app.screen.query_one(PlanGraph).rows]


def graph_text(app, row: int) -> str:
    return app.screen.query_one(PlanGraph).render_line(row).text


async def test_a_step_is_inserted_behind_the_one_under_the_cursor(make_app):
    app = make_app(docset="incidents")
    async with app.run_test(size=SIZE) as pilot:
        await ask(pilot)
        await pilot.press("G", "i")
        await choose(pilot, "Limit")
        await type_in(pilot, "nine")
        assert isinstance(app.screen, NodeEditor)
        assert "how many: must be a whole number" in shown_text(app)
        await type_in(pilot, "3")
        assert kinds(app)[-2:] == ["Sort", "Limit"]
        assert app.screen._session.plan.result_node == 6


async def test_a_step_is_removed_after_a_question_and_undo_restores_it(make_app):
    app = make_app(docset="incidents")
    async with app.run_test(size=SIZE) as pilot:
        await ask(pilot)
        await pilot.press("x")
        await settle(pilot)
        assert shown_text(app) == "Step 0 is a source: rewire 1 first."
        await pilot.press("j", "j", "x")
        await settle(pilot)
        await pilot.press("y")
        await settle(pilot)
        assert "LlmFilter" not in kinds(app)
        await pilot.press("u")
        await settle(pilot)
        assert "LlmFilter" in kinds(app)


async def test_a_step_is_fed_by_another_one_and_a_circle_is_refused(make_app):
    app = make_app(docset="incidents")
    async with app.run_test(size=SIZE) as pilot:
        await ask(pilot)
        await pilot.press("j", "j", "w")
        await settle(pilot)
        assert app.focused.name == "inputs"
        for wrong, words in (("3", "own result"), ("99", "not in the plan")):
            app.focused.value = wrong
            await pilot.press("enter")
            await settle(pilot)
            assert words in shown_text(app)
            assert isinstance(app.screen, NodeEditor)
        app.focused.value = ""
        await type_in(pilot, "0")
        assert app.screen._session.plan.node(2).inputs == [0]


async def test_the_form_proposes_properties_and_values_and_reports_faults_at_once(make_app):
    app = make_app(docset="incidents")
    async with app.run_test(size=SIZE) as pilot:
        await ask(pilot)
        await pilot.press("j", "enter")
        await settle(pilot)
        fields = {field.name: field for field in app.screen.query(FieldInput)}
        fields["field"].focus()
        fields["field"].value = ""
        await pilot.press("s", "t")
        await until(pilot, lambda: "there is no field" in shown_text(app))
        await pilot.press("right")
        await until(pilot, lambda: fields["field"].value == "state")
        fields["query"].focus()
        wanted = app.screen.query_one("#wanted")
        await until(pilot, lambda: "WA · AK" in str(wanted.render()))


async def test_rows_are_estimated_before_a_run_and_counted_while_it_goes(make_app, client):
    app = make_app(docset="incidents")
    async with app.run_test(size=SIZE) as pilot:
        await ask(pilot)
        await settle(pilot)
        assert graph_text(app, 2).split()[-2:] == ["about", "31"]
        client.gate.clear()
        await pilot.press("r")
        await until(pilot, lambda: graph_text(app, 1).strip().startswith("◐"))
        assert graph_text(app, 0).strip(" ▌").startswith("●")
        await until(pilot, lambda: app.screen.query_one(PlanOutput).node_id == 0)
        await pilot.press("X")
        await until(pilot, lambda: "Stopped" in shown_text(app))
        assert "1,204" in graph_text(app, 0)
        assert graph_text(app, 1).strip().startswith("✗")
        client.gate.set()
        await pilot.press("r")
        await settle(pilot)
        assert graph_text(app, 5).strip().startswith("●")


async def test_rows_of_two_versions_are_compared(make_app, client, monkeypatch):
    counts = iter([{"WA": 14, "AK": 9}, {"WA": 11, "TX": 2}, {"WA": 14, "AK": 9},
                   {"WA": 11, "TX": 2}, {"WA": 14, "AK": 9}, {"WA": 11, "TX": 2}])  # fmt: skip

    async def node_output(query_id, node_id, offset=0, limit=200):
        rows = [{"properties.key": k, "properties.count": n} for k, n in next(counts).items()]
        return {"columns": ["properties.key", "properties.count"], "rows": rows, "total": 2}

    monkeypatch.setattr(client, "node_output", node_output)
    app = make_app(docset="incidents")
    async with app.run_test(size=SIZE) as pilot:
        await ask(pilot)
        await pilot.press("r")
        await settle(pilot)
        await pilot.press("e")
        await type_in(pilot, "by state, top 5")
        await pilot.press("r")
        await settle(pilot)
        await pilot.press("D")
        await choose(pilot, "1")
        output = app.screen.query_one(NodeOutput)
        shown = [output.render_line(y).text.split() for y in range(1, 4)]
        assert ["▌~", "WA", "14", "→", "11"] in shown or ["~", "WA", "14", "→", "11"] in shown
        assert ["+", "TX", "2"] in shown
        assert ["−", "AK", "9"] in shown


async def test_groups_have_bars_as_long_as_their_share(make_app, client, monkeypatch):
    async def node_output(query_id, node_id, offset=0, limit=200):
        rows = [{"properties.key": k, "properties.count": n} for k, n in (("WA", 12), ("AK", 6))]
        return {"columns": ["properties.key", "properties.count"], "rows": rows, "total": 2}

    monkeypatch.setattr(client, "node_output", node_output)
    app = make_app(docset="incidents")
    async with app.run_test(size=SIZE) as pilot:
        await ask(pilot)
        await pilot.press("r")
        await settle(pilot)
        output = app.screen.query_one(NodeOutput)
        bars = [output.render_line(y).text.count("█") for y in (1, 2)]
        assert bars == [12, 6]


@pytest.mark.parametrize("form", ["plan-json", "plan-python"])
async def test_a_plan_is_copied(make_app, tmp_path, form):
    app = make_app(docset="incidents")
    target = tmp_path / "taken"
    async with app.run_test(size=SIZE) as pilot:
        await ask(pilot)
        await pilot.press("ctrl+e")
        await choose(pilot, form)
        await type_in(pilot, str(target))
        await until(pilot, target.exists)
    text = target.read_text()
    if form == "plan-json":
        assert json.loads(text)["result_node"] == 5
    else:
        compile(text, "plan.py", "exec")
        assert "docset.plan('which state had most?')" in text


async def test_a_run_is_copied_as_curl_without_the_token(make_app):
    app = make_app(docset="incidents")
    async with app.run_test(size=SIZE) as pilot:
        await ask(pilot)
        await pilot.press("ctrl+e")
        await choose(pilot, "curl")
        assert "$WORKBENCH_API_KEY" in app.clipboard
        assert "/v1/query" in app.clipboard


async def test_a_question_is_named_and_opened_by_its_name(make_app):
    app = make_app(docset="incidents")
    async with app.run_test(size=SIZE) as pilot:
        await ask(pilot)
        await pilot.press("N")
        await pilot.pause(0.1)
        await type_in(pilot, "icing by state")
        await pilot.press("s")
        await settle(pilot)
        [choice] = app.screen.query_one("ChoiceList").rows
        assert isinstance(app.screen, Choose)
        assert "icing by state" in choice.text


async def test_changes_by_a_notebook_are_visible_at_once(make_app, client, tmp_path):
    app = make_app(docset="incidents")
    async with app.run_test(size=SIZE) as pilot:
        await ask(pilot)
        notebook = Workspace(client, SessionFile(tmp_path / "sessions.sqlite"))
        await notebook.plans("wb:ds-1").latest().feed_back("by state, top 5")
        notebook.file.close()
        await until(pilot, lambda: kinds(app)[-1] == "Limit")


async def test_before_any_question_typing_starts_one(make_app):
    app = make_app(docset="incidents")
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await pilot.press("6")
        await settle(pilot)
        await pilot.press("r", "d", "5")
        await pilot.pause()
        assert app.screen.place == "plans"
        assert isinstance(app.focused, Input)
        assert app.focused.value == "rd5"


@pytest.mark.parametrize("width", [80, 100, 105, 120, 200])
async def test_the_legend_of_the_graph_is_whole_at_every_width(make_app, width):
    app = make_app(docset="incidents")
    async with app.run_test(size=(width, 30)) as pilot:
        await settle(pilot)
        await pilot.press("6")
        await settle(pilot)
        pane = app.screen.query_one("#graph-pane")
        legend = Content.from_markup(pane.border_subtitle).plain
        assert legend in LEGENDS
        assert len(legend) <= pane.size.width - 4


async def test_the_form_of_a_step_shows_set_fields_and_the_rest_behind_one_key(make_app):
    app = make_app(docset="incidents")
    async with app.run_test(size=(80, 24)) as pilot:
        await ask(pilot)
        await pilot.press("g", "j", "enter")
        await until(pilot, lambda: isinstance(app.screen, NodeEditor))
        await pilot.pause()
        fields = {field.name: field for field in app.screen.query(FieldInput)}
        in_sight = {name for name, field in fields.items() if field.is_on_screen}
        assert {"field", "query", "match", "inputs"} == in_sight
        assert len(fields) > 15
        labels = [str(label.render()) for label in app.screen.query("FieldRow Label")]
        assert labels[0] == "property* field" and "value query" in labels
        texts = [str(text.render()) for text in app.screen.query(".about")]
        words = " ".join(" ".join(texts).split())
        assert "“or other tests” keeps what passes at least one" in words, "no sentence is cut"
        app.screen.query_one(MoreFields).focus()
        await pilot.press("enter")
        await until(pilot, lambda: fields["start"].is_on_screen or fields["values"].is_on_screen)
        assert not app.screen.query_one(MoreFields).display
        fields["exists"].focus()
        fields["exists"].value = "true"
        await pilot.press("enter")
        await settle(pilot)
        assert app.screen._session.plan.node(1).extras["exists"] is True
