"""The notebook objects against a real backend: cells as people write them."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pytest

from tests.backend_process import BackendProcess
from tests.sample_reports import write_reports
from workbench import Workbench, connect
from workbench.client import Invalid, SourceUnreadable, WorkbenchError
from workbench.demo.documents import DEMO_SCHEMA
from workbench.objects import DocSet
from workbench.objects.adding import collect


@pytest.fixture(scope="module")
def module_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A data folder for the sessions of this module; the backend has its own."""
    with pytest.MonkeyPatch.context() as patch:
        folder = tmp_path_factory.mktemp("sessions")
        patch.setenv("WORKBENCH_DATA_DIR", str(folder))
        yield folder


@pytest.fixture(scope="module")
def client(backend: BackendProcess, module_folder: Path) -> Iterator[Workbench]:
    with connect(backend.url, backend.token) as opened:
        yield opened


@pytest.fixture(scope="module")
def reports(client: Workbench, tmp_path_factory: pytest.TempPathFactory) -> DocSet:
    """A DocSet of twelve sample reports, added from a folder."""
    folder = tmp_path_factory.mktemp("reports")
    write_reports(folder, count=12)
    (folder / ".hidden.txt").write_text("not a report")
    docset = client.docsets.create("reports", schema=DEMO_SCHEMA)
    added = docset.add(folder, progress=False)
    assert added.title() == "Added(12 documents)", [item.error for item in added.failed]
    return docset


def test_a_docset_is_looked_up_by_name_and_id_and_has_its_size(client, reports):
    assert client.docsets["reports"].id == reports.id == client.docsets[reports.id].id
    assert len(reports) == 12 and "reports" in client.docsets
    assert reports.id in {docset.id for docset in client.docsets}
    with pytest.raises(KeyError, match="There is no DocSet 'nothing'"):
        _ = client.docsets["nothing"]


def test_an_empty_docset_is_not_false(client):
    empty = client.docsets.create("empty")
    assert len(empty) == 0 and bool(empty)
    assert len(empty.documents()) == 0 and len(empty.search("anything")) == 0
    empty.delete()
    assert client.docsets.get(empty.id) is None


def test_properties_asked_for_before_there_are_documents_are_read_from_those_to_come(client):
    """By the contract an extraction from no documents changes nothing."""
    docset = client.docsets.create("none yet", schema={"place": str})
    docset = docset.extract({"nr": int})
    assert [prop.name for prop in docset.schema.properties] == ["place", "nr"]
    docset.add(b"Nr: 5\n\nPlace: Ohio", progress=False)
    assert docset.documents()[0].properties["entity"]["nr"] == 5


def test_document_columns_have_the_types_of_the_schema(reports):
    frame = reports.documents().to_polars()
    assert frame.height == 12
    assert {name: str(kind) for name, kind in frame.schema.items()}["event_date"] == "Date"
    assert frame["wind_speed"].dtype.is_integer()
    assert frame["state"].null_count() < 6
    assert reports.documents(limit=3).to_arrow().num_rows == 3


def test_large_docsets_are_read_page_by_page_with_the_same_columns(reports):
    pages = list(reports.document_pages(size=5))
    assert [len(page) for page in pages] == [5, 5, 2]
    whole = reports.documents().to_arrow()
    assert pa.concat_tables([page.to_arrow() for page in pages]).equals(whole)
    elements = sum(len(page) for page in reports.element_pages())
    assert elements == len(reports.elements())


def test_all_hits_are_read_page_by_page(reports):
    pages = list(reports.hit_pages("report", size=5, kind="lexical"))
    ids = [hit["doc_id"] for page in pages for hit in page]
    assert ids == [hit["doc_id"] for hit in reports.search("report", kind="lexical")]
    assert [page.complete for page in pages] == [False] * (len(pages) - 1) + [True]
    assert list(reports.hit_pages("frobnicate", kind="keyword")) == []


