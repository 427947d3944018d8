"""What a person does on each screen, checked by its effect."""

import asyncio
import time
from pathlib import Path

import pytest
from textual.widgets import Input

from tests.tui.fake_client import document, task
from tests.tui.fake_cluster import a_cluster
from tests.tui.idleness import wait_for_idle
from workbench.client import ConnectionFailed, Forbidden, Invalid
from workbench.contract.docsets import DocumentGroup
from workbench.contract.search import Facet
from workbench.tui.dialogs.add_files import AddFiles
from workbench.tui.dialogs.ask import Ask
from workbench.tui.dialogs.choose import ChoiceList
from workbench.tui.dialogs.confirm import Confirm
from workbench.tui.dialogs.node_editor import NodeEditor
from workbench.tui.lines import plain
from workbench.tui.screens.viewer import ViewerScreen
from workbench.tui.widgets.facet_column import FacetColumn
from workbench.tui.widgets.filter_input import FilterInput
from workbench.tui.widgets.hit_list import HitList
from workbench.tui.widgets.node_output import NodeOutput
from workbench.tui.widgets.notice import Notice
from workbench.tui.widgets.places import Places
from workbench.tui.widgets.plan_changes import PlanChanges
from workbench.tui.widgets.plan_graph import PlanGraph
from workbench.tui.widgets.proposals import Proposals
from workbench.tui.widgets.table_list import TableList

SIZE = (120, 40)


async def settle(pilot) -> None:
    """Until the app has connected, has handled its messages, and every worker has ended or waits
    for a dialog; the followers of the server run for ever.

    A pause may be over before a slow app is idle, so its end is checked as well.
    """
    app = pilot.app
    deadline = time.monotonic() + 60
    while True:
        while not _settled(app):
            assert time.monotonic() < deadline, f"never settled: {list(app.workers)}"
            await pilot.pause(0.01)
        await pilot.pause()
        if _settled(app):
            return


def _settled(app) -> bool:
    reached = app.workspace is not None or app.trouble
    busy = [worker for worker in app.workers if worker.group not in ("watch", "upload")]
    screens = [screen for stack in app._screen_stacks.values() for screen in stack]
    awaited = [
        result
        for screen in screens
        for result in screen._result_callbacks
        if result.future is not None and not result.future.done()
    ]
    moving = getattr(app.screen, "is_moving", False)
    heard = all(node.message_queue_size == 0 for node in (app, *screens))
    return reached and heard and len(busy) <= len(awaited) and not moving


async def until(pilot, condition) -> None:
    """Until it is so and the app is idle: a dialog is the screen before it can be read, and an
    answer is known before it is shown. A thread, or a library that is loaded late, may take its
    time.
    """
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline, "the awaited state never came"
        await pilot.pause(0.02)
    await wait_for_idle()


async def type_in(pilot, text: str) -> None:
    pilot.app.focused.value = text
    await pilot.press("enter")
    await settle(pilot)


def names(table) -> list[str]:
    return [row.name for row in table.rows]


def shown_text(app) -> str:
    return app.screen.query_one(Notice).words


# -- DocSets ------------------------------------------------------------------------------------


async def test_a_docset_is_made_opened_and_named_in_the_first_line(make_app, client):
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await pilot.press("n")
        await pilot.pause()
        await type_in(pilot, "harbour reports")
        assert app.docset.name == "harbour reports"
        assert app.screen.place == "documents"
        assert ("create_docset", ("harbour reports",)) in client.calls


async def test_a_docset_is_deleted_only_when_its_name_is_typed(make_app, client):
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await pilot.press("d")
        await pilot.pause()
        assert isinstance(app.screen, Confirm)
        await type_in(pilot, "something else")
        assert "wb:ds-1" in client.all
        await type_in(pilot, "incidents")
        assert "wb:ds-1" not in client.all


async def test_a_refusal_of_the_server_is_shown_and_nothing_is_lost(make_app, client):
    client.fail["clone_docset"] = Forbidden(403, "incidents is write-protected.")
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await pilot.press("c")
        await until(pilot, lambda: isinstance(app.screen, Ask))
        await pilot.pause(0.1)
        await pilot.press("enter")
        await until(pilot, lambda: shown_text(app) == "incidents is write-protected.")
        assert names(app.screen.query_one(TableList)) == ["incidents", "invoices 2024"]


