"""Answers in the plan editor, against a real backend: marked, with their remarks, and open down to
the documents that were used and left out.
"""

import pytest

from tests.workbench.test_answer_notes import QUESTION, REMARK, SCHEMA, write_invoices
from tests.workbench.widgets.at_rest import ask, until
from workbench import Workbench
from workbench.client.background import background_loop
from workbench.contract.location import data_dir
from workbench.objects import DocSet
from workbench.sessions.plan_sessions import PlanSessions
from workbench.sessions.session_file import SessionFile
from workbench.widgets import ElementViewer, PlanEditor


@pytest.fixture(scope="module")
def invoices(client: Workbench, tmp_path_factory: pytest.TempPathFactory) -> DocSet:
    folder = tmp_path_factory.mktemp("invoices")
    write_invoices(folder)
    docset = client.docsets.create("widget invoices", schema=SCHEMA)
    assert not docset.add(folder, progress=False).failed
    return docset


@pytest.fixture
def editor(invoices: DocSet) -> PlanEditor:
    made = PlanEditor(invoices, invoices.plan(QUESTION))
    ask(made, "run")
    return made


def test_a_number_is_shown_with_its_range_and_omissions(editor):
    assert editor.output["number"] == {"words": "2", "documents": 2}
    assert editor.notes["range"] == "could be 2 to 5" and editor.notes["mark"] == "⚠"
    assert editor.notes["story"].startswith("6 documents · ")
    assert [note["text"] for note in editor.notes["footnotes"]] == [REMARK]
    partial = [step for step in editor.steps if step["partial"]]
    assert len(partial) == 1 and REMARK in partial[0]["notes"]
    snapshot = editor.snapshot()
    assert "⚠ 2" in snapshot and "could be 2 to 5" in snapshot and REMARK in snapshot


@pytest.mark.parametrize("asked", ["percentage", "share"])
def test_a_share_is_shown_in_percent_in_either_form(invoices, asked):
    made = PlanEditor(invoices, invoices.plan(f"What {asked} of the invoices has the year 2018?"))
    ask(made, "run")
    assert made.output["number"]["words"] == "33.3 %"
    assert made.notes["range"] == "could be 33.3 % to 83.3 %"


def test_the_subject_of_a_remark_is_reviewed(editor):
    reviewer = editor.review()
    until(lambda: reviewer.options)
    assert reviewer.value["field"] == "year" and reviewer.progress["words"] == "1 of 3"
    assert editor.review("year").progress is not None
    with pytest.raises(LookupError, match="Nothing was left out"):
        editor.review("total")


def test_a_remark_opens_its_review_whose_decisions_change_the_answer(client, tmp_path_factory):
    folder = tmp_path_factory.mktemp("reviewed")
    write_invoices(folder)
    docset = client.docsets.create("reviewed invoices", schema=SCHEMA)
    assert not docset.add(folder, progress=False).failed
    editor = PlanEditor(docset, docset.plan(QUESTION))
    ask(editor, "run")
    note = editor.notes["footnotes"][0]
    ask(editor, "review", node=note["node_id"], field=note["field"])
    until(lambda: editor.reviewer is not None and editor.reviewer.value)
    reviewer = editor.reviewer
    assert reviewer.value["field"] == "year" and reviewer.progress["words"] == "1 of 3"
    ask(reviewer, "type", text="2018")
    ask(editor, "review")
    until(lambda: editor.reviewer is None)
    assert editor.output["number"]["words"] == "3"
    assert editor.notes["range"] == "could be 3 to 5"
    docset.delete()


def test_a_run_that_is_asked_for_while_a_question_is_read_is_of_that_question(invoices):
    editor = PlanEditor(invoices, invoices.plan(QUESTION))
    editor._received(editor, {"kind": "ask", "text": "How many invoices are there?"}, [])
    ask(editor, "run")
    until(lambda: editor.output)
    assert editor.question == "How many invoices are there?"
    assert editor.output["number"]["words"] == "6"


def test_there_is_nothing_to_review_before_a_run(invoices):
    with pytest.raises(LookupError, match="Run the plan first"):
        PlanEditor(invoices, invoices.plan(QUESTION)).review()


def test_a_number_opens_to_its_documents_and_a_remark_to_those_left_out(editor):
    ask(editor, "why", node=editor.output["node"], row=None)
    assert editor.lineage["title"] == "Behind 2: 2 documents"
    for document in editor.lineage["documents"]:
        [place] = document["places"]
        assert (place["name"], place["words"]) == ("year", "2018")
        assert "2018" in place["quote"] and not place["doubtful"]
    note = editor.notes["footnotes"][0]
    ask(editor, "left_out", node=note["node_id"], field=note["field"])
    assert editor.lineage["title"] == "Left out for year: 3 documents"
    places = [place for document in editor.lineage["documents"] for place in document["places"]]
    assert [place["words"] for place in places] == ["no year"] * 3
    assert all(place["doubtful"] for place in places)
    ask(editor, "look", document=editor.lineage["documents"][0]["id"], page=1)
    assert editor.reading and editor.trouble == ""


def test_documents_beyond_the_first_follow_on_request(editor, monkeypatch):
    monkeypatch.setattr("workbench.widgets.plan_editor._DOCUMENTS", 2)
    ask(editor, "why", node=editor.steps[0]["id"], row=None)
    assert len(editor.lineage["documents"]) == 2 and editor.lineage["left"] == 4
    ask(editor, "more")
    ask(editor, "more")
    assert len(editor.lineage["documents"]) == 6 and editor.lineage["left"] == 0


def test_an_answer_is_shown_only_under_its_own_version(editor):
    ask(editor, "feedback", text="only 2019")
    assert (editor.output, editor.notes, editor.lineage) == ({}, {}, {})
    ask(editor, "undo")
    until(lambda: editor.output)
    assert editor.output["number"]["words"] == "2" and editor.notes["range"]


