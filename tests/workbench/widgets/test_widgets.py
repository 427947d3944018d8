"""The widgets' Python side against a real backend: what the browser asks for and is shown."""

import asyncio
import threading
import time
from types import SimpleNamespace
from typing import Any

import docx
import pytest
import xlsxwriter

from tests.sample_reports import write_reports
from tests.workbench.widgets.at_rest import ask, until
from workbench import Workbench
from workbench.client import Ambiguous, MissingExtension
from workbench.client.background import background_loop
from workbench.contract.errors import Choice, FieldFault
from workbench.contract.location import data_dir
from workbench.contract.search import Completions
from workbench.contract.tasks import TaskProgress
from workbench.demo.documents import DEMO_SCHEMA
from workbench.objects import DocSet
from workbench.sessions.plan_sessions import PlanSessions
from workbench.sessions.search_session import SearchSession, SearchState
from workbench.sessions.session_file import SessionFile
from workbench.sessions.upload_queue import UploadQueue
from workbench.widgets import (
    DocSetPicker,
    ElementViewer,
    PlanEditor,
    SearchBox,
    TaskMonitor,
    Uploader,
)
from workbench.widgets.view import View


@pytest.fixture(scope="module")
def reports(client: Workbench, tmp_path_factory: pytest.TempPathFactory) -> DocSet:
    folder = tmp_path_factory.mktemp("reports")
    write_reports(folder, count=6)
    docset = client.docsets.create("widget reports", schema=DEMO_SCHEMA)
    assert not docset.add(folder, progress=False).failed
    return docset


def test_a_search_shows_lit_hits_facets_and_where_each_hit_stood(reports):
    box = SearchBox(reports, "icing on the wing")
    until(lambda: box.shown)
    line = box.shown[0]
    assert any(matched for _, matched in line["pieces"])
    assert "words" in line["place"] or "meaning" in line["place"]
    assert len(box.hits) == len(box.shown) and "hits in" in box.summary
    box.selected = 0
    assert box.chosen is not None and box.chosen.doc_id == box.hits[0]["doc_id"]


def test_a_picked_facet_value_narrows_the_search_and_is_freed_again(reports):
    box = SearchBox(reports, "report")
    until(lambda: box.facets)
    before = len({hit["doc_id"] for hit in box.hits})
    fields = [facet["field"] for facet in box.facets]
    assert "report_number" not in fields, "every document has its own"
    state = box.facets[fields.index("state")]["place"]
    ask(box, "pick", facet=state, value=0)
    assert box.facets[fields.index("state")]["values"][0]["picked"]
    assert len({hit["doc_id"] for hit in box.hits}) < before
    ask(box, "pick", facet=state, value=0)
    assert len({hit["doc_id"] for hit in box.hits}) == before


def test_searches_of_the_terminal_app_are_in_the_menu_and_can_be_repeated(reports):
    box = SearchBox(reports)
    until(lambda: box.facets)
    twin = SessionFile(data_dir() / "sessions.sqlite")
    session = SearchSession(reports.engine.client, reports.id, twin)
    session.state = SearchState(query="windshield", kind="lexical", return_type="doc")
    session.save("glass")
    until(lambda: "★ glass" in box.earlier)
    ask(box, "recall", place=box.earlier.index("★ glass"))
    assert (box.query, box.search_kind, box.return_type) == ("windshield", "lexical", "doc")
    until(lambda: any("“windshield” (words, documents)" in one for one in box.earlier))
    twin.close()


def test_more_hits_follow_the_first_and_a_filter_is_completed(reports):
    box = SearchBox(reports, "the aircraft")
    until(lambda: box.shown)
    assert box.more and len(box.shown) == 50
    ask(box, "more")
    assert len(box.shown) > 50 and len(box.hits) == len(box.shown)
    ask(box, "complete", text="wea", cursor=3)
    assert box.proposals["items"][0]["text"] == "weather" and not box.busy


