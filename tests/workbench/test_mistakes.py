"""Mistakes in a cell: one sentence, the nearest right name, a short traceback."""

import re
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from workbench import Workbench, connect
from workbench.client import Invalid, Mistake, SourceUnreadable, UnknownName, WorkbenchError
from workbench.objects import DocSet


@pytest.fixture(scope="module")
def docset(client: Workbench) -> DocSet:
    made = client.docsets.create("mistakes", schema={"state": str, "year": int})
    made.add(b"State: Alaska\nYear: 2020", name="a.txt", progress=False)
    return made


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda d: d.search("ice", kind="hibrid"), "kind='hibrid'. Did you mean 'hybrid'?"),
        (lambda d: d.search("ice", kind="fuzzy"), "There are: keyword, lexical, vector, hybrid."),
        (lambda d: d.search("ice", return_type="elements"), "Did you mean 'element'?"),
        (lambda d: d.search("ice", limit=-3), "limit must be a whole number, at least 1; it is -3"),
        (lambda d: d.search("ice", limit=2.5), "it is 2.5"),
        (lambda d: d.documents(limit=10**20), "limit must be a whole number, between 1 and 9,223"),
        (lambda d: d.search("  "), "The query is empty"),
        (lambda d: d.search(), "There is nothing to search for: give a query"),
        (lambda d: d.search(3), "The query must be a text, not 3"),
        (lambda d: d.hit_pages("ice", size=0), "between 1 and 1,000"),
        (lambda d: d.hit_pages("ice", kind="vectors"), "Did you mean 'vector'?"),
        (lambda d: d.documents(limit=-1), "limit must be"),
        (lambda d: d.document_pages(size=5000), "it is 5000"),
        (lambda d: d.facets("state", top=-1), "top must be"),
        (lambda d: d.facets("state", query="x", kind="lexcal"), "Did you mean 'lexical'?"),
        (lambda d: d.add(3), "Files are added by path"),
        (lambda d: d.plan(" "), "The question is empty"),
        (lambda d: d.search("half \ud800"), "query is wrong: input should be a valid string"),
        (lambda d: d.plan(5), "The question must be a text; it is 5."),
        (lambda d: d.search("ice", where=5), "where must be a text; it is 5."),
        (lambda d: d.document(5), "The name or id of a document must be a text; it is 5."),
        (lambda d: d.complete("sta", -5), "cursor is wrong: input should be greater than"),
        (lambda d: d.to_review(below="x"), "below is wrong: input should be a valid number"),
        (lambda d: d.take_plan({"a": 1}), "nodes is wrong: field required."),
        (lambda d: d.merge("state", []), "There is no value to merge."),
        (lambda d: d.merge("state", "Ohio"), "for a single one write ['Ohio']"),
        (lambda d: d.drop_properties("year"), "for a single one write ['year']"),
        (lambda d: d.accept_changes([5]), "5 is not one of them"),
        (lambda d: d.accept_changes(5), "changes must be a list; it is 5"),
        (lambda d: d.reread("st"), "for a single one write ['st']"),
        (lambda d: d.evidence(properties="st"), "for a single one write ['st']"),
        (lambda d: d.search("ice", fields="state"), "for a single one write ['state']"),
        (lambda d: d.submit(5), "Files are added by path, pattern, URL or as bytes, not 5"),
        (lambda d: d.submit(b"x", name=5), "name must be a text; it is 5"),
        (lambda d: d.add(b"x", name=5, progress=False), "name must be a text; it is 5"),
        (lambda d: d.add(b"x", options=5, progress=False), "must be partition options by name"),
        (lambda d: connect(5, "x"), "url must be a text; it is 5"),
        (lambda d: connect("http://127.0.0.1:1", 5), "contains an invalid character"),
        (lambda d: connect("http://[::1", "x"), "is not a server address: Invalid IPv6 URL"),
        (lambda d: connect("http://127.0.0.1:99999", "x"), "Port out of range"),
        (lambda d: connect("127.0.0.1:80", "x"), "did you mean 'http://127.0.0.1:80'?"),
    ],
)
def test_an_invalid_argument_is_refused_before_anything_is_sent(
    docset: DocSet, monkeypatch: pytest.MonkeyPatch, call: Callable[[Any], Any], sentence: str
):
    monkeypatch.setattr("workbench.client.wire.Wire.answer", None)
    with pytest.raises(Mistake) as refused:
        call(docset)
    assert sentence in str(refused.value) and "\n" not in str(refused.value)
    assert isinstance(refused.value, ValueError)


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda frame: frame["name", "state"], "Rows are chosen by number, a column by name"),
        (lambda frame: frame[1.5], "not by 1.5"),
        (lambda frame: frame["a":], "not by slice('a', None, None)"),
        (lambda frame: frame.plot(5), "There is no column 5"),
        (lambda frame: frame.plot("state", kind="pie"), "There is no kind='pie'"),
        (lambda frame: frame[:0].plot("state"), "there are no rows"),
        (lambda frame: frame.write(5), "Pass the path of a file, not 5"),
    ],
)
def test_a_frame_refuses_what_is_no_row_column_or_file(
    docset: DocSet, call: Callable[[Any], Any], sentence: str
) -> None:
    with pytest.raises(Mistake, match=re.escape(sentence)):
        call(docset.documents())