def test_one_bad_file_fails_alone_with_a_reason(client, tmp_path):
    docset = client.docsets.create("mixed")
    (tmp_path / "good.txt").write_text("A good text about icing.")
    (tmp_path / "bad.pdf").write_bytes(b"%PDF-1.7 nothing follows")
    added = docset.add([tmp_path / "bad.pdf", tmp_path / "good.txt"], progress=False)
    assert [item.stage for item in added] == ["failed", "done"]
    assert added.failed[0].error and "1 failed" in repr(added)
    assert added.to_polars()["name"].to_list() == ["bad.pdf", "good.txt"]
    assert len(docset) == 1


def test_a_task_is_followed_waited_for_and_awaited(client):
    docset = client.docsets.create("tasks")
    task = docset.submit(b"Words about ice.", name="one.txt")
    steps = list(task)
    assert all(step.task_id == task.id for step in steps)
    assert task.result(timeout=20)["name"] == "one.txt" and task.done()
    if steps:
        assert steps[-1].status == "done" and "done" in repr(task)

    async def both() -> list[str]:
        tasks = [docset.submit(f"Words {n}.".encode(), name=f"{n}.txt") for n in range(2)]
        return [(await one)["name"] for one in tasks]

    assert asyncio.run(both()) == ["0.txt", "1.txt"]
    bad = docset.submit(b"%PDF-1.7 nothing follows", name="bad.pdf")
    with pytest.raises(WorkbenchError):
        bad.result()
    assert client.task(bad.id).done() and repr(client.task("wb:t-x")) == "Task('wb:t-x')"


def test_adding_a_folder_again_adds_only_new_files(client, tmp_path):
    docset = client.docsets.create("again")
    (tmp_path / "one.txt").write_text("Words about ice.")
    docset.add(tmp_path, progress=False)
    (tmp_path / "two.txt").write_text("Words about fuel.")
    added = docset.add(tmp_path, skip_known=True, progress=False)
    assert [item.stage for item in added] == ["known", "done"] and len(docset) == 2


def test_bytes_are_added_under_the_given_name(client):
    docset = client.docsets.create("bytes")
    docset.add(b"Words about a crosswind.", name="note.txt", progress=False)
    assert [document.name for document in docset.documents()] == ["note.txt"]
    assert docset.original(docset.documents()[0].doc_id) == b"Words about a crosswind."


def test_paths_patterns_and_folders_lead_to_files_or_to_a_message(tmp_path):
    for name in ("a b.txt", "c.txt", "d.md"):
        (tmp_path / name).write_text("x")
    assert [file.name for file in collect(tmp_path / "a b.txt")] == ["a b.txt"]
    assert [file.name for file in collect(str(tmp_path / "*.txt"))] == ["a b.txt", "c.txt"]
    assert len(collect([tmp_path, "https://example.org/a.pdf", b"x"])) == 5
    with pytest.raises(SourceUnreadable, match="no file"):
        collect(tmp_path / "missing.txt")


def test_hits_have_their_place_and_their_ranks(reports):
    hits = reports.search("icing on the wing", kind="hybrid", return_type="element", limit=5)
    frame = hits.to_polars()
    assert 0 < frame.height <= 5 and frame["page"].min() >= 1
    assert frame["doc_id"].null_count() == frame["bbox"].null_count() == 0
    assert frame["name"].str.contains(r"\.").all()
    assert hits.why(0)


def test_a_filter_works_alone_and_a_wrong_one_is_explained(reports):
    state = reports.documents().to_polars()["state"].drop_nulls()[0]
    hits = reports.search(where=f'properties.entity.state = "{state}"')
    assert set(hits.to_polars()["state"]) == {state}
    with pytest.raises(Invalid, match="properties_filter"):
        reports.search(where="properties.entity.state ==== 1")


