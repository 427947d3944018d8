import asyncio

import pytest

from workbench.client import Invalid, MissingExtension, ServerFailed
from workbench.contract.plan import EditReport
from workbench.contract.query import Event
from workbench.sessions.plan_sessions import PlanSessions
from workbench.sessions.session_file import SessionFile
from workbench.sessions.workspace import Workspace


@pytest.fixture
def plans(client, file, clock):
    return PlanSessions(client, "wb:ds-1", file, clock=clock)


@pytest.fixture
async def session(plans):
    made = plans.new("which state had most?")
    await made.ask()
    return made


def fields(session):
    return {i: node.extras.get("field") for i, node in session.plan.nodes.items()}


async def test_everything_is_there_after_a_restart(session, path, client):
    await session.feed_back("by state, top 5")
    session.refuse(session.changes().changes[0])
    await session.run()
    session.undo()
    again = SessionFile(path)
    latest = PlanSessions(client, "wb:ds-1", again).latest()
    assert latest.question == "which state had most?"
    assert len(latest.versions.all) == 3
    assert latest.current.number == 2
    assert latest.redo().outcome == {"kind": "rows", "total": 3}
    again.close()


async def test_a_refused_change_makes_a_version_and_accepting_brings_it_back(session):
    await session.feed_back("by state, top 5")
    changed, added = session.changes().changes
    session.refuse(changed)
    assert fields(session)["3"] == "properties.entity.city"
    assert "6" in session.plan.nodes
    assert session.decision(changed) == "refused"
    session.accept(changed)
    assert fields(session)["3"] == "properties.entity.state"
    assert len(session.versions.all) == 4
    assert session.decision(added) is None


async def test_accepting_is_written_down_without_a_new_version(session):
    await session.feed_back("by state, top 5")
    change = session.changes().changes[0]
    session.accept(change)
    assert session.decision(change) == "accepted"
    assert len(session.versions.all) == 2


async def test_feedback_that_is_not_understood_changes_nothing(session, client):
    client.fail["edit_plan"] = Invalid(422, "feedback: 'sparkle' was not understood")
    with pytest.raises(Invalid):
        await session.feed_back("sparkle")
    assert len(session.versions.all) == 1


async def test_a_run_reports_the_effect_of_each_node(session):
    run = await session.run()
    assert run.state == "done"
    assert run.nodes[2].rows == 31
    assert run.approximate
    assert session.current.query_id == "wb:q-1"


async def test_a_run_up_to_a_node_says_nothing_of_the_answer(session):
    run = await session.run(until_node=2)
    assert run.until_node == 2
    assert session.current.outcome is None


async def test_a_failed_run_says_why(session, client):
    client.fail["stream_plan"] = ServerFailed(500, "Internal server error.")
    with pytest.raises(ServerFailed):
        await session.run()
    run = session.runs[1]
    assert (run.state, run.error) == ("failed", "Internal server error.")


async def test_a_server_without_traces_answers(session, client):
    client.fail["run_trace"] = MissingExtension(404, "not offered")
    run = await session.run()
    assert run.state == "done"
    assert (run.nodes[2].rows, run.nodes[2].ms) == (31, None)


async def test_the_last_run_is_restored_after_a_restart(session, path, client):
    await session.run()
    again = SessionFile(path)
    latest = PlanSessions(client, "wb:ds-1", again).latest()
    run = await latest.last_run()
    assert run.nodes[0].rows == 1204
    assert (await latest.output(2))["total"] == 31
    again.close()


async def test_a_node_changed_by_hand_is_a_separate_version(session):
    node = session.plan.node(1).with_fields(query=2022)
    version = session.edit_node(node)
    assert version.origin == "hand"
    assert [c.kind for c in session.changes().changes] == ["changed"]


ASSUMED = "read “most” as number of documents"


async def test_what_was_assumed_stays_after_a_change_by_hand(session):
    report = EditReport(warnings=[ASSUMED], unused=["won"])
    session.versions.add(session.plan.model_copy(update={"edit": report}), "reading")
    session.edit_node(session.plan.node(1).with_fields(query=2022))
    run = await session.run()
    assert session.report.warnings == [ASSUMED]
    assert run.notes.reading == (ASSUMED,) and run.notes.unused == ("won",)


