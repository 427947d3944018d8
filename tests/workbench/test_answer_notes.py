"""Answers of the library and the command carry their notes, also into files."""

import io
import json
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path

import polars as pl
import pyarrow.parquet
import pytest

from tests.backend_process import BackendProcess
from workbench import Workbench, connect
from workbench.cli import main
from workbench.contract.coverage import Bounds, Coverage
from workbench.contract.query import QueryResult
from workbench.frames.files import notes_beside, write_table
from workbench.frames.notes import METADATA, AnswerNotes
from workbench.objects import DocSet
from workbench.objects.run import Run

YEARS = {
    "apples": 2018, "pears": 2018, "plums": 2019, "figs": None, "dates": None, "limes": None,
}  # fmt: skip
QUESTION = "How many invoices have the year 2018?"
SCHEMA = {"properties": [{"name": "year", "field_type": "int", "description": "year of issue"}]}
REMARK = "3 of 6 documents have no year."


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    with pytest.MonkeyPatch.context() as patch:
        folder = tmp_path_factory.mktemp("sessions")
        patch.setenv("WORKBENCH_DATA_DIR", str(folder))
        yield folder


@pytest.fixture(scope="module")
def client(backend: BackendProcess, data: Path) -> Iterator[Workbench]:
    with connect(backend.url, backend.token) as opened:
        yield opened


@pytest.fixture(scope="module")
def invoices(client: Workbench, tmp_path_factory: pytest.TempPathFactory) -> DocSet:
    """Six invoices, three of them without a year."""
    folder = tmp_path_factory.mktemp("invoices")
    write_invoices(folder)
    docset = client.docsets.create("invoices", schema=SCHEMA)
    assert not docset.add(folder, progress=False).failed
    return docset


def write_invoices(folder: Path) -> None:
    """An invoice per fruit, with its year if it has one."""
    for fruit, year in YEARS.items():
        line = f"Year: {year}\n" if year else ""
        (folder / f"{fruit}.txt").write_text(f"Invoice for {fruit}\n{line}Paid with thanks.\n")


@pytest.fixture(scope="module")
def run(invoices: DocSet) -> Run:
    return invoices.plan(QUESTION).run()


def test_a_run_has_its_coverage_bounds_and_sentences(run):
    assert run.result == 2
    [item] = [item for item in run.coverage if not item.complete]
    assert (item.documents, item.missing, item.used) == (6, 3, 3)
    assert run.bounds.marked and (run.bounds.low, run.bounds.high) == (2, 5)
    assert run.sentences[0] == "6 documents" and len(run.sentences) == len(run.trace)
    assert REMARK in run.remarks() and "The answer could be 2 to 5." in run.remarks()


def test_the_display_of_a_number_shows_its_range(run):
    assert repr(run) == "Run(2 ⚠ could be 2 to 5)"
    html = run._repr_html_()
    assert "could be 2 to 5" in html and REMARK in html and "6 documents · " in html


def test_the_trace_has_a_sentence_and_the_coverage_of_each_step(run):
    frame = run.trace.to_polars()
    assert frame["sentence"].to_list() == run.sentences
    assert "3 of 6 documents have no year" in frame["coverage"].to_list()


def test_unused_words_are_remarks_of_plan_and_run(invoices):
    answer = QueryResult(query_id="q", plan=None, result=[], unused=["sender", "<b>"])
    done = Run(invoices.engine, invoices.id, answer, {})
    assert done.unused == ["sender", "<b>"]
    assert done.remarks() == ["Not used: “sender”, “<b>”"]
    assert "“&lt;b&gt;”" in done._repr_html_()


