"""How each screen looks at the smallest size, at the one it is designed for, and on a large one.

WRITE_PICTURES=1 stores the pictures anew; look at them before they are committed.
"""

import pytest
from textual.widgets import Input

from tests.tui.fake_client import task
from tests.tui.test_screens import settle, type_in
from workbench.tui.preferences import Preferences

SIZES = {"80x24": (80, 24), "120x40": (120, 40), "200x60": (200, 60)}

# What is pressed before the picture is taken; a text in brackets is typed and entered.
ASKED = ["enter", "6", "[which state had most?]"]
SCREENS: dict[str, list[str]] = {
    "docsets": [],
    "documents": ["enter"],
    "viewer": ["enter", "enter", "j"],
    "review": ["enter", "r", "enter", "2", "j"],
    "uploads": ["3"],
    "tasks": ["4", "j"],
    "search": ["enter", "5", "[ice on the wing]", "j"],
    "plans": [*ASKED, "e", "[by state, top 5]", "n", "r"],
    "evidence": [*ASKED, "r", "t"],
    "settings": ["7"],
}
PARTS: dict[str, list[str]] = {
    "condition": ["enter", "5", "escape", "c", "y", "e"],
    "help": ["question_mark"],
    "asked": ASKED,
    "node": [*ASKED, "g", "j", "enter"],
    "compared": [*ASKED, "r", "e", "[by state, top 5]", "r", "D", "enter"],
    "answer": ["enter", "5", "[where was ice?]", "a"],
    "export": ["enter", "5", "[ice on the wing]", "e"],
}
"""Dialogs and states of a screen, at one size."""

PICTURES = [(name, size, steps) for name, steps in SCREENS.items() for size in SIZES]
PICTURES += [(name, "120x40", steps) for name, steps in PARTS.items()]


def some_uploads(folder):
    """One upload in each state that rests."""

    def prepare(workspace):
        papers = []
        for name in ("accepted", "broken", "copied"):
            paper = folder / f"{name}.pdf"
            paper.write_bytes(b"x" * 1000)
            papers.append(paper)
        done, failed, copy = workspace.queue.add("wb:ds-1", papers)
        workspace.queue.change(done.id, "done", doc_id="wb:f-1")
        workspace.queue.change(failed.id, "failed", reason="The PDF is encrypted.")
        workspace.queue.change(copy.id, "duplicate", reason="Same content as accepted.pdf.")

    return prepare


@pytest.mark.parametrize(
    ("name", "size", "steps"), PICTURES, ids=[f"{name}-{size}" for name, size, _ in PICTURES]
)
async def test_a_screen_matches_its_snapshot(
    name, size, steps, make_app, client, tmp_path, matches_snapshot
):
    client.progress = [
        task(1, done=3, total=12, unit="pages"),
        task(2, "queued", started=None),
        task(3, "done", finished=1_699_999_900.0, outcome=415, message="Not a kind I can read."),
    ]
    app = make_app(
        prepare=some_uploads(tmp_path), preferences=Preferences(pictures="boxes", auto_run=False)
    )
    async with app.run_test(size=SIZES[size]) as pilot:
        await settle(pilot)
        for step in steps:
            if step.startswith("["):
                await type_in(pilot, step[1:-1])
            else:
                await pilot.press(step)
                await settle(pilot)
        await pilot.pause(0.3)
        if name == "settings":  # the folder is another one each time
            pane = app.screen.query_one("#list-pane")
            pane.retitle("Settings")
        if name == "uploads":
            app.screen.query_one("#about").update("")
        for field in app.screen.query(Input):  # a cursor that blinks is another picture each time
            field.cursor_blink = False
        await pilot.pause()
        matches_snapshot(app, f"{name}-{size}")