def test_a_slow_completion_does_not_replace_a_later_one(reports, monkeypatch):
    box = SearchBox(reports)
    until(lambda: box.facets)
    quick = box._session.complete
    begun, go_on = threading.Event(), asyncio.Event()

    async def slow(text: str, cursor: int) -> Completions:
        completions = await quick(text, cursor)
        if text == "":
            begun.set()
            await go_on.wait()
        return completions

    monkeypatch.setattr(box._session, "complete", slow)
    box._received(box, {"kind": "complete", "text": "", "cursor": 0}, [])
    assert begun.wait(10)
    answered = threading.Event()
    box.observe(lambda _: answered.set(), "proposals")
    box._received(box, {"kind": "complete", "text": "wea", "cursor": 3}, [])
    assert answered.wait(10)
    background_loop().run(_set(go_on))
    until(lambda: box.proposals)
    assert box.proposals["text"] == "wea"


async def _set(event: asyncio.Event) -> None:
    event.set()


def test_a_wrong_filter_is_reported_in_the_widget_and_the_hits_stay(reports):
    box = SearchBox(reports, "report")
    until(lambda: box.shown)
    box.where = "properties.entity.state ==="
    ask(box, "search")
    assert "filter" in box.trouble and box.shown


def test_a_page_has_its_picture_and_boxes_and_choosing_works_both_ways(reports):
    pdf = next(document for document in reports.documents() if document.name.endswith(".pdf"))
    viewer = ElementViewer(reports, pdf.doc_id)
    until(lambda: viewer.boxes)
    assert viewer.picture.startswith(b"\x89PNG") and pdf.name in viewer.title
    assert all(len(box["box"]) == 4 for box in viewer.boxes)
    viewer.selected = viewer.boxes[0]["id"]
    assert viewer.chosen is not None and viewer.chosen.type == viewer.boxes[0]["kind"]


def test_a_viewer_follows_the_hits_that_are_chosen(reports):
    box = SearchBox(reports, "icing on the wing")
    viewer = ElementViewer(reports).follow(box)
    assert viewer.title == "" and viewer.boxes == []
    until(lambda: box.shown)
    for row in (0, 1):
        box.selected = row
        until(lambda: viewer.chosen is not None and box.chosen.name in viewer.title)
        assert viewer.chosen.id == box.chosen.element_id and viewer.page == box.chosen.page


def test_a_docset_is_picked_from_python_and_given_up_when_it_is_deleted(client, reports):
    other = client.docsets.create("another one")
    picker = DocSetPicker(client, reports.id)
    until(lambda: picker.docsets)
    assert picker.docset is not None and picker.docset.name == "widget reports"
    assert "6 documents" in next(d["about"] for d in picker.docsets if d["id"] == reports.id)
    picker.docset_id = other.id
    assert picker.docset is not None and picker.docset.name == "another one"
    other.delete()
    ask(picker, "refresh")
    assert picker.docset is None and picker.docset_id == ""


def test_an_element_on_another_page_brings_its_page_along(reports):
    for document in reports.documents():
        elements = reports.elements(document.doc_id)
        last = elements[len(elements) - 1]
        if last.properties["page_number"] > 1:
            break
    viewer = ElementViewer(reports, document.doc_id, element_id=last.id)
    until(lambda: viewer.boxes)
    assert viewer.page == last.properties["page_number"] > 1
    viewer.selected = elements[0].id
    until(lambda: viewer.page == 1)
    ask(viewer, "page", page=99)
    assert viewer.page == viewer.pages


