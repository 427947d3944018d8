"""Long texts and pasted ones: the app says what is wrong with them and goes on."""

import threading

import pytest
from textual import events
from textual._xterm_parser import XTermParser

from tests.tui.test_screens import SIZE, ask, search, settle, shown_text, type_in, until
from workbench.client import AsyncClient
from workbench.sessions.gather import Gathered
from workbench.tui.dialogs.add_files import AddFiles
from workbench.tui.widgets.filter_input import FilterInput

_TOO_LONG = "this text has 2,001 characters; it may have at most 2,000 characters."


@pytest.fixture
def real_plans(client, monkeypatch):
    """The requests about plans are those of the real client; none of them reaches a server."""
    real = AsyncClient("http://localhost:1", "token")
    monkeypatch.setattr(client, "edit_plan", real.edit_plan)
    return lambda: monkeypatch.setattr(client, "generate_plan", real.generate_plan)


async def test_a_question_that_is_too_long_gets_a_sentence_and_stays(make_app, real_plans):
    real_plans()
    app = make_app(docset="incidents")
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await pilot.press("6")
        await settle(pilot)
        await type_in(pilot, "x" * 2_001)
        assert shown_text(app) == f"query: {_TOO_LONG}"
        assert app.focused.value == "x" * 2_001


async def test_feedback_that_is_too_long_gets_a_sentence_and_stays(make_app, real_plans):
    app = make_app(docset="incidents")
    async with app.run_test(size=SIZE) as pilot:
        await ask(pilot)
        await pilot.press("e")
        await type_in(pilot, "x" * 2_001)
        assert shown_text(app) == f"feedback: {_TOO_LONG}"
        assert app.focused.value == "x" * 2_001


async def test_a_search_or_condition_that_is_too_long_gets_a_sentence(make_app):
    app = make_app(docset="incidents")
    async with app.run_test(size=SIZE) as pilot:
        await search(pilot, "x" * 10_001)
        assert "at most 10,000 characters" in shown_text(app)
        await search(pilot, "ice")
        app.screen.query_one(FilterInput).focus()
        await pilot.pause()
        await type_in(pilot, "year > " + "1" * 5_000)
        assert shown_text(app).startswith(
            "this text has 5,007 characters; it may have at most 4,096"
        )


@pytest.mark.parametrize("key", ["2", "3"])
@pytest.mark.parametrize("text", ["y" * 256, "~nobody-by-that-name/x", "file://[x", "a\0b"])
async def test_a_pasted_text_that_no_file_can_be_called_opens_nothing(make_app, key, text):
    app = make_app(docset="incidents")
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await pilot.press(key)
        await settle(pilot)
        screen = app.screen
        screen.post_message(events.Paste(text))
        await settle(pilot)
        assert app.screen is screen and app.is_running


async def test_the_app_goes_on_while_a_pasted_folder_is_looked_through(make_app, monkeypatch):
    """A pasted "/usr" stopped it for most of a minute."""
    begun, end = threading.Event(), threading.Event()

    def slow(text):
        begun.set()
        assert end.wait(60)
        return Gathered((), ())

    monkeypatch.setattr("workbench.tui.screens.adding.gather", slow)
    app = make_app(docset="incidents")
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await pilot.press("2")
        await settle(pilot)
        before = app.screen
        before.post_message(events.Paste("/usr"))
        await until(pilot, begun.is_set)
        await pilot.press("6")
        await until(pilot, lambda: app.screen is not before)
        end.set()


async def test_pasted_lines_become_the_one_line_of_a_question(make_app):
    app = make_app(docset="incidents")
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await pilot.press("6")
        await settle(pilot)
        app.post_message(events.Paste("how many invoices\n\nin Ohio\n"))
        await until(pilot, lambda: app.focused.value == "how many invoices in Ohio")


async def test_paths_pasted_as_lines_stay_apart(make_app, tmp_path):
    for name in ("a report.pdf", "b.pdf"):
        (tmp_path / name).write_bytes(b"x")
    app = make_app(docset="incidents")
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await pilot.press("a")
        await until(pilot, lambda: isinstance(app.screen, AddFiles))
        await pilot.pause()
        app.post_message(events.Paste(f"{tmp_path}/a report.pdf\n{tmp_path}/b.pdf\n"))
        wanted = f"'{tmp_path}/a report.pdf' {tmp_path}/b.pdf"
        await until(pilot, lambda: app.focused.value == wanted)


def parsed(*pieces: str) -> list[events.Event]:
    parser = XTermParser()
    return [event for piece in pieces for event in parser.feed(piece)]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain", "plain"),
        ("\x1bdy", "dy"),
        ("\x1b" * 9, ""),
        ("\x1b[A\x1b[31mred\x1b[2", "[A[31mred[2"),
        (f"\x1b{'q' * 40}", "q" * 40),
        ("a\x1b[200~b", "a[200~b"),
    ],
)
@pytest.mark.parametrize("length", [1, 2, 3, 5, 7, 1000])
def test_a_paste_presses_no_keys(text, shown, length):
    sent = f"a\x1b[200~{text}\x1b[201~b\x1b[A"
    pieces = [sent[start : start + length] for start in range(0, len(sent), length)]
    first, pasted, last, up = parsed(*pieces)
    assert pasted.text == shown
    assert [event.key for event in (first, last, up)] == ["a", "b", "up"]