def test_the_command_prints_only_the_answer_and_its_remarks_separately(
    run, backend, monkeypatch, capfd
):
    monkeypatch.setenv("WORKBENCH_API_KEY", backend.token)
    capfd.readouterr()
    assert main(["ask", "invoices", QUESTION, "--url", backend.url]) == 0
    out, error = capfd.readouterr()
    assert out == "2\n", "what a script reads is the bare number"
    for words in ("⚠ The answer could be 2 to 5.", f"! {REMARK}", "6 documents · "):
        assert words in error
    assert main(["ask", "invoices", QUESTION, "--json", "--url", backend.url]) == 0
    answer = json.loads(capfd.readouterr()[0])
    assert (answer["bounds"]["low"], answer["bounds"]["high"]) == (2, 5)
    assert answer["trust"] == "marked" and answer["unused"] == []
    assert [item["missing"] for item in answer["coverage"] if item["missing"]] == [3]
    assert answer["sentences"] == run.sentences and REMARK in answer["remarks"]


def test_a_number_leads_to_its_values_with_confidence_and_quote(run):
    why = run.why(None)
    frame = why.to_polars()
    assert why.title() == "Why(2 documents, 2 values)"
    assert set(frame["value"]) == {2018} and set(frame["state"]) == {"used"}
    assert frame["confidence"].min() > 0.5 and frame["page"].null_count() == 0
    assert all("2018" in text for text in frame["text"])


def test_documents_left_out_of_an_answer_are_a_frame_with_the_reason(run):
    left = run.left_out()
    assert left.total == 3 and set(left.to_polars()["state"]) == {"missing"}
    assert run.left_out("year").doc_ids == left.doc_ids
    with pytest.raises(LookupError, match="Nothing was left out for seller"):
        run.left_out("seller")


def test_a_confidence_limit_is_sent_with_the_run(invoices, run):
    strict = invoices.plan(QUESTION).run(confidence_limit=1)
    [item] = [item for item in strict.coverage if not item.complete]
    assert (item.missing, item.doubtful) == (3, 3) and strict.result == 0
    assert set(strict.left_out().to_polars()["state"]) == {"missing", "doubtful"}


def test_documents_have_columns_of_confidence_on_request(invoices):
    plain = invoices.documents().to_arrow()
    sure = invoices.documents(confidence=True).to_polars()
    assert "year_confidence" not in plain.column_names
    assert sure.columns[sure.columns.index("year") + 1] == "year_confidence"
    assert sure["year_confidence"].null_count() == sure["year"].null_count() == 3
    assert 0.5 < sure["year_confidence"].min() <= sure["year_confidence"].max() <= 1
    pages = list(invoices.document_pages(4, confidence=True))
    assert [len(page) for page in pages] == [4, 2]
    assert "year_confidence" in pages[1].to_arrow().column_names


def test_the_command_lists_the_documents_behind_an_answer_and_those_left_out(
    run, backend, monkeypatch, capfd
):
    monkeypatch.setenv("WORKBENCH_API_KEY", backend.token)
    more = ["--evidence", "--left-out", "--url", backend.url]
    capfd.readouterr()
    assert main(["ask", "invoices", QUESTION, *more]) == 0
    out, error = capfd.readouterr()
    assert "Behind the answer: 2 documents" in error and "Left out: 3 documents" in error
    assert out.count("\t2018\tused\t0.") == 2 and out.count("\tmissing\t") == 3
    assert main(["ask", "invoices", QUESTION, "--json", *more]) == 0
    answer = json.loads(capfd.readouterr()[0])
    assert (answer["evidence"]["total"], answer["left_out"]["total"]) == (2, 3)
    assert answer["evidence"]["values"][0]["confidence"] > 0.5


def test_the_command_lists_the_evidence_of_one_row(run, backend, monkeypatch, capfd):
    monkeypatch.setenv("WORKBENCH_API_KEY", backend.token)
    grouped = ["ask", "invoices", "How many invoices per year?", "--url", backend.url]
    capfd.readouterr()
    assert main([*grouped, "--row", "1"]) == 0
    out, error = capfd.readouterr()
    count = int(out.splitlines()[1].split("\t")[1])
    assert f"Behind the answer: {count} document" in error and out.count("\tused\t") == count
    assert main([*grouped, "--row", "9"]) == 1
    assert "There is no row 9" in capfd.readouterr()[1]