def test_a_file_without_pages_has_its_text_instead_of_a_picture(client):
    docset = client.docsets.create("widget text")
    added = docset.add(b"Only words.", name="note.txt", progress=False)
    viewer = ElementViewer(docset, added.doc_ids[0])
    until(lambda: viewer.boxes)
    assert viewer.picture == b"" and viewer.pages == 1
    assert viewer.boxes[0]["text"] == "Only words." and "<p>Only words.</p>" in viewer.snapshot()
    editor = PlanEditor(docset)
    ask(editor, "look", document=added.doc_ids[0], page=1, box=None, element=None)
    assert [piece["text"] for piece in editor.reading] == ["Only words."]
    assert editor.picture == b""


def test_the_tables_of_word_and_excel_files_are_shown_as_tables(client, tmp_path):
    docx_file, xlsx_file = tmp_path / "costs.docx", tmp_path / "costs.xlsx"
    rows = [("part", "cost"), ("rotor", "1,200"), ("blade", "80")]
    document = docx.Document()
    table = document.add_table(rows=3, cols=2)
    for at, row in enumerate(rows):
        for cell, text in zip(table.rows[at].cells, row, strict=True):
            cell.text = text
    document.save(str(docx_file))
    with xlsxwriter.Workbook(xlsx_file) as book:
        sheet = book.add_worksheet()
        for at, row in enumerate(rows):
            sheet.write_row(at, 0, row)
    docset = client.docsets.create("widget tables")
    for file in (docx_file, xlsx_file):
        [doc_id] = docset.add(file, progress=False).doc_ids
        viewer = ElementViewer(docset, doc_id)
        until(lambda viewer=viewer: viewer.boxes)
        [shown] = [box["table"] for box in viewer.boxes if "table" in box]
        assert ["rotor", "1,200"] in shown["rows"] and shown["left"] == 0
        assert "<td" in viewer.snapshot() and "rotor" in viewer.snapshot()


def test_an_exported_notebook_shows_the_last_state_of_a_widget(
    client, reports, tmp_path, monkeypatch
):
    monkeypatch.setattr("workbench.widgets.view._PATIENCE", 60)
    pdf = next(document for document in reports.documents() if document.name.endswith(".pdf"))
    editor = PlanEditor(reports, "How many reports are there for each state?")
    (tmp_path / "note.txt").write_text("Words.")
    uploader = Uploader(client.docsets.create("<b>still</b>"))
    ask(uploader, "path", text=str(tmp_path))
    expected = {
        SearchBox(reports, "icing on the wing"): "hits in",
        DocSetPicker(client, reports.id): "widget reports",
        TaskMonitor(client): " open",
        uploader: "note.txt",
        editor: "for each state",
        ElementViewer(reports, pdf.doc_id): "data:image/png;base64,",
    }
    for widget, words in expected.items():
        living, snapshot = displayed(widget, monkeypatch)[:2]
        assert {"application/vnd.jupyter.widget-view+json", "text/plain"} <= set(living)
        assert living["text/html"] == "", "the snapshot has a place of its own"
        assert words in snapshot["text/html"], type(widget)
        assert "<b>" not in snapshot["text/html"]
        widget.close()


def displayed(widget: View, monkeypatch: pytest.MonkeyPatch) -> list[dict[str, str]]:
    """What a notebook is given to display, as the last line of a cell does it."""
    shown: list[dict[str, str]] = []
    number = widget.snapshot_id  # the snapshots of other widgets may change meanwhile

    def show(data: dict[str, str], **how: Any) -> None:
        if how.get("display_id", f"wb-snapshot-{number}") == f"wb-snapshot-{number}":
            shown.append(data)

    for module in ("view", "saved_snapshot"):
        monkeypatch.setattr(f"workbench.widgets.{module}.display", show)
    widget._ipython_display_()
    return shown


def test_the_snapshot_follows_the_widget(reports, monkeypatch):
    box = SearchBox(reports, "icing on the wing")
    shown = displayed(box, monkeypatch)
    assert ["Search: icing" in data["text/html"] for data in shown] == [False, True]
    box.query = "propeller"
    ask(box, "search")
    until(lambda: len(shown) > 2 and "Search: propeller" in shown[-1]["text/html"])
    box.close()