async def test_properties_are_suggested_edited_and_read(make_app, client):
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await pilot.press("p")
        await pilot.pause()
        await type_in(pilot, '"Accident date" date when it happened')
        await pilot.press("ctrl+g")
        await settle(pilot)
        await pilot.press("ctrl+r")
        await settle(pilot)
        [(_, (docset_id, schema))] = [
            c for c in client.calls if c[0] == "submit_extract_properties"
        ]
        assert docset_id == "wb:ds-1"
        assert [p.name for p in schema.properties] == ["state", "year", "cause", "Accident date"]
        assert schema.get("Accident date").kind == "date"


async def test_suggestions_say_that_kinds_of_documents_are_mixed(make_app, client):
    client.groups = [
        DocumentGroup(words=["vessel", "cargo"], doc_ids=["a", "b", "c"], properties=["port"]),
        DocumentGroup(words=["lease"], doc_ids=["d", "e", "f", "g"], properties=["rent"]),
    ]
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await pilot.press("p")
        await pilot.pause()
        await pilot.press("ctrl+g")
        await settle(pilot)
        notice = app.screen.query_one(Notice).words
        assert "2 kinds of documents are mixed: 3 with “vessel, cargo”; 4 with “lease”" in notice


async def test_a_docset_named_at_the_start_is_opened(make_app):
    app = make_app(docset="incidents")
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        assert app.screen.place == "documents"
        assert app.docset.docset_id == "wb:ds-1"


async def test_without_a_backend_the_screen_shows_the_reason_until_it_works(make_app):
    app = make_app(failing=RuntimeError("The backend did not start; see backend.log."))
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        table = app.screen.query_one(TableList)
        words = "".join(plain(cell) for cell in table._words)
        assert "The backend did not start" in words
        assert "f5" in words


# -- documents ----------------------------------------------------------------------------------


async def test_documents_are_narrowed_by_name_and_by_condition(make_app, client):
    app = make_app(docset="incidents")
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        table = app.screen.query_one(TableList)
        assert table.total == 124
        await pilot.press("slash")
        await type_in(pilot, "0042")
        assert names(table) == ["report-0042.pdf"]
        await pilot.press("slash")
        await type_in(pilot, "year >= 2022")
        assert table.total == 62
        await pilot.press("slash", "escape")
        await settle(pilot)
        assert table.total == 124


async def test_a_faulty_condition_is_explained_after_enter(make_app, client):
    client.fail["run_plan"] = Invalid(422, "column 6: a number is missing")
    app = make_app(docset="incidents")
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await pilot.press("slash")
        await type_in(pilot, "year >=")
        assert shown_text(app) == "column 6: a number is missing"


async def test_marked_documents_are_deleted_after_a_question(make_app, client):
    app = make_app(docset="incidents")
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await pilot.press("space", "space", "d")
        await pilot.pause()
        await pilot.press("n")
        await pilot.pause()
        assert len(client.files["wb:ds-1"]) == 124
        await pilot.press("escape") if isinstance(app.screen, Confirm) else None
        await pilot.press("d")
        await pilot.pause()
        await pilot.press("y")
        await settle(pilot)
        gone = {"wb:f-0", "wb:f-1"}
        assert not gone & {item.doc_id for item in client.files["wb:ds-1"]}
        assert len(client.files["wb:ds-1"]) == 122


async def test_files_dropped_onto_the_terminal_are_queued(make_app, client, tmp_path):
    from textual import events

    paper = tmp_path / "a report.pdf"
    paper.write_bytes(b"x" * 10)
    app = make_app(docset="incidents")
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        app.screen.post_message(events.Paste(f"'{paper}'"))
        await until(pilot, lambda: isinstance(app.screen, AddFiles))
        await settle(pilot)
        await pilot.press("enter")
        await until(pilot, lambda: getattr(app.screen, "place", "") == "uploads")
        assert [upload.name for upload in app.workspace.queue.uploads()] == ["a report.pdf"]


async def test_documents_appear_by_themselves_when_their_upload_is_done(make_app, client, tmp_path):
    paper = tmp_path / "late.pdf"
    paper.write_bytes(b"x")
    app = make_app(docset="invoices 2024")
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        app.workspace.queue.add("wb:ds-2", [paper])
        app.workspace.uploader.wake()
        await until(pilot, lambda: client.sent)
        client.files["wb:ds-2"].append(document("wb:ds-2", 7))
        client.progress.append(task(1, "done", outcome=200, sequence=50))
        table = app.screen.query_one(TableList)
        await until(pilot, lambda: names(table) == ["report-0007.pdf"])
        assert app.docset.size == 1


