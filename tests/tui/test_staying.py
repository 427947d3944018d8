"""What stays visible, active or available while work goes on, conditions fail and apps end."""

from textual.widgets import Input

from tests.tui.test_screens import SIZE, ask, names, settle, shown_text, type_in, until
from workbench.client import ConnectionFailed, Invalid
from workbench.tui.dialogs.choose import Choice, Choose
from workbench.tui.widgets.feedback_box import FeedbackBox
from workbench.tui.widgets.filter_bar import FilterBar
from workbench.tui.widgets.table_list import TableList
from workbench.tui.widgets.top_bar import TopBar


def some_papers(folder):
    def prepare(workspace):
        papers = [folder / f"paper-{number}.txt" for number in range(6)]
        for paper in papers:
            paper.write_text(paper.name)
        for upload in workspace.queue.add("wb:ds-1", papers):
            workspace.queue.change(upload.id, "failed", reason="The server was full.")

    return prepare


async def test_the_view_stays_at_the_top_of_the_queue_when_files_finish(make_app, tmp_path, client):
    app = make_app(docset="incidents", prepare=some_papers(tmp_path))
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await pilot.press("3")
        await settle(pilot)
        table, queue = app.screen.query_one(TableList), app.workspace.queue
        done = table.rows[0]
        queue.change(done.id, "done", doc_id="wb:f-1")
        app.screen._show()
        assert table.cursor == 0 and table.current.id != done.id
        await pilot.press("j")
        chosen = table.current
        queue.change(table.rows[0].id, "done", doc_id="wb:f-2")
        app.screen._show()
        assert table.current.id == chosen.id


async def test_the_first_line_counts_documents_as_they_arrive(make_app, client, tmp_path):
    app = make_app(docset="incidents")
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await pilot.press("3")
        await settle(pilot)
        client.files["wb:ds-1"] *= 2
        paper = tmp_path / "paper.txt"
        paper.write_text("new")
        [upload] = app.workspace.queue.add("wb:ds-1", [paper])
        app.workspace.uploader._move(upload, "done", doc_id="wb:f-new")
        await until(pilot, lambda: "248" in app.screen.query_one(TopBar).docset)


async def test_a_condition_that_cannot_be_read_leaves_the_one_before_in_force(make_app, client):
    app = make_app(docset="incidents")
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await pilot.press("slash")
        await type_in(pilot, "0003")
        table = app.screen.query_one(TableList)
        await until(pilot, lambda: len(table.rows) < 10)
        shown = names(table)
        client.fail["run_plan"] = Invalid(422, "properties_filter: Filter at column 8: no value.")
        await pilot.press("slash")
        await type_in(pilot, "year = ")
        await until(pilot, lambda: "column 8" in shown_text(app))
        assert not shown_text(app).startswith("properties_filter")
        del client.fail["run_plan"]
        await pilot.press("f5")
        await settle(pilot)
        assert names(table) == shown


async def test_escape_takes_the_filter_of_a_list_away(make_app):
    app = make_app(docset="incidents")
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await pilot.press("slash")
        await type_in(pilot, "0003")
        table = app.screen.query_one(TableList)
        await until(pilot, lambda: len(table.rows) < 10)
        await pilot.press("escape")
        await until(pilot, lambda: table.total > 100)
        assert not app.screen.query_one(FilterBar).display


async def test_the_last_question_is_restored_in_its_line(make_app):
    app = make_app(docset="incidents")
    async with app.run_test(size=SIZE) as pilot:
        await ask(pilot)
        asked = app.screen._session.question
    app = make_app(docset="incidents")
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await pilot.press("6")
        await until(pilot, lambda: app.screen._session is not None)
        await settle(pilot)
        assert app.screen.query_one("QuestionLine Input", Input).value == asked


async def test_earlier_feedback_is_offered_again(make_app):
    app = make_app(docset="incidents")
    async with app.run_test(size=SIZE) as pilot:
        await ask(pilot)
        session = app.screen._session
        for sentence in ("by state", "by state, top 5"):
            await pilot.press("e")
            await type_in(pilot, sentence)
            await until(pilot, lambda phrase=sentence: session.current.feedback == phrase)
            await settle(pilot)
            await pilot.press("escape")
        await pilot.press("e")
        field = app.screen.query_one(FeedbackBox).query_one(Input)
        recalled = []
        for key in ("up", "up", "up", "down", "down"):
            await pilot.press(key)
            recalled.append(field.value)
        assert recalled == ["by state, top 5", "by state", "by state", "by state, top 5", ""]


async def test_a_lost_backend_is_reported_with_what_is_kept_and_advice(make_app, client):
    app = make_app(docset="incidents")
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await pilot.press("5")
        await settle(pilot)
        app.workspace.server = "local"
        client.fail["search"] = ConnectionFailed("Nothing answers.")
        await type_in(pilot, "ice")
        await until(pilot, lambda: "being restarted" in shown_text(app))
        assert "Nothing on screen is lost" in shown_text(app) and "try again" in shown_text(app)


async def test_a_long_note_does_not_hide_the_name_of_a_choice(make_app):
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        choices = [Choice("a", "short name", "note " * 40), Choice("b", "notes", "x")]
        app.push_screen(Choose("Which", choices))
        await settle(pilot)
        shown = app.screen.query_one("ChoiceList")
        assert "short name" in shown.render_line(0).text
        app.screen.query_one(Input).value = "note"
        await settle(pilot)
        assert shown.current_key == "b"  # what begins so comes first