def test_a_plan_is_asked_for_changed_decided_on_undone_and_run(reports):
    editor = PlanEditor(reports, "How many reports are there for each state?")
    until(lambda: editor.steps)
    ask(editor, "feedback", text="only those with a wind speed of at least 10")
    assert editor.version == "version 2 of 2" and editor.changes and editor.can_undo
    ask(editor, "decide", key=editor.changes[0]["key"], accept=False)
    assert editor.changes[0]["refused"] and editor.version == "version 3 of 3"
    ask(editor, "decide", key=editor.changes[0]["key"], accept=True)
    assert editor.changes[0]["accepted"]
    ask(editor, "undo")
    assert editor.can_redo
    ask(editor, "redo")
    ask(editor, "run")
    assert editor.run is not None and editor.output["rows"]
    assert any(step["rows"] for step in editor.steps)
    ask(editor, "output", node=editor.steps[0]["id"])
    assert editor.output["title"].startswith("Step ")
    ask(editor, "run", until=editor.steps[0]["id"])
    assert len(editor.run) == 6


def test_feedback_that_is_not_understood_is_reported_and_changes_nothing(reports):
    editor = PlanEditor(reports, reports.plan("How many reports are there?"))
    before = editor.draft.plan
    ask(editor, "feedback", text="frobnicate the quux")
    assert editor.trouble and editor.draft.plan == before and editor.draft.number == 1


def test_a_reading_of_feedback_is_chosen_and_can_be_undone(reports):
    editor = PlanEditor(reports, "How many reports are there for each state?")
    until(lambda: editor.steps)
    for name in ("wind speed", "visibility"):
        ask(editor, "feedback", text=f"only those with a {name} of at least 1")
    before = editor.draft
    ask(editor, "feedback", text="remove the filter")
    assert editor.choices["of"] == "feedback" and not editor.trouble
    assert [one["words"][:15] for one in editor.choices["readings"]] == ["Remove the step"] * 2
    assert "remove the filter" in editor.choices["title"]
    ask(editor, "choose", place=1)
    removed = [change.kind for change in editor.draft.changes]
    assert editor.choices == {} and removed == ["removed"]
    assert editor.draft.undo().number == before.number


def test_a_question_with_several_readings_leaves_the_shown_one_until_one_is_chosen(
    reports, monkeypatch
):
    editor = PlanEditor(reports, "How many reports are there?")
    until(lambda: editor.steps)
    plan = editor.draft.plan
    choices = [Choice(words=f"Reading {n}", edit={}, plan=plan.model_dump()) for n in (1, 2)]
    fault = FieldFault(loc=["body"], msg="two readings", type="ambiguous", choices=choices)

    async def refuse(*_: object) -> None:
        raise Ambiguous(422, "two readings", [fault])

    monkeypatch.setattr(type(reports.engine.client), "generate_plan", refuse)
    ask(editor, "ask", text="reports of reports")
    assert editor.question == "How many reports are there?" and not editor.trouble
    assert editor.choices["of"] == "question" and len(editor.choices["readings"]) == 2
    ask(editor, "choose")
    assert editor.choices == {} and editor.question == "How many reports are there?"
    ask(editor, "ask", text="reports of reports")
    ask(editor, "choose", place=0)
    assert editor.question == "reports of reports" and editor.draft.number == 1


def test_rows_before_the_first_run_are_refused_with_advice(reports):
    editor = PlanEditor(reports, reports.plan("How many reports are there?"))
    ask(editor, "output", node=0)
    assert editor.trouble == "Run the plan first."