async def test_columns_are_chosen_from_the_properties(make_app):
    app = make_app(docset="incidents")
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await pilot.press("v")
        await pilot.pause()
        await pilot.press("enter", "escape")
        await settle(pilot)
        labels = [column.label for column in app.screen.query_one(TableList).columns]
        assert labels == ["name", "year", "cause", "size", "added"]


# -- uploads and tasks --------------------------------------------------------------------------


async def test_failed_uploads_stay_with_their_reason_and_are_retried_together(
    make_app, tmp_path, client
):
    def prepare(workspace):
        papers = []
        for number in range(3):
            paper = tmp_path / f"paper-{number}.txt"
            paper.write_text(str(number))
            papers.append(paper)
        for upload in workspace.queue.add("wb:ds-1", papers)[:2]:
            workspace.queue.change(upload.id, "failed", reason="The server was full.")

    app = make_app(prepare=prepare, docset="incidents")
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await pilot.press("3")
        await until(pilot, lambda: app.screen.place == "uploads")
        table = app.screen.query_one(TableList)

        def reasons() -> list[str]:
            return [upload.reason for upload in table.rows if upload.state == "failed"]

        await until(pilot, lambda: reasons() == ["The server was full."] * 2)
        await until(pilot, lambda: "2 failed" in "".join(span.text for span in app.state))
        await pilot.press("R")
        await until(pilot, lambda: len(client.sent) == 3)
        await until(pilot, lambda: {upload.state for upload in table.rows} == {"partitioning"})
        assert len(client.sent) == 3


async def test_tasks_show_their_progress_and_failures_their_reason(make_app, client):
    client.progress = [
        task(1, done=3, total=12, unit="pages"),
        task(2, "done", outcome=415, message="Files of this kind cannot be read."),
    ]
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await pilot.press("4")
        await until(pilot, lambda: app.screen.query_one(TableList).total == 2)
        table = app.screen.query_one(TableList)
        text = "\n".join(table.render_line(y).text for y in range(6))
        assert "3 of 12 pages" in text
        assert "Files of this kind" in text


async def test_the_tasks_screen_shows_machines_and_why_work_waits(make_app, client):
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await pilot.press("4")
        await settle(pilot)
        places = app.screen.query_one(Places)
        assert not places.display, "a single machine has no others to show"
        client.places = a_cluster("3 queued tasks wait for a free place.")
        client.progress = [task(1)]
        await until(pilot, lambda: places.display)
        text = str(places.query_one("Static").render())
        assert "2 of 2 places busy, on Ray at 10.0.0.1:6379" in text
        assert "1 running, 3 queued, the oldest for 4 s" in str(places.border_title)
        assert "1 of 2 shards answer, on worker-1" in text
        for words in ("wait for a free place", "worker-1", "10.0.0.2", "4 places", "host-a:17"):
            assert words in text


async def test_cancelling_a_task_names_what_is_kept(make_app, client):
    client.progress = [task(1, done=3, total=12, unit="documents")]
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await pilot.press("4")
        await until(pilot, lambda: app.screen.query_one(TableList).total == 1)
        await pilot.press("x")
        await until(pilot, lambda: isinstance(app.screen, Confirm))
        await pilot.pause()
        assert "3 of 12 documents done" in str(app.screen.query("Static").first().render())
        await pilot.press("y")
        await settle(pilot)
        assert ("cancel", ("wb:t-1",)) in client.calls


# -- search -------------------------------------------------------------------------------------


async def search(pilot, text: str = "ice wing") -> None:
    await settle(pilot)
    await pilot.press("5", "slash")
    await settle(pilot)
    await type_in(pilot, text)


async def test_a_search_shows_hits_with_reasons_and_the_page(make_app, client):
    app = make_app(docset="incidents")
    async with app.run_test(size=SIZE) as pilot:
        await search(pilot)
        hits = app.screen.query_one(HitList)
        assert hits.has_focus
        text = "\n".join(hits.render_line(y).text for y in range(3))
        assert "words 1" in text
        assert "meaning 1" in text
        await pilot.press("right_square_bracket")
        page = app.screen.query_one("PageView")
        await until(pilot, lambda: page.leaf and page.leaf.chosen == hits.current.element_id)


