"""From a notebook: the least certain values, rereading, and undoing accepted changes."""

from pathlib import Path

import pytest

from workbench import DocSet, Workbench
from workbench.client import Invalid, UnknownName

QUAYS = ("Kestrel Quay", "North Mole", "Long Pier", "Old Dock", "Sandy Hythe")


@pytest.fixture(scope="module")
def reports(client: Workbench, tmp_path_factory: pytest.TempPathFactory) -> DocSet:
    folder: Path = tmp_path_factory.mktemp("watch")
    for number, quay in enumerate(QUAYS):
        text = f"Watch report {number}\n\nZq: {quay}\n\nZx: Heron House\n"
        (folder / f"{number}.md").write_text(text, "utf-8")
    docset = client.docsets.create("watch reports", schema={"berth": str})
    docset.add(folder, progress=False)
    return docset


def test_values_to_review_come_with_certainty_and_alternatives(reports: DocSet) -> None:
    docset = reports.clone()
    queue = docset.to_review(below=None)
    assert len(queue) == queue.total == 5
    assert list(queue["certainty"]) == sorted(queue["certainty"])
    docset.set_property("2.md", "berth", "Long Pier")
    assert "2.md" not in list(docset.to_review(["berth"], below=None)["name"])
    assert len(docset.to_review(below=None, limit=2)) == 2
    with pytest.raises(UnknownName, match="berth"):
        docset.to_review(["bert"])


def test_corrections_teach_and_their_effects_are_undone_in_one_step(reports: DocSet) -> None:
    docset = reports.clone()
    with pytest.raises(Invalid, match="nothing to reread"):
        docset.reread()
    assert len(docset.changes()) == docset.undo_changes() == 0
    for number in (0, 1, 2):
        docset.set_property(f"{number}.md", "berth", QUAYS[number])
    changes = docset.reread()
    assert {change.name: change.after.value for change in changes} == {
        "3.md": "Old Dock",
        "4.md": "Sandy Hythe",
    }
    refused = [change for change in changes if change.name == "3.md"]
    assert docset.refuse_changes(refused) == 1
    assert docset.accept_changes() == 1
    values = dict(zip(docset.documents()["name"], docset.documents()["berth"], strict=True))
    assert values["4.md"] == "Sandy Hythe" and values["3.md"] != "Old Dock"
    assert docset.undo_changes() == 1
    assert [change.name for change in docset.changes()] == ["4.md"]


async def test_the_same_works_awaited(client: Workbench, reports: DocSet) -> None:
    docset = await client.aio.docsets[reports.clone().id]
    await docset.set_property("0.md", "berth", QUAYS[0])
    await docset.set_property("1.md", "berth", QUAYS[1])
    changes = await docset.reread(["berth"])
    assert await docset.accept_changes(changes) == len(changes) > 0
    assert await docset.undo_changes() == len(changes)