def test_facets_count_all_documents_or_the_matching_ones(reports):
    (everywhere,) = reports.facets("state")
    state = everywhere.values[0]
    where = f'properties.entity.state = "{state.value}"'
    (narrowed,) = reports.facets("state", where=where)
    assert [(one.value, one.count) for one in narrowed.values] == [(state.value, state.count)]
    (facet,) = reports.facets("state", query="icing on the wing", kind="lexical")
    total = sum(one.count for one in facet.values) + facet.missing
    assert 0 < total <= len(reports)


def test_a_filter_is_completed_with_the_names_and_values_of_the_docset(reports):
    completions = reports.complete("sta")
    assert (completions.start, completions.end) == (0, 3)
    assert "state" in [item.text for item in completions.items]
    values = {item.text: item.count for item in reports.complete("state = ", limit=100).items}
    (facet,) = reports.facets("state", top=100)
    assert values == {f'"{one.value}"': one.count for one in facet.values}


def test_a_limit_beyond_a_page_fetches_further_pages(reports, monkeypatch):
    monkeypatch.setattr("workbench.objects.searching._LARGEST_PAGE", 5)
    hits = reports.search("the aircraft", kind="lexical", limit=12)
    assert len({item["doc_id"] for item in hits}) == len(hits) > 5


def test_elements_and_tables_come_from_the_document(reports):
    doc_id = reports.documents()[0].doc_id
    elements = reports.elements(doc_id)
    assert len(elements) > 3 and set(elements.to_polars()["doc_id"]) == {doc_id}
    assert set(reports.elements().to_polars()["doc_id"]) == {
        document.doc_id for document in reports.documents()
    }
    assert any(len(table) for document in reports.documents() for table in
               reports.tables(document.doc_id))  # fmt: skip


def test_properties_are_suggested_extracted_and_dropped(client):
    docset = client.docsets.create("properties")
    docset.add(b"State: Alaska\nYear: 2023\n", name="a.txt", progress=False)
    docset.extract({"properties": [{"name": "year", "field_type": "int"}]})
    assert docset.documents().to_polars()["year"].to_list() == [2023]
    assert docset.schema.get("year") is not None
    docset.drop_properties(["year"])
    assert docset.schema.get("year") is None
    assert "year" not in docset.documents().to_polars().columns
    assert docset.suggest(sample_ratio=1.0).get("state") is not None


# -- plans ----------------------------------------------------------------------------------------


def test_a_plan_is_edited_compared_undone_and_run(reports):
    plan = reports.plan("How many reports are there?")
    edited = plan.edit("only those with more than 10 knots of wind speed")
    changes = edited - plan
    assert len(changes) > 0 and all(line[0] in "+-~>" for line in changes.lines)
    assert (edited.number, edited.undo().number, plan.redo().number) == (2, 1, 2)
    assert len(plan - edited.undo()) == 0
    every, some = plan.run(), edited.run()
    assert every.result == 12 and 0 <= some.result < 12
    assert every.to_polars().to_dicts() == [{"result": 12}]


def test_one_proposed_change_is_refused_and_accepted_again(reports):
    plan = reports.plan("How many reports are there for each state?")
    edited = plan.edit("only those with a wind speed of at least 10, and only the first three")
    assert len(plan.changes) == 0 and len(edited.changes) == 3
    last = list(edited.changes)[-1]
    without = edited.refuse(last)
    assert [change.line for change in edited - without] == [last.line]
    assert without.changes.lines == edited.changes.lines and without.undo().number == edited.number
    assert len(without.accept(last) - edited) == 0


def test_undo_at_the_first_version_is_an_error(reports):
    with pytest.raises(LookupError, match="first version"):
        reports.plan("How many reports are there?").undo()


def test_feedback_that_is_not_understood_leaves_the_plan_unchanged(reports):
    plan = reports.plan("How many reports are there?")
    with pytest.raises(Invalid):
        plan.edit("frobnicate the quux")
    assert [version.number for version in plan.versions()] == [1]


