"""Rules for every frame: the same names, files that read back, joins on `doc_id`."""

import io
import shutil
import zipfile
from pathlib import Path
from xml.etree import ElementTree

import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet
import pytest
from polars.testing import assert_series_equal

from tests.sample_reports import write_reports
from workbench import Workbench
from workbench.client import Mistake
from workbench.demo.documents import DEMO_SCHEMA
from workbench.frames import Frame
from workbench.objects import DocSet

CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")
NAMES = [
    "documents", "sure documents", "hits", "element hits", "projected hits", "elements", "tables",
    "table rows", "table", "found documents", "groups", "groups by two", "groups by month",
    "number", "step", "trace", "why", "docsets", "tasks", "added",
    "facets", "facet rows", "facet rows of one", "to review",
]  # fmt: skip


@pytest.fixture(scope="module")
def frames(client: Workbench, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Frame]:
    folder = tmp_path_factory.mktemp("reports")
    write_reports(folder, count=8)
    docset = client.docsets.create("every frame", schema=DEMO_SCHEMA)
    added = docset.add(folder, progress=False)
    groups = ask(docset, "How many reports are there for each state?")
    table = next(table for table in docset.tables() if len(table))
    frames = {
        "documents": docset.documents(),
        "sure documents": docset.documents(confidence=True),
        "hits": docset.search("wind"),
        "element hits": docset.search("wind", return_type="element"),
        "projected hits": docset.search("wind", fields=["doc_id", "$.properties.entity.state"]),
        "elements": docset.elements(),
        "tables": docset.tables(),
        "table rows": docset.tables().rows(),
        "table": table,
        "found documents": ask(docset, "Which 3 reports have the highest damage cost?"),
        "groups": groups,
        "groups by two": ask(docset, "How many reports are there for each state and phase?"),
        "groups by month": ask(docset, "How many reports are there per month?"),
        "number": ask(docset, "How many reports are there?"),
        "step": groups[2],
        "trace": groups.trace,
        "why": groups.why(0),
        "docsets": client.docsets,
        "tasks": client.tasks,
        "added": added,
        "facets": docset.facets(),
        "facet rows": docset.facets("state", "event_date").rows(),
        "facet rows of one": docset.facets("event_date").rows(),
        "to review": docset.to_review(below=None),
    }
    assert list(frames) == NAMES
    return frames


def ask(docset: DocSet, question: str) -> Frame:
    return docset.plan(question).run()


@pytest.fixture(params=NAMES)
def frame(request: pytest.FixtureRequest, frames: dict[str, Frame]) -> Frame:
    return frames[request.param]


def plain(table: pa.Table) -> list[str]:
    """The columns with neither lists nor objects, nor structured text."""
    nested = (pa.types.is_nested, pa.types.is_fixed_size_list)
    return [field.name for field in table.schema if not any(is_(field.type) for is_ in nested)]


def test_parquet_reads_back_as_the_frame(frame, tmp_path):
    path = frame.write(tmp_path / "x.parquet")
    assert pl.read_parquet(path).equals(frame.to_polars())
    table = frame.to_arrow()
    assert pyarrow.parquet.read_table(path).cast(table.schema).equals(table)
    assert path == tmp_path / "x.parquet"


def test_csv_reads_back_with_the_same_columns_and_values(frame, tmp_path):
    table = frame.to_arrow()
    kinds = dict(zip(table.column_names, frame.to_polars().dtypes, strict=True))
    read = pl.read_csv(frame.write(tmp_path / "x.csv"), infer_schema=False)
    assert read.columns == table.column_names and read.height == len(frame)
    for name in plain(table):
        ours, theirs = frame.to_polars()[name], read[name]
        if kinds[name].is_numeric():
            assert_series_equal(theirs.cast(kinds[name]), ours, rel_tol=1e-14, abs_tol=0)
        elif kinds[name] == pl.Date:
            assert theirs.str.to_date().to_list() == ours.to_list()
        else:
            assert theirs.null_count() <= ours.null_count() + (ours.cast(pl.String) == "").sum()