def test_a_step_is_changed_by_its_form_with_live_validation(reports):
    editor = PlanEditor(reports, reports.plan("How many reports are there for each state?"))
    group = next(step["id"] for step in editor.steps if step["kind"] == "GroupBy")
    ask(editor, "form", node=group)
    fields = {field["name"]: field for field in editor.form["fields"]}
    assert fields["field"]["text"] == "state" and "city" in fields["field"]["choices"]
    assert fields["bucket"]["choices"] == ("year", "quarter", "month", "week")
    ask(editor, "check", node=group, fields={"field": "stat"})
    assert "state" in editor.faults["field"] and editor.form
    ask(editor, "check", node=group, fields={"field": "city"})
    assert editor.faults == {}
    ask(editor, "save", node=group, fields={"field": "city"})
    assert editor.form == {} and editor.version == "version 2 of 2"
    assert next(s for s in editor.steps if s["id"] == group)["does"] == "Group by city"
    assert "GroupBy" in editor.changes[0]["line"] or "city" in editor.changes[0]["line"]


def test_a_step_is_inserted_removed_and_rewired_by_hand(reports):
    editor = PlanEditor(reports, reports.plan("How many reports are there?"))
    kinds = [step["kind"] for step in editor.steps]
    ask(editor, "insert", node=editor.steps[0]["id"], step="BasicFilter")
    added = editor.form["node"]
    assert [step["kind"] for step in editor.steps] == [kinds[0], "BasicFilter", *kinds[1:]]
    assert any("Cannot run yet" in remark["text"] for remark in editor.remarks)
    ask(editor, "save", node=added, fields={"field": "wind_speed", "start": "10"})
    assert [remark["kind"] for remark in editor.remarks] == ["dim"]
    assert editor.steps[1]["does"] == "Keep wind speed ≥ 10"
    ask(editor, "form", node=added)
    ask(editor, "save", node=added, fields={}, inputs=str(editor.steps[2]["id"]))
    assert "own result" in editor.trouble and editor.form
    ask(editor, "remove", node=added)
    assert [step["kind"] for step in editor.steps] == kinds
    ask(editor, "remove", node=editor.steps[0]["id"])
    assert "source" in editor.trouble


def test_a_form_saves_into_the_version_it_was_opened_on_though_another_program_went_on(reports):
    editor = PlanEditor(reports, reports.plan("How many reports are there for each state?"))
    group = next(step["id"] for step in editor.steps if step["kind"] == "GroupBy")
    ask(editor, "form", node=group)
    twin = SessionFile(data_dir() / "sessions.sqlite")
    other = PlanSessions(reports.engine.client, reports.id, twin).open(editor.draft.session.id)
    assert other is not None
    other.edit_node(other.plan.node(group).with_fields(field="properties.entity.phase"))
    until(lambda: editor.version == "version 2 of 2")
    assert editor.form["node"] == group, "the open form stays"
    ask(editor, "save", node=group, fields={"field": "city"})
    assert [version.parent for version in editor.draft.session.versions.all.values()] == [
        None,
        1,
        1,
    ]
    until(lambda: other.versions.reload() or other.versions.pointer == 3)
    twin.close()


def test_versions_are_listed_compared_and_returned_to(reports):
    editor = PlanEditor(reports, reports.plan("How many reports are there?"))
    ask(editor, "run")
    ask(editor, "feedback", text="only those with a wind speed of at least 10")
    assert [v["words"][:8] for v in editor.versions] == ["planned ", "“only th"]
    assert editor.versions[0]["outcome"] == "6" and editor.versions[1]["current"]
    ask(editor, "compare", number=1)
    assert "1 → version 2" in editor.comparison["title"] and editor.comparison["lines"]
    assert editor.comparison["answer"] == "", "the second version has not run"
    ask(editor, "go_to", number=1)
    assert editor.draft.number == 1 and editor.comparison == {} and editor.can_redo


