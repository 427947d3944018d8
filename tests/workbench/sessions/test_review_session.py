"""A person goes through values as fast as keys can be pressed, and no decision is lost."""

import asyncio

import pytest

from workbench.client import ConnectionFailed, NotFound
from workbench.contract.review import Decided
from workbench.sessions.originals import Originals
from workbench.sessions.page_sources import PageSources
from workbench.sessions.review_session import ReviewSession


@pytest.fixture
async def session(client):
    opened = ReviewSession(client, "wb:ds-1")
    await opened.reach()
    return opened


def decided(client):
    return [(one.doc_id, one.value) for one in client.decided]


async def test_values_are_fetched_before_they_are_reached(session, client):
    assert (session.total, len(session.values)) == (210, 100)
    for _ in range(70):
        session.skip()
    await session.reach()
    assert len(session.values) == 200 and session.position == 70
    while session.current is not None:
        session.skip()
        await session.reach()
    assert session.position == 210 and session.at_end


async def test_each_decision_records_what_the_person_saw(session, client):
    session.accept()
    assert not session.take(3), "there is no third alternative"
    session.take(2)
    session.decide(None)
    session.decide("Nevada")
    assert (session.checked, session.changed) == (4, 3)
    await session.send()
    values = ["Washington", "Alaska City", None, "Nevada"]
    assert decided(client) == [(f"wb:f-{n}", value) for n, value in enumerate(values)]


async def test_going_back_decides_anew(session, client):
    session.decide("Nevada")
    await session.send()
    assert session.back() and session.decision.value == "Nevada"
    session.accept()
    await session.send()
    assert decided(client) == [("wb:f-0", "Nevada"), ("wb:f-0", "Washington")]
    assert (session.checked, session.changed) == (1, 0)


async def test_decisions_made_while_others_are_sent_follow_together(session, client):
    go, sent = asyncio.Event(), []

    async def slow(docset_id, decisions):
        sent.append(len(decisions))
        await go.wait()
        return Decided(changed=0, confirmed=len(decisions))

    client.decide = slow
    session.accept()
    sending = asyncio.create_task(session.send())
    await asyncio.sleep(0)
    for _ in range(9):
        session.accept()
    go.set()
    await sending
    assert sent == [1, 9] and session.unsent == 0


async def test_a_broken_line_keeps_the_decisions(session, client):
    client.fail["decide"] = ConnectionFailed("gone")
    session.accept()
    with pytest.raises(ConnectionFailed):
        await session.send()
    session.accept()
    assert session.unsent == 2
    client.fail.clear()
    await session.send()
    assert len(client.decided) == 2 and session.unsent == 0


async def test_a_refused_decision_is_dropped_and_the_others_are_kept(session, client):
    decide = client.decide

    async def refuse(docset_id, decisions):
        if any(one.doc_id == "wb:f-1" for one in decisions):
            raise NotFound(404, "No such document: wb:f-1")
        return await decide(docset_id, decisions)

    client.decide = refuse
    for _ in range(4):
        session.accept()
    with pytest.raises(NotFound):
        await session.send()
    await session.send()
    assert [doc_id for doc_id, _ in decided(client)] == ["wb:f-0", "wb:f-2", "wb:f-3"]
    assert session.unsent == 0 and session.checked == 3


async def test_pages_of_the_next_documents_are_there_before_they_are_asked_for(session, client):
    sources = PageSources(Originals(client), "wb:ds-1")
    sources.prefetch(session.upcoming(3))
    assert sources.ready("wb:f-1") is None
    first = await sources.get("wb:f-2")
    await asyncio.gather(*asyncio.all_tasks() - {asyncio.current_task()})
    assert first.pages == 1 and sources.ready("wb:f-1") is not None
    assert [d for name, d in client.calls if name == "binary"] == [(f"wb:f-{n}",) for n in range(3)]


async def test_a_page_that_could_not_be_fetched_is_asked_for_again(session, client):
    sources = PageSources(Originals(client), "wb:ds-1")
    client.fail["binary"] = ConnectionFailed("gone")
    with pytest.raises(ConnectionFailed):
        await sources.get("wb:f-1")
    client.fail.clear()
    assert (await sources.get("wb:f-1")).pages == 1