def test_plans_survive_a_restart(backend, module_folder, reports):
    plan = reports.plan("How many reports are there?").edit(
        "only those with more than 10 knots of wind speed"
    )
    with connect(backend.url, backend.token) as again:
        latest = again.docsets[reports.id].plans()[0]
        assert (latest.question, latest.number) == (plan.question, 2)
        assert str(latest) == str(plan) and latest.undo().number == 1


def test_every_number_leads_to_documents_and_sources(reports):
    run = reports.plan("How many reports are there for each state?").run()
    frame = run.to_polars()
    assert frame.height == len(run) > 1
    why = run.why(0)
    assert why.doc_ids and set(why.doc_ids) <= {d.doc_id for d in reports.documents()}
    places = why.to_polars()
    assert set(places["property"].drop_nulls()) == {"state"}
    assert places["page"].null_count() < places.height
    with pytest.raises(IndexError, match="no row 9999"):
        run.why(9999)


def test_documents_that_a_plan_finds_have_the_types_of_the_schema(reports):
    frame = reports.plan("Which 3 reports have the highest damage cost?").run().to_polars()
    assert frame.height == 3
    assert (str(frame.schema["event_date"]), str(frame.schema["fatal"])) == ("Date", "Boolean")


def test_the_output_of_each_step_is_available(reports):
    run = reports.plan("How many reports are there for each state?").run()
    nodes = run.trace.to_polars()
    assert nodes.height == len(run.trace) >= 2
    first = int(nodes["node_id"][0])
    assert run[first].to_polars().height == 12


# -- display ------------------------------------------------------------------------------------


def test_no_repr_makes_a_request(client, reports, monkeypatch):
    plan = reports.plan("How many reports are there for each state?")
    run = plan.run()
    shown = [client, client.docsets, reports, reports.documents(), plan, plan - plan, run,
             run.trace, run.why(0), reports.search("ice"), reports.elements(limit=2)]  # fmt: skip

    async def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a repr made a request")

    monkeypatch.setattr("workbench.client.wire.Wire.answer", refuse)
    for thing in shown:
        assert repr(thing)
        if hasattr(thing, "_repr_html_"):
            assert thing._repr_html_().startswith("<div")


def test_names_from_documents_cannot_inject_markup_into_a_notebook(client):
    docset = client.docsets.create("<img src=x onerror=alert(1)>")
    assert "<img" not in docset._repr_html_()
    docset.delete()


def test_an_element_is_shown_with_the_piece_of_its_page(reports):
    hit = next(
        hit
        for hit in reports.search("wind", return_type="element", limit=50)
        if hit["name"].endswith(".pdf")
    )
    excerpt = reports.excerpt(hit["doc_id"], hit["id"])
    assert excerpt.element.id == hit["id"] and excerpt.text == hit["text_representation"]
    assert excerpt.picture.startswith(b"\x89PNG")
    assert 'src="data:image/png;base64,' in excerpt._repr_html_()
    assert hit["name"] in repr(excerpt)
    with pytest.raises(LookupError, match="has no element"):
        reports.excerpt(hit["doc_id"], "wb:e-none")


def test_an_element_of_a_file_without_pages_is_shown_as_text(client):
    docset = client.docsets.create("no pages")
    added = docset.add(b"Only <b>words</b>.", name="note.txt", progress=False)
    excerpt = docset.excerpt(added.doc_ids[0])
    assert excerpt.picture == b"" and excerpt.page == 1
    assert "<img" not in excerpt._repr_html_() and "<b>" not in excerpt._repr_html_()
    docset.delete()


async def test_the_asynchronous_client_works_beside_it(client, reports):
    docset = await client.aio.docsets[reports.id]
    assert docset.name == "reports"


def test_a_server_at_a_url_needs_a_token(monkeypatch):
    monkeypatch.delenv("WORKBENCH_API_KEY", raising=False)
    with pytest.raises(ValueError, match="needs a token"):
        connect("http://127.0.0.1:9")
