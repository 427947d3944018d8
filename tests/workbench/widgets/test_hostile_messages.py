"""Messages that no page of ours sends are ignored or refused in a sentence, and work goes on."""

import os
import re
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest

from tests.sample_reports import write_reports
from tests.workbench.widgets.at_rest import ask, until
from workbench import Workbench
from workbench.contract.location import data_dir
from workbench.demo.documents import DEMO_SCHEMA
from workbench.objects import DocSet
from workbench.sessions.gather import Gathered
from workbench.widgets import (
    DocSetPicker,
    ElementViewer,
    PlanEditor,
    Reviewer,
    SearchBox,
    TaskMonitor,
    Uploader,
)
from workbench.widgets.message import Message
from workbench.widgets.view import View

_VALUES = (True, -1, 99, 10**30, "", "x" * 100_000, [-1, 99], [None], {"a": 1}, "\ud800")
_FIELDS = {
    "ask": ("text",), "open": ("id",), "feedback": ("text",), "decide": ("key", "accept"),
    "go_to": ("number",), "compare": ("number",), "form": ("node",),
    "check": ("node", "fields", "inputs"), "save": ("node", "fields", "inputs"),
    "insert": ("node", "step"), "remove": ("node",), "values": ("node", "places"),
    "run": ("until",), "output": ("node", "offset"), "why": ("node", "row"),
    "left_out": ("node", "field"), "review": ("node", "field"), "merge": ("places",),
    "look": ("document", "page", "box", "element", "field"), "choose": ("place",),
    "page": ("page",), "value": ("place",), "pick": ("facet", "value"),
    "complete": ("text", "cursor"), "recall": ("place",), "cancel": ("task", "id"),
    "begin": ("file", "name", "size"), "piece": ("file",), "path": ("text",), "retry": ("id",),
    "forget": ("id",), "type": ("text",), "always": ("wanted",), "accept": ("id",),
    "refuse": ("id",),
}  # fmt: skip
_SOUND: dict[str, Any] = {
    "text": "how many reports?", "id": "x", "key": "x", "accept": True, "number": 1, "node": 0,
    "fields": {}, "step": "Limit", "places": [0], "offset": 0, "row": 0, "field": "state",
    "document": "x", "page": 1, "place": 0, "facet": 0, "value": 0, "cursor": 0, "task": "x",
    "inputs": "0", "until": 0,
    "file": 1, "name": "a.txt", "size": 3, "wanted": False, "box": None, "element": None,
}  # fmt: skip
_RAW = re.compile(r"Error\b|^\S+$|Traceback|pydantic|NoneType|Errno|invalid literal|out of range")
"""What shows that an exception was not meant for people."""
_LONGEST = 400


@pytest.fixture(scope="module")
def reports(client: Workbench, tmp_path_factory: pytest.TempPathFactory) -> DocSet:
    folder = tmp_path_factory.mktemp("reports")
    write_reports(folder, count=4)
    docset = client.docsets.create("attacked reports", schema=DEMO_SCHEMA)
    assert not docset.add(folder, progress=False).failed
    return docset


def _widgets(reports: DocSet, client: Workbench) -> dict[str, View]:
    editor = PlanEditor(reports, "How many accidents were there in each state?")
    viewer = ElementViewer(reports, next(iter(reports.documents())).doc_id)
    made: dict[str, View] = {
        "editor": editor, "viewer": viewer, "box": SearchBox(reports, "ice"),
        "reviewer": Reviewer(reports, below=None), "picker": DocSetPicker(client),
        "tasks": TaskMonitor(client), "uploader": Uploader(reports),
    }  # fmt: skip
    until(lambda: editor.steps and viewer.title)
    ask(editor, "run")
    return made


def _hostile(kind: str) -> Iterator[dict[str, Any]]:
    """Fields missing, and each with values that no page of ours sends."""
    fields = _FIELDS.get(kind, ())
    yield {}
    for name in fields:
        sound = {one: _SOUND[one] for one in fields}
        yield {one: value for one, value in sound.items() if one != name}
        for value in _VALUES:
            yield {**sound, name: value}


@pytest.mark.parametrize(
    "name", ["editor", "viewer", "box", "reviewer", "picker", "tasks", "uploader"]
)
def test_hostile_messages_are_ignored_or_refused_in_a_sentence(
    reports: DocSet, client: Workbench, name: str
) -> None:
    widget = _widgets(reports, client)[name]
    wrong = []
    for kind in widget._handlers:
        for fields in _hostile(kind):
            widget.trouble = ""
            ask(widget, kind, **fields)
            if _RAW.search(widget.trouble) or len(widget.trouble) > _LONGEST:
                wrong.append((kind, str(fields)[:80], widget.trouble[:200]))
    assert wrong == []


