"""Values are reviewed in a notebook, and what that teaches is listed, accepted and undone."""

from typing import Any

import pytest

from tests.workbench.widgets.at_rest import ask, until
from tests.workbench.widgets.browser_side import CHROMIUM, EVIL, play
from workbench import DocSet, Workbench
from workbench.widgets import Reviewer

WORDS = ("amber", "basalt", "cobalt", "dahlia", "ember")
"""Nothing in these words or in the labels before them says which property they belong to."""


@pytest.fixture
def docset(client: Workbench, request: pytest.FixtureRequest) -> DocSet:
    made = client.docsets.create(request.node.name, schema={"berth": str})
    for number, word in enumerate(WORDS):
        text = f"Watch report {number}\n\nZq: {word}\n\nZx: Heron House\n"
        made.add(text.encode(), name=f"{number}.md", progress=False)
    return made


def berths(docset: DocSet) -> dict[str, Any]:
    documents = docset.documents()
    return dict(zip(documents["name"], documents["berth"], strict=True))


def test_values_are_decided_and_the_others_follow_and_it_is_all_undone(docset: DocSet) -> None:
    widget = Reviewer(docset, below=None)
    until(lambda: widget.options)
    assert widget.progress["words"] == "1 of 5"
    until(lambda: widget.boxes)  # a file without pages is shown as text
    for _ in range(3):
        number = int(widget.value["name"][0])
        ask(widget, "type", text=WORDS[number])
    ask(widget, "skip")
    ask(widget, "skip")
    assert widget.progress["ended"] and "3 of 5 checked · 3 changed" in widget.progress["words"]
    until(lambda: sum(value is not None for value in berths(docset).values()) == 3)
    before = berths(docset)
    ask(widget, "reread")
    assert [item["after"] for item in widget.changes["items"]] == [
        word for number, word in enumerate(WORDS) if before[f"{number}.md"] is None
    ]
    ask(widget, "accept", id=widget.changes["items"][0]["id"])
    ask(widget, "accept")
    assert berths(docset) == {f"{number}.md": word for number, word in enumerate(WORDS)}
    ask(widget, "undo")
    assert berths(docset) == before and len(widget.changes["items"]) == 2


def test_going_back_shows_the_choice_and_allows_another(docset: DocSet) -> None:
    widget = Reviewer(docset, below=None)
    until(lambda: widget.options)
    first = widget.value["name"]
    ask(widget, "none")
    assert widget.value["name"] != first
    ask(widget, "back")
    assert widget.value["name"] == first
    assert [one["chosen"] for one in widget.options][:1] == [True]
    ask(widget, "type", text="Gannet Steps")
    until(lambda: berths(docset)[first] == "Gannet Steps")
    assert "Reviewer" in repr(widget) and "2 of 5" in str(widget.snapshot())


def test_a_switch_has_the_docset_reread_after_each_correction(docset: DocSet) -> None:
    widget = Reviewer(docset, below=None)
    until(lambda: widget.options)
    assert not widget.always
    ask(widget, "always", wanted=True)
    assert widget.always
    assert (docset.refresh().metadata.properties or {})["reread_after_corrections"] is True
    other = Reviewer(docset, below=None)
    until(lambda: other.always)
    ask(widget, "always", wanted=False)
    assert not widget.always


@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium on this machine")
def test_keys_decide_and_text_of_documents_is_never_markup(tmp_path: Any) -> None:
    state = {
        "progress": {"words": "2 of 9", "share": 0.1, "ended": False, "changed": 1},
        "value": {"field": "berth", "name": EVIL, "kind": "string", "description": EVIL},
        "options": [
            {"key": "enter", "words": "no value", "none": True, "sure": "", "page": None,
             "quote": ["", "", ""], "chosen": False},
            {"key": "1", "words": EVIL, "none": False, "sure": "0.41", "page": 1,
             "quote": ["at ", EVIL, " today"], "chosen": False},
        ],
        "shown_choice": 0, "page": {"number": 1, "of": 0, "box": None, "element": "e1"},
        "picture": None, "boxes": [{"id": "e1", "kind": "Text", "text": EVIL}],
        "changes": {"words": "1 open", "accepted": 0, "items": [
            {"id": 7, "name": EVIL, "field": "berth", "before": "no value", "after": EVIL,
             "sure": "0.80", "page": 1, "quote": EVIL}]},
    }  # fmt: skip
    played = play(tmp_path, Reviewer, state, """
        const outer = find(".wb-reviewer");
        const press = (key) => outer.dispatchEvent(new KeyboardEvent("keydown", { key }));
        for (const key of ["Enter", "1", "2", "n", "s", "b"]) press(key);
        find("form input").value = "Old Dock";
        find("form").requestSubmit();
        find(".wb-change button").click();
        find("input[type=checkbox]").click();
        return [el.querySelectorAll("img:not(.wb-page img)").length, find("mark").textContent];
    """)  # fmt: skip
    kinds = [(one["kind"], one.get("place", one.get("id"))) for one in played["sent"]]
    assert kinds == [
        ("choose", 0), ("choose", 1), ("none", None), ("skip", None), ("back", None),
        ("type", None), ("accept", 7), ("always", None),
    ]  # fmt: skip
    assert played["answer"] == [0, EVIL]