async def test_all_four_kinds_and_both_results_can_be_asked_for(make_app, client):
    app = make_app(docset="incidents")
    async with app.run_test(size=SIZE) as pilot:
        await search(pilot)
        for _ in range(4):
            await pilot.press("t")
            await settle(pilot)
        await pilot.press("m")
        await settle(pilot)
        asked = [details[0] for name, details in client.calls if name == "search"]
        assert [request.query_type for request in asked] == [
            "hybrid", "keyword", "lexical", "vector", "hybrid", "hybrid",
        ]  # fmt: skip
        assert asked[-1].return_type == "doc"


async def test_choosing_a_facet_value_narrows_the_search(make_app, client):
    app = make_app(docset="incidents")
    async with app.run_test(size=SIZE) as pilot:
        await search(pilot)
        await pilot.press("f", "j", "enter")
        await settle(pilot)
        asked = [details[0] for name, details in client.calls if name == "search"]
        assert asked[-1].properties_filter == '(properties.entity.state = "WA")'
        assert app.screen.query_one(FacetColumn).has_focus


async def test_a_range_of_numbers_is_chosen_like_a_value(make_app, client):
    app = make_app(docset="incidents")
    async with app.run_test(size=SIZE) as pilot:
        await search(pilot)
        await pilot.press("f", "G", "k", "enter")
        await settle(pilot)
        asked = [details[0] for name, details in client.calls if name == "search"]
        assert asked[-1].properties_filter == (
            "((properties.entity.hours >= 8000 and properties.entity.hours < 9000))"
        )


async def test_facets_are_counted_anew_with_each_search(make_app, client):
    app = make_app(docset="incidents")
    async with app.run_test(size=SIZE) as pilot:
        await search(pilot)
        asked = [details[1] for name, details in client.calls if name == "facets"]
        assert asked[0] is None
        assert asked[-1].query == "ice wing"


async def test_a_condition_is_completed_while_it_is_typed(make_app, client):
    app = make_app(docset="incidents")
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await pilot.press("5", "escape")
        await settle(pilot)
        await pilot.press("c", "s", "t")
        line = app.screen.query_one(Proposals)
        await until(pilot, lambda: line.display and "state string 121" in str(line.render()))
        await pilot.press("tab")
        where = app.screen.query_one(FilterInput)
        await until(pilot, lambda: where.value == "state ")
        assert where.has_focus
        await pilot.pause(0.2)
        await pilot.press("down", "tab")
        await until(pilot, lambda: where.value == "state year ")
        await pilot.press("!")
        await until(pilot, lambda: "expected a comparison" in str(line.render()))
        await pilot.press("escape")
        await until(pilot, lambda: not line.display)


async def test_tab_accepts_no_outdated_suggestion(make_app, client, monkeypatch):
    complete, answered = client.complete, asyncio.Event()

    async def slowly(docset_id, text, *place, **more):
        if text == "st":
            await answered.wait()
        return await complete(docset_id, text, *place, **more)

    monkeypatch.setattr(client, "complete", slowly)
    app = make_app(docset="incidents")
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await pilot.press("5", "escape")
        await settle(pilot)
        await pilot.press("c", "s")
        where, line = app.screen.query_one(FilterInput), app.screen.query_one(Proposals)
        await until(pilot, lambda: line.display)
        await pilot.press("t", "tab")
        assert where.value == "st" and where.has_focus
        answered.set()
        await until(pilot, lambda: where.value == "state ")


async def test_a_faulty_condition_keeps_the_former_hits(make_app, client):
    app = make_app(docset="incidents")
    async with app.run_test(size=SIZE) as pilot:
        await search(pilot)
        client.fail["search"] = Invalid(422, "column 1: there is no property yeer")
        await pilot.press("c")
        await type_in(pilot, "yeer = 2")
        assert shown_text(app) == "column 1: there is no property yeer"
        assert len(app.screen.query_one(HitList).rows) == 24


async def test_an_earlier_search_comes_back_from_the_history(make_app, client):
    app = make_app(docset="incidents")
    async with app.run_test(size=SIZE) as pilot:
        await search(pilot, "first words")
        await pilot.press("slash")
        await type_in(pilot, "second words")
        await pilot.press("h")
        await pilot.pause()
        assert len(app.screen.query_one(ChoiceList).rows) == 2
        await pilot.press("down", "enter")
        await settle(pilot)
        assert app.screen.query_one("#query", Input).value == "first words"


# -- plans --------------------------------------------------------------------------------------