def test_an_array_of_numpy_is_a_list_of_values(client: Workbench) -> None:
    made = client.docsets.create("arrays", schema={"marks": list[int], "year": int})
    made.add(b"x", name="a.txt", progress=False)
    made.set_property("a.txt", "marks", np.array([1, 2])).set_property("a.txt", "year", np.int64(7))
    assert made.document("a.txt").properties == {"marks": [1, 2], "year": 7}
    with pytest.raises(Mistake, match="'year' is of type int"):
        made.set_property("a.txt", "year", np.array([1, 2]))
    with pytest.raises(UnknownName, match="There is no property 5"):
        made.set_property("a.txt", 5, 1)  # type: ignore[arg-type]


def test_a_non_text_names_no_docset(client: Workbench) -> None:
    for wrong in (10**6, None):
        with pytest.raises(Mistake, match="name or id of a DocSet must be a text"):
            client.docsets[wrong]  # type: ignore[index]


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda d: d.search("ice", where="stat = 'x'"), "did you mean properties.entity.state"),
        (lambda d: d.facets("yer"), "did you mean properties.entity.year"),
        (lambda d: d.drop_properties(["yer"]), "did you mean properties.entity.year"),
    ],
)
def test_a_wrong_property_is_answered_with_the_nearest(docset, call, sentence):
    with pytest.raises(Invalid) as refused:
        call(docset)
    assert sentence in str(refused.value)
    assert [prop.name for prop in docset.schema.properties] == ["state", "year"]


@pytest.mark.parametrize(
    "call",
    [
        lambda d: d.search("ice", kind="hibrid"),
        lambda d: d.search("ice", where="state =="),
        lambda d: d.plan("frobnicate the quux"),
        lambda d: d.excerpt("nothing"),
        lambda d: next(d.hit_pages("ice", where="nothing = 1")),
        lambda d: connect("http://127.0.0.1:9", "x").docsets,
    ],
)
def test_the_traceback_has_only_a_few_lines_of_ours(docset, call):
    with pytest.raises(WorkbenchError) as refused:
        call(docset)
    error = refused.value
    assert error.__cause__ is None
    assert error.__context__ is None or error.__suppress_context__
    frames = [frame for frame in traceback.extract_tb(error.__traceback__)
              if frame.filename != __file__]  # fmt: skip
    assert len(frames) <= 3 and all("workbench/objects" in frame.filename for frame in frames)


def test_a_missing_path_in_a_list_is_reported_at_the_end_and_the_others_are_added(
    client: Workbench, tmp_path: Path
):
    (tmp_path / "one.txt").write_text("Words about ice.")
    (tmp_path / "two.txt").write_text("Words about fuel.")
    docset = client.docsets.create("partly missing")
    added = docset.add(
        [tmp_path / "one.txt", tmp_path / "oen.txt", tmp_path / "two.txt"], progress=False
    )
    assert [item.stage for item in added] == ["done", "failed", "done"] and len(docset) == 2
    assert added.failed[0].error.endswith("oen.txt. Did you mean one.txt?")
    assert "1 failed" in repr(added) and "oen.txt" in repr(added)
    with pytest.raises(SourceUnreadable, match=r"Did you mean one\.txt"):
        docset.add(tmp_path / "oen.txt", progress=False)


def test_the_progress_counts_a_missing_path_as_done(tmp_path: Path):
    import io

    from rich.console import Console

    from workbench.objects.adding import collect
    from workbench.objects.progress import showing_additions

    files = collect([tmp_path / "gone.txt"])
    console = Console(file=io.StringIO(), force_terminal=True, color_system=None, width=300)
    with showing_additions(files, console=console) as shown:
        shown(0, files[0])
    assert "There is no file" in console.file.getvalue()
    assert "1/1" in console.file.getvalue()