def test_an_unknown_question_leaves_the_present_one_in_place(
    reports: DocSet, client: Workbench
) -> None:
    editor = PlanEditor(reports, "How many accidents were there in each state?")
    until(lambda: editor.steps)
    before = editor.question, editor.steps
    ask(editor, "open", id="0123456789abcdef")
    assert (editor.question, editor.steps) == before
    assert editor.trouble == "What was chosen is no longer there: choose again."


def test_a_choice_sent_twice_is_made_once(reports: DocSet) -> None:
    editor = PlanEditor(reports, "How many accidents were there in each state?")
    until(lambda: editor.steps)
    chosen: list[Any] = []
    readings: Any = ("first", "second")
    editor._readings, editor._take_reading = readings, chosen.append
    for _ in range(2):
        ask(editor, "choose", place=1)
    assert chosen == ["second"] and "no longer there" in editor.trouble


def test_a_dropped_name_is_cut_to_the_bytes_of_file_systems(reports: DocSet) -> None:
    uploader = Uploader(reports)
    ask(uploader, "begin", file=1, name="\u5831" * 100 + ".txt", size=5)
    assert uploader.trouble == ""
    (line,) = [file for file in uploader.files if file["stage"] == "receiving"]
    assert line["name"].endswith("\u5831.txt") and len(line["name"].encode()) <= 255


def test_parts_of_dropped_files_do_not_stay_for_ever(reports: DocSet) -> None:
    dropped = data_dir() / "dropped"
    uploader = Uploader(reports)
    for _ in range(2):  # a begin sent twice
        ask(uploader, "begin", file=1, name="a.txt", size=5)
    assert len(list(dropped.glob("*.part"))) == 1
    uploader.close()
    assert list(dropped.glob("*.part")) == []
    for name, age in (("old", 90_000), ("new", 60)):
        part = dropped / f"{name}.part" / "a.txt"
        part.parent.mkdir()
        part.write_bytes(b"x")
        for place in (part, part.parent):
            os.utime(place, (time.time() - age,) * 2)
    Uploader(reports)
    assert [part.name for part in dropped.glob("*.part")] == ["new.part"]


def test_a_piece_beyond_the_announced_size_is_refused(reports: DocSet) -> None:
    uploader = Uploader(reports)
    ask(uploader, "begin", file=1, name="b.txt", size=5)
    ask(uploader, "piece", (b"x" * 20,), file=1)
    assert uploader.trouble == "b.txt is larger than announced: add it again."
    assert [file["name"] for file in uploader.files if file["name"] == "b.txt"] == []


@pytest.mark.parametrize("size", [2**40, -1])
def test_a_size_that_the_server_refuses_is_refused_when_it_is_announced(
    reports: DocSet, size: int
) -> None:
    uploader = Uploader(reports)
    parts = list((data_dir() / "dropped").glob("*.part"))
    ask(uploader, "begin", file=1, name="c.txt", size=size)
    sentence = r"has 1,099,511,627,776 bytes; the server accepts at most 536,870,912\."
    assert re.search(sentence if size > 0 else "no usable “size”", uploader.trouble)
    assert uploader._dropped == {}
    assert list((data_dir() / "dropped").glob("*.part")) == parts


def test_a_disk_that_takes_no_more_is_named_and_the_part_given_up(reports: DocSet) -> None:
    uploader = Uploader(reports)
    ask(uploader, "begin", file=1, name="d.txt", size=5)
    uploader._dropped[1].path.unlink()
    uploader._dropped[1].path.symlink_to("/dev/full")
    ask(uploader, "piece", (b"x" * 5,), file=1)
    assert (
        uploader.trouble == "d.txt cannot be written here: No space left on device. Add it again."
    )
    assert uploader._dropped == {}


def test_other_messages_are_answered_while_a_folder_is_looked_through(
    reports: DocSet, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, end = threading.Event(), threading.Event()

    def slow(text: str) -> Gathered:
        begun.set()
        assert end.wait(60)
        return Gathered((), ())

    monkeypatch.setattr("workbench.widgets.uploader.gather", slow)
    uploader = Uploader(reports)
    uploader._received(uploader, {"kind": "path", "text": "/usr"}, ())
    assert begun.wait(60)
    uploader.start(uploader._retry(Message({}), ())).result(60)
    end.set()
    until(lambda: not uploader.busy)


def test_changes_are_not_accepted_before_there_are_any(client: Workbench) -> None:
    reviewer = Reviewer(client.docsets.create("never read again"), below=None)
    for kind in ("accept", "refuse", "undo"):
        ask(reviewer, kind)
        assert reviewer.trouble.startswith("The documents have not been read again yet"), kind
