"""Two programs over one session file: each sees what the other does, and nothing is lost."""

import asyncio
from contextlib import suppress

import pytest

from workbench.sessions.plan_sessions import PlanSessions
from workbench.sessions.session_file import SessionFile
from workbench.sessions.session_watch import SessionWatch
from workbench.sessions.workspace import Workspace


@pytest.fixture
def other(path, file):
    """The file as another program has it open."""
    opened = SessionFile(path)
    yield opened
    opened.close()


@pytest.fixture
async def session(client, file, clock):
    made = PlanSessions(client, "wb:ds-1", file, clock=clock).new("which state had most?")
    await made.ask()
    return made


@pytest.fixture
def twin(session, client, other):
    """The same question in the other program."""
    return PlanSessions(client, "wb:ds-1", other).open(session.id)


def test_only_writes_by_other_programs_are_news(file, other):
    with file.writing() as connection:
        connection.execute(
            "INSERT INTO searches (id, docset_id, state, made) VALUES (1, 'd', 's', 0)"
        )
    assert not file.written_elsewhere()
    with other.writing() as connection:
        connection.execute(
            "INSERT INTO searches (id, docset_id, state, made) VALUES (2, 'd', 't', 0)"
        )
    assert file.written_elsewhere()
    assert not file.written_elsewhere(), "it is reported once"


async def test_listeners_hear_of_it_until_they_leave(file, other):
    ticks, heard = asyncio.Queue(), []

    async def sleep(_):
        await ticks.get()

    watch = SessionWatch(file, sleep=sleep)
    stop = watch.listen(lambda: heard.append(1))
    running = asyncio.create_task(watch.run())
    for number in range(3):
        with other.writing() as connection:
            connection.execute(
                "INSERT INTO searches (id, docset_id, state, made) VALUES (?, 'd', ?, 0)",
                (number, number),
            )
        if number == 2:
            stop()
        ticks.put_nowait(None)
        await asyncio.sleep(0.01)
    running.cancel()
    with suppress(asyncio.CancelledError):
        await running
    assert heard == [1, 1]


async def test_a_version_made_in_one_program_is_shown_in_the_other(session, client, file, other):
    space = Workspace(client, other)
    twin = space.plans("wb:ds-1").open(session.id)
    heard: asyncio.Queue[int] = asyncio.Queue()
    twin.listen(lambda: heard.put_nowait(twin.versions.pointer))
    running = asyncio.create_task(space.news.run())
    await session.feed_back("by state, top 5")
    async with asyncio.timeout(1):
        assert await heard.get() == 2
    running.cancel()
    assert twin.plan == session.plan


async def test_changes_made_at_the_same_time_are_versions_side_by_side(session, twin):
    await session.feed_back("by state, top 5")
    twin.edit_node(twin.plan.node(1).with_fields(query=2022))
    session.versions.reload()
    twin.versions.reload()
    assert session.versions.all == twin.versions.all and len(twin.versions.all) == 3
    assert {version.parent for version in twin.versions.all.values()} == {None, 1}
    assert session.versions.pointer == twin.versions.pointer == 3, "the last one is shown in both"


async def test_decisions_of_both_programs_are_kept(session, twin):
    await session.feed_back("by state, top 5")
    twin.versions.reload()
    first, second = session.changes().changes
    session.accept(first)
    twin.accept(second)
    session.versions.reload()
    assert session.decision(first) == session.decision(second) == "accepted"


async def test_a_reload_without_news_is_silent_and_reads_no_plan_again(session):
    heard = []
    plan = session.plan
    stop = session.listen(lambda: heard.append(1))
    session.versions.reload()
    assert heard == [] and session.plan is plan
    await session.run()
    assert heard
    stop()
    heard.clear()
    session.undo()
    await session.run()
    assert heard == []


async def test_a_question_deleted_elsewhere_says_so_when_it_is_worked_on(
    session, twin, client, other
):
    PlanSessions(client, "wb:ds-1", other).forget(session.id)
    with pytest.raises(LookupError, match="deleted in another window"):
        await session.feed_back("by state, top 5")
    session.versions.reload()
    assert session.current is None
