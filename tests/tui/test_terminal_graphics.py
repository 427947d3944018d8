"""Which pictures a terminal is given, by what it answers, and when they are drawn."""

import os
import pty
import threading

import pytest
from textual.widgets._toast import Toast

from tests.tui.test_screens import SIZE, settle, until
from workbench.tui import terminal_graphics
from workbench.tui.preferences import Preferences
from workbench.tui.terminal_graphics import Graphics, may_be_asked, read_answers
from workbench.tui.widgets.page_view import PageView

ANSWERS = {
    "kitty": (
        b"\x1b_Gi=31;OK\x1b\\\x1bP>|kitty(0.35.2)\x1b\\\x1b[6;18;8t\x1b[?62;c",
        Graphics("kitty", (8, 18)),
    ),
    "ghostty": (
        b"\x1b_Gi=31;OK\x1b\\\x1bP>|ghostty 1.1.3\x1b\\\x1b[6;21;10t\x1b[?62;22;52c",
        Graphics("kitty", (10, 21)),
    ),
    "wezterm": (
        b"\x1b_Gi=31;OK\x1b\\\x1bP>|WezTerm 20240203-110809-5046fc22\x1b\\\x1b[6;22;10t"
        b"\x1b[?65;4;6;18;22c",
        Graphics("sixel", (10, 22)),
    ),
    "foot": (
        b"\x1bP>|foot(1.17.2)\x1b\\\x1b[6;19;9t\x1b[?62;4;22c",
        Graphics("sixel", (9, 19)),
    ),
    "xterm": (
        b"\x1bP>|XTerm(390)\x1b\\\x1b[?64;1;2;6;9;15;16;17;18;21;22;28c",
        Graphics("halfblock"),
    ),
    "xterm as vt340": (
        b"\x1bP>|XTerm(390)\x1b\\\x1b[6;13;6t\x1b[?63;1;2;4;6;9;15;16;22;28;29c",
        Graphics("sixel", (6, 13)),
    ),
    "tmux": (b"\x1bP>|tmux 3.3a\x1b\\\x1b[?1;2c", Graphics("halfblock")),
    "kitty before placeholders": (
        b"\x1b_Gi=31;OK\x1b\\\x1bP>|kitty(0.26.5)\x1b\\\x1b[6;15;7t\x1b[?62;c",
        Graphics("halfblock", (7, 15)),
    ),
    "no size worth the name": (b"\x1b[6;0;0t\x1b[?62;4c", Graphics("halfblock")),
    "nothing": (b"", Graphics("halfblock")),
}


@pytest.mark.parametrize(("answers", "able"), ANSWERS.values(), ids=ANSWERS)
def test_a_terminal_is_given_the_best_that_it_answers_for(answers, able):
    assert read_answers(answers) == able


def test_the_tty_may_know_the_cell_size_that_the_terminal_does_not_report():
    assert read_answers(b"\x1b[?63;4c", (8, 15)) == Graphics("sixel", (8, 15))


@pytest.mark.parametrize(
    ("environment", "asked"),
    [
        ({"TERM": "xterm-kitty"}, True),
        ({"TERM": "xterm-256color"}, True),
        ({"TERM": "xterm-256color", "TMUX": "/tmp/tmux-0/default,1,0"}, False),
        ({"TERM": "tmux-256color"}, False),
        ({"TERM": "screen"}, False),
        ({"TERM": "linux"}, False),
        ({"TERM": "dumb"}, False),
        ({}, False),
    ],
)
def test_only_a_terminal_that_answers_for_itself_is_asked(environment, asked):
    assert may_be_asked(environment) == asked


def test_the_question_is_asked_on_the_line_and_ends_with_the_last_answer():
    """Answers that come in pieces, and letters typed meanwhile, do no harm."""
    ours, theirs = pty.openpty()

    def terminal() -> None:
        asked = b""
        while not asked.endswith(b"\x1b[c"):
            asked += os.read(ours, 100)
        os.write(ours, b"j\x1bP>|foot(1.1")
        os.write(ours, b"7)\x1b\\\x1b[6;19;9t\x1b[?62;4;22c")

    thread = threading.Thread(target=terminal)
    thread.start()
    answers = terminal_graphics._answers(theirs, theirs)
    thread.join()
    os.close(ours)
    os.close(theirs)
    assert read_answers(answers) == Graphics("sixel", (9, 19))


def test_a_terminal_that_never_answers_is_not_awaited_for_long(monkeypatch):
    monkeypatch.setattr(terminal_graphics, "_SECONDS", 0.01)
    ours, theirs = pty.openpty()
    assert read_answers(terminal_graphics._answers(theirs, theirs)) == Graphics()
    os.close(ours)
    os.close(theirs)


def listening(app) -> list[str]:
    """What is sent to the terminal beside the frames."""
    heard: list[str] = []
    app.send_to_terminal = heard.append
    return heard


async def test_kitty_is_sent_a_page_once_and_boxes_move_over_it(make_app):
    app = make_app(docset="incidents", graphics=Graphics("kitty", (8, 16)))
    heard = listening(app)
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await pilot.press("enter")
        view = app.screen.query_one(PageView)
        await until(pilot, lambda: view._sent)
        await settle(pilot)
        (number,) = view._sent  # the list behind the page sends a smaller one, when it comes to it
        row = "".join(view.render_line(y).text for y in range(10))
        assert "\U0010eeee" in row
        await pilot.press("j", "k", "j")
        await settle(pilot)
        assert list(view._sent) == [number]
        assert sum(f",i={number}," in one for one in heard) == 1
        assert "Text" in "".join(view.render_line(y).text for y in range(12))
        await pilot.press("escape")
        await until(pilot, lambda: any("a=d" in one for one in heard))


async def test_without_true_colours_kitty_is_given_half_blocks(make_app, monkeypatch):
    monkeypatch.delenv("COLORTERM")
    app = make_app(docset="incidents", graphics=Graphics("kitty"))
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        assert app.picture_level == "halfblock"


async def test_sixels_are_drawn_over_the_page_but_not_over_a_dialog_or_a_message(make_app):
    app = make_app(
        docset="incidents", preferences=Preferences(pictures="sixel"), graphics=Graphics()
    )
    heard = listening(app)
    async with app.run_test(size=SIZE, notifications=True) as pilot:
        await settle(pilot)
        await pilot.press("enter")
        await until(pilot, lambda: any("\x1bP0;1q" in one for one in heard))
        await settle(pilot)
        view = app.screen.query_one(PageView)
        assert heard[-1].startswith("\x1b7\x1b[")
        assert heard[-1].endswith("\x1b8")
        app.screen.notify("a message over the page", timeout=60)
        await until(pilot, lambda: app.screen.query(Toast))
        await settle(pilot)
        app.screen.query_one(Toast).styles.offset = (-60, -10)
        await settle(pilot)
        heard.clear()
        view.refresh()
        await settle(pilot)
        assert app.screen.query_one(Toast).region.overlaps(view.content_region)
        assert not heard
        await app.screen.query(Toast).remove()
        await settle(pilot)
        assert heard
        await pilot.press("question_mark")
        await settle(pilot)
        heard.clear()
        view.refresh()
        await settle(pilot)
        assert not heard
