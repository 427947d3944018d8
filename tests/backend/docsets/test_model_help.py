"""The questions that a worker may ask the models, and the effect of failures."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any, cast

import pytest

from backend.docsets.model_help import ModelHelp, TaskHelp
from backend.inference.language import LanguageModel
from backend.inference.language_line import language_model
from backend.settings import LanguageEndpoint
from backend.tasks.pool import WorkerStopped
from backend.tasks.runner import TaskContext
from tests.scripted_model import (
    Json,
    Reply,
    Script,
    ScriptedModel,
    cut,
    data_of,
    good,
    malformed,
    slow,
    status,
)

SCHEMA = {"properties": [{"name": "state", "property_type": "string"}]}
TEXT = [{"id": 0, "page": 1, "text": "State: Texas"}]
TEXAS = {"p0": {"value": "Texas", "element": 0, "quote": "State: Texas"}}
UTAH = {"p0": {"value": "Utah", "element": 0, "quote": "State: Texas"}}
NOTHING: dict[str, None] = {"p0": None}


def asking(count: int = 1, *, voting: bool = False, **more: Any) -> dict[str, Any]:
    return {"schema": SCHEMA, "voting": voting, "documents": [[TEXT]] * count} | more


@contextmanager
def helped(
    *script: Script, stopped: bool = False, vision: bool = False, **settings: Any
) -> Iterator[tuple[TaskHelp, ScriptedModel]]:
    with ScriptedModel(*script) as endpoint:
        model = language_model(LanguageEndpoint(url=endpoint.url, model="tiny", **settings))
        assert model is not None
        no_model: LanguageModel | None = None
        models = ModelHelp(no_model, model) if vision else ModelHelp(model)
        context = cast(TaskContext, SimpleNamespace(stopped=stopped))
        try:
            yield models.for_task(context), endpoint
        finally:
            models.close()


def test_values_stated_in_the_document_come_with_their_element() -> None:
    with helped(good(TEXAS)) as (help, _):
        (answer,) = help.answer("properties", asking(), [])
    sample = {"state": {"value": "Texas", "element": 0, "confidence": 0.75}}
    assert answer == {"samples": [sample], "note": None}
    assert help.message == "tiny: 1 request, 120 tokens."


def test_a_wrong_citation_is_retried_and_then_dropped() -> None:
    with helped(good(UTAH)) as (help, endpoint):
        (answer,) = help.answer("properties", asking(), [])
    assert answer == {"samples": [{}], "note": None}
    assert len(endpoint.requests) == 2
    assert "does not say 'Utah'" in str(endpoint.requests[1]["messages"])


@pytest.mark.parametrize(
    ("fault", "says"),
    [
        (malformed(), "shape"),
        (slow(TEXAS, 2.0), "did not answer within"),
        (cut(TEXAS), "truncated"),
        (status(429, retry_after=999_999), "request rate"),
        (status(401), "rejects the key"),
    ],
    ids=["malformed", "slow", "cut", "429", "401"],
)
def test_after_a_failure_the_rules_read_the_document_and_the_note_says_why(
    fault: Reply, says: str
) -> None:
    with helped(fault, seconds=0.3) as (help, _):
        (answer,) = help.answer("properties", asking(), [])
    assert answer["samples"] == []
    assert says in answer["note"]
    assert help.message is not None and "Failed once" in help.message


def test_a_short_rate_limit_is_waited_for() -> None:
    with helped(status(429, retry_after=1), good(TEXAS)) as (help, _):
        (answer,) = help.answer("properties", asking(), [])
    assert answer["samples"] and answer["note"] is None


def test_documents_are_read_in_parallel() -> None:
    with helped(slow(TEXAS, 0.1), at_once=4) as (help, endpoint):
        answers = help.answer("properties", asking(12), [])
    assert len(answers) == 12
    assert endpoint.at_once == 4


def test_an_endpoint_that_rejects_is_asked_once_and_not_for_each_document() -> None:
    with helped(status(401), at_once=1) as (help, endpoint):
        answers = help.answer("properties", asking(20), [])
    assert len(endpoint.requests) == 1
    assert {answer["note"] for answer in answers} == {answers[0]["note"]}
    assert help.message is not None and "20 times" in help.message


def test_after_repeated_failures_the_task_continues_without_the_model() -> None:
    with helped(malformed(), at_once=1) as (help, endpoint):
        answers = help.answer("properties", asking(20), [])
    assert all(answer["samples"] == [] for answer in answers)
    assert len(endpoint.requests) < 20


def test_the_budget_of_a_task_covers_all_its_documents() -> None:
    with helped(good(TEXAS), at_once=1, task_tokens=700) as (help, endpoint):
        answers = help.answer("properties", asking(20), [])
    assert 0 < len(endpoint.requests) < 10
    assert answers[0]["samples"] and "used up" in answers[-1]["note"]


def test_voting_asks_three_times_with_variation() -> None:
    with helped(good(TEXAS), good(TEXAS), good(NOTHING)) as (help, endpoint):
        (answer,) = help.answer("properties", asking(voting=True), [])
    assert [bool(sample) for sample in answer["samples"]] == [True, True, False]
    assert all(request["temperature"] > 0 for request in endpoint.requests)


def test_a_long_document_is_read_until_all_values_are_read() -> None:
    def reply(request: Json) -> Reply:
        (element,) = data_of(request)["elements"]
        is_in_piece = "Texas" in element["text"]
        quoted = {"value": "Texas", "element": element["id"], "quote": "State: Texas"}
        return good({"p0": quoted if is_in_piece else None})

    pieces = [[{"id": at, "page": at, "text": f"page {at}"}] for at in range(4)]
    pieces[2][0]["text"] = "State: Texas"
    with helped(reply) as (help, endpoint):
        (answer,) = help.answer("properties", asking(documents=[pieces]), [])
    assert answer["samples"][0]["state"]["element"] == 2
    assert len(endpoint.requests) == 3


def test_a_stopped_task_waits_for_no_answer() -> None:
    with helped(slow(TEXAS, 5.0), stopped=True) as (help, _):
        began = time.monotonic()
        with pytest.raises(WorkerStopped):
            help.answer("properties", asking(), [])
        assert time.monotonic() - began < 4


def test_pictures_are_described_with_their_captions_as_data() -> None:
    with helped(good({"summary": "A bar chart\n of rain."}), vision=True) as (help, endpoint):
        summaries = help.answer("pictures", ["Figure 1: rain", None], [b"\x89PNG1", b"\x89PNG2"])
    assert summaries == ["A bar chart of rain."] * 2
    captions = {data_of(request)["caption"] for request in endpoint.requests}
    assert captions == {"Figure 1: rain", None}
    assert all("image/png" in str(request) for request in endpoint.requests)


def test_a_picture_that_cannot_be_described_keeps_its_own_summary() -> None:
    with helped(status(400), vision=True) as (help, _):
        assert help.answer("pictures", [None], [b"\x89PNG"]) == [None]


def test_a_worker_can_ask_for_nothing_but_the_model() -> None:
    with helped(good(TEXAS)) as (help, endpoint):
        assert help.answer("chat", {"prompt": "hello"}, []) is None
        assert help.answer("pictures", [None], [b""]) is None
    assert endpoint.requests == []
    assert help.message is None


def test_without_models_nothing_is_asked() -> None:
    none = ModelHelp()
    assert none.wanted == {"room": 0, "eyes": False}
    help = none.for_task(cast(TaskContext, SimpleNamespace(stopped=False)))
    assert help.answer("properties", asking(), []) is None
    assert help.message is None
