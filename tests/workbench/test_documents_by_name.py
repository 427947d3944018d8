"""Documents and tables by name, one and all."""

from io import BytesIO

import polars as pl
import pytest
from PIL import Image

from tests.sample_reports import write_reports
from workbench import Workbench
from workbench.client import AmbiguousName, Mistake, UnknownName
from workbench.objects import DocSet

COSTS = """# Costs

| part | cost |
|---|---|
| rotor | 1,200 |
| blade | 80 |
| tail | none given |
"""
CREW = "# Crew\n\n| name | cost |\n|---|---|\n| Ann | 1.5 |\n"


@pytest.fixture(scope="module")
def docset(client: Workbench) -> DocSet:
    made = client.docsets.create("by name", schema={"state": str})
    made.add(COSTS.encode(), name="costs.md", progress=False)
    made.add(CREW.encode(), name="crew.md", progress=False)
    for words in (b"One twin.", b"Another twin."):
        made.add(words, name="twin.txt", progress=False)
    return made


def test_a_document_is_looked_up_by_name_and_by_id(docset):
    document = docset.document("costs.md")
    assert document.id == docset.documents()[0].doc_id
    assert docset.document(document.id).name == document.name == "costs.md"
    assert set(docset.elements("costs.md")["doc_id"]) == {document.id}
    assert docset.original("crew.md") == CREW.encode()
    assert docset.excerpt("crew.md").name == "crew.md"


def test_a_document_has_its_values_elements_tables_and_evidence(docset):
    document = docset.document("costs.md")
    assert document.tables()[0].columns == docset.tables("costs.md")[0].columns
    assert document.elements.columns == docset.elements("costs.md").columns
    assert document.text == "\n\n".join(e.text_representation for e in document.elements)
    assert set(document.properties) <= {"state"} and document.pages == 1
    assert document.evidence()["doc_id"].to_list() in ([], [document.id])
    assert document.original() == COSTS.encode() and document.remarks == []
    assert repr(document).startswith("Document('costs.md', 1 page, ")
    assert "costs.md" in document._repr_html_()


def test_a_page_is_a_picture_with_the_elements_on_it(docset, tmp_path):
    pdf = next(d.path for d in write_reports(tmp_path, count=8) if d.path.suffix == ".pdf")
    docset.add(pdf, progress=False)
    document = docset.document(pdf.name)
    page = document.page(1, width=600)
    with Image.open(BytesIO(page.picture)) as picture:
        assert picture.width == 600
    assert page._repr_png_() == page.picture != document.page(1, width=600, boxes=True).picture
    assert set(page.elements["page"]) == {1} and page.text in document.text
    for wrong in (0, document.pages + 1, "1"):
        with pytest.raises(Mistake, match=f"has no page {wrong!r}"):
            document.page(wrong)
    document.docset.delete_document(pdf.name)


def test_a_page_of_a_file_without_pages_is_its_text(docset):
    page = docset.document("crew.md").page()
    assert page.picture == b"" and page._repr_png_() is None
    assert page.text and "<p>" in page._repr_html_()


def test_a_wrong_name_of_a_document_is_answered_with_the_nearest(docset):
    for call in (docset.document, docset.elements, docset.tables, docset.original):
        with pytest.raises(UnknownName, match=r"Did you mean 'costs\.md'\?"):
            call("cost.md")


def test_a_name_of_two_documents_lists_their_ids(docset):
    ids = [one.doc_id for one in docset.documents() if one.name == "twin.txt"]
    with pytest.raises(AmbiguousName) as refused:
        docset.document("twin.txt")
    assert all(doc_id in str(refused.value) for doc_id in ids)
    assert docset.document(ids[1]).id == ids[1]


def test_documents_have_their_number_of_pages(docset):
    assert docset.documents()["pages"].to_list() == [1, 1, 1, 1]


def test_tables_of_all_documents_have_their_document_and_page(docset):
    tables = docset.tables()
    listed = tables.to_polars()
    assert listed["name"].to_list() == ["costs.md", "crew.md"]
    assert listed["rows"].to_list() == [3, 1] and listed["columns"][0] == "part, cost"
    assert repr(tables).startswith("Tables(2 of 2 documents)")
    assert tables[0].to_polars()["part"].to_list() == ["rotor", "blade", "tail"]
    rows = tables.rows().to_polars()
    assert rows.columns == ["doc_id", "name", "page", "table", "part", "cost", "table name"]
    assert rows["name"].to_list() == ["costs.md"] * 3 + ["crew.md"]
    assert rows["cost"].to_list() == ["1,200", "80", "none given", "1.5"]
    assert rows["table name"].to_list() == [None, None, None, "Ann"]


def test_a_non_strict_column_has_the_type_of_most_cells_and_keeps_the_others(docset):
    frame = docset.tables("costs.md", strict=False)[0].to_polars()
    assert frame.schema["cost"] == pl.Int64
    assert frame["cost"].to_list() == [1200, 80, None]
    assert frame["cost as text"].to_list() == [None, None, "none given"]
    rows = docset.tables(strict=False).rows().to_polars()
    assert rows["cost"].to_list() == [1200.0, 80.0, None, 1.5]


def test_slices_of_frames_are_frames_with_the_types_of_the_whole(docset):
    documents = docset.documents()
    some = documents[1:3]
    assert type(some) is type(documents) and len(some) == 2
    assert some.to_arrow().equals(documents.to_arrow().slice(1, 2))
    assert [one.doc_id for one in documents[::-1]] == [one.doc_id for one in documents][::-1]
    assert documents[::-1].to_polars()["name"][0] == documents[-1].name == "twin.txt"
    hits = docset.search("twin", kind="lexical")
    assert len(hits[:1].to_polars()) == 1 and hits[:1].request == hits.request
    elements = docset.elements()
    assert elements[2:][0] == elements[2] and elements[2:]["ordinal"][0] == elements["ordinal"][2]
    table = docset.tables("costs.md")[0]
    assert table[1:]["part"].to_list() == ["blade", "tail"] and table[0]["part"] == "rotor"
    assert len(docset.tables()[:1].rows()) == 3
    with pytest.raises(IndexError, match="no row 9: the last is 3"):
        _ = documents[9]


def test_a_wrong_column_is_answered_with_the_nearest(docset):
    documents = docset.documents()
    assert documents["name"].to_list()[0] == "costs.md"
    with pytest.raises(UnknownName, match=r"no column 'stat'\. Did you mean 'state'"):
        _ = documents["stat"]


def test_tasks_are_a_frame_of_tasks(client, docset):
    task = docset.submit(b"Words.", name="late.txt")
    task.result(timeout=20)
    tasks = client.tasks
    assert task.id in tasks["task_id"].to_list()
    assert {one.id for one in tasks} == set(tasks["task_id"])
    row = tasks.to_polars().row(by_predicate=pl.col("task_id") == task.id, named=True)
    assert (row["work"], row["docset_id"]) == ("add document", docset.id)
    assert tasks[:0].columns == tasks.columns
    docset.delete_document("late.txt")