def test_excel_has_every_row_below_the_names_of_the_columns(frame, tmp_path):
    book = zipfile.ZipFile(frame.write(tmp_path / "x.xlsx"))
    root = ElementTree.fromstring(book.read("xl/worksheets/sheet1.xml"))
    shared = []
    if "xl/sharedStrings.xml" in book.namelist():
        texts = ElementTree.fromstring(book.read("xl/sharedStrings.xml"))
        shared = ["".join(t.text or "" for t in si.iterfind(".//{*}t")) for si in texts]
    rows = root.findall(".//{*}row")
    assert len(rows) == len(frame) + 1
    head = [
        shared[int(cell.findtext("{*}v"))] if cell.get("t") == "s" else cell.findtext(".//{*}t")
        for cell in rows[0]
    ]
    assert head == frame.columns


def test_pandas_has_real_dates_and_integers(frame):
    table, converted = frame.to_arrow(), frame.to_pandas()
    assert list(converted.columns) == table.column_names and len(converted) == len(frame)
    for field in table.schema:
        kind = converted[field.name].dtype
        if pa.types.is_date(field.type):
            assert pd.api.types.is_datetime64_dtype(kind)
        if pa.types.is_integer(field.type):
            assert pd.api.types.is_integer_dtype(kind)
        if pa.types.is_boolean(field.type):
            assert pd.api.types.is_bool_dtype(kind)
    read = pd.read_csv(io.StringIO(converted.to_csv(index=False)))
    assert list(read.columns) == table.column_names
    arrow = frame.to_pandas(arrow=True)
    assert all(isinstance(kind, pd.ArrowDtype) for kind in arrow.dtypes)


def test_a_frame_about_documents_joins_the_documents(frame, frames):
    table = frame.to_polars()
    if "doc_id" not in table.columns:
        return
    documents = frames["documents"].to_polars()
    known = documents["doc_id"].to_list()
    joined = table.join(documents, on="doc_id", how="inner", suffix="_of_document")
    assert joined.height == table.filter(pl.col("doc_id").is_in(known)).height > 0
    if "name" in table.columns:
        assert joined["name"].to_list() == joined["name_of_document"].to_list()


def test_one_thing_has_one_name_in_every_frame(frame):
    assert not {"path", "key", "parent_id", "page_count"} & set(frame.columns)
    assert not [name for name in frame.columns if name.startswith("properties.")]


def test_groups_are_columns_of_their_own_names(frames):
    assert frames["groups"].columns == ["state", "count"]
    assert frames["groups by two"].columns == ["state", "phase", "count"]
    assert frames["groups by month"].columns == ["event_date_month", "count"]
    assert frames["step"].columns == ["state", "count", "doc_ids"]


def test_an_unknown_extension_is_refused_and_nothing_is_written(frames, tmp_path):
    with pytest.raises(Mistake, match=r"end it in one of \.parquet, \.csv"):
        frames["documents"].write(tmp_path / "x.doc")
    assert list(Path(tmp_path).iterdir()) == []


@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine")
def test_everything_is_low_and_readable_in_a_notebook(client, frames, tmp_path):
    pytest.importorskip(
        "websocket", reason="websocket-client (it comes with JupyterLab) is missing"
    )
    from tests.browser.drawn_reprs import check_drawn

    docset = client.docsets["every frame"]
    plan = docset.plan("How many reports are there for each state?")
    fewer = plan.edit("only those with a wind speed of at least 10")
    objects = {
        "workbench": client,
        "docset": docset,
        "document": docset.document(docset.documents()[0].doc_id),
        "plan": fewer,
        "plan changes": fewer - plan,
    }
    check_drawn({name: one._repr_html_() for name, one in {**frames, **objects}.items()}, tmp_path)


def test_the_notes_of_an_answer_go_beside_a_csv_file(frames, tmp_path):
    frames["groups"].write(tmp_path / "states.csv")
    assert (tmp_path / "states.csv.notes").read_text("utf-8").strip()