def test_the_rows_of_two_answers_are_compared(reports):
    editor = PlanEditor(reports, reports.plan("How many reports are there for each state?"))
    assert editor.steps[0]["state"] == "waiting"
    until(lambda: editor.steps[0]["expected"] == "6 rows expected")
    ask(editor, "run")
    assert {step["state"] for step in editor.steps} == {"done"}
    first = editor.output["total"]
    ask(editor, "feedback", text="only the first one")
    ask(editor, "run")
    ask(editor, "compare", number=1)
    assert f"−{first - 1}" in editor.comparison["answer"]
    assert {row[0] for row in editor.comparison["rows"]} == {"lost"}


def test_a_row_leads_to_its_documents_and_to_the_box_on_the_page(reports):
    editor = PlanEditor(reports, reports.plan("How many reports are there for each state?"))
    ask(editor, "run")
    result = editor.output["node"]
    ask(editor, "why", node=result, row=0)
    behind = [document for document in editor.lineage["documents"] if document["places"]]
    assert behind and behind[0]["name"].startswith("AFS-")
    pdf = next((d for d in behind if d["name"].endswith(".pdf")), behind[0])
    place = pdf["places"][0]
    assert place["name"] == "state" and place["words"] and len(place["box"]) == 4
    assert 0 < float(place["sure"]) <= 1 and place["quote"]
    ask(editor, "look", document=pdf["id"], page=place["page"], box=place["box"])
    assert editor.place["box"] == place["box"]
    assert editor.picture.startswith(b"\x89PNG") == pdf["name"].endswith(".pdf")
    ask(editor, "output", node=result)
    assert editor.lineage == {} and editor.picture == b""


def test_without_a_plan_the_latest_question_opens_with_its_run(reports):
    first = PlanEditor(reports, reports.plan("How many reports are there for each city?"))
    ask(first, "run")
    again = PlanEditor(reports)
    assert again.question == "How many reports are there for each city?"
    until(lambda: again.steps and all(step["state"] == "done" for step in again.steps))
    ask(again, "output", node=again.steps[0]["id"])
    ask(again, "why", node=again.steps[0]["id"], row=0)
    assert len(again.lineage["documents"]) == 1 and again.trouble == ""
    other = reports.plan("How many reports are there?")
    until(lambda: other.question in [one["text"] for one in again.questions])
    ask(again, "open", id=other.session.id)
    assert again.question == other.question and again.output == {}
    again.draft = first.draft
    assert again.question == first.question


def test_a_server_without_our_extensions_still_searches_plans_and_runs(reports, monkeypatch):
    async def missing(*_: Any, **__: Any) -> Any:
        raise MissingExtension(404, "This server does not offer that extension.")

    for name in ("facets", "complete", "run_trace", "node_output", "estimate_plan", "evidence"):
        monkeypatch.setattr(type(reports.engine.client), name, missing)
    box = SearchBox(reports, "icing on the wing")
    until(lambda: box.shown)
    ask(box, "complete", text="sta", cursor=3)
    assert box.trouble == "" and box.facets == [] and box.proposals == {}
    editor = PlanEditor(reports, reports.plan("How many reports are there for each state?"))
    ask(editor, "run")
    assert editor.trouble == "" and {step["state"] for step in editor.steps} == {"done"}
    assert editor.output["rows"] and editor.run is not None and len(editor.run.trace) == 0
    assert len(reports.plan("How many reports are there?").run()) == 1


def test_an_empty_docset_has_an_editor_that_waits_for_a_question(client):
    editor = PlanEditor(client.docsets.create("widget unasked"))
    assert editor.question == "" and editor.steps == []
    ask(editor, "undo")
    assert editor.trouble == "There is no plan yet: ask a question first."


def staged(uploader: Uploader) -> list[str]:
    return [file["stage"] for file in uploader.files]


