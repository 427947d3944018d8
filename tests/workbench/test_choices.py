"""A request with several readings, in the library and on the command line."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import workbench as wb
from tests.backend_process import BackendProcess
from workbench.cli import main
from workbench.client import Ambiguous, Invalid
from workbench.objects import AsyncAmbiguousPlan

ROUTES = [("Paris", "Rome"), ("Rome", "Oslo"), ("Oslo", "Rome")]
QUESTION = "flights of Rome"
FROM, TO = "Keep where origin city is Rome", "Keep where target city is Rome"
Run = Callable[..., tuple[int, str, str]]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("choices")


@pytest.fixture(scope="module")
def flights(backend: BackendProcess, folder: Path) -> Iterator[wb.DocSet]:
    """Three documents with two properties that have the same cities."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("WORKBENCH_DATA_DIR", str(folder))
        with wb.connect(backend.url, backend.token) as client:
            schema = {"origin_city": str, "target_city": str}
            docset = client.docsets.create("choices", schema=schema)
            texts = [f"Flight {n}.".encode() for n in range(len(ROUTES))]
            for document, route in zip(docset.add(texts, progress=False), ROUTES, strict=True):
                for name, city in zip(schema, route, strict=True):
                    docset.set_property(str(document.doc_id), name, city)
            yield docset
            docset.delete()


@pytest.fixture
def run(
    flights: wb.DocSet,
    backend: BackendProcess,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> Run:
    monkeypatch.setenv("WORKBENCH_API_KEY", backend.token)

    def ask(*words: str) -> tuple[int, str, str]:
        capfd.readouterr()
        code = main(["ask", "choices", *words, "--url", backend.url])
        out, error = capfd.readouterr()
        return code, out, error

    return ask


def refused(make: Callable[[str], object], words: str) -> wb.AmbiguousPlan:
    with pytest.raises(wb.AmbiguousPlan) as refusal:
        make(words)
    return refusal.value


def test_a_choice_of_a_question_is_applied_and_runs(flights: wb.DocSet) -> None:
    error = refused(flights.plan, QUESTION)
    assert isinstance(error, Invalid) and {c.words for c in error.choices} == {FROM, TO}
    counts = {c.words: len(c.apply().run()) for c in error.choices}
    assert counts == {FROM: 1, TO: 2}
    chosen = error.choices[0].apply()
    assert chosen.question == QUESTION and chosen.plan.nodes == error.choices[0].plan.nodes
    assert all(choice.words in str(error) for choice in error.choices)


def test_a_question_is_answered_by_one_call_or_refused_with_its_choices(flights: wb.DocSet) -> None:
    answer = flights.ask("How many documents are there?")
    assert answer.result == flights.plan("How many documents are there?").run().result > 0
    assert {choice.words for choice in refused(flights.ask, QUESTION).choices} == {FROM, TO}


def test_a_refused_question_leaves_nothing_until_a_choice_is_applied(
    flights: wb.DocSet,
) -> None:
    before = len(flights.plans())
    error = refused(flights.plan, QUESTION)
    assert len(flights.plans()) == before
    error.choices[1].apply()
    assert len(flights.plans()) == before + 1


def test_a_choice_of_feedback_is_a_version_of_the_same_plan(flights: wb.DocSet) -> None:
    plan = flights.plan("How many documents are there?")
    error = refused(plan.edit, "only Rome")
    plan.edit("only documents that mention flights")  # another version meanwhile
    chosen = next(c for c in error.choices if c.words == TO).apply()
    assert chosen.run().result == 2
    chosen.session.versions.go_to(chosen.number)
    assert "docset.take_plan" in chosen.session.as_python()
    assert chosen.undo().number == plan.number


def test_a_plan_of_one_docset_is_accepted_by_another(flights: wb.DocSet) -> None:
    plan = flights.plan("How many documents are there?").plan
    copy = flights.clone()
    try:
        with pytest.raises(Invalid, match="a plan reads only the one it runs on"):
            copy.engine.run(lambda client: client.run_plan(copy.id, plan))
        assert copy.take_plan(plan).run().result == len(ROUTES)
    finally:
        copy.delete()


async def test_choices_of_awaited_calls_give_awaited_drafts(flights: wb.DocSet) -> None:
    from workbench.objects.awaited import AsyncDocSet, AsyncPlanDraft

    docset = AsyncDocSet(flights)
    with pytest.raises(AsyncAmbiguousPlan) as refusal:
        await docset.plan(QUESTION)
    chosen = next(c for c in refusal.value.choices if c.words == TO).apply()
    assert isinstance(chosen, AsyncPlanDraft) and len(await chosen.run()) == 2
    assert (await docset.ask("How many documents are there?")).result > 0
    plan = await docset.plan("How many documents are there?")
    for ambiguous in (docset.ask(QUESTION), plan.edit("only Rome")):
        with pytest.raises(AsyncAmbiguousPlan) as refusal:
            await ambiguous
    assert (await refusal.value.choices[0].apply().run()).result in (1, 2)


async def test_the_client_passes_choices_on_unchanged(
    flights: wb.DocSet, backend: BackendProcess
) -> None:
    async with wb.AsyncClient(backend.url, backend.token) as client:
        with pytest.raises(Ambiguous) as refusal:
            await client.generate_plan(flights.id, QUESTION)
    assert {choice.words for choice in refusal.value.choices} == {FROM, TO}


def test_the_command_lists_the_readings_and_applies_one_by_number(run: Run) -> None:
    code, out, error = run(QUESTION)
    assert (code, out) == (1, "") and "--choose 1 or --choose 2" in error
    listed = [line.split(maxsplit=1)[1] for line in error.splitlines() if line[:4].strip() in "12"]
    assert {FROM, TO} <= set(listed)
    for number, words in enumerate([w for w in listed if w in (FROM, TO)], 1):
        code, out, _ = run(QUESTION, "--choose", str(number), "--json")
        answer: dict[str, Any] = json.loads(out)
        assert code == 0 and len(answer["result"]) == (1 if words == FROM else 2)


def test_programs_get_the_readings_as_json(run: Run) -> None:
    code, out, _ = run(QUESTION, "--json")
    output = json.loads(out)
    assert code == 1 and [choice["number"] for choice in output["choices"]] == [1, 2]
    assert {choice["words"] for choice in output["choices"]} == {FROM, TO}
    assert output["choices"][0]["plan"]["nodes"] and "may mean" in output["error"]


def test_each_request_uses_the_next_choice(run: Run) -> None:
    everything = "How many documents are there?"
    code, _, error = run(everything, "--edit", "only Rome", "--choose", "3")
    assert code == 1 and "There is no reading 3." in error
    anew = "start over: flights of Oslo"
    code, out, error = run(QUESTION, "--edit", anew, "--choose", "1", "--choose", "2", "--json")
    nodes = json.loads(out)["plan"]["nodes"].values()
    asked = [node["query"] for node in nodes if node["node_type"] == "BasicFilter"]
    assert code == 0 and asked == ["Oslo"] and "not needed" not in error


def test_an_unneeded_choice_is_reported(run: Run) -> None:
    code, out, error = run("How many documents are there?", "--choose", "2")
    assert (code, out.strip()) == (0, "3") and "--choose 2 was not needed" in error