@pytest.mark.alone
def test_a_run_of_another_program_is_shown_here_within_a_second(client, invoices):
    editor = PlanEditor(invoices, "How many invoices are there for each year?")
    until(lambda: editor.steps)
    assert editor.output == {}
    there = SessionFile(data_dir() / "sessions.sqlite")
    session = PlanSessions(client.engine.client, invoices.id, there).latest()
    assert session is not None and session.question == editor.question
    background_loop().run(session.run())
    until(lambda: editor.output)
    assert editor.output["title"].startswith("Result")
    until(lambda: {step["state"] for step in editor.steps} == {"done"})
    editor.close()
    there.close()


def test_a_refused_question_clears_the_answer_of_the_previous_one(editor, monkeypatch):
    ask(editor, "ask", text="")
    assert editor.trouble
    assert editor.question == QUESTION, "what is shown is what was answered"


def test_a_listed_value_is_left_out_by_a_version_by_hand(invoices):
    plan = invoices.plan(QUESTION)
    node = next(n for n in plan.plan.nodes.values() if n.node_type == "BasicFilter")
    listed = plan.replace(
        node.with_fields(
            values=[2018, 2019], query=None, kin={"asked": [2018], "added": [2019]}, match=None,
            start=None, end=None, range_filter=None,
        )
    )  # fmt: skip
    editor = PlanEditor(invoices, listed)
    [values] = editor.filter_values
    assert (values["field"], values["kin"]) == ("year", "also matches 2019")
    ask(editor, "values", node=values["node"], places=[0])
    assert [value["included"] for value in editor.filter_values[0]["values"]] == [True, False]
    assert editor.draft.number == listed.number + 1 and editor.filter_values[0]["kin"] == ""
    ask(editor, "values", node=values["node"], places=[])
    assert "at least one value" in editor.trouble
    assert editor.draft.number == listed.number + 1


def test_the_viewer_shows_how_sure_each_value_is_and_marks_its_place(invoices):
    document = next(d for d in invoices.documents() if d.properties["entity"].get("year") == 2019)
    viewer = ElementViewer(invoices, document.doc_id)
    until(lambda: viewer.values)
    [year] = viewer.values
    assert (year["name"], year["words"], year["doubtful"]) == ("year", "2019", False)
    assert 0.5 < float(year["sure"]) <= 1
    ask(viewer, "value", place=0)
    assert viewer.mark["name"] == "year" and viewer.mark["page"] == 1 and viewer.trouble == ""


def test_spellings_are_merged_and_separated_beside_the_answer(client, tmp_path):
    schema = {"properties": [{"name": "state", "field_type": "string"}]}
    docset = client.docsets.create("widget states", schema=schema)
    for number, state in enumerate(("CA", "California", "California", "Nevada")):
        (tmp_path / f"{number}.txt").write_text(f"Report {number}\nState: {state}\n")
    docset.add(tmp_path, progress=False)
    editor = PlanEditor(docset, docset.plan("How many documents are there for each state?"))
    ask(editor, "run")
    assert editor.output["total"] == 3
    [proposal] = editor.merges
    assert not proposal["agreed"] and "CA" in proposal["words"]
    ask(editor, "merge", places=[0])
    assert editor.output["total"] == 2 and [one["agreed"] for one in editor.merges] == [True]
    assert [merge.field for merge in docset.merges()] == ["state"]
    ask(editor, "merge", places=[])
    assert editor.output["total"] == 3 and docset.merges() == []
    assert editor.output["columns"][0] == "state"
    again = PlanEditor(docset)
    until(lambda: again.output)
    assert again.output["columns"][0] == "state", "also of a run that another editor made"


def test_amounts_have_their_currency_in_an_answer_and_come_first_behind_it(client, tmp_path):
    properties = [{"name": "seller", "field_type": "string"}, {"name": "total"}]
    properties[1]["field_type"] = "float"
    docset = client.docsets.create("widget totals", schema={"properties": properties})
    for number, total in enumerate(("EUR 12.50", "EUR 30.00")):
        text = f"Invoice {number}\nSeller: Birch Ltd.\nTotal: {total}\n"
        (tmp_path / f"{number}.txt").write_text(text)
    docset.add(tmp_path, progress=False)
    editor = PlanEditor(docset, docset.plan("total of the totals per seller"))
    ask(editor, "run")
    assert editor.output["columns"] == ["seller", "sum of total"]
    assert editor.output["rows"] == [["Birch Ltd.", "42.50 EUR"]]
    ask(editor, "why", node=editor.output["node"], row=0)
    places = [document["places"] for document in editor.lineage["documents"]]
    assert sorted([place["words"] for place in of_one] for of_one in places) == [
        ["12.5 EUR", "Birch Ltd."], ["30 EUR", "Birch Ltd."],
    ]  # fmt: skip
    highest = PlanEditor(docset, docset.plan("the document with the highest total"))
    ask(highest, "run")
    assert highest.output["columns"] == ["path", "total"]
    assert highest.output["rows"] == [["1.txt", "30 EUR"]]
    whole = PlanEditor(docset, docset.plan("total of the totals"))
    ask(whole, "run")
    assert whole.output["number"] == {"words": "42.5 EUR", "documents": 2}


def test_spellings_are_merged_in_the_library_too(client):
    schema = {"properties": [{"name": "state", "field_type": "string"}]}
    docset = client.docsets.create("merged states", schema=schema)
    made = docset.merge("state", ["CA", "California"])
    assert (made[0].values, made[0].into) == (["CA", "California"], "CA")
    assert docset.undo_merge(0) == []