def test_a_file_arrives_in_pieces_and_becomes_a_document(client):
    docset = client.docsets.create("widget uploads")
    uploader = Uploader(docset)
    asked: list[dict[str, Any]] = []
    uploader.send = lambda message, **_: asked.append(message)
    content = b"Words about fuel. " * 100
    ask(uploader, "begin", file=7, name="../../evil/notes.txt", size=len(content))
    ask(uploader, "piece", (content[:1000],), file=7)
    assert asked[-1] == {"kind": "next", "file": 7, "from": 1000}
    ask(uploader, "piece", (content[1000:],), file=7)
    until(lambda: staged(uploader) == ["done"])
    assert uploader.files[0]["name"] == "notes.txt" and uploader.summary == "1 done"
    assert docset.original(docset.documents()[0].doc_id) == content
    assert list((data_dir() / "dropped").iterdir()) == [], "the copy is not kept"
    uploader.close()


def test_a_path_is_queued_and_failures_stay_until_retried_or_removed(client, tmp_path):
    docset = client.docsets.create("widget paths")
    uploader = Uploader(docset)
    (tmp_path / "good.txt").write_text("Words about ice.")
    (tmp_path / "bad.pdf").write_bytes(b"%PDF-1.7 nothing follows")
    ask(uploader, "path", text=f"{tmp_path}/*.txt {tmp_path}/*.pdf {tmp_path}/*.nothing")
    assert "nothing" in uploader.trouble, "a wrong path is reported, the others are queued"
    until(lambda: staged(uploader) == ["failed", "done"])
    failed = uploader.files[0]
    assert failed["name"] == "bad.pdf" and failed["error"]
    ask(uploader, "clear")
    assert staged(uploader) == ["failed"]
    ask(uploader, "retry")
    until(lambda: staged(uploader) == ["failed"])
    assert (tmp_path / "bad.pdf").exists()
    ask(uploader, "forget", id=failed["id"])
    assert uploader.files == [] and (tmp_path / "bad.pdf").exists()
    uploader.close()


def test_the_queue_is_the_one_of_the_terminal_app_and_is_shown_live(client, tmp_path):
    docset = client.docsets.create("widget shared")
    uploader = Uploader(docset)
    elsewhere = SessionFile(data_dir() / "sessions.sqlite")
    queue = UploadQueue(elsewhere, server=client.url)
    (tmp_path / "missing.txt").write_text("Words.")
    queue.add(docset.id, [tmp_path / "missing.txt"])
    until(lambda: staged(uploader) == ["done"])
    assert [upload.state for upload in queue.uploads(docset.id)] == ["done"]
    uploader.close()
    elsewhere.close()


def test_running_tasks_precede_waiting_ones_with_their_start(client):
    monitor = TaskMonitor(client)
    now = time.time()
    made = [("done", 5), ("queued", 200), ("running", 100)]
    monitor._watch = SimpleNamespace(
        running=2, failed=0,
        newest_first=lambda: [
            TaskProgress(task_id=state, action="add", status=state, submitted=now - age, sequence=1)
            for state, age in made
        ],
    )  # fmt: skip
    monitor._show()
    lines = [(line["status"], line["age"]) for line in monitor.tasks]
    assert lines == [("running", "1 min ago"), ("queued", "3 min ago"), ("done", "just now")]
    monitor.close()


def test_tasks_are_shown_and_the_watch_ends_with_the_last_widget(client, reports):
    monitor, other = TaskMonitor(client), TaskMonitor(client)
    until(lambda: monitor.tasks and other.tasks)
    until(lambda: any(task["docset"] == reports.name for task in monitor.tasks))
    states = {"queued", "running", "done", "failed", "cancelled"}
    assert {task["status"] for task in monitor.tasks} <= states
    assert " open · " in monitor.summary
    following = client.engine.tasks._running
    monitor.close()
    assert following is not None and not following.cancelled()
    other.close()
    other.close()
    assert following.cancelled()


def test_messages_that_no_widget_knows_are_left_alone(reports):
    box = SearchBox(reports)
    until(lambda: box.facets)
    for message in ({"kind": "close"}, {"kind": ["search"]}, "search", {}):
        box._received(box, message, [])
    assert box.trouble == "" and not box.busy