async def test_it_stays_after_a_part_of_a_change_was_refused(session):
    await session.feed_back("by state, top 5")
    changed = session.plan.with_warnings([ASSUMED])
    session.versions.add(changed, "feedback", base=session.current.base)
    session.refuse(session.changes().changes[0])
    run = await session.run()
    assert ASSUMED in run.notes.reading


async def test_questions_are_listed_the_last_touched_first(plans, session, clock):
    clock.now += 5
    other = plans.new("how many?")
    assert [asked.question for asked in plans.asked()] == ["how many?", "which state had most?"]
    plans.forget(other.id)
    assert [asked.versions for asked in plans.asked()] == [1]


async def test_the_thread_of_feedback_becomes_python(session):
    await session.feed_back("by state")
    session.undo()
    await session.feed_back("top 5")
    code = session.as_python()
    compile(code, "cell", "exec")
    assert "plan.edit('top 5')" in code
    assert "by state" not in code


async def test_each_step_is_reported_while_the_plan_runs(session):
    seen = []

    def progress(run):
        seen.append((run.latest, run.nodes[1].state, run.query_id))

    await session.run(on_change=progress)
    assert seen[0] == (None, "waiting", "wb:q-1")
    assert seen[1] == (0, "running", "wb:q-1")
    assert [latest for latest, *_ in seen] == [None, 0, 1, 2, 3, 4, 5]


async def test_a_stopped_run_keeps_the_output_of_its_steps(session, client):
    client.gate.clear()
    begun = asyncio.Event()
    running = asyncio.create_task(
        session.run(on_change=lambda run: run.nodes[1].state == "running" and begun.set())
    )
    await begun.wait()
    running.cancel()
    with pytest.raises(asyncio.CancelledError):
        await running
    run = session.runs[1]
    assert (run.state, run.nodes[0].rows, run.nodes[1].state) == ("failed", 1204, "failed")
    assert run.nodes[2].state == "waiting"


async def test_a_stream_that_breaks_off_is_not_an_answer(session, client, monkeypatch):
    async def cut_off(docset_id, plan, **_):
        yield Event("plan", {"query_id": "wb:q-9"})
        yield Event("result_doc", {"properties": {}})

    monkeypatch.setattr(client, "stream_plan", cut_off)
    with pytest.raises(ServerFailed, match="connection broke"):
        await session.run()
    assert session.current.outcome is None


async def test_the_cost_is_shown_before_a_run_and_requested_after_manual_changes(session, client):
    assert (await session.estimate())[2].texts_read == 212
    session.edit_node(session.plan.node(1).with_fields(query=2022))
    assert not session.estimates
    assert (await session.estimate())[0].rows == 1204
    client.fail["estimate_plan"] = MissingExtension(404, "not offered")
    session.edit_node(session.plan.node(1).with_fields(query=2021))
    assert await session.estimate() == {}


async def test_the_rows_of_two_versions_are_compared_once_both_have_run(session, client):
    await session.feed_back("by state, top 5")
    assert await session.compare_results(1, 2) is None
    await session.run()
    session.undo()
    await session.run()
    changes = await session.compare_results(1, 2)
    assert {change.fate for change in changes} == {"same"}


async def test_changes_by_another_program_to_the_same_question_are_merged(client, file, path):
    here = Workspace(client, file)
    session = here.plans("wb:ds-1").new("which state had most?")
    await session.ask()
    await session.run()
    other = Workspace(client, SessionFile(path))
    there = other.plans("wb:ds-1").open(session.id)
    await there.feed_back("by state")
    assert session.versions.pointer == 1
    here.plans("wb:ds-1").reload()
    assert session.versions.pointer == 2
    assert session.runs.keys() == {1}
    there.versions.keep_run(1, "wb:q-2", None)
    here.plans("wb:ds-1").reload()
    assert not session.runs
    other.file.close()


async def test_a_question_can_be_given_a_name(plans, session):
    plans.rename(session.id, " icing by state ")
    assert plans.asked()[0].name == "icing by state"
    plans.rename(session.id, "")
    assert plans.asked()[0].name is None