def test_a_value_behind_a_number_is_shown_at_its_place(run, invoices):
    line = run.why(0)[0]
    excerpt = invoices.excerpt(line)
    assert excerpt.name == line.name and "2018" in excerpt.text


# -- files ----------------------------------------------------------------------------------------

NOTES = AnswerNotes(
    coverage=(Coverage(node_id=1, field="year", documents=6, missing=3, used=3),),
    bounds=Bounds(changeable=3, documents=6, low=2, high=5),
    sentences=("6 documents", "2 in 2018"),
)
LINES = ["6 documents · 2 in 2018", "The answer could be 2 to 5.", REMARK]


TABLE = pl.DataFrame({"result": [2]})


def written(form: str, notes: Sequence[str] = LINES) -> bytes:
    out = io.BytesIO()
    write_table(TABLE, form, out, notes)
    return out.getvalue()


def notes_of(metadata: dict[bytes, bytes]) -> list[str]:
    return json.loads(metadata[METADATA.encode()])


def test_parquet_has_the_notes_in_its_metadata():
    about = pyarrow.parquet.read_metadata(io.BytesIO(written("parquet")))
    assert notes_of(about.metadata) == LINES
    assert METADATA not in pl.read_parquet_metadata(io.BytesIO(written("parquet", [])))


def test_excel_gets_a_sheet_of_notes_only_if_there_are_notes():
    book = zipfile.ZipFile(io.BytesIO(written("xlsx")))
    assert 'name="Notes"' in book.read("xl/workbook.xml").decode()
    assert REMARK in book.read("xl/worksheets/sheet2.xml").decode()
    plain = zipfile.ZipFile(io.BytesIO(written("xlsx", [])))
    assert "Notes" not in plain.read("xl/workbook.xml").decode()


@pytest.mark.parametrize("form", ["csv", "jsonl", "arrow"])
def test_files_for_programs_are_unchanged_and_have_their_notes_beside_them(form):
    assert written(form) == written(form, [])
    assert notes_beside(LINES, form).splitlines() == LINES
    assert notes_beside(LINES, "xlsx") == ""


def test_a_result_as_a_table_carries_its_notes(run):
    assert REMARK in notes_of(run.to_arrow().schema.metadata)
    assert REMARK in run.remarks()


def test_what_was_ignored_in_a_question_stays_with_its_answer(invoices, tmp_path):
    plan = invoices.plan("How many invoices have the year 2018, roughly?")
    [ignored] = plan.report.warnings
    assert "“roughly”" in ignored
    done = plan.run()
    assert ignored in done.remarks() and ignored in done._repr_html_()
    done.write(tmp_path / "answer.csv")
    assert ignored in (tmp_path / "answer.csv.notes").read_text().splitlines()


def test_what_was_ignored_in_feedback_stays_with_its_answer(invoices):
    edited = invoices.plan(QUESTION).edit("only those from 2019, roughly")
    [refused] = edited.report.not_applied
    assert refused.clause == "roughly"
    assert f"“roughly”: {refused.reason}" in edited.run().remarks()


def test_the_range_of_a_share_is_in_percent_like_the_share(invoices):
    done = invoices.ask("What share of the invoices has the year 2018?")
    assert repr(done) == "Run(33.3 % ⚠ could be 33.3 % to 83.3 %)"


def test_a_number_asked_for_in_percent_is_in_percent_everywhere_and_shown_the_same(invoices):
    done = invoices.ask("What percentage of the invoices has the year 2018?")
    assert done.result == pytest.approx(100 / 3)
    assert (done.bounds.low, done.bounds.high) == pytest.approx((100 / 3, 250 / 3))
    assert done.to_polars().to_dicts() == [{"result": pytest.approx(100 / 3)}]
    assert repr(done) == "Run(33.3 % ⚠ could be 33.3 % to 83.3 %)"
    assert any("33.3 %" in remark for remark in done.remarks())