async def ask(pilot) -> None:
    await settle(pilot)
    await pilot.press("6", "a")
    await settle(pilot)
    await type_in(pilot, "which state had most?")
    await pilot.press("g")  # the cursor starts at the step that gives the answer


async def test_a_question_becomes_a_graph_and_feedback_a_typed_difference(make_app):
    app = make_app(docset="incidents")
    async with app.run_test(size=SIZE) as pilot:
        await ask(pilot)
        assert len(app.screen.query_one(PlanGraph).rows) == 6
        await pilot.press("e")
        await type_in(pilot, "by state, top 5")
        changes = app.screen.query_one(PlanChanges)
        assert [change.kind for change in changes.rows] == ["changed", "added"]
        assert changes.has_focus


async def test_single_changes_are_refused_undone_and_redone(make_app):
    app = make_app(docset="incidents")
    async with app.run_test(size=SIZE) as pilot:
        await ask(pilot)
        await pilot.press("e")
        await type_in(pilot, "by state, top 5")
        session = app.screen._session
        await pilot.press("n")
        await settle(pilot)
        assert session.plan.node(3).extras["field"] == "properties.entity.city"
        await pilot.press("y")
        assert session.versions.pointer == 3
        await pilot.press("u", "u")
        await settle(pilot)
        assert session.versions.pointer == 1
        await pilot.press("U")
        await settle(pilot)
        assert session.versions.pointer == 2


async def test_feedback_that_is_not_understood_stays_in_its_box_with_the_reason(make_app, client):
    client.fail["edit_plan"] = Invalid(422, "'sparkle' was not understood")
    app = make_app(docset="incidents")
    async with app.run_test(size=SIZE) as pilot:
        await ask(pilot)
        await pilot.press("e")
        await type_in(pilot, "sparkle")
        assert shown_text(app) == "'sparkle' was not understood"
        assert app.focused.value == "sparkle"


async def test_a_run_fills_the_graph_and_a_row_leads_to_its_page(make_app, client):
    app = make_app(docset="incidents")
    async with app.run_test(size=SIZE) as pilot:
        await ask(pilot)
        await pilot.press("r")
        await settle(pilot)
        graph = app.screen.query_one(PlanGraph)
        assert "1,204" in graph.render_line(0).text
        output = app.screen.query_one(NodeOutput)
        assert output.total == 31
        await pilot.press("j", "j", "o")
        await settle(pilot)
        assert ("node_output", (2, 0)) in client.calls
        await pilot.press("j", "t")
        await settle(pilot)
        await pilot.press("enter")
        await settle(pilot)
        assert isinstance(app.screen, ViewerScreen)
        assert app.screen._doc_id == "wb:f-1"


async def test_the_cursor_starts_at_the_step_that_gives_the_answer_and_follows_it(make_app):
    app = make_app(docset="incidents")
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await pilot.press("6", "a")
        await settle(pilot)
        await type_in(pilot, "which state had most?")
        graph = app.screen.query_one(PlanGraph)
        assert graph.node_id == app.screen._session.plan.result_node == 5
        await pilot.press("e")
        await type_in(pilot, "by state, top 5")
        assert graph.node_id == app.screen._session.plan.result_node == 6


async def test_running_to_a_node_asks_only_for_that_part(make_app, client):
    app = make_app(docset="incidents")
    async with app.run_test(size=SIZE) as pilot:
        await ask(pilot)
        await pilot.press("j", "R")
        await settle(pilot)
        assert ("stream_plan", (1,)) in client.calls


async def test_a_plan_is_as_it_was_left_after_a_restart(make_app):
    app = make_app(docset="incidents")
    async with app.run_test(size=SIZE) as pilot:
        await ask(pilot)
        await pilot.press("e")
        await type_in(pilot, "by state, top 5")
        await pilot.press("u")
        await settle(pilot)
    again = make_app(docset="incidents")
    async with again.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await pilot.press("6")
        await settle(pilot)
        session = again.screen._session
        assert session.question == "which state had most?"
        assert (session.versions.pointer, len(session.versions.all)) == (1, 2)


