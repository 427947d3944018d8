"""What a person does while something is under way hits what they meant, and nothing else."""

import asyncio

import pytest

from tests.tui.fake_client import task
from tests.tui.test_screens import SIZE, ask, settle, until
from tests.tui.test_typing_ahead import type_at_once
from workbench.tui.dialogs.confirm import Confirm
from workbench.tui.widgets.feedback_box import FeedbackBox
from workbench.tui.widgets.question_line import QuestionLine
from workbench.tui.widgets.table_list import TableList


@pytest.fixture
def slow(client, monkeypatch):
    """Planning waits until the event is set."""
    go = asyncio.Event()
    for name in ("generate_plan", "edit_plan"):
        answer = getattr(client, name)

        async def waits(*args, answer=answer, **more):
            await go.wait()
            return await answer(*args, **more)

        monkeypatch.setattr(client, name, waits)
    return go


async def planning(pilot, question: str = "how many?") -> None:
    await settle(pilot)
    await pilot.press("6")
    await pilot.pause()
    pilot.app.screen.query_one(QuestionLine).field.value = question
    await pilot.press("enter")
    await until(pilot, lambda: "Planning" in pilot.app.screen.query_one("Notice").words)


async def test_keys_typed_while_it_plans_do_not_enter_the_question(make_app, slow):
    app = make_app(docset="incidents")
    async with app.run_test(size=SIZE) as pilot:
        await planning(pilot)
        await pilot.press("x", "r", "3", "backspace", "enter")
        await pilot.pause()
        assert app.screen.place == "plans"
        assert app.screen.query_one(QuestionLine).field.value == "how many?"
        slow.set()
        await settle(pilot)
        assert app.screen._session.question == "how many?"
        assert app.screen.query_one(QuestionLine).field.value == "how many?"


async def test_escape_stops_planning_and_the_question_before_stays(make_app, slow):
    slow.set()
    app = make_app(docset="incidents")
    async with app.run_test(size=SIZE) as pilot:
        await ask(pilot)
        slow.clear()
        await pilot.press("a", *"second")
        await pilot.press("enter")
        await until(pilot, lambda: "Planning" in app.screen.query_one("Notice").words)
        await pilot.press("escape")
        await settle(pilot)
        assert app.screen._session.question == "which state had most?"
        assert app.screen.query_one(QuestionLine).field.value == "which state had most?"
        await pilot.press("a", "b")
        assert app.screen.query_one(QuestionLine).field.value == "b"


async def test_keys_typed_while_the_plan_changes_do_not_enter_the_feedback(make_app, slow):
    slow.set()
    app = make_app(docset="incidents")
    async with app.run_test(size=SIZE) as pilot:
        await ask(pilot)
        slow.clear()
        await pilot.press("e", *"by state", "enter")
        await pilot.press("x", "y")
        await pilot.pause()
        assert app.screen.query_one(FeedbackBox).field.value == "by state"


@pytest.fixture
def uploading(make_app, client, tmp_path):
    """An app with two files that the server works on."""
    papers = [tmp_path / f"{name}.pdf" for name in ("first", "second")]
    for paper in papers:
        paper.write_bytes(paper.name.encode())

    async def submit(docset_id, source, **_):
        client.sent.append(source)
        return f"wb:t-{len(client.sent)}"

    client.submit_document = submit
    return make_app(docset="incidents", prepare=lambda space: space.queue.add("wb:ds-1", papers))


def states(app) -> dict[str, str]:
    return {upload.name: upload.state for upload in app.workspace.queue.uploads()}


async def test_cancelling_an_upload_names_the_file_and_counts_it_as_no_failure(uploading, client):
    app = uploading
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await pilot.press("3")
        await until(pilot, lambda: set(states(app).values()) == {"partitioning"})
        await until(pilot, lambda: app.screen.query_one(TableList).total == 2)
        name = app.screen.query_one(TableList).current.name
        await pilot.press("x")
        await until(pilot, lambda: isinstance(app.screen, Confirm))
        assert name in app.screen._title
        await pilot.press("n")
        await pilot.pause(0.1)
        assert set(states(app).values()) == {"partitioning"}
        await pilot.press("x")
        await until(pilot, lambda: isinstance(app.screen, Confirm))
        await pilot.press("y")
        await until(pilot, lambda: states(app)[name] == "cancelled")
        await pilot.pause(0.1)
        assert app.workspace.queue.counts().get("failed", 0) == 0
        assert "failed" not in "".join(span.text for span in app.state)


async def test_resorting_rows_does_not_change_the_target_of_a_key(uploading, client):
    app = uploading
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await pilot.press("3")
        await until(pilot, lambda: set(states(app).values()) == {"partitioning"})
        await until(pilot, lambda: app.screen.query_one(TableList).total == 2)
        table = app.screen.query_one(TableList)
        meant, other = table.rows[0], table.rows[1]
        app.workspace.queue.change(meant.id, "failed", reason="The server was full.")
        app.screen._show()
        assert table.rows[0].id == other.id
        assert table.current.id == meant.id


async def test_a_cancelled_task_has_no_result_and_says_so(make_app, client):
    client.progress = [task(1, "cancelled", finished=1_699_999_990.0)]
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await pilot.press("4")
        await until(pilot, lambda: app.screen.query_one(TableList).total == 1)
        await pilot.press("enter")

        def messages() -> str:
            return "".join(note.message for note in app._notifications)

        await until(pilot, lambda: "was cancelled" in messages())
        assert not [call for call in client.calls if call[0] == "result"]


async def test_keys_that_come_at_once_behind_a_question_do_not_enter_it(make_app, slow):
    app = make_app(docset="incidents")
    async with app.run_test(size=SIZE) as pilot:
        await settle(pilot)
        await pilot.press("6")
        await pilot.pause()
        type_at_once(app, *"why", "enter", *"more")
        await until(pilot, lambda: "Planning" in app.screen.query_one("Notice").words)
        await pilot.pause(0.1)
        assert app.screen.query_one(QuestionLine).field.value == "why"
