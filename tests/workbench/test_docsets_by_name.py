"""DocSets by name: a notebook can be rerun, and a name never leads to the wrong DocSet."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.backend_process import BackendProcess
from workbench import Workbench, connect
from workbench.client import AmbiguousName, Mistake, UnknownName


@pytest.fixture
def client(
    backend: BackendProcess, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Workbench]:
    monkeypatch.setenv("WORKBENCH_DATA_DIR", str(tmp_path))
    with connect(backend.url, backend.token) as opened:
        yield opened


def test_rerunning_a_notebook_uses_the_same_docset(client):
    first = client.docsets.create("run twice", schema={"year": int}, exist_ok=True)
    first.add(b"Year: 2020", name="a.txt", progress=False)
    again = client.docsets.create("run twice", schema={"year": int}, exist_ok=True)
    assert (again.id, len(again)) == (first.id, 1)
    with pytest.raises(Mistake, match=r"1 document, created .*exist_ok=True"):
        client.docsets.create("run twice")


def test_reusing_a_docset_with_other_properties_is_refused(client):
    client.docsets.create("other properties", schema={"year": int})
    with pytest.raises(Mistake, match=r"no property 'state'.*docset\.extract"):
        client.docsets.create("other properties", schema={"state": str}, exist_ok=True)
    with pytest.raises(Mistake, match="'year' is int, not date"):
        client.docsets.create("other properties", schema={"year": "date"}, exist_ok=True)


def test_an_id_is_that_of_its_docset_whatever_others_are_called(client):
    precious = client.docsets.create("precious")
    impostor = client.docsets.create(precious.id)
    try:
        assert client.docsets[precious.id].name == "precious"
        assert client.docsets.get(precious.id).name == "precious"
        assert client.docsets[impostor.id].name == precious.id
    finally:
        precious.delete()
        impostor.delete()


def test_an_ambiguous_name_lists_the_docsets_and_chooses_none(client):
    one = client.docsets.create("twin")
    two = one.clone()
    two.engine.run(lambda c: c.update_docset(two.id, two.metadata.model_copy(
        update={"name": "twin", "schema_": None})))  # fmt: skip
    for find in (client.docsets.__getitem__, client.docsets.get):
        with pytest.raises(AmbiguousName) as refused:
            find("twin")
        assert one.id in str(refused.value) and two.id in str(refused.value)
    with pytest.raises(AmbiguousName):
        client.docsets.create("twin", exist_ok=True)
    assert client.docsets[two.id].id == two.id


def test_a_wrong_name_is_answered_with_the_nearest(client):
    client.docsets.create("zeppelin ledgers")
    with pytest.raises(UnknownName) as refused:
        _ = client.docsets["zepelin ledgers"]
    assert str(refused.value) == (
        "There is no DocSet 'zepelin ledgers'. Did you mean 'zeppelin ledgers'?"
    )
    assert isinstance(refused.value, KeyError)


def test_docsets_are_a_frame_and_complete_their_names(client):
    made = client.docsets.create("listed", schema={"year": int})
    docsets = client.docsets
    row = next(row for row in docsets.to_polars().to_dicts() if row["docset_id"] == made.id)
    assert (row["name"], row["documents"], row["properties"]) == ("listed", 0, 1)
    assert "listed" in docsets._ipython_key_completions_() and "listed" in docsets
    assert len(docsets) == docsets.to_arrow().num_rows