async def test_a_node_is_changed_by_hand_and_faults_are_shown(make_app):
    app = make_app(docset="incidents")
    async with app.run_test(size=SIZE) as pilot:
        await ask(pilot)
        await pilot.press("j", "enter")
        await until(pilot, lambda: isinstance(app.screen, NodeEditor))
        query = next(f for f in app.screen.query(Input) if f.name == "query")
        query.focus()
        await pilot.pause()
        await type_in(pilot, "[1, 2]")
        assert "value:" in app.screen.query_one(Notice).words
        await type_in(pilot, "2022")
        assert app.screen.place == "plans"
        assert app.screen._session.plan.node(1).extras["query"] == 2022


async def test_a_lost_connection_while_running_is_shown_and_can_be_retried(make_app, client):
    client.fail["stream_plan"] = ConnectionFailed("The connection broke.")
    app = make_app(docset="incidents")
    async with app.run_test(size=SIZE) as pilot:
        await ask(pilot)
        await pilot.press("r")
        await settle(pilot)
        assert "Nothing on screen is lost" in shown_text(app)
        client.fail.clear()
        await pilot.press("r")
        await settle(pilot)
        assert shown_text(app) == ""


# -- everywhere ---------------------------------------------------------------------------------


async def test_a_backend_that_restarts_at_another_address_is_reconnected(make_app, client):
    app = make_app(docset="incidents")
    async with app.run_test(size=SIZE) as pilot:
        await ask(pilot)
        session, workspace = app.screen._session, app.workspace
        session.client = None
        app.connect_now()
        await settle(pilot)
        assert app.workspace is workspace
        assert app.screen._session is session
        assert session.client is client
        assert ("aclose", ()) not in client.calls


async def test_jump_mode_goes_to_the_pane_with_the_letter(make_app):
    app = make_app(docset="incidents")
    async with app.run_test(size=SIZE) as pilot:
        await ask(pilot)
        await pilot.press("ctrl+o")
        await pilot.pause()
        letters = app.screen._targets
        letter = next(key for key, widget in letters.items() if isinstance(widget, NodeOutput))
        await pilot.press(letter)
        await pilot.pause()
        assert isinstance(app.focused, NodeOutput)


async def test_letters_are_typed_not_acted_on_while_an_input_has_the_focus(make_app):
    app = make_app(docset="incidents")
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await pilot.press("slash", "d", "q", "5")
        await pilot.pause()
        assert app.focused.value == "dq5"
        assert app.screen.place == "documents"


@pytest.mark.parametrize("form", ["csv", "jsonl", "parquet", "xlsx"])
async def test_the_contents_of_the_screen_can_be_copied(make_app, tmp_path, form):
    app = make_app(docset="incidents")
    target = Path(tmp_path) / f"hits.{form}"
    async with app.run_test(size=SIZE) as pilot:
        await search(pilot)
        await pilot.press("e")
        await pilot.pause()
        app.screen.query_one(ChoiceList).move_to(form)
        await pilot.press("enter")
        await until(pilot, lambda: isinstance(app.screen, Ask))
        await type_in(pilot, str(target))
        await until(pilot, lambda: target.exists() and target.stat().st_size)
    if form == "parquet":
        import pyarrow.parquet

        table = pyarrow.parquet.read_table(target)
        assert table.num_rows == 24
        assert "lexical_rank" in table.column_names
    elif form == "xlsx":
        assert target.read_bytes().startswith(b"PK")
    else:
        assert len(target.read_text().splitlines()) == 24 + (form == "csv")


async def test_a_theme_is_changed_at_once_and_kept(make_app, tmp_path):
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await pilot.press("7", "enter")
        await pilot.pause()
        await pilot.press("down", "enter")
        await settle(pilot)
        assert app.theme == "workbench-light"
    assert "workbench-light" in (tmp_path / "settings.toml").read_text()


async def test_every_theme_of_the_terminal_toolkit_can_be_worn(make_app):
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await settle(pilot)
        for name in app.available_themes:
            app.theme = name
            await pilot.pause()
        assert app.screen.query_one(TableList).render_line(1).text.startswith("▌incidents")


async def test_a_search_without_hits_does_not_claim_that_there_are_no_properties(
    make_app, client, monkeypatch
):
    async def none_left(docset_id, fields=None, *, search=None):
        return [Facet(field="properties.entity.state", kind="string", values=[], missing=0)]

    monkeypatch.setattr(client, "facets", none_left)
    app = make_app(docset="incidents")
    async with app.run_test(size=SIZE) as pilot:
        await search(pilot)
        column = app.screen.query_one(FacetColumn)
        shown = "".join(strip.text for strip in column.render_lines(column.size.region))
        assert "No values." in shown and "No properties" not in shown
